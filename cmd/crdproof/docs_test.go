package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/internal/cli/release"
)

// docsPages are the pages in the root of the repository and all pages of docs.
func docsPages(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob(filepath.Join(root(t), "docs", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages found", err)
	}
	var out []string
	for _, name := range []string{"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"} {
		out = append(out, filepath.Join(root(t), name))
	}
	return append(out, pages...)
}

// TestDocs follows every page of the documentation as a reader would: it writes the files, runs the commands, and
// compares their output with the page, or rewrites the page.
func TestDocs(t *testing.T) {
	if testing.Short() {
		t.Skip("short tests install nothing and follow no page")
	}
	proxy := newModuleProxy(t)
	for _, path := range docsPages(t) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".md"), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(data, []byte(generatedPage)) {
				return // which another test compares
			}
			t.Parallel()
			p, problems := readPage(path, string(data))
			for _, text := range problems {
				t.Error(text)
			}
			r := &reader{t: t, page: p, proxy: proxy}
			if len(p.steps) > 0 && p.steps[0].kind != stepStory {
				r.begin("")
			}
			for _, s := range p.steps {
				r.follow(s)
			}
			if !*update || t.Failed() {
				return
			}
			if err := os.WriteFile(path, []byte(r.rewritten()), 0o666); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// A reader follows a page.
type reader struct {
	t     *testing.T
	page  *page
	proxy *moduleProxy
	// home is the directory in which the story began, dir is the current directory.
	home, dir string
	// own is set if the story is in crdproof's repository.
	own  bool
	exit int
	// installed is set after the story has installed crdproof. Before, the story uses the crdproof of the test.
	installed bool
	// changes are the consoles with new output.
	changes []change
}

// A change is the new text of a block.
type change struct {
	step  step
	lines []string
}

// begin starts a story.
func (r *reader) begin(where string) {
	r.t.Helper()
	r.exit, r.installed, r.own = 0, false, where == "in this repository"
	r.home = filepath.Join(r.t.TempDir(), "your home") // commands must work in directories with spaces
	if where == "without spaces" {                     // as the Makefile of kubebuilder needs it
		r.home = r.t.TempDir()
	}
	if err := os.MkdirAll(r.home, 0o777); err != nil {
		r.t.Fatal(err)
	}
	r.dir = r.home
	switch {
	case r.own:
		r.dir = root(r.t)
	case where == "without spaces":
	case where != "":
		r.t.Fatalf("%s: a story that happens %q", r.page.path, where)
	}
}

// follow does one step.
func (r *reader) follow(s step) {
	t := r.t
	t.Helper()
	switch s.kind {
	case stepStory:
		r.begin(s.word)
	case stepHidden:
		if out, code := r.shell(s.word); code != 0 {
			t.Fatalf("%s: %s\n%s", r.page.at(s.from), s.word, strings.Join(out, "\n"))
		}
	case stepFile:
		r.file(s.word, r.page.text(s), s)
	case stepPatch:
		cmd := exec.Command("git", "apply", "--recount", "-")
		cmd.Dir, cmd.Stdin = r.dir, strings.NewReader(r.page.text(s))
		cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+r.home)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: the diff does not apply: %v\n%s", r.page.at(s.from), err, out)
		}
	case stepConsole:
		r.console(s)
	}
}

// file writes a file, and runs the commands that it contains for other programs.
func (r *reader) file(name, text string, s step) {
	t := r.t
	t.Helper()
	if r.own {
		t.Fatalf("%s: a file in crdproof's repository", r.page.at(s.from))
	}
	if strings.HasSuffix(name, ".go") {
		if formatted, err := format.Source([]byte(text)); err != nil || string(formatted) != text {
			t.Errorf("%s: gofmt would change %s: %v", r.page.at(s.from), name, err)
		}
	}
	path := filepath.Join(r.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	commands, err := commandsOf(name, []byte(text), r.dir, root(t))
	if err != nil {
		t.Fatalf("%s: %v", r.page.at(s.from), err)
	}
	for _, command := range commands {
		if strings.HasPrefix(name, ".github/") {
			command = "export GITHUB_ACTIONS=true\n" + command
		}
		if out, code := r.shell("set -e\n" + command); code != 0 {
			t.Fatalf("%s: %s ends with %d\n%s", r.page.at(s.from), command, code, strings.Join(out, "\n"))
		}
	}
}

// console runs the commands of a block.
func (r *reader) console(s step) {
	t := r.t
	t.Helper()
	list := r.page.exchanges(t, s)
	var lines []string
	same := true
	for i, e := range list {
		printed, code := r.shell(e.command)
		want, asked := s.exit, false
		if i < len(list)-1 {
			want, asked = 0, list[i+1].command == "echo $?"
		}
		if code != want && !asked {
			t.Fatalf("%s: %s\nends with %d, want %d\n%s", r.page.at(e.line), e.command, code, want,
				strings.Join(printed, "\n"))
		}
		lines = append(lines, e.shown...)
		switch {
		case outputFits(e.output, printed):
			lines = append(lines, e.output...)
		case *update:
			same, lines = false, append(lines, cutAgain(e.output, printed)...)
		default:
			t.Errorf("%s: %s\nprints\n%s\nthe page has\n%s", r.page.at(e.line), e.command, strings.Join(printed, "\n"),
				strings.Join(e.output, "\n"))
		}
	}
	if !same {
		r.changes = append(r.changes, change{s, lines})
	}
}

// links finds commands that may link crdproof.
var links = regexp.MustCompile(`@latest|go tool|go install|\bmake `)

// shell runs a command and returns the lines of its output and its exit code. Other tests run the targets of
// crdproof's own Makefile; here they are only looked up.
func (r *reader) shell(command string) (printed []string, code int) {
	t := r.t
	t.Helper()
	if target, ok := strings.CutPrefix(command, "make"); ok && r.own {
		command = "make -n " + target + " >/dev/null"
	}
	if links.MatchString(command) {
		r.proxy.linking.Lock()
		defer r.proxy.linking.Unlock()
	}
	where := filepath.Join(t.TempDir(), "where")
	cmd := exec.Command("sh", "-c", fmt.Sprintf("(exit %d)\n%s\ncode=$?; pwd >'%s'; exit $code", r.exit, command,
		where))
	cmd.Dir, cmd.Env = r.dir, r.environment()
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	if dir, err := os.ReadFile(where); err == nil {
		r.dir = strings.TrimSpace(string(dir))
	}
	out = bytes.ReplaceAll(out, []byte(r.home), []byte("/home/you"))
	out = bytes.ReplaceAll(out, []byte(r.proxy.goEnv["GOMODCACHE"]), []byte("/home/you/go/pkg/mod"))
	for line := range strings.Lines(string(out)) {
		// The machine decides whether a module has to be downloaded.
		if !strings.HasPrefix(line, "go: downloading ") {
			printed = append(printed, strings.TrimSuffix(line, "\n"))
		}
	}
	r.installed = r.installed || strings.Contains(command, "go install "+release.Module)
	r.exit = cmd.ProcessState.ExitCode()
	return printed, r.exit
}

// environment is that of a new machine. Modules come from the cache, and crdproof from the proxy.
func (r *reader) environment() []string {
	path := os.Getenv("PATH")
	if r.installed {
		path = r.proxy.bin + string(os.PathListSeparator) + path
	}
	// If make runs the tests, its variables must not reach the make that they run.
	inherited := slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains([]string{"MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES"}, name)
	})
	return append(inherited,
		"HOME="+r.home, "GOPATH="+filepath.Join(r.home, "go"), "GOBIN="+r.proxy.bin, "PATH="+path,
		"GOCACHE="+r.proxy.goEnv["GOCACHE"], "GOMODCACHE="+r.proxy.goEnv["GOMODCACHE"], "GOPROXY="+r.proxy.list,
		"GOSUMDB=off", "GOFLAGS=", "GOWORK=", "GOTOOLCHAIN=local", "GOENV=off", "GITHUB_ACTIONS=", "GITHUB_WORKSPACE=",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_CEILING_DIRECTORIES="+filepath.Dir(r.home),
		"GIT_AUTHOR_NAME=you", "GIT_AUTHOR_EMAIL=you@example.com", "GIT_COMMITTER_NAME=you",
		"GIT_COMMITTER_EMAIL=you@example.com",
		"CRDPROOF_CACHE="+filepath.Join(r.home, ".cache", "crdproof"), "LC_ALL=C", "SOURCE="+root(r.t))
}

// rewritten is the page with the new output of its commands.
func (r *reader) rewritten() string {
	lines := slices.Clone(r.page.lines)
	for _, c := range slices.Backward(r.changes) {
		lines = slices.Replace(lines, c.step.from, c.step.to, c.lines...)
	}
	return strings.Join(lines, "\n")
}

// goEnvironment returns variables of go env.
func goEnvironment(t testing.TB, names ...string) map[string]string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"env", "-json"}, names...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	env := map[string]string{}
	if err := json.Unmarshal(out, &env); err != nil {
		t.Fatal(err)
	}
	return env
}

// TestUntestedBlocks makes sure that each command that a reader could type is run or reported.
func TestUntestedBlocks(t *testing.T) {
	for _, test := range []struct{ page, want string }{
		{"```console\n$ true\n```\n", ""},
		{"`a.go`:\n\n```go\npackage a\n```\n", ""},
		{"```\nsome output\n```\n", ""},
		{"```sh\ntrue\n```\n", "page.md:1: make it a console, which is run"},
		{"```\ncrdproof crd\n```\n", "page.md:2: a command line in a block"},
		{"```yaml\n- run: crdproof crd\n```\n", "page.md:2: a command line in a block"},
		{"```makefile\nall:\n\tgo test ./...\n```\n", "page.md:3: a command line in a block"},
		{"text\n\n    $ ls\n", "page.md:3: a command line in an indented block"},
		{"1. text\n\n   ```console\n   $ ls\n   ```\n", "page.md:3: an indented block"},
		{"<!-- exits 1 -->\n", "page.md:2: nothing follows"},
		{"```console\n$ true\n", "page.md:1: the block has no end"},
	} {
		_, problems := readPage("page.md", test.page)
		if got := strings.Join(problems, "\n"); !strings.HasPrefix(got, test.want) || (test.want == "") != (got == "") {
			t.Errorf("%q: %s, want %s", test.page, got, test.want)
		}
	}
}

// TestCut omits from new output what the page omits.
func TestCut(t *testing.T) {
	for _, test := range []struct{ page, printed, want string }{
		{"a b", "a b", "true a b"},
		{"a b", "a c", "false a c"},
		{"a … d", "a b c d", "true a … d"},
		{"a … d", "a b c e", "false a b c e"},
		{"a … d f … z", "a b d e f y z", "false a … d e f … z"},
		{"… d", "a d", "true … d"},
		{"a …", "a d", "true a …"},
		{"a1…", "a12", "true a1…"},
	} {
		page, printed := strings.Fields(test.page), strings.Fields(test.printed)
		got := strconv.FormatBool(outputFits(page, printed)) + " " + strings.Join(cutAgain(page, printed), " ")
		if outputFits(page, printed) {
			got = "true " + test.page
		}
		if got != test.want {
			t.Errorf("%q for %q: %s, want %s", test.page, test.printed, got, test.want)
		}
	}
}
