//go:build unix

package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

var shakes = flag.Int("shakes", 1, "multiplies the numbers of parallel and of killed runs")

// A shaken is a module with files for every command, and a program that runs the commands.
type shaken struct {
	dir, program string
	env          []string
}

// shakenCommands are the commands by their names. Those that write files write them to out.
func shakenCommands() map[string][]string {
	return map[string][]string{
		"generate": {"crd", "object", "rbac:roleName=r", "paths=./api", "output:dir=out"},
		"helpers":  {"helpers:crds=config/crd,package=rules,runtime=copy", "output:dir=out/rules"},
		"verify":   {"crd", "paths=./api", "output:dir=config/crd", "--verify"},
		"check":    {"check", "config/crd"},
		"diff":     {"diff", "config/old", "config/crd"},
		"validate": {"validate", "--crds=config/crd", "samples"},
		"test":     {"test", "--crds=config/crd", "suites"},
		"explain":  {"explain", "config/crd"},
		"config":   {"config"},
	}
}

func newShaken(t *testing.T) *shaken {
	t.Helper()
	if testing.Short() {
		t.Skip("starts hundreds of runs")
	}
	archive, err := txtar.ParseFile(filepath.Join(root(t), "testdata", "shaken.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := txtar.FS(archive)
	if err != nil {
		t.Fatal(err)
	}
	s := &shaken{dir: t.TempDir(), program: filepath.Join(t.TempDir(), "crdproof")}
	if err := os.CopyFS(s.dir, files); err != nil {
		t.Fatal(err)
	}
	if err := writeModule(t, s.dir, "example.com/op"); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, s.program) // TestMain is main under this name
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range goEnvironment(t, "GOCACHE", "GOMODCACHE") {
		s.env = append(s.env, name+"="+value)
	}
	s.env = append(s.env, "PATH="+os.Getenv("PATH"), "HOME="+t.TempDir(), "GOPROXY=off", "GOTOOLCHAIN=local",
		"GOFLAGS=", "CRDPROOF_CACHE="+t.TempDir())
	made := s.run(t, s.dir, condition{}, "crd", "paths=./api", "output:dir=config/crd")
	if made.code != exitClean {
		t.Fatal(made.stderr)
	}
	return s
}

// copy copies the module to a directory, which must not exist.
func (s *shaken) copy(t *testing.T, dir string) string {
	t.Helper()
	if err := os.CopyFS(dir, os.DirFS(s.dir)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A condition is what a run finds in its environment.
type condition struct {
	name string
	// dir is the name of the working directory.
	dir string
	// env is added to the environment; NAME= without a value removes a variable.
	env []string
	// shell runs before crdproof, in a mount namespace of its own if isolated.
	shell    string
	isolated bool
	// mayFail allows a clear error instead of the usual outcome; mustFail names commands that cannot succeed.
	mayFail  bool
	mustFail []string
}

// An outcome is everything that a run leaves. files are all files of the module.
type leftBehind struct {
	code           int
	stdout, stderr string
	files          map[string]string
}

// run runs crdproof in a directory under a condition.
func (s *shaken) run(t *testing.T, dir string, c condition, args ...string) leftBehind {
	t.Helper()
	cmd := s.command(dir, c, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Error(err)
	}
	return leftBehind{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String(), filesBelow(t, dir)}
}

func (s *shaken) command(dir string, c condition, args ...string) *exec.Cmd {
	words := append([]string{s.program}, args...)
	if c.shell != "" {
		words = append([]string{"/bin/sh", "-c", c.shell + "\nexec \"$@\"", "sh"}, words...)
	}
	if c.isolated {
		words = append([]string{"unshare", "--user", "--map-root-user", "--mount"}, words...)
	}
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = dir
	cmd.Env = append(slices.Clone(s.env), c.env...)
	cmd.Env = slices.DeleteFunc(cmd.Env, func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.Contains(c.env, name+"=")
	})
	return cmd
}

// filesBelow reads all files of a directory. A directory is a file with a slash at the end of its name.
func filesBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist): // another run has removed it
			return nil
		case err != nil:
			return err
		case d.IsDir():
			out[path+"/"] = ""
			return nil
		}
		data, err := os.ReadFile(filepath.Join(dir, path))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		out[path] = string(data)
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return out
}

// mustBe compares the outcome of a run with that of an undisturbed one. If the run may fail, its exit code must be one
// for errors, with a message, and no file may have changed.
func (c condition) mustBe(t *testing.T, command string, got, want, before leftBehind) {
	t.Helper()
	text := got.stdout + got.stderr
	for _, sign := range []string{"panic", "goroutine ", "crdproof has a bug", "SIG"} {
		if strings.Contains(text, sign) {
			t.Errorf("%s: %s", command, text)
		}
	}
	fails := slices.Contains(c.mustFail, command)
	isSame := got.code == want.code && got.stdout == want.stdout && got.stderr == want.stderr &&
		maps.Equal(got.files, want.files)
	switch {
	case isSame && !fails:
	case !fails && !c.mayFail:
		t.Errorf("%s: got\n%+v\nwant\n%+v", command, got, want)
	case got.code != exitFound && got.code != exitUsage || !strings.Contains(text, "error: "):
		t.Errorf("%s ends with %d:\n%s", command, got.code, text)
	case !maps.Equal(got.files, before.files):
		t.Errorf("%s fails, but has changed files:\n%s", command, text)
	default:
		first, _, _ := strings.Cut(got.stderr, "\n")
		t.Logf("%s: %s", command, first)
	}
}

// TestShaken runs every command under conditions that must not matter, or that end it with a clear error.
func TestShaken(t *testing.T) {
	s := newShaken(t)
	goCommand, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	onlyGo, file := t.TempDir(), filepath.Join(t.TempDir(), "file")
	if err := os.Symlink(goCommand, filepath.Join(onlyGo, "go")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	writing := []string{"generate", "helpers"}
	conditions := []condition{
		{name: "no variables", env: []string{"HOME=", "CRDPROOF_CACHE=", "PATH=" + onlyGo}},
		{name: "no go command", env: []string{"PATH=" + t.TempDir(), "CRDPROOF_CACHE=off"},
			mustFail: []string{"generate", "verify"}},
		{name: "Turkish", env: []string{"LANG=tr_TR.UTF-8", "LC_ALL=tr_TR.UTF-8", "LANGUAGE=tr"}},
		{name: "zone", env: []string{"TZ=Asia/Kathmandu", "SOURCE_DATE_EPOCH=0"}},
		{name: "no zone", env: []string{"TZ=No/Where", "ZONEINFO=/none"}},
		{name: "umask 077", shell: "umask 077"},
		{name: "umask 000", shell: "umask 000"},
		{name: "closed input", shell: "exec <&-"},
		{name: "few files", shell: "ulimit -n 24", mayFail: true},
		{name: "no place for files", shell: "trap '' XFSZ; ulimit -f 0", env: []string{"CRDPROOF_CACHE=off"},
			mayFail: true},
		{name: "no place, signalled", shell: "ulimit -f 0", env: []string{"CRDPROOF_CACHE=off"}, mayFail: true},
		{name: "cache is a file", env: []string{"CRDPROOF_CACHE=" + file}},
		{name: "cache below a file", env: []string{"CRDPROOF_CACHE=" + filepath.Join(file, "x")}},
		{name: "no cache", env: []string{"CRDPROOF_CACHE=/proc/none"}},
		{name: "read-only cache", isolated: true,
			shell: `mount --bind "$CRDPROOF_CACHE" "$CRDPROOF_CACHE"; mount -o remount,bind,ro "$CRDPROOF_CACHE"`},
		{name: "read-only module", isolated: true, mustFail: writing,
			shell: `d=$PWD; mount --bind "$d" "$d" && mount -o remount,bind,ro "$d" && cd "$d" || exit 99`},
		{name: "full disk", isolated: true, mustFail: writing, shell: fullDisk(0)},
		{name: "disk with space for one file", isolated: true, mustFail: writing[:1], shell: fullDisk(1),
			mayFail: true},
		{name: "disk with space for two files", isolated: true, mustFail: writing[:1], shell: fullDisk(2),
			mayFail: true},
		{name: "full output", shell: "exec >/dev/full", mayFail: true},
		{name: "spaces", dir: "a b  c"},
		{name: "unicode", dir: "ü İ 😀 \u202e"},
		{name: "signs", dir: `$HOME 'q' "d" \ ; & * [a] {b} %s #`},
		{name: "newline", dir: "a\nb", mayFail: true},
		{name: "invalid UTF-8", dir: "a\xffb", mayFail: true},
		{name: "colon", dir: "HEAD:x"},
	}
	for n := 1; n <= 8; n++ {
		conditions = append(conditions,
			condition{name: fmt.Sprint("GOMAXPROCS ", n), env: []string{fmt.Sprint("GOMAXPROCS=", n)}})
	}
	commands := shakenCommands()
	want := map[string]leftBehind{}
	before := leftBehind{files: filesBelow(t, s.mkOut(t, s.copy(t, filepath.Join(t.TempDir(), "x"))))}
	for name, args := range commands {
		want[name] = s.run(t, s.mkOut(t, s.copy(t, filepath.Join(t.TempDir(), "x"))), condition{}, args...)
	}
	for _, c := range conditions {
		t.Run(c.name, func(t *testing.T) {
			if c.isolated && exec.Command("unshare", "--user", "--map-root-user", "--mount", "true").Run() != nil {
				t.Skip("needs mount namespaces")
			}
			for name, args := range commands {
				dir := filepath.Join(t.TempDir(), "x"+c.dir)
				got := s.run(t, s.mkOut(t, s.copy(t, dir)), c, args...)
				c.mustBe(t, name, got, want[name], before)
			}
		})
	}
}

// fullDisk runs crdproof with a file system in out that has a file of an earlier run, and space for n more. If the run
// fails, that file must be all that is left.
func fullDisk(n int) string {
	return fmt.Sprintf(`mount -t tmpfs -o size=64k tmpfs out && echo old >out/role.yaml || exit 99
head -c %d /dev/zero >out/big
"$@"
code=$?
[ "$code" = 0 ] || [ "$(ls -A out) $(cat out/role.yaml)" = "big
role.yaml old" ] || { ls -lA out; exit 98; }
exit "$code"`, (15-n)*4096)
}

// mkOut makes the directory out, so that something can be mounted there.
func (s *shaken) mkOut(t *testing.T, dir string) string {
	t.Helper()
	if err := os.Mkdir(filepath.Join(dir, "out"), 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestParallelRuns starts runs of all commands at the same time in one directory, some of which write the same files.
// Each has its usual outcome, and each file at the end is that of one run.
func TestParallelRuns(t *testing.T) {
	s := newShaken(t)
	commands := shakenCommands()
	commands["role"] = []string{"rbac:roleName=other", "paths=./api", "output:dir=out"}
	names := slices.Sorted(maps.Keys(commands))
	want := map[string]leftBehind{}
	written := map[string][]string{}
	for _, name := range names {
		want[name] = s.run(t, s.copy(t, filepath.Join(t.TempDir(), "x")), condition{}, commands[name]...)
		for path, content := range want[name].files {
			written[path] = append(written[path], content)
		}
	}
	dir := s.copy(t, filepath.Join(t.TempDir(), "x"))
	var wg sync.WaitGroup
	for i := range 20 * *shakes {
		name := names[i%len(names)]
		wg.Go(func() {
			got := s.run(t, dir, condition{}, commands[name]...)
			if got.code != want[name].code || got.stdout != want[name].stdout {
				t.Errorf("%s: got %d\n%s%s\nwant %d\n%s", name, got.code, got.stdout, got.stderr, want[name].code,
					want[name].stdout)
			}
		})
	}
	wg.Wait()
	for path, content := range filesBelow(t, dir) {
		if !slices.Contains(written[path], content) {
			t.Errorf("%s is not the file of a run:\n%s", path, content)
		}
		delete(written, path)
	}
	for path := range written {
		t.Errorf("%s is missing", path)
	}
}

// TestKilledRuns kills runs at random times, and as soon as they write. The files are then those before or after the
// run, each of them whole. The next run writes all files and leaves nothing else.
func TestKilledRuns(t *testing.T) {
	s := newShaken(t)
	args := shakenCommands()["generate"]
	undisturbed := s.copy(t, filepath.Join(t.TempDir(), "x"))
	before := filesBelow(t, undisturbed)
	began := time.Now()
	want := s.run(t, undisturbed, condition{}, args...)
	length := time.Since(began)
	seed := uint64(time.Now().UnixNano())
	t.Log("seed ", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	killed, writing := 0, 0
	for i := range 12 * *shakes {
		dir := s.copy(t, filepath.Join(t.TempDir(), "x"))
		c := condition{}
		if random.IntN(2) == 0 {
			c.env = []string{"CRDPROOF_CACHE=" + t.TempDir()}
		}
		cmd := s.command(dir, c, args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		if i%2 == 0 {
			time.Sleep(time.Duration(random.Int64N(int64(length) + 1)))
		} else {
			waitForWriting(dir, ended)
			time.Sleep(time.Duration(random.Int64N(int64(5 * time.Millisecond))))
		}
		if cmd.Process.Kill() == nil {
			killed++
			<-ended
		}
		for path, content := range filesBelow(t, dir) {
			if strings.Contains(path, ".crdproof-") && strings.HasSuffix(path, "/") {
				writing++
			}
			if !strings.Contains(path, ".crdproof-") && content != want.files[path] && content != before[path] {
				t.Errorf("%s is not whole:\n%s", path, content)
			}
		}
		got := s.run(t, dir, c, args...)
		c.mustBe(t, "generate", got, want, want)
	}
	t.Logf("%d runs were killed, %d of them while they wrote", killed, writing)
}

// waitForWriting waits until a run has files beside their targets, or has ended.
func waitForWriting(dir string, ended <-chan error) {
	for len(ended) == 0 {
		if found, err := filepath.Glob(filepath.Join(dir, "out", ".crdproof-*")); err != nil || len(found) > 0 {
			return
		}
		time.Sleep(50 * time.Microsecond)
	}
}
