package unchanged

import (
	"encoding/json"
	"go/version"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// variables returns the environment variables that may decide what the go command answers, sorted. The others only
// decide how it downloads modules, or where it keeps temporary files.
func variables(environment []string) (out []string) {
	for _, v := range environment {
		name, _, _ := strings.Cut(v, "=")
		if strings.HasPrefix(name, "GO") || strings.HasPrefix(name, "CGO_") ||
			slices.Contains([]string{
				"AR", "CC", "CXX", "FC", "GCCGO", "PKG_CONFIG", "PATH", "HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME",
				"AppData", "LocalAppData", "USERPROFILE", "home",
			}, name) {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	return out
}

// An environment is what go env reports; nil if it fails.
type environment map[string]string

// environmentNames are the variables of an environment.
var environmentNames = []string{
	"CC", "GO111MODULE", "GOENV", "GOFLAGS", "GOMODCACHE", "GOROOT", "GOTOOLCHAIN", "GOVERSION",
	"GOWORK",
}

// startEnvironment starts go env in a directory, while the run lists packages. The function that it returns waits for
// the answer.
func startEnvironment(dir string) func() environment {
	done := make(chan environment, 1)
	go func() {
		command := exec.Command("go", append([]string{"env", "-json"}, environmentNames...)...)
		command.Dir = dir
		var out environment
		if answer, err := command.Output(); err != nil || json.Unmarshal(answer, &out) != nil {
			out = nil
		}
		done <- out
	}()
	return sync.OnceValue(func() environment { return <-done })
}

// holds reports whether no fact that decides the environment has changed.
func (e environment) holds(before, now []fact) bool {
	files := e.files()
	for i, f := range before {
		decides := f.kind == program || slices.Contains(files, f.path) ||
			slices.Contains([]string{"go.mod", "go.work"}, filepath.Base(f.path))
		if decides && f.hash != now[i].hash {
			return false
		}
	}
	return true
}

// plainFlags are the flags in GOFLAGS that read no files.
var plainFlags = []string{"-mod", "-tags", "-buildvcs", "-trimpath", "-ldflags", "-gcflags", "-v", "-p", "-race"}

// doubt names a reason for which the facts of a run are not all known.
func (e environment) doubt() string {
	switch driver := os.Getenv("GOPACKAGESDRIVER"); {
	case e == nil:
		return "go env fails"
	case driver != "" && driver != "off":
		return "GOPACKAGESDRIVER is set"
	case driver == "" && found("gopackagesdriver"):
		return "PATH has a gopackagesdriver"
	case version.Compare(e["GOVERSION"], "go1.24") < 0: // older ones look for embedded files
		return "the version of Go is " + e["GOVERSION"]
	case e["GO111MODULE"] != "" && e["GO111MODULE"] != "on":
		return "GO111MODULE is " + e["GO111MODULE"]
	case !slices.Contains([]string{"go", "go.exe"}, filepath.Base(goCommand())):
		return "the go command in PATH is not that of a Go distribution"
	}
	for flag := range strings.FieldsSeq(e["GOFLAGS"]) {
		name, _, _ := strings.Cut(strings.Replace(flag, "--", "-", 1), "=")
		if !slices.Contains(plainFlags, name) {
			return "GOFLAGS has " + name
		}
	}
	return ""
}

// found reports whether PATH has a program.
func found(name string) bool {
	_, err := exec.LookPath(name)
	return err == nil
}

// goCommand returns the file of the go command in PATH, without links. It is "" for a script in its place, which may
// start any go command.
func goCommand() string {
	path, err := exec.LookPath("go")
	if err != nil {
		return ""
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(filepath.Dir(real)), "VERSION")); err != nil || isScript(real) {
		return ""
	}
	return real
}

// isScript reports whether a program is a script, or cannot be read.
func isScript(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return true
	}
	defer f.Close()
	head := make([]byte, 2)
	_, err = io.ReadFull(f, head)
	return err != nil || string(head) == "#!"
}

// programs returns the names of programs whose files decide what the go command answers: it looks for a C compiler to
// decide whether cgo is enabled.
func (e environment) programs() []string {
	out := []string{"go", "gopackagesdriver", "gcc", "clang", "cc"}
	if words := strings.Fields(e["CC"]); len(words) > 0 {
		out = append(out, words[0])
	}
	name, _, _ := strings.Cut(e["GOTOOLCHAIN"], "+")
	if strings.HasPrefix(name, "go") {
		out = append(out, name)
	}
	return out
}

// files returns the files that decide what the go command does, besides those of modules.
func (e environment) files() []string {
	out := []string{filepath.Join(e["GOROOT"], "VERSION"), filepath.Join(e["GOROOT"], "go.env")}
	if local := goCommand(); local != "" {
		root := filepath.Dir(filepath.Dir(local))
		out = append(out, filepath.Join(root, "VERSION"), filepath.Join(root, "go.env"))
	}
	if filepath.IsAbs(e["GOENV"]) {
		out = append(out, e["GOENV"])
	}
	return out
}
