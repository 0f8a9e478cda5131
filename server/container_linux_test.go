package server

import (
	"bufio"
	"errors"
	"fmt"
	"io"
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

// insideName is the environment variable with the name of the test that a process of its own runs.
const insideName = "CRDPROOF_TEST_INSIDE"

// inside reports whether this process is one that runs only this test.
func inside(t *testing.T) bool { return os.Getenv(insideName) == t.Name() }

// another returns a process that runs only this test, with its own mounts if isContainer is set. The test is skipped if
// that is not permitted.
func another(t *testing.T, isContainer bool) *exec.Cmd {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^"+strings.ReplaceAll(t.Name(), "/", "$/^")+"$")
	c.Env = append(os.Environ(), insideName+"="+t.Name())
	if !isContainer {
		return c
	}
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	try := exec.Command("true")
	try.SysProcAttr = c.SysProcAttr
	if err := try.Run(); err != nil {
		t.Skipf("a process cannot have its own mounts here: %v", err)
	}
	return c
}

// runInside runs this test in a process with its own mounts, and reports whether this is that process.
func runInside(t *testing.T) bool {
	t.Helper()
	if inside(t) {
		return true
	}
	c := another(t, true)
	c.Env = append(c.Env, "TMPDIR="+t.TempDir())
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	return false
}

// mount mounts a file system in memory of some KiB.
func mount(t *testing.T, dir string, kib int) {
	t.Helper()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%dk", kib)); err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
}

// containerShared is the size of /dev/shm in containers, in KiB.
const containerShared = 64 << 10

// TestSpace uses the temporary directory if the file system in memory is as small as in a container.
func TestSpace(t *testing.T) {
	if !runInside(t) {
		return
	}
	for _, test := range []struct {
		kib  int
		want string
	}{{containerShared, os.TempDir()}, {neededBytes >> 10, inMemory}} {
		mount(t, inMemory, test.kib)
		d, err := newDirectory()
		if err != nil {
			t.Fatal(err)
		}
		if got := filepath.Dir(d.path); got != test.want {
			t.Errorf("with %d KiB, the directory is in %s, want %s", test.kib, got, test.want)
		}
		if err := d.remove(); err != nil {
			t.Error(err)
		}
	}
}

// TestIdle shows how much space a server without objects takes.
func TestIdle(t *testing.T) {
	if !runInside(t) {
		return
	}
	mount(t, inMemory, neededBytes>>10)
	before, err := freeBytes(inMemory)
	if err != nil {
		t.Fatal(err)
	}
	Start(t)
	after, err := freeBytes(inMemory)
	if err != nil {
		t.Fatal(err)
	}
	if used := before - after; used == 0 || used > 3<<20 {
		t.Errorf("an idle server takes %d bytes of %s", used, inMemory)
	}
}

// TestFullAtStart starts a server in file systems that are too small for it at different points. The process survives,
// and the error names the directory.
func TestFullAtStart(t *testing.T) {
	for kib := 4; kib <= 1024; kib *= 2 {
		t.Run(fmt.Sprint(kib), func(t *testing.T) {
			if !runInside(t) {
				return
			}
			mount(t, inMemory, containerShared)
			mount(t, os.TempDir(), kib)
			s, err := New(t.Context(), Options{})
			if err == nil {
				err = s.Stop()
				t.Fatalf("the server starts, and stops with %v", err)
			}
			if !strings.Contains(err.Error(), os.TempDir()) || !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("got %v", err)
			}
			checkNothingLeft(t, os.TempDir())
		})
	}
}

// TestFullWhileRunning fills the file system of a running server. The process survives, and all calls return the error.
func TestFullWhileRunning(t *testing.T) {
	if !runInside(t) {
		return
	}
	mount(t, inMemory, containerShared)
	mount(t, os.TempDir(), 8<<10)
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
	<-s.Done()
	_, loaded := s.Load(t.Context())
	for name, err := range map[string]error{"Load": loaded, "Stop": s.Stop(), "the second Stop": s.Stop()} {
		if err == nil || !strings.Contains(err.Error(), s.dir) || !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s returns: %v", name, err)
		}
	}
	checkNothingLeft(t, os.TempDir())
}

// checkNothingLeft checks that no data of servers is in a directory.
func checkNothingLeft(t *testing.T, dir string) {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(dir, directoryPattern+"*"))
	if err != nil {
		t.Fatal(err)
	}
	if len(left) > 0 {
		t.Errorf("%v remain", left)
	}
}

// TestKilled kills servers, some with their data in memory and some in the temporary directory. The next ones, which
// start at the same time, remove their data.
func TestKilled(t *testing.T) {
	if inside(t) {
		if os.Getenv("CRDPROOF_TEST_SMALL") != "" {
			mount(t, inMemory, containerShared)
		}
		d, err := newDirectory()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println(d.path)
		<-t.Context().Done() // never: the process is killed
	}
	t.Setenv("TMPDIR", t.TempDir())
	var left []string
	for i := range 6 {
		isSmall := i%2 == 0
		c := another(t, isSmall)
		if isSmall {
			c.Env = append(c.Env, "CRDPROOF_TEST_SMALL=1")
		}
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		c.Stderr = os.Stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		path, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		path = strings.TrimSpace(path)
		if _, err := os.Stat(filepath.Join(path, lockName)); err != nil {
			t.Error(err)
		}
		left = append(left, path)
		defer func() { _, _ = io.Copy(io.Discard, out) }()
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := c.Wait(); err == nil || !strings.Contains(err.Error(), "signal: killed") {
			t.Error(err)
		}
		if i%2 == 0 != strings.HasPrefix(path, os.TempDir()) {
			t.Errorf("the data is in %s", path)
		}
	}
	t.Run("next", func(t *testing.T) {
		for range 4 {
			t.Run("server", func(t *testing.T) {
				t.Parallel()
				d, err := newDirectory()
				if err != nil {
					t.Fatal(err)
				}
				if err := d.remove(); err != nil {
					t.Error(err)
				}
			})
		}
	})
	for _, path := range left {
		if _, err := os.Stat(path); !os.IsNotExist(err) {
			t.Errorf("%s remains: %v", path, err)
		}
	}
}

// TestForeign does not touch what other users, or other programs, have put into the temporary directory.
func TestForeign(t *testing.T) {
	dir := t.TempDir()
	path := func(name string, rest ...string) string {
		return filepath.Join(append([]string{dir, directoryPattern + name}, rest...)...)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	lock := func(name string) {
		t.Helper()
		must(os.Mkdir(path(name), 0o700))
		must(os.WriteFile(path(name, lockName), nil, 0o600))
	}
	lock("left")
	lock("open")
	must(os.Chmod(path("open"), 0o777))
	must(os.Mkdir(path("pipe"), 0o700))
	must(syscall.Mkfifo(path("pipe", lockName), 0o600))
	must(os.Mkdir(path("link"), 0o700))
	must(os.Symlink(path("open", lockName), path("link", lockName)))
	must(os.Symlink(path("linked"), path("is-link")))
	must(os.WriteFile(path("file"), nil, 0o600))
	want := []string{"file", "is-link", "link", "open", "pipe"}
	if os.Geteuid() == 0 {
		lock("theirs")
		must(os.Chown(path("theirs"), 12345, 12345))
		want = append(want, "theirs")
	}
	removeLeft(dir)
	entries, err := os.ReadDir(dir)
	must(err)
	var got []string
	for _, entry := range entries {
		got = append(got, strings.TrimPrefix(entry.Name(), directoryPattern))
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("these remain: %v, want %v", got, want)
	}
}
