// Package licenses checks the licenses of the modules that are linked into crdproof, or into the tests and the programs
// of those who import a nested module. It is a nested module, so that
// users of crdproof do not inherit the library that recognizes licenses.
package licenses

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/licensecheck"
)

// allowed are the licenses, by their SPDX identifiers, under which code may be linked into crdproof.
func allowed() []string {
	return []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"}
}

// recognized is the part of a license file, in percent, that must be the text of known licenses. The rest may name the
// holders of the copyright.
const recognized = 75

// licenseFile matches the names of files with licenses.
var licenseFile = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying)([.-].*)?$`)

// A goPackage is what go list reports about a package.
type goPackage struct {
	Dir    string
	Module *struct{ Path, Dir string }
}

func TestLinkedModules(t *testing.T) {
	for _, program := range []struct{ dir, pkg string }{
		{".", "./cmd/crdproof"}, {"fakeclient", "."}, {"fakeclient/crds", "."}, {"webhook", "."}, {"crd", "."},
		{"server", "./serve"}, {"analyzer", "./plugin"}, {"analyzer", "./cmd/crdproof-vet"},
	} {
		t.Run(path.Join(program.dir, program.pkg), func(t *testing.T) { testLicenses(t, program.dir, program.pkg) })
	}
}

func testLicenses(t *testing.T, folder, pkg string) {
	list := exec.Command("go", "list", "-deps", "-json=Dir,Module", pkg)
	list.Dir, list.Stderr = filepath.Join("..", "..", folder), os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	modules, checked := map[string]bool{}, map[string]bool{}
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var pkg goPackage
		if err := dec.Decode(&pkg); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if pkg.Module == nil {
			continue // the standard library
		}
		modules[pkg.Module.Path] = true
		// Copied code has its license in a directory of its own.
		for dir := pkg.Dir; !checked[dir] && strings.HasPrefix(dir, pkg.Module.Dir); dir = filepath.Dir(dir) {
			checked[dir] = true
			if isNested := strings.HasPrefix(pkg.Module.Path, "github.com/crdproof/crdproof/"); isNested && dir == pkg.Module.Dir {
				continue // the go command adds the license of the repository to its archive
			}
			for _, problem := range problems(t, dir, dir == pkg.Module.Dir) {
				t.Errorf("%s: %s", pkg.Module.Path, problem)
			}
		}
	}
	if len(modules) < 10 {
		t.Errorf("only %d modules were found", len(modules))
	}
}

// problems checks the license files in a directory. The root of a module must have one.
func problems(t *testing.T, dir string, isRoot bool) (out []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, e := range entries {
		if !e.Type().IsRegular() || !licenseFile.MatchString(e.Name()) || filepath.Ext(e.Name()) == ".go" {
			continue
		}
		found = true
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		coverage := licensecheck.Scan(text)
		if coverage.Percent < recognized {
			out = append(out, fmt.Sprintf("%s: %.0f %% is the text of known licenses", e.Name(), coverage.Percent))
		}
		for _, m := range coverage.Match {
			if !slices.Contains(allowed(), m.ID) {
				out = append(out, fmt.Sprintf("%s: the license %s is not allowed", e.Name(), m.ID))
			}
		}
	}
	if isRoot && !found {
		out = append(out, "there is no license file")
	}
	return out
}

// TestProblems makes sure that the check finds each kind of problem.
func TestProblems(t *testing.T) {
	const agpl = "This program is free software: you can redistribute it and/or modify it under the terms of the GNU " +
		"Affero General Public License as published by the Free Software Foundation, either version 3 of the License, " +
		"or (at your option) any later version."
	for name, test := range map[string]struct{ file, text, want string }{
		"none":    {"README", agpl, "there is no license file"},
		"unknown": {"LICENSE", "All rights reserved. Ask before you copy this.", "0 % is the text of known licenses"},
		"kind":    {"COPYING.md", agpl, "is not allowed"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, test.file), []byte(test.text), 0o666); err != nil {
				t.Fatal(err)
			}
			if found := problems(t, dir, true); len(found) != 1 || !strings.Contains(found[0], test.want) {
				t.Errorf("%q, want %q", found, test.want)
			}
			if found := problems(t, dir, false); name == "none" && len(found) != 0 {
				t.Errorf("%q below the root", found)
			}
		})
	}
}
