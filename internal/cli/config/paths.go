package config

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/input"
)

// A pattern names a file, the files of a directory, or, with /... at the end, those in a tree. Names may have the
// wildcards of path.Match.
type pattern struct {
	base   string
	isTree bool
}

// newPattern parses a pattern. problem is "" if it is valid.
func newPattern(text string) (p pattern, problem string) {
	base, isTree := strings.CutSuffix(filepath.ToSlash(text), "...")
	p = pattern{base: path.Clean(strings.TrimSuffix(base, "/")), isTree: isTree}
	if isTree && base == "" {
		p.base = "."
	}
	_, err := path.Match(p.base, "")
	switch {
	case text == "":
		return p, "the path is empty"
	case path.IsAbs(filepath.ToSlash(text)) || filepath.IsAbs(text):
		return p, fmt.Sprintf("expected a path relative to the settings file, got %q", text)
	case !filepath.IsLocal(filepath.FromSlash(p.base)):
		return p, fmt.Sprintf("expected a path below the directory of the settings file, got %q", text)
	case isTree && base != "" && !strings.HasSuffix(base, "/"), strings.Contains(base, "..."):
		return p, fmt.Sprintf("... must follow a slash at the end of the path, got %q", text)
	case err != nil:
		return p, fmt.Sprintf("invalid pattern %q: a bracket is not closed", text)
	}
	return p, ""
}

// missing says that the pattern names nothing below a directory; it is "" if it does.
func (p pattern) missing(dir string) string {
	full := filepath.Join(dir, filepath.FromSlash(p.base))
	if strings.ContainsAny(p.base, `*?[\`) {
		if found, err := filepath.Glob(full); err != nil || len(found) > 0 {
			return ""
		}
		return fmt.Sprintf("no file matches %s", p.base)
	}
	if exists(full) {
		return ""
	}
	return p.base + " does not exist"
}

// near returns a help with the path that was probably meant.
func (p pattern) near(dir, text string) string {
	full := filepath.Join(dir, filepath.FromSlash(p.base))
	if near := input.Near(full, nil); near != "" && !exists(full) {
		return diag.Meant(strings.Replace(text, path.Base(p.base), near, 1))
	}
	return ""
}

// covers reports whether the pattern names a file, by its path relative to the settings file.
func (p pattern) covers(file string) bool {
	if p.matches(file) || p.matches(path.Dir(file)) {
		return true
	}
	for d := path.Dir(file); p.isTree; d = path.Dir(d) {
		if p.matches(d) {
			return true
		}
		if d == "." {
			break
		}
	}
	return false
}

func (p pattern) matches(name string) bool {
	ok, err := path.Match(p.base, name)
	return ok && err == nil
}

// coversAny reports whether one of the patterns names a file. Symbolic links on the way are followed.
func coversAny(list []pattern, dir, file string) bool {
	rel, err := filepath.Rel(dir, file)
	if err != nil || !filepath.IsLocal(rel) {
		rel, err = filepath.Rel(input.Resolved(dir), input.Resolved(file))
		if err != nil || !filepath.IsLocal(rel) {
			return false
		}
	}
	for _, p := range list {
		if p.covers(filepath.ToSlash(rel)) {
			return true
		}
	}
	return false
}
