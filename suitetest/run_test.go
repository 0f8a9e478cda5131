package suitetest

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// The variables that make this test binary crdproof: what it prints, and how it ends.
const (
	fakeStdout = "FAKE_STDOUT"
	fakeStderr = "FAKE_STDERR"
	fakeCode   = "FAKE_CODE"
	fakeSleep  = "FAKE_SLEEP"
)

// TestMain is crdproof if the tests of this package have started it.
func TestMain(m *testing.M) {
	text, ok := os.LookupEnv(fakeStdout)
	if !ok || len(os.Args) < 2 || os.Args[1] != "test" {
		os.Exit(m.Run())
	}
	if os.Getenv(fakeSleep) != "" {
		time.Sleep(time.Minute)
	}
	fmt.Fprint(os.Stderr, os.Getenv(fakeStderr))
	fmt.Print(strings.ReplaceAll(text, "ARGS", strings.Join(os.Args[1:], " ")))
	code, err := strconv.Atoi(os.Getenv(fakeCode))
	if err != nil {
		panic(err)
	}
	os.Exit(code)
}

// TestSuites is the test of a user. TestRun runs it in another process.
func TestSuites(t *testing.T) {
	if _, ok := os.LookupEnv(fakeStdout); !ok {
		t.Skip("needs the output of a program")
	}
	Run(t, "./tests/...", "--crds=../config/crd/bases")
}

const (
	someCases = `"cases": [
{"name": "A/onCreate/ok", "file": "a.yaml", "line": 3, "column": 9, "result": "passed"},
{"name": "A/onCreate/a bad one", "file": "a.yaml", "line": 7, "column": 9, "result": "failed"},
{"name": "A/onCreate/c", "file": "a.yaml", "line": 11, "column": 9, "result": "skipped"},
{"name": "A/onUpdate/d", "file": "a.yaml", "line": 15, "column": 9, "result": "updated"}]`
	aFailure = `{"file": "a.yaml", "line": 8, "column": 20, "severity": "error", "check": "suite-error", "message":
"A/onCreate/a bad one: the API server rejects the object, but with a different error", "case": "A/onCreate/a bad one",
"notes": ["expected: x", "got:      y"], "help": "use y", "related": [
{"file": "crd.yaml", "line": 1, "column": 2, "message": "the rule: self.x"}]}`
	aWarning = `{"file": "a.yaml", "line": 4, "column": 5, "severity": "warning", "check": "object-unknown-field",
"message": "unknown field", "case": "A/onCreate/ok"}`
	aProblem = `{"severity": "error", "check": "option", "message": "no suite found in tests"}`
)

// TestRun reports what crdproof prints, and everything that keeps it from printing anything.
func TestRun(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, stdout, stderr, timeout string
		code                          int
	}{
		{name: "passed", stdout: `{"findings": [], "errors": 0, "cases": [{"name": "A/onCreate/ok", "result": "passed"}]}`},
		{name: "failed", stdout: `{"findings": [` + aFailure + `,` + aWarning + `], "errors": 1, ` + someCases + `}`,
			code: 1},
		{name: "joined", stdout: `{"findings": [{"severity": "error", "message": "m", "check": "c", "places": [` +
			aFailure + `]}], "errors": 2, ` + someCases + `}`, code: 1},
		{name: "unexplained", stdout: `{"findings": [], "errors": 0, ` + someCases + `}`, code: 1},
		{name: "none", stdout: `{"findings": [` + aProblem + `], "errors": 1}`, code: 2},
		{name: "arguments", code: 2,
			stdout: `{"findings": [{"severity": "error", "message": "ARGS", "check": "option"}], "errors": 1}`},
		{name: "old", stdout: `{"findings": [], "errors": 0}`},
		{name: "no cases", stdout: `{"findings": [], "errors": 0, "cases": []}`},
		{name: "stderr", stdout: `{"findings": [], "errors": 0, ` + someCases + `}`, stderr: "go: downloading a\n"},
		{name: "no output", stderr: "go: no such tool\n", code: 2},
		{name: "no JSON", stdout: "usage: crdproof"},
		{name: "deadline", timeout: "5s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			timeout := c.timeout
			if timeout == "" {
				timeout = "1m"
			}
			cmd := exec.Command(self, "-test.run=^TestSuites$", "-test.v", "-test.timeout="+timeout)
			cmd.Env = append(os.Environ(), variable+"="+self, fakeStdout+"="+c.stdout, fakeStderr+"="+c.stderr,
				fakeCode+"="+strconv.Itoa(c.code))
			if c.timeout != "" {
				cmd.Env = append(cmd.Env, fakeSleep+"=1")
			}
			out, err := cmd.CombinedOutput()
			if err != nil && cmd.ProcessState.ExitCode() != 1 {
				t.Fatalf("%v\n%s", err, out)
			}
			text := strings.ReplaceAll(string(out), self, "crdproof")
			text = regexp.MustCompile(`\(\d+\.\d+s\)`).ReplaceAllString(text, "(0.00s)")
			text = regexp.MustCompile(`run_test\.go:\d+`).ReplaceAllString(text, "run_test.go")
			golden(t, filepath.Join("testdata", strings.ReplaceAll(c.name, " ", "_")+".txt"), text)
		})
	}
}

// golden compares a text with a file.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s\n%s has\n%s", got, path, want)
	}
}

// TestTool finds the program of a module.
func TestTool(t *testing.T) {
	const tool1 = "tool github.com/crdproof/crdproof/cmd/crdproof\n"
	const tool2 = "tool (\n\texample.com/other\n\tgithub.com/crdproof/crdproof/cmd/crdproof // pinned\n)\n"
	const newer = "go 1.26.0\n\n" + tool1
	const required = "require github.com/crdproof/crdproof v0.1.0\n// tool github.com/crdproof/crdproof/cmd/crdproof\n"
	t.Setenv("GOTOOLCHAIN", "auto")
	for _, c := range []struct{ name, variable, mod, tools, want string }{
		{"newer Go", "", "", newer,
			"go tool -modfile=DIR/tools.mod crdproof GOWORK=off GOTOOLCHAIN=go1.26.0+auto"},
		{"local Go", "", "", newer, "go tool -modfile=DIR/tools.mod crdproof GOWORK=off"},
		{"vendor", "", tool1, tool1, "go run -mod=readonly -modfile=DIR/tools.mod " + program + " GOWORK=off"},
		{"tools.mod", "", tool1, tool1, "go tool -modfile=DIR/tools.mod crdproof GOWORK=off"},
		{"list", "", "", tool2, "go tool -modfile=DIR/tools.mod crdproof GOWORK=off"},
		{"go.mod", "", tool1, "", "go tool crdproof"},
		{"another tool", "", tool2, "tool example.com/other\n", "go tool crdproof"},
		{"variable", "/bin/crdproof", tool1, tool1, "/bin/crdproof"},
		{"name", "crdproof", tool1, tool1, "crdproof"},
		{"relative", "bin/crdproof", tool1, tool1,
			"CRDPROOF_TOOL: expected an absolute path or a name in PATH, got bin/crdproof"},
		{"none", "", required, required, "crdproof is not a tool of the module in DIR: write there\n" +
			"\tgo mod init -modfile=tools.mod tools\n" +
			"\tgo get -modfile=tools.mod -tool github.com/crdproof/crdproof/cmd/crdproof@latest\n" +
			"or set CRDPROOF_TOOL to the path of the program"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			files := map[string]string{"go.mod": c.mod, "tools.mod": c.tools}
			if c.name == "vendor" {
				if err := os.Mkdir(filepath.Join(dir, "vendor"), 0o777); err != nil {
					t.Fatal(err)
				}
				files["vendor/modules.txt"] = "# a v1.0.0\n"
			}
			for name, text := range files {
				if text == "" {
					continue
				}
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			t.Setenv(variable, c.variable)
			if c.name == "local Go" {
				t.Setenv("GOTOOLCHAIN", "local")
			}
			found, err := tool(dir)
			got := strings.Join(append(found.words, found.env...), " ")
			if err != nil {
				got = err.Error()
			}
			if got = strings.ReplaceAll(got, dir, "DIR"); filepath.ToSlash(got) != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
