package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A runner runs scripts of the action, with programs that record their calls.
type runner struct {
	t    *testing.T
	bash string
	// dir has the programs and the files that they write.
	dir string
}

// newRunner writes programs: scripts of the shell by their names.
func newRunner(t *testing.T, programs map[string]string) *runner {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("needs bash")
	}
	r := &runner{t, bash, filepath.Join(t.TempDir(), "a runner")}
	if err := os.Mkdir(r.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range programs {
		if err := os.WriteFile(filepath.Join(r.dir, name), []byte("#!/bin/sh\n"+text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// run runs a script and returns what it prints and its exit code.
func (r *runner) run(script string, env ...string) (string, int) {
	r.t.Helper()
	cmd := exec.Command(r.bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
	cmd.Dir = r.dir
	cmd.Env = append(append(os.Environ(), "PATH="+r.dir+string(os.PathListSeparator)+os.Getenv("PATH"),
		"RUNNER_TEMP="+r.dir, "GITHUB_OUTPUT="+filepath.Join(r.dir, "output"),
		"GITHUB_STEP_SUMMARY="+filepath.Join(r.dir, "summary"), "GITHUB_SERVER_URL=https://github.com",
		"GITHUB_REPOSITORY=you/shop"), env...)
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		r.t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// file returns the content of a file that a script has written, "" for a file that does not exist.
func (r *runner) file(name string) string {
	data, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil && !os.IsNotExist(err) {
		r.t.Fatal(err)
	}
	return string(data)
}

// recordCalls is a program that writes its arguments, one call on a line, and ends with $CODE.
const recordCalls = "printf '%s|' \"$@\" >>calls; echo >>calls\nexit ${CODE:-0}\n"

// TestActionCommand runs the input command with a crdproof that records its arguments.
func TestActionCommand(t *testing.T) {
	a, _, err := readAction(root(t))
	if err != nil {
		t.Fatal(err)
	}
	const wrong = "::error::command: expected check, validate, test or diff, got $(rm)\n"
	const missing = "::error::diff needs arguments outside of pull requests: name what to compare with, such as v1.2.0\n"
	for _, test := range []struct {
		name, command, arguments, base, config, want, printed string
		fails                                                 bool
	}{
		{name: "check", command: "check", want: "check|--format=github|"},
		{name: "files", command: "check", arguments: "'my crds' charts/x\n  --kube=1.34 $HOME;x\n", base: "abc",
			want: "check|--format=github|my crds|charts/x|--kube=1.34|$HOME;x|"},
		{name: "validate", command: "validate", arguments: "samples", config: "main:a b.yaml",
			want: "validate|--config=main:a b.yaml|--format=github|samples|"},
		{name: "test", command: "test", arguments: "./...", want: "test|--format=github|./...|"},
		{name: "failure", command: "test", want: "test|--format=github|", fails: true},
		{name: "pull request", command: "diff", base: "abc", want: "diff|--format=github|abc|"},
		{name: "sides", command: "diff", arguments: "v1.2.0 --fail=stored", base: "abc",
			want: "diff|--format=github|v1.2.0|--fail=stored|"},
		{name: "no side", command: "diff", printed: missing},
		{name: "unknown", command: "$(rm)", printed: wrong},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newRunner(t, map[string]string{"crdproof": recordCalls})
			printed, code := r.run(a.script(t, "Choose the command"), "COMMAND="+test.command,
				"ARGUMENTS="+test.arguments, "BASE="+test.base)
			if printed != test.printed || (code != 0) != (test.printed != "") {
				t.Fatalf("ends with %d and prints %q, want %q", code, printed, test.printed)
			}
			if test.printed != "" {
				return
			}
			arguments, _ := strings.CutPrefix(strings.TrimSuffix(r.file("output"), "\n"), "arguments=")
			env := []string{"COMMAND=" + test.command, "ARGUMENTS=" + arguments, "CONFIG=" + test.config}
			if test.fails {
				env = append(env, "CODE=1")
			}
			if printed, code := r.run(a.script(t, "Check"), env...); (code != 0) != test.fails {
				t.Errorf("ends with %d: %s", code, printed)
			}
			if got := strings.TrimSuffix(r.file("calls"), "\n"); got != test.want {
				t.Errorf("ran %q, want %q", got, test.want)
			}
		})
	}
}

// TestActionReport reports a difference in the summary of the job and in a comment, with a gh that records its calls:
// the comment of an earlier run is changed, and a token that cannot comment is no error.
func TestActionReport(t *testing.T) {
	a, _, err := readAction(root(t))
	if err != nil {
		t.Fatal(err)
	}
	const post = "gh api --silent repos/you/shop/issues/7/comments -F body=@DIR/crdproof.md\n"
	const patch = "gh api --silent --method PATCH repos/you/shop/issues/comments/31 -F body=@DIR/crdproof.md\n"
	const fork = "::notice::The report of crdproof diff is in the summary of the job. To comment it, the job needs " +
		"the permission pull-requests: write, which pull requests from forks do not get.\n"
	for _, test := range []struct{ name, pull, comment, ids, fails, calls, printed string }{
		{name: "push", comment: "true"},
		{name: "no comment", pull: "7", comment: "false"},
		{name: "first", pull: "7", comment: "true", calls: post},
		{name: "second", pull: "7", comment: "true", ids: "31\n32", calls: patch},
		{name: "a token that reads", pull: "7", comment: "true", fails: "--silent", calls: post, printed: fork},
		{name: "a token without access", pull: "7", comment: "true", fails: "--paginate", printed: fork},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newRunner(t, map[string]string{
				"crdproof": "echo '## Changes'\n" + recordCalls,
				"gh": "[ \"$2\" = \"$FAILS\" ] && [ -n \"$FAILS\" ] && fails=1\n" +
					"if [ \"$2\" = --paginate ]; then printf '%s' \"$IDS\"; else echo \"gh $*\" >>gh.calls; fi\n" +
					"[ -z \"$fails\" ]\n",
			})
			printed, code := r.run(a.script(t, "Report the difference"), "ARGUMENTS=abc", "CONFIG=none", "PULL="+test.pull,
				"COMMENT="+test.comment, "MARK=<!-- mark -->", "IDS="+test.ids, "FAILS="+test.fails, "GH_TOKEN=secret")
			if code != 0 || printed != test.printed {
				t.Errorf("ends with %d and prints %q, want %q", code, printed, test.printed)
			}
			if got := r.file("summary"); got != "<!-- mark -->\n## Changes\n" {
				t.Errorf("the summary is %q", got)
			}
			if got := r.file("calls"); got != "diff|--config=none|--format=markdown|--exit-zero|abc|\n" {
				t.Errorf("ran %q", got)
			}
			if got := strings.ReplaceAll(r.file("gh.calls"), r.dir, "DIR"); got != test.calls {
				t.Errorf("called %q, want %q", got, test.calls)
			}
		})
	}
	t.Run("nothing to compare", func(t *testing.T) { // the last step reports why
		r := newRunner(t, map[string]string{"crdproof": recordCalls})
		if printed, code := r.run(a.script(t, "Report the difference"), "ARGUMENTS=abc", "CONFIG=", "CODE=2", "PULL=7",
			"COMMENT=true", "MARK=m"); code != 0 || printed != "" || r.file("summary") != "" {
			t.Errorf("ends with %d, prints %q, and the summary is %q", code, printed, r.file("summary"))
		}
	})
}
