package load

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/crdproof/crdproof/diag"
)

// Problem returns the diagnostic for an error of List, Load or ListFailed.
func Problem(err error) diag.Diagnostic {
	var listed *explanation
	if errors.As(err, &listed) {
		return listed.finding(Failed)
	}
	return diag.Of(Failed, err)
}

// ListFailed makes an error of what go/packages reports if the go command fails in a directory: what that printed,
// without how it was called.
func ListFailed(err error, dir string, paths []string) error {
	where := "paths=" + cmp.Or(strings.Join(paths, ";"), ".")
	if _, printed, _ := strings.Cut(err.Error(), "stderr: "); strings.TrimSpace(printed) != "" {
		e := explain(dir, strings.TrimSpace(printed))
		if e.help == "" {
			e.message = where + ": " + e.message
		}
		return &e
	}
	if _, missing := exec.LookPath("go"); missing != nil {
		return fmt.Errorf("%s cannot be read: the go command is not installed, or not in PATH", where)
	}
	return fmt.Errorf("%s: %w", where, err)
}

// ListProblem returns the diagnostic for what the go command reports about a package that was named in the directory
// dir.
func ListProblem(dir, message string) diag.Diagnostic {
	e := explain(dir, strings.TrimSpace(message))
	if e.ofModule {
		return e.finding(Failed)
	}
	return e.finding(NotListed)
}

// absolute returns the absolute path of a directory; "" is the process's own.
func absolute(dir string) string {
	out, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	return out
}

// NoMatch reports paths, which start from the directory dir, without packages.
func NoMatch(dir string, paths []string) diag.Diagnostic {
	help := "for all packages of a directory, write it as in ./api/..."
	for _, path := range paths {
		if strings.HasPrefix(path, ".") && strings.HasSuffix(path, "...") {
			help = "name a directory with Go files below it"
		}
		help = cmp.Or(asDirectory(dir, path), tagged(dir, filepath.Join(dir, path)), help)
	}
	return diag.Errorf(diag.Span{}, NotListed, "no Go packages match %s", strings.Join(paths, ";")).Help("%s", help)
}

// asDirectory asks whether a directory was meant by the path of a package; "" if it does not exist.
func asDirectory(dir, path string) string {
	base, _, _ := strings.Cut(path, "...")
	info, err := os.Stat(filepath.Join(dir, base))
	if filepath.IsAbs(path) || strings.HasPrefix(path, ".") || base == "" || err != nil || !info.IsDir() {
		return ""
	}
	return diag.Meant("./" + path)
}
