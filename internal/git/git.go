// Package git reads files and history of the git repository that holds the working directory. It is the only place that
// starts git.
//
// The repository is not trusted: a pull request may contain files that look like a repository, and an archive may bring
// a .git directory with settings that name commands. So git
//
//   - runs in the root of the repository that Open finds, never in a directory of the input or the output, and must
//     report that it uses the same repository
//   - runs only commands that read objects and references, which start no hook, filter, pager or other program
//   - cannot fetch: it may not use any protocol, so a missing object of a partial clone is an error
//
// It keeps the settings of the user and the system: safe.directory is there, with which git rejects repositories of
// other users.
package git

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/crdproof/crdproof/internal/effort"
)

// A Repository is the repository of a working directory.
type Repository struct {
	// root is the directory that holds .git, without links.
	root string
	// Prefix is the path from the root to the working directory, with slashes and a final one, or "".
	Prefix string
	// IsShallow is set if the clone has only a part of the history, as in CI.
	IsShallow bool
}

// ErrMissing means that git is not installed, ErrOutside that the working directory is not in a repository.
var (
	ErrMissing = errors.New("git is not installed")
	ErrOutside = errors.New("the working directory is not in a git repository")
)

// An Error is a failure with an instruction that fixes it.
type Error struct{ Message, Help string }

// Error implements error.
func (e *Error) Error() string { return e.Message }

// Open returns the repository that holds a directory. The error is ErrMissing, ErrOutside, an *Error or the reason that
// git reports.
func Open(ctx context.Context, dir string) (*Repository, error) {
	if _, err := exec.LookPath("git"); err != nil {
		return nil, ErrMissing
	}
	dir, err := resolved(dir)
	if err != nil {
		return nil, err
	}
	r := &Repository{root: Root(dir)}
	if r.root == "" {
		return nil, ErrOutside
	}
	if rel, err := filepath.Rel(r.root, dir); err == nil && rel != "." {
		r.Prefix = filepath.ToSlash(rel) + "/"
	}
	return r, r.inspect(ctx)
}

// Root returns the root of the git repository that contains a directory, or "" outside of repositories. Like git, it
// looks for a directory or a file .git, but never takes a directory for a bare repository.
func Root(dir string) string {
	for {
		if info, err := os.Stat(filepath.Join(dir, ".git")); err == nil && (info.IsDir() || info.Mode().IsRegular()) {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// inspect makes sure that git uses the repository that Open has found, and not a bare one around .git, and that the
// repository has its own objects.
func (r *Repository) inspect(ctx context.Context) error {
	want, err := gitDir(filepath.Join(r.root, ".git"))
	if err != nil {
		return err
	}
	answer, err := r.run(ctx, nil,
		"rev-parse", "--is-shallow-repository", "--absolute-git-dir", "--git-path", "objects")
	if err != nil {
		return err
	}
	lines := strings.SplitN(strings.TrimSuffix(string(answer), "\n"), "\n", 3)
	if len(lines) != 3 {
		return errors.New("unexpected answer of git rev-parse")
	}
	r.IsShallow = lines[0] == "true"
	if !isSame(lines[1], want) {
		return &Error{Message: "git does not use the repository in " + r.root + ", but " + lines[1],
			Help: "run git fsck in " + r.root}
	}
	objects := lines[2]
	if !filepath.IsAbs(objects) {
		objects = filepath.Join(r.root, objects)
	}
	if _, err := os.Lstat(filepath.Join(objects, "info", "alternates")); err == nil {
		return &Error{Message: "the repository borrows objects from other repositories (objects/info/alternates)",
			Help: "run git repack -a -d && rm " + filepath.Join(objects, "info", "alternates")}
	}
	return nil
}

// gitDir returns the directory that a .git is, or that the .git of a worktree or a submodule names
// (gitrepository-layout(5)).
func gitDir(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		return path, err
	}
	const longest = 4096 + int64(len("gitdir: \n")) // PATH_MAX
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, longest))
	if err != nil {
		return "", err
	}
	dir, ok := strings.CutPrefix(strings.TrimRight(string(data), "\r\n"), "gitdir: ")
	if !ok {
		return "", errors.New(path + " does not name a git directory")
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(filepath.Dir(path), dir)
	}
	return dir, nil
}

// isSame reports whether two paths lead to one directory.
func isSame(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// run runs git in the root of the repository, and returns its output. The answer depends on the repository and the
// arguments, but not on the environment, and not on the settings of the user.
func (r *Repository) run(ctx context.Context, stdin io.Reader, args ...string) ([]byte, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	out := output{budget: effort.New(ctx, effort.RevisionBytes), full: cancel}
	var messages bytes.Buffer
	command := exec.CommandContext(ctx, "git", slices.Concat(flags(), args)...)
	command.Dir = r.root
	command.Stdin, command.Stdout, command.Stderr = stdin, &out, &messages
	command.Env = environment(os.Environ(), r.root)
	command.WaitDelay = time.Second // a process that git left behind may hold the pipes
	err := command.Run()
	var exit *exec.ExitError
	switch {
	case out.tooMuch:
		return nil, &Error{Message: "git prints more than crdproof reads of a revision",
			Help: "name fewer files; see revision-bytes in docs/limits.md"}
	case errors.Is(err, exec.ErrNotFound):
		return nil, ErrMissing
	case errors.As(err, &exit) && ctx.Err() == nil:
		return nil, &failure{code: exit.ExitCode(), reason: reason(messages.String())}
	}
	return out.data.Bytes(), err
}

// A failure is what git reports when it fails.
type failure struct {
	code   int
	reason string
}

// Error implements error.
func (f *failure) Error() string { return "git reports: " + f.reason }

// An output collects what git prints, up to a limit.
type output struct {
	data    bytes.Buffer
	budget  *effort.Budget
	full    func()
	tooMuch bool
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	if !o.budget.Spend(len(p)) {
		o.tooMuch = o.budget.Exceeded()
		o.full()
		return 0, io.ErrShortWrite
	}
	return o.data.Write(p)
}

// flags override the settings that change what git prints or finds. They take precedence over all other settings.
func flags() []string {
	out := []string{"--no-pager", "--no-replace-objects", "--no-optional-locks"}
	for _, setting := range []string{
		// A directory is only a repository if it is called .git, or is named by a file of that name (git 2.38). Older
		// versions may read the settings of a bare repository, but inspect rejects it before anything else is run.
		"safe.bareRepository=explicit",
		"color.ui=false", "color.grep=false",
		"core.attributesFile=" + os.DevNull, "core.fsmonitor=false", "core.hooksPath=" + os.DevNull,
		"core.quotePath=false", "core.warnAmbiguousRefs=true",
		"grep.column=false", "grep.extendedRegexp=false", "grep.fullName=false", "grep.lineNumber=false",
		"grep.patternType=default", "submodule.recurse=false",
	} {
		out = append(out, "-c", setting)
	}
	return out
}

// environment returns the variables that git gets: the user's, without those of git that name another repository or
// change what git prints. Those that name settings stay.
func environment(environ []string, root string) []string {
	out := slices.DeleteFunc(slices.Clone(environ), func(entry string) bool {
		return strings.HasPrefix(entry, "GIT_") && !strings.HasPrefix(entry, "GIT_CONFIG") &&
			!strings.HasPrefix(entry, "GIT_EXEC_PATH=")
	})
	return append(out,
		"LC_ALL=C", // the messages of git are read
		// Versions before 2.45 may not know the first one. They fail because of the second one, which takes precedence
		// over all settings of protocols.
		"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=",
		"GIT_TERMINAL_PROMPT=0",
		"GIT_CEILING_DIRECTORIES="+filepath.Dir(root),
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
