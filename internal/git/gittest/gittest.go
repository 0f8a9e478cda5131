// Package gittest makes git repositories that try to start commands, for tests.
package gittest

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// starting lists the keys of git-config(1) that may start a command, or lead to settings that do: one on each line.
//
//go:embed starting.txt
var starting string

// Starting returns the keys that may start a command.
func Starting() []string { return strings.Fields(starting) }

// Run runs git in a directory, with no settings but those of the repository.
func Run(t testing.TB, dir string, args ...string) string {
	t.Helper()
	command := exec.Command("git", args...)
	command.Dir = dir
	command.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull,
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a",
		"GIT_COMMITTER_EMAIL=a@example.com")
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// A Trap is a command that records that it was started.
type Trap struct{ script, record string }

// NewTrap returns a trap with a record of its own.
func NewTrap(t testing.TB) *Trap {
	t.Helper()
	dir := t.TempDir()
	trap := &Trap{script: filepath.Join(dir, "trap"), record: filepath.Join(dir, "started")}
	script := "#!/bin/sh\necho \"$0 $*\" >>" + trap.record + "\nexit 1\n"
	if err := os.WriteFile(trap.script, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	return trap
}

// Started returns how the command was started, "" if it was not.
func (trap *Trap) Started() string {
	data, err := os.ReadFile(trap.record)
	if err != nil {
		return ""
	}
	return string(data)
}

// Spring makes sure that the trap works: git starts it if it may.
func (trap *Trap) Spring(t testing.TB, repository string) {
	t.Helper()
	command := exec.Command("git", "status")
	command.Dir = repository
	_ = command.Run() // the trap fails
	if trap.Started() == "" {
		t.Fatal("git status starts nothing: the test shows nothing")
	}
	if err := os.Remove(trap.record); err != nil {
		t.Fatal(err)
	}
}

// Set lets every key that may start a command start the trap, and all hooks. It makes the repository a partial clone,
// because git starts commands to fetch what is missing, and gives all files the attributes whose drivers have commands.
func (trap *Trap) Set(t testing.TB, repository string) {
	t.Helper()
	trap.SetBare(t, filepath.Join(repository, ".git"))
}

// SetBare is Set for a bare repository.
func (trap *Trap) SetBare(t testing.TB, gitDir string) {
	t.Helper()
	hooks := filepath.Join(gitDir, "hooks")
	if err := os.MkdirAll(hooks, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"post-checkout", "post-index-change", "reference-transaction", "pre-auto-gc",
		"fsmonitor-watchman", "query-watchman"} {
		if err := os.Symlink(trap.script, filepath.Join(hooks, name)); err != nil {
			t.Fatal(err)
		}
	}
	attributes := "* filter=trap diff=trap merge=trap\n"
	if err := os.WriteFile(filepath.Join(gitDir, "info", "attributes"), []byte(attributes), 0o666); err != nil {
		t.Fatal(err)
	}
	var config strings.Builder
	config.WriteString("[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = trap\n")
	config.WriteString("[protocol]\n\tallow = always\n[protocol \"ext\"]\n\tallow = always\n")
	config.WriteString("[remote \"trap\"]\n\tpromisor = true\n\tpartialclonefilter = blob:none\n")
	for _, key := range Starting() {
		config.WriteString(trap.setting(key, hooks))
	}
	appendTo(t, filepath.Join(gitDir, "config"), config.String())
}

// SetKey lets a single key of the settings start the trap.
func (trap *Trap) SetKey(t testing.TB, repository, key string) {
	t.Helper()
	appendTo(t, filepath.Join(repository, ".git", "config"), trap.setting(key, repository))
}

// setting returns a key with the trap as its value, in the form of a file of settings.
func (trap *Trap) setting(key, hooks string) string {
	section, rest, _ := strings.Cut(key, ".")
	value := trap.script
	switch key {
	case "core.hooksPath":
		value = hooks
	case "include.path", "includeIf.<condition>.path":
		value = filepath.Join(hooks, "more")
	case "remote.<name>.url":
		value = "ext::" + trap.script
	case "remote.<name>.vcs":
		value = "ext"
	case "url.<base>.insteadOf", "url.<base>.pushInsteadOf":
		value = "https:"
	}
	middle, name := "", rest
	if i := strings.LastIndex(rest, "."); i >= 0 {
		middle, name = rest[:i], rest[i+1:]
	}
	switch middle {
	case "<condition>":
		middle = "gitdir:**"
	case "<base>":
		middle = "ext::" + trap.script + " "
	default:
		if strings.HasPrefix(middle, "<") {
			middle = "trap"
		}
	}
	if strings.HasPrefix(name, "<") || name == "*" {
		name = "trap"
	}
	head := "[" + section + "]\n"
	if middle != "" {
		head = "[" + section + " \"" + middle + "\"]\n"
	}
	return head + "\t" + name + " = \"" + value + "\"\n"
}

// appendTo appends text to a file.
func appendTo(t testing.TB, path, text string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, append(data, text...), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}
