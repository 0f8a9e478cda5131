package server

import (
	"context"
	"errors"
	"net"
	"os"
	"strings"
	"sync"
	"testing"

	"k8s.io/client-go/discovery"
)

// TestTemporaryDirectories makes directories where users have set TMPDIR to.
func TestTemporaryDirectories(t *testing.T) {
	t.Chdir(t.TempDir())
	long := strings.Repeat("long", longestSocket/4)
	err := errors.Join(os.Mkdir("relative", 0o700), os.Mkdir(long, 0o700), os.WriteFile("file", nil, 0o600))
	if err != nil {
		t.Fatal(err)
	}
	for parent, want := range map[string]string{
		"missing": "no such file or directory",
		"file":    "not a directory",
		long:      "the path of a socket may have",
	} {
		if _, err := newDirectoryIn(parent); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("in %s: %v, want %q", parent, err, want)
		}
	}
	if left, err := os.ReadDir(long); err != nil || len(left) > 0 {
		t.Errorf("%v remain, %v", left, err)
	}
	d, err := newDirectoryIn("relative")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	store, err := startEtcd(t.Context(), d.path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(store.close(), d.remove()); err != nil {
		t.Error(err)
	}
}

// A countingListener calls a function before it accepts its nth connection.
type countingListener struct {
	net.Listener
	n    int
	call func()
}

func (l *countingListener) Accept() (net.Conn, error) {
	if l.n--; l.n == 0 {
		l.call()
	}
	return l.Listener.Accept()
}

// TestCancelWhileStarting stops an API server before it has started, at different points. The process survives, and the
// server stops.
func TestCancelWhileStarting(t *testing.T) {
	discardLog()
	d, err := newDirectory()
	if err != nil {
		t.Fatal(err)
	}
	store, err := startEtcd(t.Context(), d.path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 4 {
		listener, err := listen("")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		if n == 0 {
			cancel()
		}
		api, err := startAPIServer(ctx, &countingListener{listener, n, cancel}, store.address(), false)
		if err == nil {
			t.Errorf("%d: the server has started", n)
		}
		if api != nil {
			<-api.stopped
		}
		cancel()
		_ = listener.Close()
	}
	if err := errors.Join(store.close(), d.remove()); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New(ctx, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("New returns %v", err)
	}
}

// TestMany runs many servers in one process at the same time.
func TestMany(t *testing.T) {
	if testing.Short() {
		t.Skip("runs 20 servers")
	}
	var started sync.WaitGroup
	for range 20 {
		started.Go(func() {
			s, err := New(t.Context(), Options{})
			if err != nil {
				t.Error(err)
				return
			}
			client, err := discovery.NewDiscoveryClientForConfig(s.Config())
			if err == nil {
				_, err = client.ServerVersion()
			}
			if err := errors.Join(err, s.Stop(), s.Stop()); err != nil {
				t.Error(err)
			}
		})
	}
	started.Wait()
}
