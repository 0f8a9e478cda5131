package helpers

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/emit/gocode"
	"github.com/crdproof/crdproof/internal/input"
)

// missingModules reports the packages that files of a directory import, and that no module provides which go.mod
// requires. In a workspace, other modules may provide them.
func missingModules(dir string, files []emit.File) []diag.Diagnostic {
	full, err := filepath.Abs(dir)
	if err != nil {
		return nil // the directory of a process that has none
	}
	for d := range input.Upwards(full) {
		if input.Holds(d, "go.work") {
			return nil
		}
	}
	for d := range input.Upwards(full) {
		if !input.Holds(d, "go.mod") {
			continue
		}
		src := &diag.Source{Path: filepath.Join(d, "go.mod")}
		if src.Data, err = input.ReadFile(src.Path); err != nil {
			return nil // the go command reports it
		}
		return missingIn(src, files)
	}
	return nil
}

// missingIn reports what a go.mod does not provide.
func missingIn(src *diag.Source, files []emit.File) []diag.Diagnostic {
	mod, err := modfile.ParseLax(src.Path, src.Data, nil)
	if err != nil || mod.Module == nil {
		return nil // the go command reports it
	}
	modules := []string{mod.Module.Mod.Path}
	for _, r := range mod.Require {
		modules = append(modules, r.Mod.Path)
	}
	var missing []string
	for _, path := range thirdParty(files) {
		provides := func(module string) bool { return path == module || strings.HasPrefix(path, module+"/") }
		if name := wanted(path); !slices.ContainsFunc(modules, provides) && !slices.Contains(missing, name) {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	at := mod.Module.Syntax
	return []diag.Diagnostic{diag.Warningf(diag.At(src, at.Start.Byte, at.End.Byte), missingModule,
		"the helpers import %s, which go.mod does not require", strings.Join(missing, ", ")).
		Help("run go mod tidy")}
}

// wanted names a package that helpers import: by the module of Kubernetes that it is in, or else by itself, since its
// path does not tell its module.
func wanted(pkg string) string {
	if host, rest, _ := strings.Cut(pkg, "/"); host == "k8s.io" {
		module, _, _ := strings.Cut(rest, "/")
		return host + "/" + module
	}
	return pkg
}

// thirdParty returns the packages that files import, except those of the standard library, sorted.
func thirdParty(files []emit.File) (paths []string) {
	for _, f := range files {
		file, err := parser.ParseFile(token.NewFileSet(), f.Path, f.Data, parser.ImportsOnly)
		if err != nil {
			continue // the tests of gocode make sure that it can be parsed
		}
		for _, spec := range file.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			if gocode.IsThirdParty(path) {
				paths = append(paths, path)
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}
