package helpers

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/emit/gocode"
	"github.com/crdproof/crdproof/internal/input"
)

// missingModules reports the packages that files of a directory import, and that no module provides which go.mod
// requires. In a workspace, other modules may provide them.
func (p *directory) missingModules(files []emit.File) []diag.Diagnostic {
	full, err := filepath.Abs(p.dir)
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
		return p.missingIn(src, files)
	}
	return nil
}

// missingIn reports what a go.mod does not provide.
func (p *directory) missingIn(src *diag.Source, files []emit.File) []diag.Diagnostic {
	mod, err := modfile.ParseLax(src.Path, src.Data, nil)
	if err != nil || mod.Module == nil {
		return nil // the go command reports it
	}
	modules := []string{mod.Module.Mod.Path}
	for _, r := range mod.Require {
		if r.Mod.Path != gocode.RuntimePath || !p.isOlder(r.Mod.Version) {
			modules = append(modules, r.Mod.Path)
		}
	}
	var missing []string
	for _, path := range thirdParty(files) {
		provides := func(module string) bool { return path == module || strings.HasPrefix(path, module+"/") }
		name := wanted(path)
		if path == gocode.RuntimePath {
			name = p.runtime()
		}
		if !slices.ContainsFunc(modules, provides) && !slices.Contains(missing, name) {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	at := mod.Module.Syntax
	help := "run go mod tidy"
	if name := p.runtime(); slices.Contains(missing, name) {
		help = "run go get " + name
	}
	return []diag.Diagnostic{diag.Warningf(diag.At(src, at.Start.Byte, at.End.Byte), missingModule,
		"the helpers import %s, which go.mod does not require", strings.Join(missing, ", ")).
		Help("%s", help)}
}

// runtime returns the module of the runtime with the version that helpers need: that of crdproof, or the latest for a
// build that is not a release.
func (p *directory) runtime() string {
	version := p.version
	if !isRelease(version) {
		version = "latest"
	}
	return gocode.RuntimePath + "@" + version
}

// isOlder reports whether a version of the runtime is older than the one that helpers need. What is replaced in go.mod
// has the version of no release.
func (p *directory) isOlder(version string) bool {
	return isRelease(p.version) && isRelease(version) && semver.Compare(version, p.version) < 0
}

func isRelease(version string) bool {
	return semver.IsValid(version) && version != "v0.0.0" && !module.IsPseudoVersion(version)
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
