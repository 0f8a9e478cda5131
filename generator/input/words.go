package input

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
)

// Checks is the table of what is said about the files that a command line names.
func Checks() []*diag.Check { return []*diag.Check{Option, File} }

// Option is the check of what a command line says.
var Option = &diag.Check{
	ID: "option", Mistake: true,
	Doc: "An argument, an option or a flag on the command line is wrong, or names files that are not there. Nothing " +
		"is done.",
}

// Errorf is an error of Option: it has no position.
func Errorf(format string, args ...any) diag.Diagnostic {
	return diag.Errorf(diag.Span{}, Option, format, args...)
}

// File is the check of files that a command cannot read or write.
var File = &diag.Check{
	ID: "file", Mistake: true,
	Doc: "A file cannot be read or written. The notes say which files have been changed by then; mostly none has.",
}

// Trouble says what went wrong with a file: "config/crd cannot be read: permission denied". Of the error of a system
// call its name is left out, and what the path is in the error's words.
func Trouble(err error) string {
	var path *fs.PathError
	if !errors.As(err, &path) {
		return err.Error()
	}
	if errors.Is(path.Err, fs.ErrNotExist) && slices.Contains([]string{"open", "stat", "lstat"}, path.Op) {
		return "there is no file " + Shown(path.Path)
	}
	done := map[string]string{"mkdir": "made", "remove": "removed", "unlinkat": "removed", "write": "written",
		"chmod": "written", "close": "written"}
	return fmt.Sprintf("%s cannot be %s: %v", Shown(path.Path), cmp.Or(done[path.Op], "read"), path.Err)
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

// Near is the name of a file beside a path, which does not exist, that was probably meant; "" where there is none. keep
// says which files are meant at all; nil takes all.
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

func allBelow(dir string) string {
	return "for all below it write " + strings.TrimRight(filepath.ToSlash(dir), "/") + "/..."
}

// AllBelow says how to name what lies below the first argument that is a directory with others in it; "" where none is.
// It helps where arguments name files that are not those that were meant.
func AllBelow(args []string) string {
	for _, arg := range args {
		entries, err := os.ReadDir(arg)
		if err == nil && slices.ContainsFunc(entries, fs.DirEntry.IsDir) {
			return allBelow(arg)
		}
	}
	return ""
}

// Cause is the error of a system call without the path that it names, which may be that of a temporary file or of a
// link's end.
func Cause(err error) error {
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &at):
		return at.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// Absolute is the path that positions have, which formats shorten again as they need it.
func Absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}
