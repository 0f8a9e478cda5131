package server

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// inContainer runs a test in a process of its own that has a file system in memory of some KiB as TMPDIR, and a
// /dev/shm of 64 MiB, as containers have. It reports whether this is that process.
func inContainer(t *testing.T, name string, kib int) bool {
	t.Helper()
	const isInside = "CRDPROOF_IN_CONTAINER"
	if os.Getenv(isInside) == name {
		mount(t, os.TempDir(), kib)
		mount(t, inMemory, 64<<10)
		return true
	}
	child := exec.Command(os.Args[0], "-test.run=^"+strings.ReplaceAll(t.Name(), "/", "$/^")+"$")
	child.Env = append(os.Environ(), isInside+"="+name, "TMPDIR="+t.TempDir())
	child.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	out, err := child.CombinedOutput()
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EINVAL) {
		t.Skipf("a namespace for mounts is not permitted here: %v", err)
	}
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	return false
}

func mount(t *testing.T, dir string, kib int) {
	t.Helper()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%dk", kib)); err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
}

// TestFullAtStart starts a server in file systems that are too small for it at different points. The process survives,
// and the error names the directory.
func TestFullAtStart(t *testing.T) {
	for kib := 4; kib <= 4096; kib += kib {
		t.Run(fmt.Sprint(kib), func(t *testing.T) {
			if !inContainer(t, t.Name(), kib) {
				return
			}
			s, err := New(t.Context(), Options{})
			if err == nil {
				err = s.Stop()
				t.Fatalf("the server starts and stops with %v", err)
			}
			for _, want := range []string{os.TempDir(), "no space left on device"} {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in: %v", want, err)
				}
			}
			checkEmpty(t, os.TempDir())
		})
	}
}

// TestFullWhileRunning fills the file system of a running server. The process survives, and all calls return the error.
func TestFullWhileRunning(t *testing.T) {
	if !inContainer(t, t.Name(), 8<<10) {
		return
	}
	s, err := New(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	client, err := kubernetes.NewForConfig(s.Config())
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; err == nil; i++ {
		_, err = client.CoreV1().ConfigMaps("default").Create(t.Context(), &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("m", i)},
			Data:       map[string]string{"k": strings.Repeat("v", 500_000)},
		}, metav1.CreateOptions{})
	}
	t.Log(err)
	<-s.Done()
	_, loaded := s.Load(t.Context())
	for name, err := range map[string]error{"Load": loaded, "Stop": s.Stop(), "the second Stop": s.Stop()} {
		if err == nil || !strings.Contains(err.Error(), s.dir+": ") || !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s returns: %v", name, err)
		}
	}
	checkEmpty(t, os.TempDir())
}

// checkEmpty checks that nothing is left of servers in a directory.
func checkEmpty(t *testing.T, dir string) {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(dir, directoryPattern+"*"))
	if err != nil {
		t.Fatal(err)
	}
	if len(left) > 0 {
		t.Errorf("%v remain", left)
	}
}
