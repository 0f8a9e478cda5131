package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// An action is the action.yml of this repository: a composite action of GitHub Actions.
type action struct {
	// Inputs is a mapping whose order is that of the documentation.
	Inputs yaml.Node `yaml:"inputs"`
	Runs   struct {
		Steps []actionStep `yaml:"steps"`
	} `yaml:"runs"`
}

type actionStep struct {
	Name             string            `yaml:"name"`
	If               string            `yaml:"if"`
	Uses             string            `yaml:"uses"`
	With             map[string]string `yaml:"with"`
	WorkingDirectory string            `yaml:"working-directory"`
	Env              map[string]string `yaml:"env"`
	Run              string            `yaml:"run"`
}

// An actionInput is a parameter of the action.
type actionInput struct {
	name        string
	Description string `yaml:"description"`
	Default     string `yaml:"default"`
}

// readAction reads the action.yml below source, the root of crdproof's repository.
func readAction(source string) (a action, inputs []actionInput, err error) {
	data, err := os.ReadFile(filepath.Join(source, "action.yml"))
	if err != nil {
		return a, nil, err
	}
	if err := yaml.Unmarshal(data, &a); err != nil {
		return a, nil, err
	}
	for i := 0; i+1 < len(a.Inputs.Content); i += 2 {
		input := actionInput{name: a.Inputs.Content[i].Value}
		if err := a.Inputs.Content[i+1].Decode(&input); err != nil {
			return a, nil, err
		}
		inputs = append(inputs, input)
	}
	return a, inputs, nil
}

// script returns the script of a step.
func (a *action) script(t *testing.T, name string) string {
	t.Helper()
	i := slices.IndexFunc(a.Runs.Steps, func(s actionStep) bool { return s.Name == name })
	if i < 0 {
		t.Fatalf("the action has no step %q", name)
	}
	return a.Runs.Steps[i].Run
}

// isOwnAction reports whether a step of a workflow uses the action of this repository.
func isOwnAction(uses string) bool { return strings.HasPrefix(uses, "crdproof/crdproof@") }

// runnerSetup makes the directory and the files that a runner gives to each step.
const runnerSetup = `export RUNNER_TEMP="$HOME/runner"
export GITHUB_OUTPUT="$RUNNER_TEMP/output" GITHUB_PATH="$RUNNER_TEMP/path" GITHUB_STEP_SUMMARY="$RUNNER_TEMP/summary"
export GITHUB_SERVER_URL=https://github.invalid GITHUB_REPOSITORY=you/shop
mkdir -p "$RUNNER_TEMP" && touch "$GITHUB_OUTPUT" "$GITHUB_PATH"
PATH="$(paste -s -d : "$GITHUB_PATH"):$PATH"
`

// An event has the expressions of the action that GitHub evaluates, and their values as words of the shell.
type event map[string]string

// newEvent returns the event of a push, or of a pull request to the branch main.
func newEvent(isPull bool) event {
	e := event{
		"${{ github.event.pull_request.base.sha }}": "''", "${{ github.event.pull_request.number }}": "''",
		"${{ github.server_url }}": "https://github.com", "${{ github.token }}": "secret",
	}
	if isPull {
		e["${{ github.event.pull_request.base.sha }}"] = `"$(git rev-parse main)"`
		e["${{ github.event.pull_request.number }}"] = "7"
	}
	return e
}

// newJob removes the files that steps of the previous job wrote. Its crdproof stays, as in the cache.
const newJob = `rm -f "$HOME/runner/output" "$HOME/runner/path"
`

// actionCommands returns the commands of the action for a step of a workflow, one for each step of the action that runs
// some. The steps that use other actions are skipped.
func actionCommands(source string, with map[string]any, e event) (out []string, err error) {
	a, inputs, err := readAction(source)
	if err != nil {
		return nil, err
	}
	values := map[string]string{}
	for _, input := range inputs {
		values[input.name] = input.Default
	}
	for name, value := range with {
		if _, ok := values[name]; !ok {
			return nil, fmt.Errorf("the action has no input %q", name)
		}
		values[name] = fmt.Sprint(value)
	}
	for _, s := range a.Runs.Steps {
		wanted, err := actionCondition(s.If, values)
		switch {
		case err != nil:
			return nil, err
		case s.Run == "" || !wanted:
			continue
		}
		command := runnerSetup
		if len(out) == 0 {
			command = newJob + command
		}
		for name, value := range s.Env {
			command += "export " + name + "=" + e.value(value, values) + "\n"
		}
		if s.WorkingDirectory != "" {
			command += "cd " + e.value(s.WorkingDirectory, values) + "\n"
		}
		// A subshell, since the next step begins in the directory of the repository again.
		out = append(out, "(\n"+command+"bash --noprofile --norc -eo pipefail -c "+shellQuote(s.Run)+"\n)")
	}
	return out, nil
}

var (
	inputCondition  = regexp.MustCompile(`^inputs\.([\w-]+) == '(.*)'$`)
	inputExpression = regexp.MustCompile(`\$\{\{ inputs\.([\w-]+) \}\}`)
	stepExpression  = regexp.MustCompile(`\$\{\{ steps\.[\w-]+\.outputs\.([\w-]+) \}\}`)
)

// actionCondition evaluates the two forms of conditions that the action has.
func actionCondition(text string, inputs map[string]string) (bool, error) {
	switch m := inputCondition.FindStringSubmatch(text); {
	case text == "" || text == "steps.cache.outputs.cache-hit != 'true'":
		return true, nil
	case m != nil:
		return inputs[m[1]] == m[2], nil
	}
	return false, fmt.Errorf("cannot evaluate the condition %q", text)
}

// value returns a word of the shell for a value with expressions.
func (e event) value(text string, inputs map[string]string) string {
	if word, ok := e[text]; ok {
		return word
	}
	if m := stepExpression.FindStringSubmatch(text); m != nil && m[0] == text {
		return `"$(sed -n 's/^` + m[1] + `=//p' "$GITHUB_OUTPUT")"`
	}
	return shellQuote(inputExpression.ReplaceAllStringFunc(text, func(e string) string {
		return inputs[inputExpression.FindStringSubmatch(e)[1]]
	}))
}

func shellQuote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// TestAction checks action.yml without a runner: its inputs are used, no input is pasted into a script, the commands
// that it runs have the flags that it passes, and docs/ci.md lists its inputs. TestDocs runs its steps.
func TestAction(t *testing.T) {
	a, inputs, err := readAction(root(t))
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	commands := 0
	for _, s := range a.Runs.Steps {
		if strings.Contains(s.Run, "${{") {
			t.Errorf("%s: pass expressions in env, where the shell does not read them as code", s.Name)
		}
		for _, m := range ownCommand.FindAllStringSubmatch(s.Run, -1) {
			commands++
			inline(t, "action.yml: "+s.Name, strings.Fields(m[1]))
		}
		text := fmt.Sprint(s.If, s.WorkingDirectory, s.With, s.Env)
		for _, m := range regexp.MustCompile(`inputs\.([\w-]+)`).FindAllStringSubmatch(text, -1) {
			used[m[1]] = true
		}
	}
	if commands < 7 {
		t.Errorf("found only %d commands", commands)
	}
	var table strings.Builder
	table.WriteString("| Input | Default | Meaning |\n|---|---|---|\n")
	for _, input := range inputs {
		if !used[input.name] {
			t.Errorf("no step uses the input %s", input.name)
		}
		delete(used, input.name)
		value := ""
		if input.Default != "" {
			value = "`" + input.Default + "`"
		}
		fmt.Fprintf(&table, "| `%s` | %s | %s |\n", input.name, value, cellText(input.Description))
	}
	for name := range used {
		t.Errorf("a step uses the input %s, which is not declared", name)
	}
	page := filepath.Join(root(t), "docs", "ci.md")
	replaceTable(t, page, "<!-- inputs -->\n", "<!-- end of inputs -->\n", table.String())
}

// TestActionCheck runs the last step of the action with a crdproof that records its arguments. All commands run, the
// words of the inputs are not expanded, and the step fails if one command fails.
func TestActionCheck(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("needs bash")
	}
	a, _, err := readAction(root(t))
	if err != nil {
		t.Fatal(err)
	}
	check := a.Runs.Steps[len(a.Runs.Steps)-1].Run
	short := []string{"validate|--format=github|s|", "test|--format=github|t|"}
	for _, test := range []struct {
		name, config, samples, suites, fails string
		want                                 []string
		code                                 int
	}{
		{"generate", "", "", "", "none", nil, 0},
		{"all", "", "config/samples 'more samples'", "./...", "none",
			[]string{"validate|--format=github|config/samples|more samples|", "test|--format=github|./...|"}, 0},
		{"settings", "main:a b.yaml", "s", "t", "none", []string{
			"validate|--format=github|--config=main:a b.yaml|s|", "test|--format=github|--config=main:a b.yaml|t|"}, 0},
		{"differs", "", "s", "t", "--verify", short, 1},
		{"sample", "", "s", "t", "validate", short, 1},
		{"case", "", "s", "t", "test", short, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			stub := "#!/bin/sh\nprintf '%s|' \"$@\" >>calls; echo >>calls\n[ \"$1\" != \"$FAILS\" ]\n"
			if err := os.WriteFile(filepath.Join(dir, "crdproof"), []byte(stub), 0o777); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", check)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"),
				"FAILS="+test.fails, "CONFIG="+test.config, "GENERATE=crd paths=\"./...\"\n  output:dir=$HOME;crds\n",
				"SAMPLES="+test.samples, "SUITES="+test.suites)
			out, err := cmd.CombinedOutput()
			if code := cmd.ProcessState.ExitCode(); code != test.code {
				t.Errorf("ends with %d, want %d: %v\n%s", code, test.code, err, out)
			}
			calls, err := os.ReadFile(filepath.Join(dir, "calls"))
			if err != nil {
				t.Fatal(err)
			}
			settings := ""
			if test.config != "" {
				settings = "--config=" + test.config + "|"
			}
			want := append([]string{"--verify|--format=github|" + settings + "crd|paths=./...|output:dir=$HOME;crds|"},
				test.want...)
			if got := strings.Split(strings.TrimSpace(string(calls)), "\n"); !slices.Equal(got, want) {
				t.Errorf("ran %q, want %q", got, want)
			}
		})
	}
}

// TestActionSettings runs the step of the action that chooses the settings, in a clone of a pull request that changes
// them. The clone lacks the commit of the base branch, as after actions/checkout.
func TestActionSettings(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("needs bash")
	}
	a, _, err := readAction(root(t))
	if err != nil {
		t.Fatal(err)
	}
	script := a.script(t, "Fetch the base branch") + a.script(t, "Choose the settings")
	base, bare, clone := pullRequest(t)
	const ignored = "::notice::Settings of crdproof differ from those of the base branch, which count.\n"
	for _, test := range []struct{ name, settings, base, dir, config, printed string }{
		{"push", "base", "", ".", "", ""},
		{"root", "base", base, ".", base + ":.crdproof.yaml", ignored},
		{"nearest", "base", base, "api/v1", base + ":api/.crdproof.yaml", ignored},
		{"parent", "base", base, "config/crd", base + ":.crdproof.yaml", ignored},
		{"nothing in the base branch", "base", bare, "api/v1", "none", ignored},
		{"repository", "repository", base, ".", "", ""},
		{"none", "none", base, ".", "none", ""},
		{"file", "ci/crdproof.yaml", base, ".", "ci/crdproof.yaml", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			output := filepath.Join(t.TempDir(), "output")
			cmd := exec.Command(bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
			cmd.Dir = filepath.Join(clone, filepath.FromSlash(test.dir))
			cmd.Env = append(os.Environ(), "SETTINGS="+test.settings, "BASE="+test.base, "GITHUB_OUTPUT="+output,
				"SERVER=https://github.com", "TOKEN=secret", "GIT_CONFIG_GLOBAL="+os.DevNull)
			printed, err := cmd.CombinedOutput()
			if err != nil || string(printed) != test.printed {
				t.Errorf("%v: printed %q, want %q", err, printed, test.printed)
			}
			if got, err := os.ReadFile(output); err != nil || string(got) != "config="+test.config+"\n" {
				t.Errorf("wrote %q, want %q: %v", got, "config="+test.config, err)
			}
		})
	}
}

// pullRequest makes a repository and a shallow clone of it. base is the commit of the base branch, and bare the one
// before it, without settings.
func pullRequest(t *testing.T) (base, bare, clone string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	origin, clone := t.TempDir(), filepath.Join(t.TempDir(), "clone")
	run := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir, cmd.Env = origin, append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	commit := func(files ...string) string {
		for _, name := range files {
			path := filepath.Join(origin, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, fmt.Appendf(nil, "# %d\n", len(files)), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		run("add", ".")
		run("commit", "-qm", "x")
		return run("rev-parse", "HEAD")
	}
	run("init", "-q", "-b", "main")
	bare = commit("api/v1/a.go", "config/crd/a.yaml")
	base = commit(".crdproof.yaml", "api/.crdproof.yaml")
	commit(".crdproof.yaml", "api/.crdproof.yaml", "api/v1/.crdproof.yaml")
	run("clone", "-q", "--depth=1", "file://"+filepath.ToSlash(origin), clone)
	return base, bare, clone
}

// TestPinned checks each step of a workflow in this repository that uses an action: in our own workflows, in action.yml
// and in the documentation, actions are pinned by commit, with the version in a comment. The commit of a release of our
// own action is not known in that release.
func TestPinned(t *testing.T) {
	uses := regexp.MustCompile(`(?m)^[ \t#*-]*uses:[ \t]*(.*)$`)
	pinned := regexp.MustCompile(`^(?:[\w.-]+/[\w./-]+@[0-9a-f]{40}|crdproof/crdproof@<commit>) # v\d+\.\d+\.\d+$`)
	versions := map[string]string{} // by commit
	err := filepath.WalkDir(root(t), func(path string, d os.DirEntry, err error) error {
		switch ext := filepath.Ext(path); {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", "bin", "node_modules"}, d.Name()):
			return filepath.SkipDir
		case d.IsDir() || !slices.Contains([]string{".md", ".yml", ".yaml", ".txtar", ".txt"}, ext):
			return nil
		}
		data, err := os.ReadFile(path)
		for _, m := range uses.FindAllStringSubmatch(string(data), -1) {
			action, version, _ := strings.Cut(m[1], " # ")
			if !pinned.MatchString(m[1]) {
				t.Errorf("%s: %s: expected <action>@<commit> # v<version>", path, m[1])
			}
			if other, ok := versions[action]; ok && other != version {
				t.Errorf("%s: %s is called %s elsewhere", path, m[1], other)
			}
			versions[action] = version
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(versions) < 5 {
		t.Errorf("found only %d actions", len(versions))
	}
}

// replaceTable compares the part of a page between two comments with a table, or rewrites it.
func replaceTable(t *testing.T, path, begin, end, want string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), begin)
	got, after, ends := strings.Cut(rest, end)
	switch {
	case !ok || !ends:
		t.Errorf("%s has no place for the table: %s", path, begin)
	case got == want:
	case *update:
		if err := os.WriteFile(path, []byte(before+begin+want+end+after), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is not current: run go test ./cmd/crdproof -run %s -update", path, t.Name())
	}
}
