package input

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
)

// git runs git in the working directory, and returns what it prints. The error is errNoGit, or what git says.
func git(stdin io.Reader, args ...string) ([]byte, error) {
	command := exec.Command("git", args...)
	command.Stdin = stdin
	command.Env = append(os.Environ(), "LC_ALL=C") // noRepository reads what git says
	out, err := command.Output()
	var exit *exec.ExitError
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return nil, errNoGit
	case errors.As(err, &exit):
		first, _, _ := strings.Cut(text(exit.Stderr), "\n")
		return nil, errors.New(strings.TrimPrefix(first, "fatal: "))
	}
	return out, err
}

// errNoGit means that there is no git on this machine.
var errNoGit = errors.New("there is no git here")

// text is an answer of one line.
func text(answer []byte) string { return strings.TrimSpace(string(answer)) }
