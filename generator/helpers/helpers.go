// Package helpers generates Go helpers for CRDs: functions that prune, default and validate objects as an API server
// does.
//
// The input is the sessions of CRDs, with their compiled rules, and the directories to write to. The output is the
// files of one or more packages. This package assigns versions to packages and names them. emit/gocode writes the
// code.
//
// The package carries no promise, and may change in any release: see docs/stability.md.
package helpers

import (
	"cmp"
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	gopath "path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/emit/gocode"
	"github.com/crdproof/crdproof/emit/gocode/typed"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/rules/cost"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// unwritten is reported if helpers cannot be written.
var unwritten = &diag.Check{ID: "helpers", Mistake: true}

// unlisted is reported if a package has a name that the list of kinds needs.
var unlisted = &diag.Check{ID: "helpers-kinds", Severity: diag.Warning}

// missingModule is reported if the helpers cannot be compiled without another module.
var missingModule = &diag.Check{ID: "helpers-module", Severity: diag.Warning}

// Checks returns the table of findings about helpers.
func Checks() []*diag.Check {
	return append(gocode.Checks(), unwritten, unlisted, missingModule, skipped)
}

// Options say where to write helpers.
type Options struct {
	// Dir is the directory for all helpers, as one package; "" writes those of each version next to its Go type.
	Dir string
	// Package is the name of that package; "" is the name of the package that is there already, or else that of the
	// directory.
	Package string
	// Variant is the name of the variant whose CRDs the helpers are for, if there are several.
	Variant string
	// JSONOnly is set if there are no helpers for Go types.
	JSONOnly bool
	// ImportedAsData is set if Go values of types of other modules are validated as JSON.
	ImportedAsData bool
	// Copy is set if packages get a copy of what they use of the runtime, instead of importing its module.
	Copy bool
	// Version is that of crdproof, which is the one of the runtime that the helpers need.
	Version string
	// TypeOf returns the Go type with a name in the package with a path, nil if it was not read.
	TypeOf func(path, name string) types.Type
	// Header is written at the top of each file.
	Header []byte
}

// A Package is one package of helpers: the Go files of a directory.
type Package struct {
	Dir   string
	Files []emit.File
}

// Write writes helpers for all versions of CRDs that have a schema: functions that prune, default and validate objects
// as the last API server of the range does. The CRDs must be valid. A kind with a rule that cannot be
// compiled to Go has no helpers; if there are no others, that is an error.
func Write(ctx context.Context, crds []*session.Session, opts Options) ([]Package, []diag.Diagnostic) {
	var out []Package
	var found []diag.Diagnostic
	var excluded []exclusion
	for _, p := range packages(ctx, crds, opts) {
		files, problems := p.write()
		found, excluded = append(found, problems...), append(excluded, p.excluded...)
		if len(p.out.Kinds) > 0 {
			out = append(out, Package{Dir: p.dir, Files: files})
		}
	}
	for _, e := range excluded {
		found = append(found, e.report(len(out) > 0)...)
	}
	if diag.HasErrors(found) {
		return nil, found
	}
	return out, found
}

// A directory is the package that goes into it, with its findings.
type directory struct {
	dir string
	out gocode.Package
	// excluded are the kinds that it does not have because their helpers would not be right.
	excluded []exclusion
	// version is that of crdproof.
	version string
}

// packages sorts versions into packages, which are sorted by directory.
func packages(ctx context.Context, crds []*session.Session, opts Options) []*directory {
	var out []*directory
	add := func(dir, path, name string, c *session.Session, v *session.Version) {
		i := slices.IndexFunc(out, func(p *directory) bool { return p.dir == dir })
		if i < 0 {
			i = len(out)
			alone := opts.Dir != "" && packageIn(dir) == ""
			out = append(out, &directory{dir: dir, version: opts.Version, out: gocode.Package{
				Path: path, Name: name, Header: opts.Header, Kube: c.Kube.Last, Alone: alone, Copy: opts.Copy,
				RuntimeName: runtimeName(dir), ImportNames: load.ImportNames(dir, gocode.FileName, gocode.SupportName),
			}})
		}
		k, problems := kind(c.CRD, v)
		var goType types.Type
		if v.Package != nil && opts.TypeOf != nil {
			goType = opts.TypeOf(v.Package.Path, c.CRD.Kind.V)
		}
		switch {
		case opts.ImportedAsData && goType != nil:
			k.Imported = typed.ImportedSchemas(goType, v.Schema, modulePath(v.Package))
		}
		if goType != nil && !opts.JSONOnly {
			k.Type = goType
			reasons, err := c.Verdict(ctx)
			k.DefaultsAreValid = err == nil && kube.InMetadata(reasons)
		}
		if len(problems) > 0 {
			out[i].exclude(c.CRD.Kind.V, problems)
			return
		}
		out[i].out.Kinds = append(out[i].out.Kinds, k)
	}
	for _, c := range crds {
		for _, v := range c.Versions {
			switch {
			case v.Schema == nil: // API servers reject such a version
			case opts.Dir != "":
				name := cmp.Or(opts.Package, packageIn(opts.Dir), packageName(opts.Dir))
				add(opts.Dir, importPath(opts.Dir, v.Package), name, c, v)
			case v.Package != nil && v.Package.Named:
				add(v.Package.Dir, v.Package.Path, v.Package.Name, c, v)
			}
		}
	}
	slices.SortFunc(out, func(a, b *directory) int { return strings.Compare(a.dir, b.dir) })
	return out
}

// packageIn returns the name of the package in a directory, "" if it has only helpers or none.
func packageIn(dir string) string { return load.PackageName(dir, gocode.FileName, gocode.SupportName) }

// runtimeName returns the name under which a package imports the runtime, "" for its own: none that the package
// declares. It begins with crd, as no variable of the helpers does.
func runtimeName(dir string) (name string) {
	declared := load.Declared(dir, gocode.FileName, gocode.SupportName)
	const plain = "crd"
	for n := 2; ; n++ {
		if _, ok := declared[cmp.Or(name, plain)]; !ok {
			return name
		}
		name = plain + strconv.Itoa(n)
	}
}

// packageName derives a package name from the name of its directory.
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

// modulePath returns the path of the module of a package.
func modulePath(pkg *schema.Package) string {
	dir, path := pkg.Dir, pkg.Path
	for !input.Holds(dir, "go.mod") && gopath.Base(path) == filepath.Base(dir) {
		dir, path = filepath.Dir(dir), gopath.Dir(path)
	}
	return path
}

// importPath returns the import path of a directory in the module of a package; "" for one elsewhere.
func importPath(dir string, pkg *schema.Package) string {
	if pkg == nil {
		return ""
	}
	full, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	path := pkg.Path
	for below := pkg.Dir; ; {
		if rel, err := filepath.Rel(below, full); err == nil && filepath.IsLocal(rel) {
			return gopath.Join(path, filepath.ToSlash(rel))
		}
		if gopath.Base(path) != filepath.Base(below) {
			return ""
		}
		below, path = filepath.Dir(below), gopath.Dir(path)
	}
}

// write writes the package's files.
func (p *directory) write() ([]emit.File, []diag.Diagnostic) {
	found := append(nameKinds(p.out.Kinds), p.list()...)
	if diag.HasErrors(found) {
		return nil, found
	}
	files, problems := gocode.Files(p.out)
	if diag.HasErrors(problems) {
		p.excludeUncompiled()
		files, problems = gocode.Files(p.out)
	}
	found = append(found, problems...)
	found = append(found, collisions(p.dir, files)...)
	return files, append(found, p.missingModules(files)...)
}

// list decides whether the package lists its kinds. A package with the same names of its own has no list.
func (p *directory) list() (found []diag.Diagnostic) {
	declared := load.Declared(p.dir, gocode.FileName, gocode.SupportName)
	for _, name := range gocode.RegistryNames() {
		if at, ok := declared[name]; ok {
			p.out.Unlisted = true
			found = append(found, diag.Warningf(at, unlisted,
				"the package declares %s; the generated helpers do not list their kinds", name).
				Help("rename it, or write the helpers into another package with output:helpers:dir=./helpers"))
		}
	}
	return found
}

// kind returns the input of gocode for a version.
func kind(c *schema.CRD, v *session.Version) (gocode.Kind, []diag.Diagnostic) {
	k := gocode.Kind{Name: gocode.GoName(c.Kind.V), CRD: c, Version: v.Index}
	if _, err := v.Structure(); err != nil {
		const message = "cannot write helpers for version %s of %s: %v"
		return k, []diag.Diagnostic{diag.Errorf(v.At, unwritten, message, v.Name.V, c.ObjectName(), err)}
	}
	var problems []diag.Diagnostic
	schema.Walk(v.Schema, func(p *schema.Place) {
		if p.Nested && len(p.Schema.Rules) > 0 {
			problems = append(problems, diag.Errorf(p.Schema.Rules[0].Rule.At, unwritten,
				"API servers and helpers do not support rules inside allOf, anyOf, oneOf or not").
				Help("move the rule out of the keyword, to the value itself"))
		}
	})
	k.Rules = v.Rules()
	k.Uncounted = cost.Uncounted(v.Estimates())
	return k, problems
}

// nameKinds makes the names of kinds unique in a package: if several groups have a kind of the same name, the names
// contain the group, and if a kind has several versions, the names of all but the stored one contain the version.
func nameKinds(kinds []gocode.Kind) (found []diag.Diagnostic) {
	count := map[*schema.CRD]int{}
	for _, k := range kinds {
		count[k.CRD]++
	}
	suffixes := groupSuffixes(kinds)
	taken := map[string]gocode.Kind{}
	stored := map[*schema.CRD]bool{}
	for i := range kinds {
		k := &kinds[i]
		// An invalid CRD may have several storage versions.
		k.Name += suffixes[k.CRD]
		isStored := k.CRD.Versions[k.Version].Storage && !stored[k.CRD]
		if count[k.CRD] > 1 && !isStored {
			k.Name += gocode.GoName(k.VersionName())
		}
		stored[k.CRD] = stored[k.CRD] || isStored
		switch other, ok := taken[k.Name]; {
		case ok && k.CRD.ObjectName() == other.CRD.ObjectName() && k.VersionName() == other.VersionName():
			found = append(found, diag.Errorf(k.CRD.At, unwritten, "duplicate CRD %s", k.CRD.ObjectName()).
				Help("name only one of its files").See(other.CRD.At, "the other one"))
		case ok:
			const message = "the helpers of %s and %s would have the same names in one package"
			found = append(found, diag.Errorf(k.CRD.At, unwritten, message, k.CRD.ObjectName(), other.CRD.ObjectName()).
				Help("write each into a package of its own: run crdproof for each with another output:helpers:dir").
				See(other.CRD.At, "the other %s", k.Name))
		}
		taken[k.Name] = *k
	}
	return found
}

// collisions returns names in generated files that the package declares too.
func collisions(dir string, files []emit.File) (found []diag.Diagnostic) {
	declared := load.Declared(dir, gocode.FileName, gocode.SupportName)
	for _, f := range files {
		file, err := parser.ParseFile(token.NewFileSet(), f.Path, f.Data, parser.SkipObjectResolution)
		if err != nil {
			continue // the tests of gocode make sure that it can be parsed
		}
		var names []string
		for _, id := range load.Names(file) {
			names = append(names, id.Name)
		}
		for _, name := range append(names, importedNames(file)...) {
			if at, ok := declared[name]; ok {
				found = append(found, diag.Errorf(at, unwritten, "the generated helpers declare %s too", name).
					Help("rename it, or write the helpers into another package with output:helpers:dir=./helpers"))
			}
		}
	}
	return found
}

// importedNames returns the names of imported packages, which other files of the package must not declare either.
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
