// Package build turns declarations and markers into schema.CRDs. It holds the model of how a Go type looks in JSON and
// of what each marker means. The phases:
//
//  1. describe: from the kinds outward, each type becomes a node that refers to other types by name; a reference that
//     closes a cycle is cut (describe.go, struct.go, apply.go)
//  2. flatten: references and embedded structs are merged into one tree (merge.go, flatten.go)
//  3. assemble: kinds become CRDs with their versions (crd.go)
//  4. annotate: markers of the root packages that no kind leads to are checked too (annotate.go)
package lower

import (
	"go/ast"
	"iter"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/generator/stage"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/rules/check"
)

// Options change what is built.
type Options struct {
	// MaxDescLen limits descriptions to that many bytes, cut at a sentence or word; 0 drops them; nil keeps all.
	MaxDescLen *int
	// AllowDangerousTypes permits floating-point numbers.
	AllowDangerousTypes bool
	// IgnoreUnexportedFields skips unexported fields.
	IgnoreUnexportedFields bool
	// GenerateEmbeddedObjectMeta describes embedded ObjectMeta by its properties.
	GenerateEmbeddedObjectMeta bool
	// PreserveUnknownFields is spec.preserveUnknownFields where not nil.
	PreserveUnknownFields *bool
	// Compat builds what controller-gen would, and makes warnings of the mistakes that it lets pass.
	Compat bool
	// Tolerate makes warnings of the mistakes that controller-gen lets pass, and changes nothing else.
	Tolerate bool
	// Deviations asks for the list of deviations.
	Deviations bool
}

// Policy is what the reading of packages has to know of what is built of them.
func Policy(compat bool) load.Policy {
	table := knownMarkers(compat)
	p := load.Policy{
		Opaque: opaqueTypes(compat), Constants: asksForConstants(compat), KindMarker: isKindMarker, Kinds: load.ByMeaning,
		Continues: table.Continues, Block: table.TakesBlock,
	}
	if compat {
		p.Kinds = load.ByName
	}
	return p
}

// Found is what there is to say about the CRDs of one program.
type Found struct {
	// Diagnostics are the mistakes; where one is an error, the CRDs are incomplete.
	Diagnostics []diag.Diagnostic
	// Deviations are notes at the places where a CRD differs from controller-gen's on purpose; the rule is the name of the
	// deviation.
	Deviations []diag.Diagnostic
	// Silences are what is to be ignored at single declarations of the root packages.
	Silences []check.Silence
}

// CRDs makes the CRDs of all kinds in the program's root packages, sorted by kind and group, one by one, so that not all
// have to be in memory at once. Each comes with whether it is sound: there was no error on the way to it, and nothing is
// missing in it. When the loop over them ends, found is set; after a break it is incomplete. Progress is told how many
// CRDs are made of how many.
func CRDs(program *load.Program, opts Options, progress stage.Progress, found *Found) iter.Seq2[*schema.CRD, bool] {
	return func(yield func(*schema.CRD, bool) bool) {
		b := newBuilder(program, opts)
		b.crds(progress, yield)
		*found = b.found()
	}
}

func newBuilder(program *load.Program, opts Options) *builder {
	return &builder{
		program:  program,
		opts:     opts,
		table:    knownMarkers(opts.Compat),
		packages: map[*load.Package]*packageMarkers{},
		markers:  map[*load.TypeDecl][]markers.Marker{},
		rules:    map[*load.Package]*packageRules{},
		seen:     map[*ast.Field]bool{},
		cycles:   map[reference]*diag.Diagnostic{},
		blamed:   map[blamed]bool{},

		meta: metaOf(opts.GenerateEmbeddedObjectMeta, false),

		different: map[diag.Span]difference{},
		isVersion: map[*load.TypeDecl]bool{},
	}
}

// found looks at what no CRD led to, and returns all that was found.
func (b *builder) found() Found {
	b.annotate()
	b.checkRules()
	b.checkDecls()
	for _, l := range b.leftOut {
		b.advice = append(b.advice, notEnforced(l))
	}
	if !diag.HasErrors(b.program.Diagnostics) && !diag.HasErrors(b.diagnostics) {
		b.diagnostics = append(b.diagnostics, b.advice...)
	}
	return Found{Diagnostics: diag.Sort(b.diagnostics), Deviations: diag.Sort(b.deviations), Silences: b.silences}
}

// builder is the working state of one program's CRDs.
type builder struct {
	program     *load.Program
	opts        Options
	table       *markers.Table
	diagnostics []diag.Diagnostic
	advice      []diag.Diagnostic
	deviations  []diag.Diagnostic
	silences    []check.Silence
	// different are the values that are not what controller-gen would write, by their place.
	different map[diag.Span]difference

	packages map[*load.Package]*packageMarkers
	markers  map[*load.TypeDecl][]markers.Marker
	// rules are the named rules of the packages that have been asked for any.
	rules map[*load.Package]*packageRules
	// blamed are the places that stand for what is wrong in other packages.
	blamed map[blamed]bool
	// annotating is set once all types that kinds lead to have been described: controller-gen never looks at the others.
	annotating bool
	// seen are the fields of root packages whose markers have been parsed.
	seen map[*ast.Field]bool
	// types are the described types of the CRD that is being built, by identity. They are described again for the next
	// one: what they take up in memory is several times their syntax.
	types map[typeKey]*typ
	// indexed are the packages that have been looked at, in order: they may hold versions of a kind.
	indexed []*load.Package
	// meta is what becomes of ObjectMeta in what is being described.
	meta metaMode
	// opaque is set while a type is described that a field takes for opaque: its tags do not count.
	opaque bool
	// annotated names the field whose markers are being parsed.
	annotated string
	// leftOut is what is not enforced, by places of the user's.
	leftOut []leftOut
	// preserves is set while a field is described that preserves unknown fields.
	preserves bool
	// stack is the way from a kind to what is being described, outermost first.
	stack []step
	// cycles are the references that closed a cycle once; they are cut wherever the cycle is entered.
	cycles map[reference]*diag.Diagnostic
	// root is the node of the kind that is being flattened.
	root *node
	// rootDropsStatus reports that nobody stores the kind's status with the object: it is a subresource, or the version is
	// skipped.
	rootDropsStatus bool
	// unsound is set once there was an error in the CRD that is being built, told or known already.
	unsound bool
	// flat memoizes flattened nodes of the CRD that is being built.
	flat map[*node]*schema.Schema
	// isVersion holds the declarations that became a version of a CRD.
	isVersion map[*load.TypeDecl]bool
}

// parts are the steps in JSON from the kind to what is being described, the kind first.
func (b *builder) parts() []string {
	var out []string
	for _, s := range b.stack {
		if s.typ == nil && s.part != "" {
			out = append(out, s.part)
		}
	}
	return out
}

// refuse reports something that cannot be built.
func (b *builder) refuse(d diag.Diagnostic) { b.report(d) }

// mistake reports something that controller-gen lets pass.
func (b *builder) mistake(d diag.Diagnostic) {
	if b.opts.Compat || b.opts.Tolerate {
		d.Severity = diag.Warning
	}
	b.report(d)
}

// warn reports something that works, but hardly as its author thinks, of the user's own types. It is told only when there
// are no errors, which come first, and which what is said of an incomplete schema may follow from.
func (b *builder) warn(d diag.Diagnostic) {
	if !b.opts.Compat && b.program.Owns(d.Span) {
		d.Severity = diag.Warning
		b.advice = append(b.advice, d)
	}
}

// report notes a diagnostic. In a package that is not the user's own it stands at the user's field that leads there: one
// error and one warning for each.
func (b *builder) report(d diag.Diagnostic) {
	b.unsound = b.unsound || d.Severity == diag.Error
	own, typ := b.ownPlace(d.Span)
	if !own.IsValid() {
		b.diagnostics = append(b.diagnostics, d)
		return
	}
	if typ.wrong[d.Severity] == nil {
		typ.wrong[d.Severity] = &d
	}
	if key := (blamed{own, typ, d.Severity}); !b.blamed[key] {
		b.blamed[key] = true
		b.diagnostics = append(b.diagnostics, b.elsewhere(d, own, typ))
	}
}

// blamed is a place of the user's that has been blamed for a type of another package.
type blamed struct {
	at       diag.Span
	typ      *typ
	severity diag.Severity
}

// ownPlace returns the innermost place in a package of the user's own on the way to a place that is in none, and the type of
// another package that it names.
func (b *builder) ownPlace(at diag.Span) (own diag.Span, foreign *typ) {
	if len(b.stack) == 0 {
		return diag.Span{}, nil
	}
	for i := len(b.stack) - 1; i >= 0; i-- {
		s := b.stack[i]
		if s.typ == nil || s.typ.decl == nil {
			continue
		}
		if !s.typ.decl.Pkg.Own {
			foreign = s.typ
			continue
		}
		if foreign == nil || at.Source == s.typ.decl.At.Source {
			return diag.Span{}, nil
		}
		for _, s := range b.stack[i:] {
			if s.typ == foreign {
				return own, foreign
			}
			if s.typ == nil {
				own = s.at
			}
		}
	}
	return diag.Span{}, nil
}
