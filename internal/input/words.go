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

	"github.com/crdproof/crdproof/diag"
)

// Checks returns the checks of arguments and files.
func Checks() []*diag.Check { return []*diag.Check{Option, File} }

// Option is the check of mistakes on the command line.
var Option = &diag.Check{ID: "option", Mistake: true, MayWarn: true}

// Errorf returns an error of Option, without a position.
func Errorf(format string, args ...any) diag.Diagnostic {
	return diag.Errorf(diag.Span{}, Option, format, args...)
}

// File is the check of files that a command cannot read or write.
var File = &diag.Check{ID: "file", Mistake: true, MayWarn: true}

// NotFound reports a file that an argument names and that does not exist.
func NotFound(arg string) diag.Diagnostic { return Errorf("%s does not exist", arg) }

// Trouble returns the message of an error about a file: "cannot read config/crd: permission denied". It omits the name
// of the system call.
func Trouble(err error) string {
	var path *fs.PathError
	if !errors.As(err, &path) {
		return err.Error()
	}
	if errors.Is(path.Err, fs.ErrNotExist) && slices.Contains([]string{"open", "stat", "lstat"}, path.Op) {
		return Shown(path.Path) + " does not exist"
	}
	verbs := map[string]string{"mkdir": "create", "remove": "remove", "unlinkat": "remove", "write": "write",
		"chmod": "write", "close": "write"}
	return fmt.Sprintf("cannot %s %s: %v", cmp.Or(verbs[path.Op], "read"), Shown(path.Path), path.Err)
}

// Shown returns a path for messages: relative to the working directory if it is below it.
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

// Near returns the name of the file that was probably meant by a path that does not exist, or "". It looks in the same
// directory. keep selects the files to consider; nil means all.
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
	return "to include its subdirectories, write " + strings.TrimRight(filepath.ToSlash(dir), "/") + "/..."
}

// AllBelow returns a help that names the tree of the first argument that is a directory with subdirectories, or "" if
// no argument is one. It helps if a directory has none of the expected files.
func AllBelow(args []string) string {
	for _, arg := range args {
		entries, err := os.ReadDir(arg)
		if err == nil && slices.ContainsFunc(entries, fs.DirEntry.IsDir) {
			return allBelow(arg)
		}
	}
	return ""
}

// Cause returns the error of a system call without its path, which may be that of a temporary file or of the target of
// a link.
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

// Absolute returns the absolute path, which positions have; the output formats shorten it.
func Absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}
