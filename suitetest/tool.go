package suitetest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// variable is the environment variable that names the program.
const variable = "CRDPROOF_TOOL"

// program is the package of crdproof, and upgrade the command that adds it to the tools of a module, or upgrades it.
const (
	program = "github.com/crdproof/crdproof/cmd/crdproof"
	upgrade = "go get -modfile=tools.mod -tool " + program + "@latest"
)

// A command starts crdproof: its first words, and what it needs in the environment.
type command struct{ words, env []string }

// tool returns the command for a module.
func tool(root string) (command, error) {
	if name := os.Getenv(variable); name != "" {
		if strings.ContainsRune(name, filepath.Separator) && !filepath.IsAbs(name) {
			return command{}, fmt.Errorf("%s: expected an absolute path or a name in PATH, got %s", variable, name)
		}
		return command{words: []string{name}}, nil
	}
	tools := filepath.Join(root, "tools.mod")
	switch found, err := declares(tools); {
	case err != nil:
		return command{}, err
	case found:
		return withTools(root, tools)
	}
	switch found, err := declares(filepath.Join(root, "go.mod")); {
	case err != nil:
		return command{}, err
	case found:
		return command{words: []string{"go", "tool", "crdproof"}}, nil
	}
	return command{}, fmt.Errorf("crdproof is not a tool of the module in %s: write there\n"+
		"\tgo mod init -modfile=tools.mod tools\n\t%s\nor set %s to the path of the program", root, upgrade, variable)
}

// withTools returns the command for a tools.mod. The go command takes it neither in a workspace nor, for go tool, in a
// module with a vendor directory, which is that of go.mod. It chooses its version by go.mod, so that it may be older
// than tools.mod requires.
func withTools(root, tools string) (command, error) {
	words := []string{"go", "tool", "-modfile=" + tools, "crdproof"}
	if _, err := os.Stat(filepath.Join(root, "vendor", "modules.txt")); err == nil {
		words = []string{"go", "run", "-mod=readonly", "-modfile=" + tools, program}
	}
	env := []string{"GOWORK=off"}
	data, err := os.ReadFile(tools)
	if err != nil {
		return command{}, err
	}
	chosen, err := exec.Command("go", "env", "GOTOOLCHAIN").Output()
	if err != nil {
		return command{}, fmt.Errorf("go env GOTOOLCHAIN: %w", err)
	}
	if needed := goLine.FindSubmatch(data); needed != nil && strings.TrimSpace(string(chosen)) == "auto" {
		env = append(env, fmt.Sprintf("GOTOOLCHAIN=go%s+auto", needed[1]))
	}
	return command{words, env}, nil
}

// goLine matches the version of Go that a file such as go.mod requires.
var goLine = regexp.MustCompile(`(?m)^go\s+(\d+\.\d+\.\d+)\s*(?://.*)?$`)

// toolLine matches the line for crdproof in a file such as go.mod, alone or in a list of tools.
var toolLine = regexp.MustCompile(`(?m)^\s*(tool\s+)?"?` + regexp.QuoteMeta(program) + `"?\s*(//.*)?$`)

// declares reports whether a file such as go.mod has crdproof as a tool. A file that does not exist has none.
func declares(file string) (bool, error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	return toolLine.Match(data), err
}

// moduleRoot returns the directory of the module of the test, which runs in the directory of its package.
func moduleRoot() (string, error) {
	start, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && info.Mode().IsRegular() {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("no go.mod in %s and above it: suites run in a Go module", start)
		}
	}
}
