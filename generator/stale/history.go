package stale

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/generator/input"
)

// A history caches which API groups the Go packages of commits declare: the directories by commit and group.
type history map[string]map[string][]string

// defined reports whether git shows that the type of a CRD was in this repository: in the commit that last changed the
// file, a Go package that is not vendored declares both the group and the type. Without git or without such a commit,
// as in a shallow clone, it returns false.
func (h history) defined(ctx context.Context, f *crdFile) bool {
	dir := filepath.Dir(f.path)
	answer := gitAnswer(ctx, dir, "rev-list", "-1", "HEAD", "--", ":(literal)"+filepath.Base(f.path))
	commit := strings.TrimSpace(answer)
	if commit == "" || f.kind == "" {
		return false
	}
	if h[commit] == nil {
		h[commit] = map[string][]string{}
		for file, line := range grep(ctx, dir, commit, "-F", "+groupName=") {
			for _, m := range groupMarker.FindAllStringSubmatch(line, -1) {
				h[commit][m[1]] = append(h[commit][m[1]], path.Dir(file))
			}
		}
	}
	for file := range grep(ctx, dir, commit, "-E", f.declaration()) {
		if slices.Contains(h[commit][f.group()], path.Dir(file)) {
			return true
		}
	}
	return false
}

// blind says why git does not have the history of a directory, "" if it has.
func blind(ctx context.Context, dir string) string {
	switch strings.TrimSpace(gitAnswer(ctx, dir, "rev-parse", "--is-shallow-repository")) {
	case "":
		return "git is missing, or the file is not in a git repository"
	case "true":
		return "the clone is shallow: git fetch --unshallow gets the history"
	}
	return ""
}

// grep yields the lines of the Go files of a commit that match a pattern, each with its file. It skips tests and
// vendored packages.
func grep(ctx context.Context, dir, commit, syntax, pattern string) func(yield func(file, line string) bool) {
	answer := gitAnswer(ctx, dir, "grep", "--full-name", "--text", "-z", syntax, "-e", pattern, commit, "--",
		":(top)*.go", ":(top,exclude)*_test.go", ":(top,exclude,glob)**/vendor/**")
	return func(yield func(file, line string) bool) {
		for entry := range strings.Lines(answer) {
			file, line, ok := strings.Cut(strings.TrimPrefix(entry, commit+":"), "\x00")
			if ok && !yield(file, line) {
				return
			}
		}
	}
}

// gitAnswer runs git in a directory. It returns "" on errors: a failure shows as little as an empty answer.
func gitAnswer(ctx context.Context, dir string, args ...string) string {
	out, err := input.Git(ctx, dir, nil, args...)
	if err != nil {
		return ""
	}
	return string(out)
}
