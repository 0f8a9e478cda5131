package stale

import (
	"context"
	"path"
	"path/filepath"
	"slices"

	"github.com/crdproof/crdproof/internal/git"
)

// A history caches which API groups the Go packages of commits declare: the directories by commit and group.
type history struct {
	// repo is the repository of the working directory, nil without one. why says why the history is missing.
	repo *git.Repository
	why  string
	// groups are the directories by commit and group.
	groups map[string]map[string][]string
}

// newHistory returns the history of the repository that holds the working directory.
func newHistory(ctx context.Context) *history {
	h := &history{groups: map[string]map[string][]string{}}
	repo, err := git.Open(ctx, ".")
	switch {
	case err != nil:
		h.why = err.Error()
	case repo.IsShallow:
		h.repo, h.why = repo, "the clone is shallow: git fetch --unshallow gets the history"
	default:
		h.repo = repo
	}
	return h
}

// defined reports whether git shows that the type of a CRD was in this repository: in the commit that last changed the
// file, a Go package that is not vendored declares both the group and the type. blind says why git cannot show it, ""
// if it has the whole history.
func (h *history) defined(ctx context.Context, f *crdFile) (defined bool, blind string) {
	if h.repo == nil || f.kind == "" {
		return false, h.why
	}
	if !h.repo.Holds(filepath.Dir(f.path)) {
		return false, "the file is not in the git repository of the working directory"
	}
	defined, err := h.declared(ctx, f)
	if err != nil {
		return false, err.Error()
	}
	return defined, h.why
}

// declared looks for the type and the group in the commit that last changed the file.
func (h *history) declared(ctx context.Context, f *crdFile) (bool, error) {
	commit, err := h.repo.LastChange(ctx, f.path)
	if err != nil || commit == "" {
		return false, err
	}
	if h.groups[commit] == nil {
		groups := map[string][]string{}
		lines, err := h.repo.Grep(ctx, commit, "+groupName=", false)
		if err != nil {
			return false, err
		}
		for file, line := range lines {
			for _, m := range groupMarker.FindAllStringSubmatch(line, -1) {
				groups[m[1]] = append(groups[m[1]], path.Dir(file))
			}
		}
		h.groups[commit] = groups
	}
	lines, err := h.repo.Grep(ctx, commit, f.declaration(), true)
	if err != nil {
		return false, err
	}
	for file := range lines {
		if slices.Contains(h.groups[commit][f.group()], path.Dir(file)) {
			return true, nil
		}
	}
	return false, nil
}
