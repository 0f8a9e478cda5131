package load

import (
	"go/ast"
	"maps"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/markers"
)

// Metav1 is the package whose TypeMeta and ObjectMeta make a struct a kind.
const Metav1 = "k8s.io/apimachinery/pkg/apis/meta/v1"

// A KindRule decides which declarations of the root packages are kinds, or which of any package are versions of one.
type KindRule uint8

const (
	// ByMeaning follows what the API server sees: a kind has apiVersion, kind and metadata in JSON, wherever these come
	// from, and a version of a kind is a kind itself.
	ByMeaning KindRule = iota
	// ByName is controller-gen's rule: a kind is a struct that directly embeds TypeMeta and ObjectMeta under these
	// names, and any type with its name in another package of its group is a version.
	ByName
)

// metas are the parts of a kind that a type has in JSON.
type metas uint8

const (
	// typeMeta is apiVersion and kind.
	typeMeta metas = 1 << iota
	// metadata is the key of that name with an ObjectMeta in it.
	metadata
	// objectMeta is the content of an ObjectMeta, which is metadata if it is under that key.
	objectMeta
)

// known returns the types of metav1 with metas. The package is not read for them.
func known(name string) metas {
	return map[string]metas{
		"TypeMeta": typeMeta, "ObjectMeta": objectMeta, "PartialObjectMetadata": typeMeta | metadata,
	}[name]
}

// A metaOrigin describes where the metas of a declared type come from.
type metaOrigin struct {
	// metas are those in its JSON form.
	metas metas
	// direct are those that it embeds itself, also through aliases, whatever their tags.
	direct metas
	// of is the declaration that an alias or a defined type refers to, in this package or another.
	target *TypeDecl
	// bases are the declarations with metas that it embeds, at any depth.
	bases []*TypeDecl
}

// isWhole reports whether a type has everything that makes a kind.
func (a *metaOrigin) isWhole() bool {
	return a.isDirect() || a.metas&(typeMeta|metadata) == typeMeta|metadata
}

func (a *metaOrigin) isDirect() bool { return a.direct&(typeMeta|objectMeta) == typeMeta|objectMeta }

// A Base is a struct that would be a kind if no kind embedded it.
type Base struct {
	Decl *TypeDecl
	// Kind is the first kind that embeds it.
	Kind *TypeDecl
	// Doubtful is set if only the embedding decides which of the two is the kind.
	Doubtful bool
}

// A finder distinguishes kinds from other types by their syntax, before types are checked. It reads packages on the way
// if an embedded type of theirs can have metas.
type finder struct {
	program *Program
	origins map[*TypeDecl]*metaOrigin
	// leads holds which packages can declare a type with metas: those that import metav1, directly or not.
	leads map[*Package]bool
	// kinds and bases are what was found in the root packages, in source order.
	kinds map[*Package][]*TypeDecl
	bases map[*Package][]Base
}

// findKinds finds the kinds of the root packages, and returns those that can have a CRD.
func (p *Program) findKinds() []typeName {
	f := &finder{
		program: p, origins: map[*TypeDecl]*metaOrigin{}, leads: map[*Package]bool{},
		kinds: map[*Package][]*TypeDecl{}, bases: map[*Package][]Base{},
	}
	p.finder = f
	var candidates []*TypeDecl
	for _, pkg := range p.Roots {
		for _, d := range pkg.Decls {
			if f.isCandidate(d) {
				candidates = append(candidates, d)
			}
		}
	}
	var out []typeName
	for _, d := range candidates {
		if base, ok := f.baseOf(d, candidates); ok {
			f.bases[d.Pkg] = append(f.bases[d.Pkg], base)
			continue
		}
		f.kinds[d.Pkg] = append(f.kinds[d.Pkg], d)
		if d.Spec.TypeParams == nil {
			out = append(out, typeName{pkg: d.Pkg, name: d.Name})
		}
	}
	return out
}

// isCandidate reports whether a declaration of a root package is a kind, unless it turns out to be a base. If it has
// the metas from elsewhere and no marker or list states that it is a kind, it must look like one: exported, in a
// package with a group, and with json tags; and it must not embed another kind, as helpers do.
func (f *finder) isCandidate(d *TypeDecl) bool {
	if d.EmbedsMetas() {
		f.originOf(d)
		return true
	}
	if f.program.policy.Kinds == ByName {
		return false
	}
	_, stated := d.stated()
	if !stated && !d.looksLikeKind() {
		return false
	}
	a := f.originOf(d)
	if !a.isWhole() || stated || a.isDirect() {
		return a.isWhole()
	}
	return !slices.ContainsFunc(a.bases, func(base *TypeDecl) bool {
		return f.origins[base].isWhole() && base.isStated()
	})
}

func (d *TypeDecl) looksLikeKind() bool {
	switch t := ast.Unparen(d.Spec.Type).(type) {
	case *ast.StructType:
		if !hasJSON(t) {
			return false
		}
	case *ast.IndexExpr, *ast.IndexListExpr:
	default: // an alias or a defined type may exist for convenience
		return false
	}
	return d.Spec.TypeParams == nil && ast.IsExported(d.Name) && groupText(d.Pkg) != ""
}

// hasJSON reports whether some field of a struct has a json tag.
func hasJSON(s *ast.StructType) bool {
	return slices.ContainsFunc(s.Fields.List, func(field *ast.Field) bool {
		_, ok := Tag(field).Lookup("json")
		return ok
	})
}

// baseOf reports whether a candidate is a base of kinds: another candidate embeds it, and no marker or list states that
// it is a kind itself. A generic one cannot be a kind at all. A type that embeds one with its own name from another
// package of its group is another version of the same kind.
func (f *finder) baseOf(d *TypeDecl, candidates []*TypeDecl) (Base, bool) {
	generic := d.Spec.TypeParams != nil
	if f.program.policy.Kinds == ByName || !generic && d.isStated() {
		return Base{}, false
	}
	for _, kind := range candidates {
		a := f.origins[kind]
		if kind == d || kind.Spec.TypeParams != nil || kind.Pkg.isSkipped() ||
			!slices.Contains(a.bases, d) && !(generic && a.target == d) {
			continue
		}
		if group := groupText(d.Pkg); kind.Name == d.Name && group != "" && group == groupText(kind.Pkg) {
			continue
		}
		return Base{Decl: d, Kind: kind, Doubtful: !generic && !kind.isStated() && d.hasOwnFields()}, true
	}
	return Base{}, false
}

// isSkipped reports whether the package has no CRDs.
func (pkg *Package) isSkipped() bool {
	return slices.ContainsFunc(pkg.Comments, func(c markers.Comment) bool { return c.Text == "+kubebuilder:skip" })
}

// hasOwnFields reports whether a struct has fields with names: objects of one without would be useless.
func (d *TypeDecl) hasOwnFields() bool {
	s, ok := d.Spec.Type.(*ast.StructType)
	return ok && slices.ContainsFunc(s.Fields.List, func(field *ast.Field) bool { return len(field.Names) > 0 })
}

// stated reports whether something besides the metas states that a type is a kind: a marker, or a list type; and
// whether it is certain.
func (d *TypeDecl) stated() (ok, isSure bool) {
	for _, c := range d.Comments {
		says, surely := d.Pkg.program.policy.Markers.StatesKind(c.Text)
		ok, isSure = ok || says, isSure || surely
	}
	list := d.Pkg.byName[d.Name+"List"]
	if isSure || list == nil {
		return ok, isSure
	}
	s, isStruct := list.Spec.Type.(*ast.StructType)
	listed := isStruct && slices.ContainsFunc(s.Fields.List, func(field *ast.Field) bool {
		return len(field.Names) == 1 && field.Names[0].Name == "Items" && isListOf(field.Type, d.Name)
	})
	return ok || listed, listed
}

// isStated reports whether something besides the metas states that a type is a kind.
func (d *TypeDecl) isStated() bool {
	ok, _ := d.stated()
	return ok
}

// isListOf reports whether an expression is a slice of the named type or of pointers to it.
func isListOf(e ast.Expr, name string) bool {
	slice, ok := e.(*ast.ArrayType)
	if !ok {
		return false
	}
	ident, ok := pointee(slice.Elt).(*ast.Ident)
	return ok && ident.Name == name
}

// pointee strips parentheses and a pointer off a type expression.
func pointee(e ast.Expr) ast.Expr {
	e = ast.Unparen(e)
	if star, ok := e.(*ast.StarExpr); ok {
		e = ast.Unparen(star.X)
	}
	return e
}

// originOf looks into a declaration. For a type that contains itself it is what is known so far.
func (f *finder) originOf(d *TypeDecl) *metaOrigin {
	if a := f.origins[d]; a != nil {
		return a
	}
	a := &metaOrigin{}
	f.origins[d] = a
	s, ok := ast.Unparen(d.Spec.Type).(*ast.StructType)
	if !ok {
		part := f.part(d, d.Spec.Type)
		a.metas, a.target = part.metas, part.decl
		if part.decl != nil {
			a.direct, a.bases = f.origins[part.decl].direct, f.origins[part.decl].bases
		}
		return a
	}
	for _, field := range s.Fields.List {
		if len(field.Names) == 0 {
			f.embedded(d, a, field)
		}
	}
	return a
}

// embedded adds the metas of an embedded field.
func (f *finder) embedded(d *TypeDecl, a *metaOrigin, field *ast.Field) {
	tag := Tag(field).Get("json")
	part := f.part(d, pointee(field.Type))
	if part.metas == 0 || tag == "-" {
		return
	}
	if part.isMeta {
		a.direct |= part.metas
	}
	switch name, _, _ := strings.Cut(tag, ","); {
	case name == "":
		a.metas |= part.metas
	case name == "metadata" && part.metas&objectMeta != 0:
		a.metas |= metadata
	default:
		return
	}
	for base := part.decl; base != nil && !part.isMeta; base = f.origins[base].target {
		a.bases = append(a.bases, base)
		a.bases = append(a.bases, f.origins[base].bases...)
	}
}

// A part describes the metas that a type expression adds to a struct that embeds it.
type part struct {
	metas metas
	// bare is set for the metas themselves, also under an alias.
	isMeta bool
	// decl is the declaration that the expression names, nil for a type of metav1.
	decl *TypeDecl
}

// part looks into the type that an expression in a declaration names.
func (f *finder) part(d *TypeDecl, e ast.Expr) part {
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		return f.part(d, e.X)
	case *ast.IndexListExpr:
		return f.part(d, e.X)
	case *ast.SelectorExpr:
		return f.named(d.qualified(e))
	case *ast.Ident:
		if slices.Contains(typeParams(d.Spec), e.Name) {
			return part{}
		}
		if decl := d.Pkg.byName[e.Name]; decl != nil {
			return f.declared(decl)
		}
		for _, path := range d.file.dots {
			if p := f.named(d.Pkg.Imports[path], e.Name); p.metas != 0 {
				return p
			}
		}
	}
	return part{}
}

// named looks into a type of an imported package.
func (f *finder) named(pkg *Package, name string) part {
	switch {
	case pkg == nil || !f.canLead(pkg):
		return part{}
	case pkg.Path == Metav1:
		return part{metas: known(name), isMeta: name != "PartialObjectMetadata"}
	case pkg.opaqueName(name):
		return part{}
	}
	f.program.parseNeeded([]*Package{pkg})
	if d := pkg.byName[name]; d != nil {
		return f.declared(d)
	}
	return part{}
}

func (f *finder) declared(d *TypeDecl) part {
	a := f.originOf(d)
	p := part{metas: a.metas, decl: d}
	if p.metas != 0 && d.Spec.Assign.IsValid() { // without metas it may be an alias of itself
		p.isMeta = a.target == nil || f.declared(a.target).isMeta
	}
	return p
}

// canLead reports whether a package can declare a type with metas.
func (f *finder) canLead(pkg *Package) bool {
	leads, ok := f.leads[pkg]
	if ok {
		return leads
	}
	f.leads[pkg] = false
	leads = pkg.Path == Metav1
	for _, path := range slices.Sorted(maps.Keys(pkg.Imports)) {
		leads = leads || f.canLead(pkg.Imports[path])
	}
	f.leads[pkg] = leads
	return leads
}

// EmbedsMetas reports whether a declaration is a struct that directly embeds TypeMeta and ObjectMeta of metav1 under
// these names, which is all that controller-gen looks for.
func (d *TypeDecl) EmbedsMetas() bool {
	structType, ok := d.Spec.Type.(*ast.StructType)
	if !ok {
		return false
	}
	var found []string
	for _, field := range structType.Fields.List {
		if len(field.Names) > 0 {
			continue
		}
		switch t := field.Type.(type) {
		case *ast.SelectorExpr:
			if from, name := d.qualified(t); from != nil && from.Path == Metav1 {
				found = append(found, name)
			}
		case *ast.Ident:
			if d.Pkg.byName[t.Name] == nil && slices.Contains(d.file.dots, Metav1) {
				found = append(found, t.Name)
			}
		}
	}
	return slices.Contains(found, "TypeMeta") && slices.Contains(found, "ObjectMeta")
}

// Kinds returns the declarations of a root package that are kinds, in source order, including generic ones, which
// cannot have a CRD. The rule ByMeaning includes aliases and defined types, and excludes Bases.
func (pkg *Package) Kinds() []*TypeDecl { return pkg.program.finder.kinds[pkg] }

// Bases returns the declarations of a root package that have both metas, but are not kinds because kinds embed them, in
// source order. It is empty under the rule ByName.
func (pkg *Package) Bases() []Base { return pkg.program.finder.bases[pkg] }

// LacksMetas reports which metas a declaration of a root package lacks to be a kind. ok is false if it has neither, if
// it was not examined, or if it has metadata of another type, as the list of a kind does.
func (d *TypeDecl) LacksMetas() (lacksType, lacksMetadata, ok bool) {
	o := d.Pkg.program.finder.origins[d]
	if o == nil {
		return false, false, false
	}
	lacksType = (o.metas|o.direct)&typeMeta == 0
	lacksMetadata = (o.metas|o.direct)&(metadata|objectMeta) == 0
	return lacksType, lacksMetadata, lacksType != lacksMetadata && !(lacksMetadata && d.hasOtherMetadata())
}

// hasOtherMetadata reports whether a struct has a field metadata. Its caller knows that it is not an ObjectMeta.
func (d *TypeDecl) hasOtherMetadata() bool {
	s, ok := ast.Unparen(d.Spec.Type).(*ast.StructType)
	return ok && slices.ContainsFunc(s.Fields.List, func(field *ast.Field) bool {
		name, _, _ := strings.Cut(Tag(field).Get("json"), ",")
		return name == "metadata"
	})
}

// Version returns the declaration that is the package's version of a kind, or nil; the package is one of the kind's
// group.
func (pkg *Package) Version(kind string) *TypeDecl {
	d := pkg.byName[kind]
	if d == nil || !d.reached || !pkg.program.finder.isVersion(d) {
		return nil
	}
	return d
}

// isVersion reports whether a declaration with a kind's name in a package of its group is a version of the kind.
func (f *finder) isVersion(d *TypeDecl) bool {
	if f.program.policy.Versions == ByName {
		return true
	}
	a := f.origins[d]
	return a != nil && a.isWhole() && d.Spec.TypeParams == nil &&
		!slices.ContainsFunc(f.bases[d.Pkg], func(base Base) bool { return base.Decl == d })
}

// otherVersions returns the types, not reached yet, of reached packages of a kind's group that are versions of the
// kind.
func (p *Program) otherVersions(kinds []typeName) []typeName {
	byGroup := map[string][]*Package{}
	groups := map[*Package]string{}
	for _, pkg := range p.all {
		if pkg.parsed {
			groups[pkg] = groupText(pkg)
			byGroup[groups[pkg]] = append(byGroup[groups[pkg]], pkg)
		}
	}
	var out []typeName
	for _, kind := range kinds {
		group := groups[kind.pkg]
		if group == "" {
			continue
		}
		for _, pkg := range byGroup[group] {
			d := pkg.byName[kind.name]
			if d == nil {
				continue
			}
			if p.policy.Versions == ByMeaning {
				p.finder.originOf(d)
			}
			if !d.reached && p.finder.isVersion(d) {
				out = append(out, typeName{pkg: pkg, name: kind.name})
			}
		}
	}
	return out
}

// groupText returns the value of the package's groupName marker without parsing markers exactly: the result only
// decides what is read, and what is checked for kinds.
func groupText(pkg *Package) string {
	group := groupIn(pkg.Comments)
	for _, d := range pkg.Decls {
		if group == "" {
			group = groupIn(d.Comments)
		}
	}
	return group
}

func groupIn(comments []markers.Comment) string {
	for _, c := range comments {
		if value, ok := strings.CutPrefix(c.Text, "+groupName"); ok && !c.Doc {
			return strings.Trim(value, ":= \"`")
		}
	}
	return ""
}
