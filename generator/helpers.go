package generator

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/emit/gocode"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/cost"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/kube"
)

// HelperOptions ask for Go helpers of the kinds.
type HelperOptions struct {
	// Dir is where all helpers go, as one package; "" leaves those of each version beside its Go type.
	Dir string
	// Package is the name of that package; "" is that of the Go files which are there already, or else that of the directory.
	Package string
	// Header is written at the top of each file.
	Header []byte
}

// HelperFiles are the Go files of one package of helpers.
type HelperFiles struct {
	Dir   string
	Files []emit.File
}

// A helperVersion is a version of a CRD, by its position in it.
type helperVersion struct {
	CRD     *schema.CRD
	Version int
}

func (v helperVersion) version() *schema.Version { return &v.CRD.Versions[v.Version] }

// Helpers writes helpers for all versions of CRDs that have a schema: what prunes, defaults and validates objects as the newest API
// server of the range does. The CRDs are proved. A rule that cannot be compiled to Go is an error.
func Helpers(crds []*schema.CRD, opts HelperOptions, versions kube.Range) ([]HelperFiles, []diag.Diagnostic) {
	var out []HelperFiles
	var found []diag.Diagnostic
	for _, p := range helperPackages(crds, opts) {
		files, problems := p.write(versions)
		found = append(found, problems...)
		out = append(out, HelperFiles{Dir: p.dir, Files: files})
	}
	if diag.HasErrors(found) {
		return nil, found
	}
	return out, found
}

// A helperPackage is what goes into one directory.
type helperPackage struct {
	dir      string
	versions []helperVersion
	out      gocode.Package
}

// helperPackages sorts versions into packages, which are sorted by directory.
func helperPackages(crds []*schema.CRD, opts HelperOptions) []*helperPackage {
	var packages []*helperPackage
	in := func(dir, name string) *helperPackage {
		for _, p := range packages {
			if p.dir == dir {
				return p
			}
		}
		p := &helperPackage{dir: dir, out: gocode.Package{Name: name, Header: opts.Header, Alone: opts.Dir != "" && packageIn(dir) == ""}}
		packages = append(packages, p)
		return p
	}
	for _, c := range crds {
		for i := range c.Versions {
			v := &c.Versions[i]
			switch {
			case v.Schema == nil:
				continue // which no API server accepts
			case opts.Dir != "":
				p := in(opts.Dir, cmp.Or(opts.Package, packageIn(opts.Dir), packageName(opts.Dir)))
				p.versions = append(p.versions, helperVersion{c, i})
			case v.Package != nil && v.Package.Named:
				p := in(v.Package.Dir, v.Package.Name)
				p.versions = append(p.versions, helperVersion{c, i})
			}
		}
	}
	slices.SortFunc(packages, func(a, b *helperPackage) int { return strings.Compare(a.dir, b.dir) })
	return packages
}

// packageIn is the name of the package in a directory, "" where there is none but for helpers.
func packageIn(dir string) string { return load.PackageName(dir, gocode.FileName, gocode.SupportName) }

// packageName makes a package's name of that of its directory.
func packageName(dir string) string {
	if full, err := filepath.Abs(dir); err == nil {
		dir = full
	}
	name := strings.Map(func(r rune) rune {
		if r == '_' || 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(filepath.Base(dir)))
	if !token.IsIdentifier(name) {
		return "helpers"
	}
	return name
}

// write writes the package's files.
func (p *helperPackage) write(versions kube.Range) ([]emit.File, []diag.Diagnostic) {
	var found []diag.Diagnostic
	for _, v := range p.versions {
		k, problems := helperKind(v, versions)
		found = append(found, problems...)
		p.out.Kinds = append(p.out.Kinds, k)
	}
	found = append(found, nameKinds(p.out.Kinds)...)
	if diag.HasErrors(found) {
		return nil, found
	}
	files, problems := gocode.Files(p.out)
	found = append(found, problems...)
	return files, append(found, collisions(p.dir, files)...)
}

// helperKind compiles what a version needs. What does not compile the proof has told.
func helperKind(v helperVersion, versions kube.Range) (gocode.Kind, []diag.Diagnostic) {
	k := gocode.Kind{Name: gocode.GoName(v.CRD.Kind.V), CRD: v.CRD, Version: v.Version}
	root := v.version().Schema
	structure, err := kube.Structural(root)
	if err != nil {
		return k, []diag.Diagnostic{noStructure(v, err)}
	}
	compiled, problems := expr.Compile(v.Version, root, structure, versions)
	schema.Walk(root, func(p *schema.Place) {
		if p.Nested && len(p.Schema.Rules) > 0 {
			problems = append(problems, nestedRule(&p.Schema.Rules[0]))
		}
	})
	k.Rules = compiled
	k.Dear, k.DearObject = cost.Overruns(cost.Estimates(compiled))
	return k, slices.DeleteFunc(problems, func(d diag.Diagnostic) bool { return d.Severity != diag.Error })
}

// nameKinds makes the names of kinds unique in a package: of several versions, all but the one that is stored have theirs in
// the name.
func nameKinds(kinds []gocode.Kind) (found []diag.Diagnostic) {
	count := map[*schema.CRD]int{}
	for _, k := range kinds {
		count[k.CRD]++
	}
	taken := map[string]gocode.Kind{}
	stored := map[*schema.CRD]bool{}
	for i := range kinds {
		k := &kinds[i]
		isStored := k.CRD.Versions[k.Version].Storage && !stored[k.CRD] // a CRD that is not proved may store several
		if count[k.CRD] > 1 && !isStored {
			k.Name += gocode.GoName(k.VersionName())
		}
		stored[k.CRD] = stored[k.CRD] || isStored
		switch other, ok := taken[k.Name]; {
		case ok && k.CRD.ObjectName() == other.CRD.ObjectName() && k.VersionName() == other.VersionName():
			found = append(found, sameCRD(k, &other))
		case ok:
			found = append(found, sameKind(k, &other))
		}
		taken[k.Name] = *k
	}
	return found
}

// collisions are the names in generated files that the package has already.
func collisions(dir string, files []emit.File) (found []diag.Diagnostic) {
	declared := load.Declared(dir, gocode.FileName, gocode.SupportName)
	for _, f := range files {
		file, err := parser.ParseFile(token.NewFileSet(), f.Path, f.Data, parser.SkipObjectResolution)
		if err != nil {
			continue // the tests of the emitter see to that
		}
		for _, name := range append(declaredNames(file), importedNames(file)...) {
			if at, ok := declared[name]; ok {
				found = append(found, nameTaken(at, name))
			}
		}
	}
	return found
}

func declaredNames(file *ast.File) (out []string) {
	for _, id := range load.Names(file) {
		out = append(out, id.Name)
	}
	return out
}

// importedNames are those of packages, which must not be declared in another file of the package either.
func importedNames(file *ast.File) (out []string) {
	for _, spec := range file.Imports {
		name := ""
		if path, err := strconv.Unquote(spec.Path.Value); err == nil {
			name = gocode.ImportName(spec, path)
		}
		out = append(out, name)
	}
	return out
}
