package input

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/git"
)

// A revision is a file, a directory, a tree or a pattern in a commit of the repository that contains the working
// directory. It has the form of git show: <revision>:<path>. The path starts at the root of the repository, or at the
// working directory if it begins with ./ or ../ (gitrevisions(7)).
type revision struct {
	arg string
	// commit is the part before the colon, path the part after it.
	commit, path string
}

// IsRevision reports whether an argument has the form of a path in a revision, unless a file has that name or a pattern
// matches one.
func IsRevision(arg string) bool {
	_, ok := revisionOf(arg)
	return ok
}

func revisionOf(arg string) (revision, bool) {
	i := colon(arg)
	if i < 1 || strings.HasPrefix(arg, ".") || filepath.IsAbs(arg) || strings.HasPrefix(arg[i:], "://") {
		return revision{}, false
	}
	if i == 1 && strings.IndexAny(arg[2:], `/\`) == 0 {
		return revision{}, false // a Windows drive
	}
	if _, err := os.Stat(strings.TrimSuffix(arg, "/...")); err == nil {
		return revision{}, false
	}
	if matches, err := filepath.Glob(arg); err == nil && len(matches) > 0 {
		return revision{}, false
	}
	return revision{arg, arg[:i], arg[i+1:]}, true
}

// colon returns the index of the first colon outside braces, or -1: HEAD^{/fix: the size}:config.
func colon(arg string) int {
	depth := 0
	for i, r := range arg {
		switch {
		case r == '{':
			depth++
		case r == '}':
			depth--
		case r == ':' && depth == 0:
			return i
		}
	}
	return -1
}

// sources reads the files of the revision.
func (r revision) sources(ctx context.Context, choice Choice) ([]*diag.Source, []diag.Diagnostic) {
	t, problem := r.open(ctx)
	if problem != nil {
		return nil, only(*problem)
	}
	t.choice = choice
	files, problems := t.files(ctx)
	if problems != nil {
		return nil, problems
	}
	return t.read(ctx, files)
}

// open finds the revision in the repository of the working directory.
func (r revision) open(ctx context.Context) (*gitTree, *diag.Diagnostic) {
	repo, err := git.Open(ctx, ".")
	switch {
	case errors.Is(err, git.ErrMissing):
		return nil, new(r.problem("cannot read %s: git is not installed", r.arg).
			Help("install git, or check out the revision"))
	case errors.Is(err, git.ErrOutside):
		return nil, new(r.problem("cannot read %s: the working directory is not in a git repository", r.arg))
	case err != nil:
		return nil, new(gitFailed(r.arg, err))
	}
	id, err := repo.Tree(ctx, r.commit)
	if errors.Is(err, git.ErrUnknown) {
		unknown := r.problem("unknown git revision %s", r.commit)
		unknown.HelpText = r.meant(ctx, repo)
		return nil, &unknown
	}
	if err != nil {
		return nil, new(gitFailed(r.arg, err))
	}
	return &gitTree{revision: r, repo: repo, id: id}, nil
}

// problem reports an argument that has the form of a revision but cannot be read as one.
func (r revision) problem(format string, args ...any) diag.Diagnostic {
	path := r.path
	if path == "" || path == "." {
		path = "all files"
	}
	return Errorf(format, args...).
		Note("no file has that name, so it means %s in the git revision %s", path, r.commit)
}

func gitFailed(arg string, err error) diag.Diagnostic {
	d := Errorf("cannot read %s: %v", arg, err)
	var failed *git.Error
	if errors.As(err, &failed) {
		d.HelpText = failed.Help
	}
	return d
}

// meant returns a help for an unknown revision: a branch or tag with a similar name, or how to fetch the history.
func (r revision) meant(ctx context.Context, repo *git.Repository) string {
	base := r.commit
	if i := strings.IndexAny(base, "^~@"); i > 0 {
		base = base[:i]
	}
	names, err := repo.References(ctx)
	if err != nil {
		return "" // they only serve a hint
	}
	near := diag.Near(base, names)
	switch {
	case near != "" && near != base:
		return diag.Meant(near + strings.TrimPrefix(r.arg, base))
	case repo.IsShallow:
		return "the clone is shallow: run git fetch --unshallow, or set fetch-depth: 0 for actions/checkout"
	}
	return ""
}

// A gitTree is the root directory of a revision.
type gitTree struct {
	revision
	repo *git.Repository
	// choice selects the files of a directory.
	choice Choice
	// id is the name of the tree object.
	id string
}

// files finds the files that the path names.
func (t *gitTree) files(ctx context.Context) ([]git.Entry, []diag.Diagnostic) {
	name, isTree := strings.CutSuffix("/"+t.path, "/...")
	name = strings.TrimPrefix(name, "/")
	if strings.HasPrefix(name+"/", "./") || strings.HasPrefix(name+"/", "../") {
		name = path.Join(t.repo.Prefix, name)
	}
	name = path.Clean(name)
	entry, err := t.lookUp(ctx, name)
	switch {
	case err != nil:
		return nil, only(gitFailed(t.arg, err))
	case entry == nil && strings.ContainsAny(name, "*?["):
		return t.matching(ctx, name)
	case entry == nil:
		return nil, only(t.noSuchPath(ctx, name))
	case entry.Kind == "commit":
		return nil, only(Errorf("cannot read %s: %s is a submodule", t.arg, name).
			Help("run the same command in %s", name))
	case entry.IsFile() && !isTree:
		return []git.Entry{*entry}, nil
	}
	return t.directory(ctx, *entry, isTree)
}

// lookUp returns the entry of a path, or nil if it does not exist.
func (t *gitTree) lookUp(ctx context.Context, name string) (*git.Entry, error) {
	if name == "." {
		return &git.Entry{Kind: "tree", ID: t.id}, nil
	}
	if !filepath.IsLocal(name) {
		return nil, nil
	}
	entries, err := t.repo.List(ctx, t.id, false, name)
	if err != nil || len(entries) == 0 {
		return nil, err
	}
	return &entries[0], nil
}

// directory returns the files in a directory, and with all also those in its subdirectories. It skips directories whose
// names begin with a dot, as on disk.
func (t *gitTree) directory(
	ctx context.Context, dir git.Entry, all bool,
) (out []git.Entry, problems []diag.Diagnostic) {
	entries, err := t.repo.List(ctx, dir.ID, all)
	if err != nil {
		return nil, only(gitFailed(t.arg, err))
	}
	for _, e := range entries {
		if e.IsFile() && t.choice.Takes(e.Path) && !isHidden(e.Path) {
			e.Path = path.Join(dir.Path, e.Path)
			out = append(out, e)
		}
	}
	if len(out) == 0 {
		none := t.choice.nothing(t.arg)
		if !all {
			none.HelpText = allBelow(t.arg)
		}
		return nil, only(none)
	}
	return out, nil
}

// isHidden reports whether a directory in a path begins with a dot.
func isHidden(file string) bool {
	dir, _ := path.Split(file)
	return strings.Contains("/"+dir, "/.")
}

// matching returns the files that match a pattern.
func (t *gitTree) matching(ctx context.Context, pattern string) (out []git.Entry, problems []diag.Diagnostic) {
	entries, err := t.repo.List(ctx, t.id, true)
	if err != nil {
		return nil, only(gitFailed(t.arg, err))
	}
	for _, e := range entries {
		if ok, err := path.Match(pattern, e.Path); err == nil && ok && e.IsFile() {
			out = append(out, e)
		}
	}
	if len(out) == 0 {
		return nil, only(noMatch(t.arg))
	}
	return out, nil
}

// noSuchPath reports a path that does not exist, and suggests the same path from the working directory or a similar
// name.
func (t *gitTree) noSuchPath(ctx context.Context, name string) diag.Diagnostic {
	d := Errorf("%s does not exist in the revision %s", name, t.commit).
		Note("the path starts at the root of the repository; with ./ in front it starts at the working directory")
	entry, err := t.lookUp(ctx, path.Join(t.repo.Prefix, t.path))
	if t.repo.Prefix != "" && err == nil && entry != nil {
		return d.Help("%s", diag.Meant(t.commit+":./"+t.path))
	}
	var names []string
	if parent, err := t.lookUp(ctx, path.Dir(name)); err == nil && parent != nil && parent.Kind == "tree" {
		if entries, err := t.repo.List(ctx, parent.ID, false); err == nil {
			for _, e := range entries {
				names = append(names, e.Path)
			}
		}
	}
	if near := diag.Near(path.Base(name), names); near != "" {
		return d.Help("%s", diag.Meant(t.commit+":"+path.Join(path.Dir(name), near)))
	}
	return d
}

// read reads all files with one git command. It follows links to other files of the revision.
func (t *gitTree) read(ctx context.Context, files []git.Entry) (out []*diag.Source, problems []diag.Diagnostic) {
	contents, err := t.repo.Read(ctx, t.id, files)
	if err != nil {
		return nil, only(gitFailed(t.arg, err))
	}
	for i, data := range contents {
		name := t.commit + ":" + files[i].Path
		if data == nil {
			return nil, only(Errorf("cannot read %s: the link does not lead to a file of the revision", name))
		}
		isNamed := path.Base(files[i].Path) == path.Base(t.path)
		out = append(out, &diag.Source{Path: name, Data: data, IsFound: !isNamed})
	}
	return out, nil
}
