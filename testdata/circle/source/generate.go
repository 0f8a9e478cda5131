// Package source writes random Go kinds, reproducibly from a seed, over the shapes that encoding/json supports. The
// output is one Go file for each kind, sometimes with a second one in another package, and a record of their contents.
// The package also maps positions in such files to fields.
package source

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// Module is the path of the module that the kinds are for.
const Module = "circle.example.com/kinds"

// A Rejection says whether crdproof may reject a shape.
type Rejection uint8

const (
	// Never is a shape that has to be accepted.
	Never Rejection = iota
	// May is a shape whose Go JSON no schema describes well: it may be rejected, or accepted if the circle closes.
	May
	// Must is a shape that no schema can describe: the schema of the Go type would not be that of its JSON.
	Must
)

// Options are those of the run of crdproof that a kind is meant for; they decide what may be rejected.
type Options struct {
	// AllowDangerousTypes permits floats.
	AllowDangerousTypes bool
	// GenerateEmbeddedObjectMeta gives embedded ObjectMeta a schema.
	GenerateEmbeddedObjectMeta bool
	// Plain leaves the optional deviations off, as by default: schemas then accept values that people do not write, and
	// that Go cannot read.
	Plain bool
}

// A Kind is one Go file that declares a kind and all types that it alone uses.
type Kind struct {
	// Name is the Go name and the Kubernetes kind; Package is the last element of its package's path and its name.
	Name, Package string
	Options       Options
	// Source is the whole file; Helper is that of the types in another package, "" if there are none.
	Source, Helper string
	// Shapes are the shapes of declared types by "Type", of their fields by "Type.Field", and of fields of anonymous
	// structs by ".Field"; what is not in it is plain.
	Shapes map[string]Shape
	// Enums are the constants of the types that have some, by the type's name.
	Enums []Enum
}

// An Enum is a type whose values are its constants. All names are qualified.
type Enum struct {
	Type   string
	Values []string
}

// A Shape is what a field or a type is made of.
type Shape struct {
	// Name is short and stable, for counting: the leaf of the type.
	Name   string
	Reject Rejection
	// Rules are those by which it may be rejected, with spaces between them.
	Rules string
}

// MustReject returns the first shape of the kind that crdproof has to reject; "" if there is none.
func (k Kind) MustReject() string {
	for _, name := range slices.Sorted(maps.Keys(k.Shapes)) {
		if k.Shapes[name].Reject == Must {
			return name
		}
	}
	return ""
}

// MayReject reports whether one of the kind's shapes may be rejected by that rule.
func (k Kind) MayReject(rule string) bool {
	for _, s := range k.Shapes {
		if s.Reject != Never && slices.Contains(strings.Fields(s.Rules), rule) {
			return true
		}
	}
	return false
}

// ShapeOf returns the shape of a field, or of a type where field is "".
func (k Kind) ShapeOf(typeName, field string) Shape {
	if field == "" {
		return k.Shapes[typeName]
	}
	if s, ok := k.Shapes[typeName+"."+field]; ok {
		return s
	}
	return k.Shapes["."+field]
}

// PackageFile is the file beside the kinds of a package, which gives them their group.
func PackageFile(pkg string) string {
	return fmt.Sprintf("// Package %s holds kinds.\n//\n// +groupName=%[1]s.circle.example.com\n// +versionName=v1\n"+
		"package %[1]s\n", pkg)
}

// HelperPackage is the name of the package beside one of kinds, with types of theirs.
func HelperPackage(pkg string) string { return pkg + "h" }

// gen is the state of writing one kind.
type gen struct {
	*rand.Rand
	options       Options
	kind, pkg     string
	decls, helper strings.Builder // declarations beside the kind, and in the other package
	shapes        map[string]Shape
	enums         []Enum
	count         int // of names taken
	risks         int // shapes that may be rejected and that this kind may still have
	around        around
	dashed        bool // whether a field has the key "-"
	// metas and opaques count the embedded metadata, and the values whose zero is unknown, so far.
	metas, opaques int
}

// around is the code around the current type.
type around struct {
	// unaddressable is whether its values are not addressable when they are marshalled: below a map.
	unaddressable bool
	// element is whether it is the element of a list or a map, or an argument for a type parameter: such a type has no
	// markers of its own.
	element bool
	// helper is whether it is declared in the other package.
	helper bool
}

// within makes something in other surroundings.
func within[T any](g *gen, change func(*around), make func() T) T {
	was := g.around
	change(&g.around)
	defer func() { g.around = was }()
	return make()
}

// Generate writes the kind of that number. It depends on its arguments alone, so that one kind can be made again.
func Generate(seed uint64, number int, pkg string, options Options) Kind {
	g := &gen{
		Rand: rand.New(rand.NewPCG(seed, uint64(number))), options: options, kind: fmt.Sprintf("K%05d", number),
		pkg:    pkg,
		shapes: map[string]Shape{},
	}
	if g.chance(15) {
		g.risks = 1
	}
	body := g.structBody(g.kind+"Spec", 2, 1+g.IntN(5))
	text := fmt.Sprintf("// %[1]s is a kind.\n//\n// +kubebuilder:object:root=true\ntype %[1]s struct {\n"+
		"\tmetav1.TypeMeta `json:\",inline\"`\n"+
		"\t// +optional\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\t// +required\n"+
		"\tSpec %[1]sSpec `json:\"spec\"`\n}\n\n", g.kind)
	text += fmt.Sprintf("// %[1]sSpec is what it is about.\ntype %[1]sSpec struct {\n%[2]s}\n\n", g.kind, body) +
		g.decls.String()
	k := Kind{Name: g.kind, Package: pkg, Options: options, Source: withHeader(pkg, text, pkg), Shapes: g.shapes,
		Enums: g.enums}
	if g.helper.Len() > 0 {
		k.Helper = withHeader(HelperPackage(pkg), g.helper.String(), "")
	}
	return k
}

func (g *gen) chance(percent int) bool { return g.IntN(100) < percent }

func pick[T any](g *gen, list ...T) T { return list[g.IntN(len(list))] }

// name returns a Go name that no other declaration or field of the kind has.
func (g *gen) name(prefix string) string {
	g.count++
	return fmt.Sprintf("%s%d", prefix, g.count)
}

// typeName returns a name for a declared type; kinds of one package share its scope.
func (g *gen) typeName(prefix string) string { return g.name(g.kind + prefix) }

// declare adds a declaration beside the kind.
func (g *gen) declare(format string, args ...any) {
	to := &g.decls
	if g.around.helper {
		to = &g.helper
	}
	fmt.Fprintf(to, format+"\n\n", args...)
}

// weighted picks an index with the probability of its weight.
func (g *gen) weighted(n int, weight func(int) int) int {
	sum := 0
	for i := range n {
		sum += weight(i)
	}
	at := g.IntN(sum)
	for i := range n {
		if at -= weight(i); at < 0 {
			return i
		}
	}
	return n - 1
}
