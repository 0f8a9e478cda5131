package git

import (
	"context"
	"errors"
	"iter"
	"path"
	"path/filepath"
	"strings"
)

// References returns the names of branches and tags.
func (r *Repository) References(ctx context.Context) ([]string, error) {
	out, err := r.run(ctx, nil, "for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/tags", "refs/remotes")
	if err != nil {
		return nil, err
	}
	return append(strings.Fields(string(out)), "HEAD"), nil
}

// LastChange returns the commit that last changed a file on disk, "" if no commit has or the file is outside of the
// repository.
func (r *Repository) LastChange(ctx context.Context, file string) (string, error) {
	dir, ok := r.relative(filepath.Dir(file))
	if !ok {
		return "", nil
	}
	name := path.Join(dir, filepath.Base(file))
	answer, err := r.run(ctx, nil, "rev-list", "-1", "HEAD", "--", ":(top,literal)"+name)
	return text(answer), err
}

// Holds reports whether a directory on disk is in the repository, and not in another one within it.
func (r *Repository) Holds(dir string) bool {
	rel, ok := r.relative(dir)
	return ok && Root(filepath.Join(r.root, filepath.FromSlash(rel))) == r.root
}

// relative returns the path of a directory on disk from the root, with slashes; ok is unset outside of it.
func (r *Repository) relative(dir string) (rel string, ok bool) {
	dir, err := resolved(dir)
	if err != nil {
		return "", false
	}
	rel, err = filepath.Rel(r.root, dir)
	return filepath.ToSlash(rel), err == nil && filepath.IsLocal(rel)
}

// resolved returns the absolute path of a directory that exists, without links.
func resolved(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(dir)
}

// Grep yields the lines of the Go files of a commit that match a pattern, a fixed text or an extended regular
// expression, each with the path of its file. It skips tests and vendored packages.
func (r *Repository) Grep(
	ctx context.Context, commit, pattern string, isRegexp bool,
) (iter.Seq2[string, string], error) {
	syntax := "--fixed-strings"
	if isRegexp {
		syntax = "--extended-regexp"
	}
	answer, err := r.run(ctx, nil, "grep", "--full-name", "--text", "--no-textconv", "--no-recurse-submodules", "-z",
		syntax, "-e", pattern, commit, "--", ":(top)*.go", ":(top,exclude)*_test.go", ":(top,exclude,glob)**/vendor/**")
	var none *failure
	if err != nil && (!errors.As(err, &none) || none.code != 1) { // 1 without a match
		return nil, err
	}
	return func(yield func(file, line string) bool) {
		for entry := range strings.Lines(string(answer)) {
			file, line, ok := strings.Cut(strings.TrimPrefix(entry, commit+":"), "\x00")
			if ok && !yield(file, line) {
				return
			}
		}
	}, nil
}
