package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/crdproof/crdproof/internal/cli/release"
	"github.com/crdproof/crdproof/internal/cli/target"
)

var update = flag.Bool("update", false, "rewrite the expected output")

func TestMain(m *testing.M) {
	// Tests must not use results of earlier runs, nor write into the cache of the user. Scripts may name a directory.
	if os.Getenv("CRDPROOF_CACHE") == "" {
		if err := os.Setenv("CRDPROOF_CACHE", "off"); err != nil {
			panic(err)
		}
	}
	testscript.Main(m, programs)
}

// programs are those that scripts may call.
var programs = map[string]func(){
	"crdproof": main,
	// The same without a clock: all progress is drawn at once, and a run takes 0.4 seconds.
	"crdproof-unpaced": func() {
		elapsed := func() time.Duration { return 400 * time.Millisecond }
		os.Exit(process(func(*progressLine) {}, elapsed))
	},
	"crdproof-killed": killed,
	"controller-gen":  controllerGenMain,
}

// killed is killed while it writes the files that its arguments name, before the first is renamed.
func killed() {
	bounds, err := target.In()
	if err != nil {
		panic(err)
	}
	s := newStaging(bounds)
	for _, path := range os.Args[1:] {
		at, err := bounds.File(path)
		if err == nil {
			err = s.add(at, []byte("new"))
		}
		if err != nil {
			panic(err)
		}
	}
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Kill()
	}
	panic(fmt.Sprint("still alive: ", err))
}

func TestScript(t *testing.T) {
	heedInterrupts(t)
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join(root(t), "testdata", "script"),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setup(t),
		Condition:           shellCondition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"gomod": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) != 2 {
					ts.Fatalf("usage: gomod <directory> <module>")
				}
				ts.Check(writeModule(t, ts.MkAbs(args[0]), args[1]))
			},
			"exits": exits,
		},
	})
}

// shellCondition evaluates the conditions of scripts about shells. CRDPROOF_PROGRAMS is "required" where they must not be
// skipped.
func shellCondition(name string) (bool, error) {
	switch name {
	case "bash-completion":
		_, err := os.Stat("/usr/share/bash-completion/bash_completion")
		return err == nil, nil
	case "programs-required":
		return os.Getenv("CRDPROOF_PROGRAMS") == "required", nil
	}
	return false, fmt.Errorf("unknown condition %s", name)
}

// heedInterrupts makes the programs that a test starts receive SIGINT even if the test runs in the background of a
// shell script: there, processes inherit that SIGINT is ignored, and crdproof respects that.
func heedInterrupts(t *testing.T) {
	if !signal.Ignored(os.Interrupt) {
		return
	}
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, os.Interrupt)
	t.Cleanup(func() { signal.Stop(caught) })
}

// exits runs a program and compares its exit code: exits <code> <program> <argument>…
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits <code> <program> [<argument>…]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// setup prepares a script's directory: it is a Go module, example.com/op, unless the script brings its own go.mod, and
// the go command may not reach the network.
func setup(t *testing.T) func(*testscript.Env) error {
	cache := goEnvironment(t, "GOCACHE")["GOCACHE"]
	return func(env *testscript.Env) error {
		env.Setenv("GOCACHE", cache)
		env.Setenv("CRDPROOF_CACHE", "off")
		env.Setenv("GOPROXY", "off")
		env.Setenv("GOTOOLCHAIN", "local")
		env.Setenv("GOFLAGS", "")
		env.Setenv("GOWORK", "")
		env.Setenv("VERSION", release.Version()) // which depends on how the test was built
		env.Setenv("STANDIN", standIn(t))
		if _, err := os.Stat(filepath.Join(env.WorkDir, "go.mod")); err == nil {
			return nil
		}
		return writeModule(t, env.WorkDir, "example.com/op")
	}
}

// standIn returns the directory of the small k8s.io/apimachinery that scripts use.
func standIn(t *testing.T) string {
	t.Helper()
	return filepath.Join(root(t), "testdata", "script", "apimachinery")
}

// writeModule writes a go.mod that resolves k8s.io/apimachinery and the runtime of helpers to the modules next to the
// scripts that replace them.
func writeModule(t *testing.T, dir, module string) error {
	content := fmt.Sprintf("module %s\n\ngo 1.24\n\nrequire k8s.io/apimachinery v0.0.0\n\n"+
		"replace k8s.io/apimachinery => %q\n\nrequire github.com/crdproof/crdproof/crd v0.0.0\n\n"+
		"replace github.com/crdproof/crdproof/crd => %q\n",
		module, standIn(t), filepath.Join(filepath.Dir(standIn(t)), "crd"))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.mod"), []byte(content), 0o666)
}

// root returns the directory of crdproof's own module.
func root(t *testing.T) string {
	t.Helper()
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		t.Fatal("the path of this file is unknown")
	}
	return filepath.Join(filepath.Dir(file), "..", "..")
}
