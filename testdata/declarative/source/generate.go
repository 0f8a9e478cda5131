// Package source writes random Go kinds with declarative validation tags, reproducibly from a seed. It uses only tags
// that validation-gen accepts and a CRD can express.
package source

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A Kind is one Go file that declares a kind and all types that it alone uses.
type Kind struct {
	// Name is the Go name and the Kubernetes kind.
	Name string
	// Source is the whole file.
	Source string
}

// gen is the state of writing one kind.
type gen struct {
	*rand.Rand
	kind  string
	decls strings.Builder
	count int // of names taken
	// still is whether the current code is at a place where no rule about changes is evaluated: below a list whose
	// items have no key.
	still bool
}

// Generate writes the kind of that number. It depends on its arguments alone, so that one kind can be made again.
func Generate(seed uint64, number int, pkg string) Kind {
	g := &gen{Rand: rand.New(rand.NewPCG(seed, uint64(number))), kind: fmt.Sprintf("K%05d", number)}
	body := g.structBody(2, 2+g.IntN(4))
	return Kind{Name: g.kind, Source: fmt.Sprintf(`package %[1]s

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type %[2]s struct {
	// +k8s:opaqueType
	metav1.TypeMeta %[4]sjson:",inline"%[4]s
	// +k8s:opaqueType
	metav1.ObjectMeta %[4]sjson:"metadata,omitempty"%[4]s
	Spec %[2]sSpec %[4]sjson:"spec"%[4]s
}

type %[2]sSpec struct {
%[3]s}

`, pkg, g.kind, body, "`") + g.decls.String()}
}

// PackageFile is the file beside the kinds of a package, which says what is generated of them.
func PackageFile(pkg string) string {
	return fmt.Sprintf(`// Package %[1]s holds kinds.
//
// +groupName=%[1]s.declarative.example.com
// +versionName=v1
// +k8s:validation-gen=TypesWithField=TypeMeta
// +k8s:validation-gen-scheme-registry=nil
// +k8s:validation-gen-nolint
package %[1]s
`, pkg)
}

func (g *gen) chance(percent int) bool { return g.IntN(100) < percent }

func pick[T any](g *gen, list ...T) T { return list[g.IntN(len(list))] }

// name returns a number that no other name of the kind has.
func (g *gen) name() int { g.count++; return g.count }

func (g *gen) declare(format string, args ...any) {
	fmt.Fprintf(&g.decls, format+"\n\n", args...)
}

// some picks so many tags at random, each at most once.
func (g *gen) some(n int, tags ...string) []string {
	g.Shuffle(len(tags), func(i, j int) { tags[i], tags[j] = tags[j], tags[i] })
	return tags[:min(n, len(tags))]
}

// field is one field of a struct.
type field struct {
	number int
	tags   []string
	goType string
	// omitted is whether an empty value is left out.
	omitted bool
	// words are to be tried.
	words string
}

func (f field) key() string { return fmt.Sprint("f", f.number) }

func (f field) String() string {
	var b strings.Builder
	for _, tag := range f.tags {
		fmt.Fprintf(&b, "\t// +k8s:%s\n", tag)
	}
	options := ""
	if f.omitted {
		options = ",omitempty"
	}
	words := ""
	if f.words != "" {
		words = fmt.Sprintf(" try:%q", f.words)
	}
	fmt.Fprintf(&b, "\tF%d %s `json:\"f%d%s\"%s`\n", f.number, f.goType, f.number, options, words)
	return b.String()
}

// structBody writes the fields of a struct; depth is how many levels of structs may follow.
func (g *gen) structBody(depth, n int) string {
	var fields []field
	for range n {
		fields = append(fields, g.field(depth))
	}
	g.relate(fields)
	if g.chance(25) {
		fields = append(fields, g.union()...)
	}
	if g.chance(10) {
		fields = append(fields, g.modes()...)
	}
	var b strings.Builder
	for _, f := range fields {
		b.WriteString(f.String())
	}
	return b.String()
}

// field writes a field of any type.
func (g *gen) field(depth int) field {
	f := field{number: g.name()}
	kinds := []func(*field, int){g.scalarField, g.scalarField, g.scalarField, g.listField, g.mapField}
	if depth > 0 {
		kinds = append(kinds, g.structField, g.structField, g.listMapField)
	}
	pick(g, kinds...)(&f, depth)
	for i, tag := range f.tags {
		// The levels stand before whole tags only, and list metadata has none.
		if !strings.HasPrefix(tag, "list") && g.chance(8) {
			f.tags[i] = pick(g, "alpha", "beta", `alpha(since: "1.35")`) + "=+k8s:" + tag
		}
		if g.chance(8) {
			f.tags[i] += " # so it is"
		}
	}
	return f
}

// presence adds whether the field has to be set. A field that can be nil always has such a tag: validation-gen demands
// it. What has none is written even where it is empty.
func (g *gen) presence(f *field, isNilable bool) {
	switch pick(g, "optional", "optional", "required", "") {
	case "required":
		f.tags, f.omitted = append(f.tags, "required"), isNilable || g.chance(50)
	case "":
		if !isNilable {
			return
		}
		fallthrough
	default:
		f.tags, f.omitted = append(f.tags, "optional"), true
	}
}

func (g *gen) scalarField(f *field, _ int) {
	goType := pick(g, "string", "string", "string", "int32", "int64", "bool")
	isPointer := g.chance(35)
	g.presence(f, isPointer)
	f.tags = append(f.tags, g.scalarTags(goType, 1+g.IntN(3))...)
	f.tags = append(f.tags, g.transitions("NoSet", "NoUnset", "NoModify")...)
	f.words = wordsFor(goType)
	if g.chance(20) && goType != "bool" {
		goType = g.named(goType)
	}
	f.goType = goType
	if isPointer {
		f.goType = "*" + goType
	}
}

// named declares a type with tags of its own.
func (g *gen) named(underlying string) string {
	name := fmt.Sprint(g.kind, "T", g.name())
	for _, tag := range g.scalarTags(underlying, 1+g.IntN(2)) {
		fmt.Fprintf(&g.decls, "// +k8s:%s\n", tag)
	}
	g.declare("type %s %s", name, underlying)
	return name
}

func wordsFor(goType string) string {
	if goType == "string" {
		return "a,ab,a-b,abc"
	}
	return ""
}

// scalarTags are tags for one value. Every text is bounded, so that rules about it have a price.
func (g *gen) scalarTags(goType string, n int) []string {
	switch goType {
	case "string":
		return append(g.some(n, fmt.Sprint("minLength=", 1+g.IntN(2)), fmt.Sprint("maxBytes=", 2+g.IntN(5)),
			fmt.Sprintf("neq=%q", pick(g, "a", "ab", "")),
			"format="+pick(g, "k8s-short-name", "k8s-label-value", "k8s-long-name")),
			fmt.Sprint("maxLength=", pick(g, 2, 3, 4, 9)))
	case "bool":
		return g.some(n-1, "neq="+pick(g, "true", "false"))
	}
	return g.some(n, fmt.Sprint("minimum=", g.IntN(3)-1), fmt.Sprint("maximum=", 1+g.IntN(4)),
		fmt.Sprint("neq=", g.IntN(4)))
}

// transitions are tags about changes, rarely.
func (g *gen) transitions(updates ...string) []string {
	if g.still || !g.chance(25) {
		return nil
	}
	if g.chance(40) {
		return []string{"immutable"}
	}
	var tags []string
	for _, word := range g.some(1+g.IntN(2), updates...) {
		tags = append(tags, "update="+word)
	}
	return tags
}

func (g *gen) listField(f *field, _ int) {
	g.presence(f, true)
	item := pick(g, "string", "string", "int32")
	f.goType, f.words = "[]"+item, wordsFor(item)
	f.tags = append(f.tags, fmt.Sprint("maxItems=", pick(g, 2, 3, 9, 9)))
	f.tags = append(f.tags, g.some(g.IntN(2), fmt.Sprint("minItems=", 1+g.IntN(2)))...)
	for _, tag := range g.scalarTags(item, g.IntN(2)) {
		f.tags = append(f.tags, "eachVal=+k8s:"+tag)
	}
	updates := []string{"NoSet", "NoUnset", "NoAddItem", "NoRemoveItem"}
	switch g.IntN(4) {
	case 0:
		f.tags = append(f.tags, "listType=set")
	case 1:
		f.tags = append(f.tags, "listType=atomic", "unique=set")
	case 2:
		f.tags, updates = append(f.tags, "listType=atomic"), updates[:2]
	default:
		updates = updates[:2]
	}
	f.tags = append(f.tags, g.transitions(updates...)...)
}

func (g *gen) mapField(f *field, depth int) {
	g.presence(f, true)
	value := pick(g, "string", "int32")
	f.tags = append(f.tags, fmt.Sprint("maxProperties=", pick(g, 2, 3, 9, 9)))
	f.tags = append(f.tags, g.some(g.IntN(2), fmt.Sprint("minProperties=", 1+g.IntN(2)))...)
	for _, tag := range g.some(g.IntN(3), g.scalarTags("string", 2)...) {
		f.tags = append(f.tags, "eachKey=+k8s:"+tag)
	}
	f.words = wordsFor("string")
	if depth > 0 && g.chance(40) {
		value = g.structType(depth)
	} else {
		for _, tag := range g.scalarTags(value, g.IntN(2)) {
			f.tags = append(f.tags, "eachVal=+k8s:"+tag)
		}
	}
	f.goType = "map[string]" + value
	f.tags = append(f.tags, g.transitions("NoSet", "NoUnset", "NoAddItem", "NoRemoveItem")...)
}
