package load

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/input"
)

// A listError is an error of the go command, with the fix if it is known.
type listError struct{ message, help string }

func (e *listError) Error() string { return e.message }

// Problem returns the diagnostic for an error of List, Load or ListFailed.
func Problem(err error) diag.Diagnostic {
	d := diag.Of(Failed, err)
	var listed *listError
	if errors.As(err, &listed) {
		d.HelpText = listed.help
	}
	return d
}

// ListFailed makes an error of what go/packages reports if the go command fails in a directory: what that printed,
// without how it was called.
func ListFailed(err error, dir string, paths []string) error {
	where := "paths=" + cmp.Or(strings.Join(paths, ";"), ".")
	if _, printed, _ := strings.Cut(err.Error(), "stderr: "); strings.TrimSpace(printed) != "" {
		message, help := explained(dir, strings.TrimPrefix(strings.TrimSpace(printed), "go: "))
		return &listError{where + ": " + message, help}
	}
	if _, missing := exec.LookPath("go"); missing != nil {
		return fmt.Errorf("%s cannot be read: the go command is not installed, or not in PATH", where)
	}
	return fmt.Errorf("%s: %w", where, err)
}

// ListProblem returns the diagnostic for what the go command reports about a package that was named in the directory
// dir.
func ListProblem(dir, message string) diag.Diagnostic {
	message, help := explained(dir, strings.TrimSpace(message))
	return diag.Errorf(diag.Span{}, notListed, "%s", message).Help("%s", help)
}

// What the go command reports, as far as it has a fix.
var (
	noModule       = regexp.MustCompile(`go\.mod file not found|directory prefix \S+ does not contain main module`)
	notInModule    = regexp.MustCompile(`^package (\S+) is not in std`)
	notRequired    = regexp.MustCompile(`^no required module provides package ([^;\s]+)`)
	missingSum     = regexp.MustCompile(`^missing go\.sum entry[^;]*`)
	lookupDisabled = regexp.MustCompile(`^(?:.*: )?module lookup disabled by (GOPROXY=off|GONOSUMDB\S*|-mod=vendor)`)
	outdatedVendor = regexp.MustCompile(`^inconsistent vendoring`)
	outdatedMod    = regexp.MustCompile(`^updates to go\.mod needed`)
	excluded       = regexp.MustCompile(`^build constraints exclude all Go files in (.*)$`)
	wrongFlags     = regexp.MustCompile(`^parsing \$GOFLAGS: (.*)`)
)

// explained returns a message of the go command in a form that names the cause, and the fix if there is one.
func explained(dir, message string) (explanation, help string) {
	part := func(re *regexp.Regexp) string { return re.FindStringSubmatch(message)[1] }
	switch {
	case noModule.MatchString(message) && !input.Holds(moduleRoot(absolute(dir)), "go.mod"):
		name := filepath.Base(absolute(dir))
		in, run := "here", "run go mod init example.com/"+name
		if working, err := os.Getwd(); err == nil && working != absolute(dir) {
			in, run = "in "+dir, run+" in "+dir
		}
		return "no go.mod found " + in + " or in a parent directory", run
	case notInModule.MatchString(message):
		path := part(notInModule)
		return fmt.Sprintf("unknown package %s", path), asDirectory(dir, path)
	case notRequired.MatchString(message):
		path := part(notRequired)
		return fmt.Sprintf("no module in go.mod provides package %s", path), "run go get " + path
	case missingSum.MatchString(message):
		return missingSum.FindString(message), "run go mod tidy"
	case lookupDisabled.MatchString(message):
		return "the module is not downloaded, and " + part(lookupDisabled) + " forbids the download",
			"run go mod download with another GOPROXY, such as https://proxy.golang.org"
	case outdatedVendor.MatchString(message):
		return "vendor/modules.txt does not match go.mod", "run go mod vendor, or set GOFLAGS=-mod=mod"
	case excluded.MatchString(message):
		return message, tagged(dir, part(excluded))
	case outdatedMod.MatchString(message):
		return "go.mod is not up to date", "run go mod tidy"
	case wrongFlags.MatchString(message):
		return "invalid GOFLAGS: " + part(wrongFlags), "fix the environment variable GOFLAGS, or see go env GOFLAGS"
	}
	return message, ""
}

// absolute returns the absolute path of a directory; "" is the process's own.
func absolute(dir string) string {
	out, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	return out
}

// noMatch reports paths, which start from the directory dir, without packages.
func noMatch(dir string, paths []string) diag.Diagnostic {
	help := "for all packages of a directory, write it as in ./api/..."
	for _, path := range paths {
		help = cmp.Or(asDirectory(dir, path), tagged(dir, filepath.Join(dir, path)), help)
	}
	return diag.Errorf(diag.Span{}, notListed, "no Go packages match %s", strings.Join(paths, ";")).Help("%s", help)
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
