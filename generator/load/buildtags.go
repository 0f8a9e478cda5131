package load

import (
	"bufio"
	"cmp"
	"go/build/constraint"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// tagged says with which build tags the Go files of a path are read that have some, "" if no file has. The path is that
// of a directory, with /... for all below it; the file is named from the directory from.
func tagged(from, path string) string {
	dir, isTree := strings.CutSuffix(path, "...")
	dir = cmp.Or(dir, ".")
	help := ""
	// An unreadable directory is reported by the go command.
	_ = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			isSkipped := strings.HasPrefix(d.Name(), "_") || strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"
			if filepath.Clean(name) != filepath.Clean(dir) && (!isTree || isSkipped) {
				return filepath.SkipDir
			}
		case strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			if expr := constraintOf(name); expr != nil {
				if short, err := filepath.Rel(absolute(from), absolute(name)); err == nil {
					name = short
				}
				help = "set the build tags of " + filepath.ToSlash(name) + ": " + withTags(expr)
				return filepath.SkipAll
			}
		}
		return nil
	})
	return help
}

// withTags returns the flag for a build constraint, or the constraint if it needs more than tags that are set.
func withTags(expr constraint.Expr) string {
	switch e := expr.(type) {
	case *constraint.TagExpr:
		return "--load-build-tags=" + e.Tag
	case *constraint.OrExpr:
		return withTags(e.X)
	case *constraint.AndExpr:
		x, y := withTags(e.X), withTags(e.Y)
		if tag, ok := strings.CutPrefix(y, "--load-build-tags="); ok && strings.HasPrefix(x, "--load-build-tags=") {
			return x + "," + tag
		}
	}
	return "//go:build " + expr.String()
}

// constraintOf returns the build constraint of a Go file, nil if it has none or cannot be read.
func constraintOf(name string) constraint.Expr {
	file, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if constraint.IsGoBuild(line) {
			expr, err := constraint.Parse(line)
			if err != nil {
				return nil
			}
			return expr
		}
		if line != "" && !strings.HasPrefix(line, "//") {
			return nil
		}
	}
	return nil
}
