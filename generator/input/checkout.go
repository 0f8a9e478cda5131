package input

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
)

// Revision splits an argument of the form <revision>:<path>. ok is unset for all others.
func Revision(arg string) (commit, path string, ok bool) {
	r, ok := revisionOf(arg)
	return r.commit, r.path, ok
}

// IsCommit reports whether git knows a revision by that name, unless a file has the name.
func IsCommit(name string) bool {
	if _, err := os.Stat(name); err == nil || strings.HasPrefix(name, "-") || strings.Contains(name, ":") {
		return false
	}
	_, err := git(nil, "rev-parse", "--verify", "--quiet", name+"^{tree}")
	return err == nil
}

// Checkout writes all files of a revision to a directory, which must exist, and returns the directory in it that is the
// working directory of the repository. A link is written as the file of the revision that it leads to; links to
// directories, out of the revision or nowhere are left out, and so are submodules. The repository does not change.
func Checkout(commit, dir string) (string, error) {
	prefix, err := git(nil, "rev-parse", "--show-prefix")
	if err != nil {
		return "", err
	}
	tree, err := git(nil, "rev-parse", "--verify", "--quiet", commit+"^{tree}")
	if err != nil || strings.HasPrefix(commit, "-") {
		return "", fmt.Errorf("unknown git revision %s", commit)
	}
	t := gitTree{revision: revision{arg: commit, commit: commit}, id: text(tree)}
	entries, err := list(t.id, []string{"-r"})
	if err != nil {
		return "", err
	}
	var files, links []gitEntry
	for _, e := range entries {
		switch {
		case e.mode == modeLink:
			links = append(links, e)
		case e.isFile():
			files = append(files, e)
		}
	}
	sources, problems := t.read(files)
	if len(problems) > 0 {
		return "", fmt.Errorf("%s", problems[0].Message)
	}
	for _, link := range links {
		if to, problems := t.read([]gitEntry{link}); len(problems) == 0 {
			files, sources = append(files, link), append(sources, to...)
		}
	}
	return filepath.Join(dir, filepath.FromSlash(text(prefix))), write(files, sources, dir)
}

// write writes the contents of entries to a directory.
func write(files []gitEntry, sources []*diag.Source, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for i, src := range sources {
		name := filepath.FromSlash(files[i].path)
		if err := root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := root.WriteFile(name, src.Data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// UnknownCommit reports an argument that is neither a file nor a revision.
func UnknownCommit(arg string) diag.Diagnostic {
	return Errorf("%s is neither a file, a directory nor a git revision", arg).
		Help("%s", revision{arg: arg, commit: arg}.meant())
}
