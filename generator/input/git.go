package input

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
)

// git runs git in the working directory and returns its output. The error is errNoGit or the first line that git
// reports.
func git(stdin io.Reader, args ...string) ([]byte, error) {
	command := exec.Command("git", args...)
	command.Stdin = stdin
	command.Env = append(os.Environ(), "LC_ALL=C") // the caller reads the messages of git
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

// errNoGit means that git is not installed.
var errNoGit = errors.New("git is not installed")

// text returns the single line of an answer.
func text(answer []byte) string { return strings.TrimSpace(string(answer)) }
