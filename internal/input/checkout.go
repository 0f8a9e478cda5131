package input

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/git"
)

// Revision splits an argument of the form <revision>:<path>. ok is unset for all others.
func Revision(arg string) (commit, path string, ok bool) {
	r, ok := revisionOf(arg)
	return r.commit, r.path, ok
}

// IsCommit reports whether git knows a revision by that name, unless a file has the name.
func IsCommit(ctx context.Context, name string) bool {
	if _, err := os.Stat(name); err == nil || strings.Contains(name, ":") {
		return false
	}
	repo, err := git.Open(ctx, ".")
	if err != nil {
		return false
	}
	_, err = repo.Tree(ctx, name)
	return !errors.Is(err, git.ErrUnknown)
}

// Checkout writes all files of a revision to a directory, which must exist, and returns the directory in it that is the
// working directory of the repository. A link is written as the file of the revision that it leads to; links to
// directories, out of the revision or nowhere are left out, and so are submodules. The repository does not change.
func Checkout(ctx context.Context, commit, dir string) (string, *diag.Diagnostic) {
	r := revision{arg: commit, commit: commit}
	t, problem := r.open(ctx)
	if problem != nil {
		return "", problem
	}
	entries, err := t.repo.List(ctx, t.id, true)
	if err != nil {
		return "", new(gitFailed(commit, err))
	}
	entries = slices.DeleteFunc(entries, func(e git.Entry) bool { return !e.IsFile() || isGitDirectory(e.Path) })
	contents, err := t.repo.Read(ctx, t.id, entries)
	if err != nil {
		return "", new(gitFailed(commit, err))
	}
	if err := write(entries, contents, dir); err != nil {
		return "", new(unreadableFile(err))
	}
	return filepath.Join(dir, filepath.FromSlash(t.repo.Prefix)), nil
}

// isGitDirectory reports whether a path of a tree has a part that git itself never writes: the name of the directory of
// a repository, in any spelling that a file system may take for it.
func isGitDirectory(path string) bool {
	return slices.ContainsFunc(strings.Split(path, "/"), func(part string) bool {
		part = strings.ToLower(strings.TrimRight(part, " ."))
		return part == ".git" || strings.HasPrefix(part, "git~")
	})
}

// write writes the contents of entries to a directory.
func write(files []git.Entry, contents [][]byte, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for i, data := range contents {
		if data == nil {
			continue // a link that leads nowhere
		}
		name := filepath.FromSlash(files[i].Path)
		if err := root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := root.WriteFile(name, data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// UnknownCommit reports an argument that is neither a file nor a revision.
func UnknownCommit(ctx context.Context, arg string) diag.Diagnostic {
	d := Errorf("%s is neither a file, a directory nor a git revision", arg)
	repo, err := git.Open(ctx, ".")
	if errors.Is(err, git.ErrOutside) {
		return d
	}
	if err != nil {
		return d.Note("%v", err)
	}
	return d.Help("%s", revision{arg: arg, commit: arg}.meant(ctx, repo))
}

// Tree returns the name of the tree object of a revision, by which Checkout finds the same files later.
func Tree(ctx context.Context, commit string) (string, *diag.Diagnostic) {
	t, problem := revision{arg: commit, commit: commit}.open(ctx)
	if problem != nil {
		problem.Notes = nil // commit can only be a revision
		return "", problem
	}
	return t.id, nil
}
