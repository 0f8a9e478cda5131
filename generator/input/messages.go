package input

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
)

// Rule is the id of findings about what a command line says.
const Rule = "option"

func problem(help string, notes []string, format string, args ...any) diag.Diagnostic {
	return diag.Diagnostic{Check: Rule, Message: fmt.Sprintf(format, args...), Notes: notes, HelpText: help}
}

func noFiles() diag.Diagnostic {
	return problem("name files or directories, such as config/crd/bases, or - for standard input", nil, "no file is named")
}

func noStandardInput() diag.Diagnostic {
	return problem("name a file", nil, "standard input is not read here")
}

func unreadableFile(err error) diag.Diagnostic {
	return problem("", nil, "%s", Trouble(err))
}

func passedOver(err error) diag.Diagnostic {
	d := unreadableFile(err)
	d.Severity, d.Notes = diag.Warning, []string{"nothing below it is looked at"}
	return d
}

// Trouble says what went wrong with a file: "config/crd cannot be read: permission denied". Of the error of a system call its name
// is left out, and what the path is in the error's words.
func Trouble(err error) string {
	var path *fs.PathError
	if !errors.As(err, &path) {
		return err.Error()
	}
	if errors.Is(path.Err, fs.ErrNotExist) && slices.Contains([]string{"open", "stat", "lstat"}, path.Op) {
		return "there is no file " + Shown(path.Path)
	}
	does := "read"
	switch path.Op {
	case "mkdir":
		does = "made"
	case "remove", "unlinkat":
		does = "removed"
	case "write", "chmod", "close":
		does = "written"
	}
	return fmt.Sprintf("%s cannot be %s: %v", Shown(path.Path), does, path.Err)
}

// Shown is a path as a person reads it: relative to the working directory where it lies below it.
func Shown(path string) string {
	path = filepath.Clean(path)
	dir, err := os.Getwd()
	if err != nil || !filepath.IsAbs(path) {
		return path
	}
	if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

func noSuchFile(arg, path string, err error) diag.Diagnostic {
	if strings.ContainsAny(arg, "*?[") {
		return noneFits(arg)
	}
	d := problem("", nil, "there is no file %s", arg)
	if !os.IsNotExist(err) {
		d.Message = Trouble(err)
	}
	if near := Near(path, nil); near != "" {
		d.HelpText = diag.Meant(filepath.Join(filepath.Dir(arg), near))
	}
	return d
}

// Near is the name of a file beside a path, which does not exist, that was probably meant; "" where there is none. keep says which files
// are meant at all; nil takes all.
func Near(path string, keep func(fs.DirEntry) bool) string {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return ""
	}
	var names []string
	for _, e := range entries {
		if keep == nil || keep(e) {
			names = append(names, e.Name())
		}
	}
	return diag.Near(filepath.Base(path), names)
}

// tree is the argument that stands for all below a directory.
func tree(dir string) string { return strings.TrimRight(filepath.ToSlash(dir), "/") + "/..." }

func allBelow(dir string) string { return "for all below it write " + tree(dir) }

// AllBelow says how to name what lies below the first argument that is a directory with others in it; "" where none is. It helps where
// arguments name files that are not those that were meant.
func AllBelow(args []string) string {
	for _, arg := range args {
		entries, err := os.ReadDir(arg)
		if err == nil && slices.ContainsFunc(entries, fs.DirEntry.IsDir) {
			return allBelow(arg)
		}
	}
	return ""
}

func (c Choice) nothing(arg, help string) diag.Diagnostic {
	return problem(help, nil, "there is no %s in %s", c.Called, arg)
}

func noneFits(arg string) diag.Diagnostic { return problem("", nil, "no file fits %s", arg) }

// ofRevision is what is said of all that looks like a revision and cannot be read as one.
func ofRevision(r revision) []string {
	return []string{fmt.Sprintf("there is no file of that name, so it was taken for %s in the revision %s of a git repository", orRoot(r.path), r.commit)}
}

func orRoot(path string) string {
	if path == "" || path == "." {
		return "all files"
	}
	return path
}

func noRepository(r revision, err error) diag.Diagnostic {
	switch {
	case errors.Is(err, errNoGit):
		return problem("install git, or check the revision out", ofRevision(r), "%s cannot be read: there is no git on this machine", r.arg)
	case strings.Contains(err.Error(), "not a git repository"):
		return problem("", ofRevision(r), "%s cannot be read: the working directory is not in a git repository", r.arg)
	}
	return gitFailed(r.arg, err)
}

func gitFailed(arg string, err error) diag.Diagnostic {
	return problem("", nil, "%s cannot be read: git says: %v", arg, err)
}

func noRevision(r revision, known []string, shallow bool) diag.Diagnostic {
	base := r.commit
	if i := strings.IndexAny(base, "^~@"); i > 0 {
		base = base[:i]
	}
	help := ""
	if near := diag.Near(base, known); near != "" && near != base {
		help = diag.Meant(near + strings.TrimPrefix(r.arg, base))
	} else if shallow {
		help = "the clone has a part of the history alone: git fetch --unshallow, or fetch-depth: 0 of actions/checkout"
	}
	return problem(help, ofRevision(r), "git knows no revision %s", r.commit)
}

// notInRevision is about a path from the root of the repository; meant is the argument that was probably meant.
func notInRevision(r revision, path, meant string) diag.Diagnostic {
	help := ""
	if meant != "" {
		help = diag.Meant(meant)
	}
	return problem(help, []string{"the path starts from the root of the repository; from the working directory with ./ in front of it"},
		"there is no %s in the revision %s", path, r.commit)
}

func isSubmodule(arg, path string) diag.Diagnostic {
	return problem("run the same in "+path, nil, "%s cannot be read: %s is a submodule", arg, path)
}

func brokenLink(name string) diag.Diagnostic {
	return problem("", nil, "%s cannot be read: it is a link that leads to no file of the revision", name)
}
