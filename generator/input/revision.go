package input

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
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

// git runs git in the working directory.
func git(stdin io.Reader, args ...string) ([]byte, error) {
	return Git(context.Background(), "", stdin, args...)
}

// sources reads the files of the revision.
func (r revision) sources(choice Choice) ([]*diag.Source, []diag.Diagnostic) {
	prefix, err := git(nil, "rev-parse", "--show-prefix")
	switch {
	case err == nil:
	case errors.Is(err, errNoGit):
		return nil, only(r.problem("cannot read %s: git is not installed", r.arg).
			Help("install git, or check out the revision"))
	case strings.Contains(err.Error(), "not a git repository"):
		return nil, only(r.problem("cannot read %s: the working directory is not in a git repository", r.arg))
	default:
		return nil, only(gitFailed(r.arg, err))
	}
	unknown := r.problem("unknown git revision %s", r.commit)
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
	return Errorf("cannot read %s: git reports: %v", arg, err)
}

// meant returns a help for an unknown revision: a branch or tag with a similar name, or how to fetch the history.
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
		return "the clone is shallow: run git fetch --unshallow, or set fetch-depth: 0 for actions/checkout"
	}
	return ""
}

// references returns the names of branches and tags.
func references() []string {
	out, err := git(nil, "for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/tags", "refs/remotes")
	if err != nil {
		return nil // they only serve a hint
	}
	return append(strings.Fields(string(out)), "HEAD")
}

// isShallow reports whether the clone has only a part of the history, as in CI.
func isShallow() bool {
	out, err := git(nil, "rev-parse", "--is-shallow-repository")
	return err == nil && text(out) == "true"
}

// A gitTree is the root directory of a revision.
type gitTree struct {
	revision
	// choice selects the files of a directory.
	choice Choice
	// id is the name of the tree object; prefix is the path from the root to the working directory, with a final slash.
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

// files finds the files that the path names.
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
		return nil, only(Errorf("cannot read %s: %s is a submodule", t.arg, name).
			Help("run the same command in %s", name))
	case entry.isFile() && !isTree:
		return []gitEntry{*entry}, nil
	}
	return t.directory(*entry, isTree)
}

// lookUp returns the entry of a path, or nil if it does not exist.
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

// directory returns the files in a directory, and with all also those in its subdirectories. It skips directories whose
// names begin with a dot, as on disk.
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

// matching returns the files that match a pattern.
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
		return nil, only(noMatch(t.arg))
	}
	return out, nil
}

// noSuchPath reports a path that does not exist, and suggests the same path from the working directory or a similar
// name.
func (t *gitTree) noSuchPath(name string) diag.Diagnostic {
	d := Errorf("%s does not exist in the revision %s", name, t.commit).
		Note("the path starts at the root of the repository; with ./ in front it starts at the working directory")
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

// list runs git ls-tree. The paths of the entries start at the listed tree.
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

// read reads all files with one git command. It follows links to other files of the revision.
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
		broken := Errorf("cannot read %s: the link does not lead to a file of the revision", name)
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
