package generator_test

import (
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A guideFile is a file in docs/helpers.md: its name on a line of its own, and its text.
var guideFile = regexp.MustCompile("(?s)\n`([\\w/]+\\.\\w+)`:\n\n```\\w+\n(.*?)```\n")

// guideOutput is what the guide says that its command line prints.
var guideOutput = regexp.MustCompile("(?s)prints\n\n```\n(.*?)```\n")

// TestHelpersGuide compiles, vets and runs the programs in docs/helpers.md as they stand there, in a module whose API is the
// quickstart's.
func TestHelpersGuide(t *testing.T) {
	guide, err := os.ReadFile("../docs/helpers.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name string, data []byte) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range guideFile.FindAllSubmatch(guide, -1) {
		name, data := string(m[1]), m[2]
		if formatted, err := format.Source(data); strings.HasSuffix(name, ".go") && (err != nil || string(formatted) != string(data)) {
			t.Errorf("%s: gofmt would change it: %v", name, err)
		}
		write(name, data)
	}
	for pattern, to := range map[string]string{"../testdata/quickstart/v1/*.go": "api/v1", "../testdata/guide/webhook/*.go": "webhook", "../go.sum": "."} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, path := range files {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			write(filepath.Join(to, filepath.Base(path)), data)
		}
	}
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	write("go.mod", []byte(strings.Replace(string(mod), "module github.com/crdproof/crdproof\n", "module example.com/operations\n", 1)))

	run := func(name string, args ...string) (string, int) {
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off")
		out, _ := cmd.CombinedOutput()
		return string(out), cmd.ProcessState.ExitCode()
	}
	for _, args := range [][]string{{"vet", "./..."}, {"test", "./webhook", "./nightly"}, {"build", "-o", "check", "./jobcheck"}} {
		if out, code := run("go", args...); code != 0 {
			t.Fatalf("go %q:\n%s", args, out)
		}
	}
	out, code := run(filepath.Join(dir, "check"), "jobs.yaml")
	if code != 1 {
		t.Errorf("the command line ends with %d", code)
	}
	if says := guideOutput.FindSubmatch(guide); says == nil || string(says[1]) != out {
		t.Errorf("the command line prints\n%s", out)
	}
}
