package input

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// Git runs git in a directory, "" for the working directory, and returns its output. The error is errNoGit or the
// reason that git reports. The answer depends on the repository and the arguments, but not on the environment and the
// settings of the user.
func Git(ctx context.Context, dir string, stdin io.Reader, args ...string) ([]byte, error) {
	command := exec.CommandContext(ctx, "git", slices.Concat(neutralFlags(), args)...)
	command.Dir = dir
	command.Stdin = stdin
	command.Env = neutralEnvironment(os.Environ())
	out, err := command.Output()
	var exit *exec.ExitError
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return nil, errNoGit
	case errors.As(err, &exit):
		return nil, errors.New(reason(text(exit.Stderr)))
	}
	return out, err
}

// errNoGit means that git is not installed.
var errNoGit = errors.New("git is not installed")

// neutralFlags override the settings that change what git prints or finds. They take precedence over all files of
// settings, and over those in the environment.
func neutralFlags() []string {
	flags := []string{"--no-pager", "--no-replace-objects"}
	for _, setting := range []string{
		"color.ui=false", "color.grep=false",
		"core.attributesFile=" + os.DevNull, "core.fsmonitor=false", "core.quotePath=false",
		"core.warnAmbiguousRefs=true",
		"grep.column=false", "grep.extendedRegexp=false", "grep.fullName=false", "grep.lineNumber=false",
		"grep.patternType=default", "submodule.recurse=false",
	} {
		flags = append(flags, "-c", setting)
	}
	return flags
}

// neutralEnvironment is an environment without the variables of git that name another repository, as in hooks, or that
// change what git prints. It keeps how git reaches servers, because a partial clone fetches what it lacks, and the
// settings, because git only trusts directories that these name.
func neutralEnvironment(environ []string) []string {
	kept := []string{"GIT_ASKPASS", "GIT_CONFIG", "GIT_EXEC_PATH", "GIT_HTTP", "GIT_PROXY", "GIT_SSH", "GIT_SSL",
		"GIT_TERMINAL_PROMPT"}
	out := slices.DeleteFunc(slices.Clone(environ), func(entry string) bool {
		return strings.HasPrefix(entry, "GIT_") &&
			!slices.ContainsFunc(kept, func(prefix string) bool { return strings.HasPrefix(entry, prefix) })
	})
	return append(out,
		"LC_ALL=C",                             // the caller reads the messages of git
		"GIT_DISCOVERY_ACROSS_FILESYSTEM=true", // as in Repository
		"GIT_OPTIONAL_LOCKS=0",                 // another git may be running
	)
}

// reason returns the line of git's messages that says why it failed. Others may be warnings, or traces that the user
// asks for.
func reason(messages string) string {
	first, _, _ := strings.Cut(messages, "\n")
	for line := range strings.Lines(messages) {
		if fatal, ok := strings.CutPrefix(strings.TrimSpace(line), "fatal: "); ok {
			return fatal
		}
	}
	return first
}

// text returns the single line of an answer.
func text(answer []byte) string { return strings.TrimSpace(string(answer)) }
