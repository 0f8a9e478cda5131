package input

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
)

// A revision is a file, a directory, a tree or a pattern in a commit of the repository that the working directory lies in. It is
// written as git show has it: <revision>:<path>, the path from the root of the repository, or from the working directory where it begins
// with ./ or ../ (gitrevisions(7)).
type revision struct {
	arg string
	// commit is what stands before the colon, path what follows it.
	commit, path string
}

// IsRevision reports whether an argument has the form of a file in a revision. A file or pattern of that name comes first.
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
func (r revision) sources(choice Choice) ([]*diag.Source, *diag.Diagnostic) {
	prefix, err := git(nil, "rev-parse", "--show-prefix")
	if err != nil {
		return nil, addressOf(noRepository(r, err))
	}
	if strings.HasPrefix(r.commit, "-") {
		return nil, addressOf(noRevision(r, nil, false))
	}
	tree, err := git(nil, "rev-parse", "--verify", "--quiet", r.commit+"^{tree}")
	if err != nil {
		return nil, addressOf(noRevision(r, references(), isShallow()))
	}
	t := gitTree{revision: r, choice: choice, id: text(tree), prefix: text(prefix)}
	files, problem := t.files()
	if problem != nil {
		return nil, problem
	}
	return t.read(files)
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
func (t *gitTree) files() ([]gitEntry, *diag.Diagnostic) {
	name, isTree := strings.CutSuffix("/"+t.path, "/...")
	name = strings.TrimPrefix(name, "/")
	if strings.HasPrefix(name+"/", "./") || strings.HasPrefix(name+"/", "../") {
		name = path.Join(t.prefix, name)
	}
	name = path.Clean(name)
	entry, err := t.lookUp(name)
	switch {
	case err != nil:
		return nil, addressOf(gitFailed(t.arg, err))
	case entry == nil && strings.ContainsAny(name, "*?["):
		return t.matching(name)
	case entry == nil:
		return nil, addressOf(t.noSuchPath(name))
	case entry.kind == "commit":
		return nil, addressOf(isSubmodule(t.arg, name))
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
func (t *gitTree) directory(dir gitEntry, all bool) (out []gitEntry, problem *diag.Diagnostic) {
	var flags []string
	if all {
		flags = []string{"-r"}
	}
	entries, err := list(dir.id, flags)
	if err != nil {
		return nil, addressOf(gitFailed(t.arg, err))
	}
	for _, e := range entries {
		if e.isFile() && t.choice.Takes(e.path) && !isHidden(e.path) {
			e.path = path.Join(dir.path, e.path)
			out = append(out, e)
		}
	}
	if len(out) == 0 {
		help := ""
		if !all {
			help = allBelow(t.arg)
		}
		return nil, addressOf(t.choice.nothing(t.arg, help))
	}
	return out, nil
}

// isHidden reports whether a directory in a path begins with a dot.
func isHidden(file string) bool {
	dir, _ := path.Split(file)
	return strings.Contains("/"+dir, "/.")
}

// matching returns the files that fit a pattern.
func (t *gitTree) matching(pattern string) (out []gitEntry, problem *diag.Diagnostic) {
	entries, err := list(t.id, []string{"-r"})
	if err != nil {
		return nil, addressOf(gitFailed(t.arg, err))
	}
	for _, e := range entries {
		if ok, err := path.Match(pattern, e.path); err == nil && ok && e.isFile() {
			out = append(out, e)
		}
	}
	if len(out) == 0 {
		return nil, addressOf(noneFits(t.arg))
	}
	return out, nil
}

// noSuchPath looks for what may be meant instead: the same path from the working directory, or a name that is near.
func (t *gitTree) noSuchPath(name string) diag.Diagnostic {
	if entry, err := t.lookUp(path.Join(t.prefix, t.path)); t.prefix != "" && err == nil && entry != nil {
		return notInRevision(t.revision, name, t.commit+":./"+t.path)
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
		return notInRevision(t.revision, name, t.commit+":"+path.Join(path.Dir(name), near))
	}
	return notInRevision(t.revision, name, "")
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
func (t *gitTree) read(files []gitEntry) (out []*diag.Source, problem *diag.Diagnostic) {
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
		return nil, addressOf(gitFailed(t.arg, err))
	}
	for i := range files {
		name := t.commit + ":" + files[i].path
		header, rest, _ := bytes.Cut(answer, []byte("\n"))
		fields := strings.Fields(string(header))
		if len(fields) != 3 || fields[1] != "blob" {
			return nil, addressOf(brokenLink(name))
		}
		size, err := strconv.Atoi(fields[2])
		if err != nil || size >= len(rest) {
			return nil, addressOf(brokenLink(name))
		}
		out = append(out, &diag.Source{Path: name, Data: rest[:size:size]})
		answer = rest[size+1:]
	}
	return out, nil
}
