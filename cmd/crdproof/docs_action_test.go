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

// isOwnAction reports whether a step of a workflow uses the action of this repository.
func isOwnAction(uses string) bool { return strings.HasPrefix(uses, "crdproof/crdproof@") }

// runnerSetup makes the directory and the files that a runner gives to each step.
const runnerSetup = `export RUNNER_TEMP="$HOME/runner"
export GITHUB_OUTPUT="$RUNNER_TEMP/output" GITHUB_PATH="$RUNNER_TEMP/path"
mkdir -p "$RUNNER_TEMP" && touch "$GITHUB_OUTPUT" "$GITHUB_PATH"
PATH="$(paste -s -d : "$GITHUB_PATH"):$PATH"
`

// newJob removes the files that steps of the previous job wrote. Its crdproof stays, as in the cache.
const newJob = `rm -f "$HOME/runner/output" "$HOME/runner/path"
`

// actionCommands returns the commands of the action for a step of a workflow, one for each step of the action that runs
// some. The steps that use other actions are skipped.
func actionCommands(source string, with map[string]any) (out []string, err error) {
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
			command += "export " + name + "=" + actionValue(value, values) + "\n"
		}
		if s.WorkingDirectory != "" {
			command += "cd " + actionValue(s.WorkingDirectory, values) + "\n"
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

// actionValue returns a word of the shell for a value with expressions.
func actionValue(text string, inputs map[string]string) string {
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
		if s.Uses != "" && !regexp.MustCompile(`^[\w-]+/[\w/-]+@v\d+$`).MatchString(s.Uses) {
			t.Errorf("%s: %s has no version", s.Name, s.Uses)
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
	if commands < 4 {
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
	for _, test := range []struct {
		name, samples, suites, fails string
		want                         []string
		code                         int
	}{
		{"generate", "", "", "none", nil, 0},
		{"all", "config/samples 'more samples'", "./...", "none",
			[]string{"validate|--format=github|config/samples|more samples|", "test|--format=github|./...|"}, 0},
		{"differs", "s", "t", "--verify", []string{"validate|--format=github|s|", "test|--format=github|t|"}, 1},
		{"sample", "s", "t", "validate", []string{"validate|--format=github|s|", "test|--format=github|t|"}, 1},
		{"case", "s", "t", "test", []string{"validate|--format=github|s|", "test|--format=github|t|"}, 1},
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
				"FAILS="+test.fails, "GENERATE=crd paths=\"./...\"\n  output:dir=$HOME;crds\n",
				"SAMPLES="+test.samples, "SUITES="+test.suites)
			out, err := cmd.CombinedOutput()
			if code := cmd.ProcessState.ExitCode(); code != test.code {
				t.Errorf("ends with %d, want %d: %v\n%s", code, test.code, err, out)
			}
			calls, err := os.ReadFile(filepath.Join(dir, "calls"))
			if err != nil {
				t.Fatal(err)
			}
			want := append([]string{"--verify|--format=github|crd|paths=./...|output:dir=$HOME;crds|"}, test.want...)
			if got := strings.Split(strings.TrimSpace(string(calls)), "\n"); !slices.Equal(got, want) {
				t.Errorf("ran %q, want %q", got, want)
			}
		})
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
