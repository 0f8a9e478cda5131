package input

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
)

// A revision is a file, a directory, a tree or a pattern in a commit of the repository that the working directory lies
// in. It is written as git show has it: <revision>:<path>, the path from the root of the repository, or from the
// working directory where it begins with ./ or ../ (gitrevisions(7)).
type revision struct {
	arg string
	// commit is what stands before the colon, path what follows it.
	commit, path string
}

// IsRevision reports whether an argument has the form of a file in a revision. A file or pattern of that name comes
// first.
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
		return revision{}, false // a drive of Windows
	}
	if _, err := os.Stat(strings.TrimSuffix(arg, "/...")); err == nil {
		return revision{}, false
	}
	if matches, err := filepath.Glob(arg); err == nil && len(matches) > 0 {
		return revision{}, false
	}
	return revision{arg, arg[:i], arg[i+1:]}, true
}

// colon is where the first colon stands that is not in braces, -1 where there is none: HEAD^{/fix: the size}:config.
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

// sources reads the files that the revision stands for.
func (r revision) sources(choice Choice) ([]*diag.Source, []diag.Diagnostic) {
	prefix, err := git(nil, "rev-parse", "--show-prefix")
	switch {
	case err == nil:
	case errors.Is(err, errNoGit):
		return nil, only(r.problem("%s cannot be read: there is no git on this machine", r.arg).
			Help("install git, or check the revision out"))
	case strings.Contains(err.Error(), "not a git repository"):
		return nil, only(r.problem("%s cannot be read: the working directory is not in a git repository", r.arg))
	default:
		return nil, only(gitFailed(r.arg, err))
	}
	unknown := r.problem("git knows no revision %s", r.commit)
	if strings.HasPrefix(r.commit, "-") {
		return nil, only(unknown)
	}
	tree, err := git(nil, "rev-parse", "--verify", "--quiet", r.commit+"^{tree}")
	if err != nil {
		unknown.HelpText = r.meant()
		return nil, only(unknown)
	}
	t := gitTree{revision: r, choice: choice, id: text(tree), prefix: text(prefix)}
	files, problem := t.files()
	if problem != nil {
		return nil, problem
	}
	return t.read(files)
}

// problem is about what looks like a revision and cannot be read as one.
func (r revision) problem(format string, args ...any) diag.Diagnostic {
	path := r.path
	if path == "" || path == "." {
		path = "all files"
	}
	return Errorf(format, args...).
		Note("there is no file of that name, so it was taken for %s in the revision %s of a git repository", path,
			r.commit)
}

func gitFailed(arg string, err error) diag.Diagnostic {
	return Errorf("%s cannot be read: git says: %v", arg, err)
}

// meant helps where git knows no such revision: with the branch or tag of nearly that name, or with what the clone
// lacks.
func (r revision) meant() string {
	base := r.commit
	if i := strings.IndexAny(base, "^~@"); i > 0 {
		base = base[:i]
	}
	near := diag.Near(base, references())
	switch {
	case near != "" && near != base:
		return diag.Meant(near + strings.TrimPrefix(r.arg, base))
	case isShallow():
		return "the clone has a part of the history alone: git fetch --unshallow, or fetch-depth: 0 of actions/checkout"
	}
	return ""
}

// references are the names of branches and tags.
func references() []string {
	out, err := git(nil, "for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/tags", "refs/remotes")
	if err != nil {
		return nil // they are wanted for a hint alone
	}
	return append(strings.Fields(string(out)), "HEAD")
}

// isShallow reports whether the clone has a part of the history alone, as those of CI do.
func isShallow() bool {
	out, err := git(nil, "rev-parse", "--is-shallow-repository")
	return err == nil && text(out) == "true"
}

// A gitTree is the root directory of a revision.
type gitTree struct {
	revision
	// choice are the files that a directory stands for.
	choice Choice
	// id is the name of the tree object, prefix the working directory as seen from the root, with a slash at its end.
	id, prefix string
}

// A gitEntry is a line of git ls-tree.
type gitEntry struct {
	mode, kind, id string
	// path starts from the root of the repository, or from the directory that was listed.
	path string
}

// isFile reports whether an entry is a file or a link, as opposed to a directory or a submodule.
func (e *gitEntry) isFile() bool { return e.kind == "blob" }

// files finds what the path stands for.
func (t *gitTree) files() ([]gitEntry, []diag.Diagnostic) {
	name, isTree := strings.CutSuffix("/"+t.path, "/...")
	name = strings.TrimPrefix(name, "/")
	if strings.HasPrefix(name+"/", "./") || strings.HasPrefix(name+"/", "../") {
		name = path.Join(t.prefix, name)
	}
	name = path.Clean(name)
	entry, err := t.lookUp(name)
	switch {
	case err != nil:
		return nil, only(gitFailed(t.arg, err))
	case entry == nil && strings.ContainsAny(name, "*?["):
		return t.matching(name)
	case entry == nil:
		return nil, only(t.noSuchPath(name))
	case entry.kind == "commit":
		return nil, only(Errorf("%s cannot be read: %s is a submodule", t.arg, name).
			Help("run the same in %s", name))
	case entry.isFile() && !isTree:
		return []gitEntry{*entry}, nil
	}
	return t.directory(*entry, isTree)
}

// lookUp returns the entry of a path, nil where there is none.
func (t *gitTree) lookUp(name string) (*gitEntry, error) {
	if name == "." {
		return &gitEntry{kind: "tree", id: t.id}, nil
	}
	if !filepath.IsLocal(name) {
		return nil, nil
	}
	entries, err := list(t.id, nil, name)
	if err != nil || len(entries) == 0 {
		return nil, err
	}
	return &entries[0], nil
}

// directory returns the files in a directory, and with all those below it; directories whose name begins with a dot are
// passed over, as on disk.
func (t *gitTree) directory(dir gitEntry, all bool) (out []gitEntry, problems []diag.Diagnostic) {
	var flags []string
	if all {
		flags = []string{"-r"}
	}
	entries, err := list(dir.id, flags)
	if err != nil {
		return nil, only(gitFailed(t.arg, err))
	}
	for _, e := range entries {
		if e.isFile() && t.choice.Takes(e.path) && !isHidden(e.path) {
			e.path = path.Join(dir.path, e.path)
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

// matching returns the files that fit a pattern.
func (t *gitTree) matching(pattern string) (out []gitEntry, problems []diag.Diagnostic) {
	entries, err := list(t.id, []string{"-r"})
	if err != nil {
		return nil, only(gitFailed(t.arg, err))
	}
	for _, e := range entries {
		if ok, err := path.Match(pattern, e.path); err == nil && ok && e.isFile() {
			out = append(out, e)
		}
	}
	if len(out) == 0 {
		return nil, only(noneFits(t.arg))
	}
	return out, nil
}

// noSuchPath looks for what may be meant instead: the same path from the working directory, or a name that is near.
func (t *gitTree) noSuchPath(name string) diag.Diagnostic {
	d := Errorf("there is no %s in the revision %s", name, t.commit).
		Note("the path starts from the root of the repository; from the working directory with ./ in front of it")
	if entry, err := t.lookUp(path.Join(t.prefix, t.path)); t.prefix != "" && err == nil && entry != nil {
		return d.Help("%s", diag.Meant(t.commit+":./"+t.path))
	}
	var names []string
	if parent, err := t.lookUp(path.Dir(name)); err == nil && parent != nil && parent.kind == "tree" {
		if entries, err := list(parent.id, nil); err == nil {
			for _, e := range entries {
				names = append(names, e.path)
			}
		}
	}
	if near := diag.Near(path.Base(name), names); near != "" {
		return d.Help("%s", diag.Meant(t.commit+":"+path.Join(path.Dir(name), near)))
	}
	return d
}

// list runs git ls-tree. The paths of the entries are those from the tree that is listed.
func list(tree string, flags []string, paths ...string) (out []gitEntry, err error) {
	args := slices.Concat([]string{"ls-tree", "-z", "--full-tree"}, flags, []string{tree, "--"}, paths)
	answer, err := git(nil, args...)
	if err != nil {
		return nil, err
	}
	for line := range strings.SplitSeq(string(answer), "\x00") {
		about, name, ok := strings.Cut(line, "\t")
		if fields := strings.Fields(about); ok && len(fields) == 3 {
			out = append(out, gitEntry{mode: fields[0], kind: fields[1], id: fields[2], path: name})
		}
	}
	return out, nil
}

// modeLink is the mode of a symbolic link (gitformat-index(5)).
const modeLink = "120000"

// read reads all files in one go. A link is followed, as far as it leads to another file of the revision.
func (t *gitTree) read(files []gitEntry) (out []*diag.Source, problems []diag.Diagnostic) {
	var asked bytes.Buffer
	for i := range files {
		if files[i].mode == modeLink {
			fmt.Fprintf(&asked, "%s:%s\n", t.id, files[i].path)
		} else {
			fmt.Fprintln(&asked, files[i].id)
		}
	}
	answer, err := git(&asked, "cat-file", "--batch", "--follow-symlinks")
	if err != nil {
		return nil, only(gitFailed(t.arg, err))
	}
	for i := range files {
		name := t.commit + ":" + files[i].path
		broken := Errorf("%s cannot be read: it is a link that leads to no file of the revision", name)
		header, rest, _ := bytes.Cut(answer, []byte("\n"))
		fields := strings.Fields(string(header))
		if len(fields) != 3 || fields[1] != "blob" {
			return nil, only(broken)
		}
		size, err := strconv.Atoi(fields[2])
		if err != nil || size >= len(rest) {
			return nil, only(broken)
		}
		out = append(out, &diag.Source{Path: name, Data: rest[:size:size]})
		answer = rest[size+1:]
	}
	return out, nil
}
