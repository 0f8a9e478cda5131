package diff

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/internal/witness"
	"github.com/crdproof/crdproof/objects/internal/witnesstest"
	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

var (
	randomPairs   = flag.Int("pairs", 150, "how many random pairs of CRDs TestRandom compares")
	randomObjects = flag.Int("objects", 60, "how many random objects TestRandom writes for each pair")
	randomSeed    = flag.Uint64("seed", 1, "the seed of TestRandom")
	randomMinor   = flag.Int("minor", int(kube.Latest()), "the minor of Kubernetes whose servers TestRandom asks")
)

// TestRandom compares random CRDs with slightly changed ones. If the answer to a question is yes, the API server's
// library must treat random objects alike.
func TestRandom(t *testing.T) {
	pairs := *randomPairs
	if testing.Short() {
		pairs = min(pairs, 30)
	}
	g := &pairMaker{Rand: rand.New(rand.NewPCG(*randomSeed, 7))}
	minor := kube.Minor(*randomMinor)
	servers := kube.Range{First: minor, Last: minor}
	answers := map[string]int{}
	objects := 0
	for n := 0; n < pairs; {
		before, after := g.pair()
		if !isValid(t, before) || !isValid(t, after) {
			continue
		}
		n++
		c, err := Compare(context.Background(), before, after, servers)
		if err != nil {
			t.Fatalf("pair %d: %v", n, err)
		}
		for _, q := range Questions() {
			answers[q.String()+" "+c.Answer(q).String()]++
		}
		attack := &attack{T: t, pairMaker: g, c: c, before: before, after: after}
		objects += attack.run(*randomObjects)
		if n%10 == 0 && minor == kube.Latest() { // suites ask it
			RunSuites(t, c, after)
			both := versions(before, after)
			c, err := Between(t.Context(), both, "v1", "v2", servers)
			if err != nil {
				t.Fatalf("pair %d: %v", n, err)
			}
			RunSuites(t, c, both)
		}
		if t.Failed() {
			t.Fatalf("seed %d, pair %d:\n%s\n---\n%s", *randomSeed, n, before.IR.At.Source.Data,
				after.IR.At.Source.Data)
		}
	}
	for _, q := range Questions() {
		t.Logf("%s: %d yes, %d no, %d unknown", q, answers[q.String()+" yes"], answers[q.String()+" no"],
			answers[q.String()+" unknown"])
	}
	t.Logf("%d objects", objects)
	if objects < pairs {
		t.Errorf("only %d objects were accepted", objects)
	}
}

func isValid(t *testing.T, crd crds.CRD) bool {
	t.Helper()
	reasons, err := kube.Verdict(context.Background(), crd.Object)
	return err == nil && len(reasons) == 0
}

// An attack writes random objects to both CRDs of a comparison.
type attack struct {
	*testing.T
	*pairMaker
	c             *Comparison
	before, after crds.CRD
}

func (a *attack) run(n int) (accepted int) {
	side := func(crd crds.CRD) *witness.Side {
		return &witness.Side{CRD: crd, Version: &crd.IR.Versions[0], Minor: kube.Minor(*randomMinor)}
	}
	w := witness.NewWork(context.Background())
	first, second := a.before.IR.Versions[0].Schema, a.after.IR.Versions[0].Schema
	s := &trial{Search: witness.NewSearch(side(a.before), witness.NewBuilder(w, first, second)),
		reject: side(a.after)}
	other := witness.NewBuilder(w, second, first)
	objects := witnesstest.New(a.Rand)
	for range n {
		if a.Failed() {
			break
		}
		object, ok := objects.Object(s.Builder, other)
		if !ok {
			continue
		}
		old := s.Write(s.Accept, object, true)
		if s.Err != nil {
			a.Fatal(s.Err)
		}
		if old.Rejection != nil {
			continue
		}
		accepted++
		now := s.Write(s.reject, object, false)
		if now.Rejection != nil && a.c.Answer(Create) == Yes {
			a.Errorf("create is yes, but %s: %v", witness.JSON(object), now.Rejection)
		}
		if now.Rejection == nil {
			a.compare(witness.JSON(object), old.Answer.Object, now.Answer.Object)
		}
		a.update(s, &old)
		a.touch(s, objects, other, &old, now.Errors)
	}
	return accepted
}

// touch changes single fields of a stored object. The errors that the object has under the other CRD must be ratcheted,
// but for those about the field.
func (a *attack) touch(
	s *trial, objects *witnesstest.Objects, other *witness.Builder, w *witness.Written, errs field.ErrorList,
) {
	if a.c.Answer(Stored) != Yes || len(errs) == 0 {
		return
	}
	var places []schema.Path
	var walk func(at schema.Path, value any)
	walk = func(at schema.Path, value any) {
		switch value := value.(type) {
		case map[string]any:
			for _, name := range keysOf(value) {
				places = append(places, at.Then(schema.Key(name)))
				walk(at.Then(schema.Key(name)), value[name])
			}
		case []any:
			for i, item := range value {
				walk(at.Then(schema.Item(i)), item)
			}
		}
	}
	walk(schema.Path{schema.Key("spec")}, w.Answer.Object["spec"])
	for range min(3, len(places)) {
		at := places[a.IntN(len(places))]
		p := witness.Plan{{At: at, Absent: true}}
		if of := s.SchemaAt(s.Root, at); of != nil && a.IntN(3) > 0 {
			if value, ok := objects.Value(s.Builder, of, other.SchemaAt(other.Root, at)); ok {
				p = witness.Plan{{At: at, Value: value}}
			}
		}
		update, ok := s.Apply(w.Answer.Object, p)
		req := write.Request{Old: w.Stored}
		if !ok {
			continue
		}
		found := s.Send(s.reject, update, req).Errors
		if len(found) == 0 || s.Send(s.Accept, update, req).Rejection != nil {
			continue
		}
		for _, err := range found {
			isOld := slices.ContainsFunc(errs, func(old *field.Error) bool {
				return old.Type == err.Type && old.Field == err.Field && old.Detail == err.Detail
			})
			name := at[len(at)-1].Name
			place, ok := s.Locate(s.Root, update, err.Field)
			isBelow := ok && len(place) >= len(at) && slices.Equal(place[:len(at)], at)
			if isOld && !isBelow && !strings.Contains(err.Detail, "."+name) &&
				!strings.Contains(err.Detail, "(self") && !write.IsUnchecked(err) {
				a.Errorf("stored is yes, but an update of %s to %s: %v", witness.JSON(w.Stored), witness.JSON(update), err)
			}
		}
	}
}

// compare compares what both CRDs make of an object.
func (a *attack) compare(text string, old, now map[string]any) {
	lost, changed := false, false
	var walk func(x, y any)
	walk = func(x, y any) {
		fields, isObject := x.(map[string]any)
		others, also := y.(map[string]any)
		if isObject && also {
			for name, value := range fields {
				if other, ok := others[name]; ok {
					walk(value, other)
				} else {
					lost = true
				}
			}
			return
		}
		list, isList := x.([]any)
		items, also := y.([]any)
		if isList && also && len(list) == len(items) {
			for i := range list {
				walk(list[i], items[i])
			}
			return
		}
		changed = changed || witness.JSON(x) != witness.JSON(y)
	}
	walk(old, now)
	if lost && a.c.Answer(Kept) == Yes && a.c.Answer(Meaning) == Yes {
		a.Errorf("kept and meaning are yes, but %s is %s and %s", text, witness.JSON(old), witness.JSON(now))
	}
	if changed && a.c.Answer(Meaning) == Yes {
		a.Errorf("meaning is yes, but %s is %s and %s", text, witness.JSON(old), witness.JSON(now))
	}
}

// update writes a stored object without a change, and with another label.
func (a *attack) update(s *trial, w *witness.Written) {
	if a.c.Answer(Stored) != Yes {
		return
	}
	labels := schema.Path{schema.Key("metadata"), schema.Key("labels")}
	for _, p := range []witness.Plan{{}, {{At: labels, Value: map[string]any{"a": "b"}}}} {
		update, _ := s.Apply(w.Answer.Object, p)
		req := write.Request{Old: w.Stored}
		if answer := s.Send(s.reject, update, req); answer.Rejection != nil &&
			s.Send(s.Accept, update, req).Rejection == nil {
			a.Errorf("stored is yes, but an update of %s to %s: %v", witness.JSON(w.Stored), witness.JSON(update),
				answer.Rejection)
		}
	}
}

// A pairMaker makes random CRDs and objects.
type pairMaker struct {
	*rand.Rand
}

// A randomField is a random schema in YAML, line by line.
type randomField struct {
	name, kind string
	lines      []string
	fields     []*randomField
	items      *randomField
	rules      []string
	required   []string
}

func (g *pairMaker) oneOf(list ...string) string { return list[g.IntN(len(list))] }

func (g *pairMaker) pair() (before, after crds.CRD) {
	spec := g.object0("spec", 2)
	first := g.crd(spec)
	for range 1 + g.IntN(2) {
		g.mutate(spec)
	}
	return first, g.crd(spec)
}

func (g *pairMaker) field(name string, depth int) *randomField {
	kinds := []string{"string", "string", "integer", "boolean", "number", "int-or-string", "map"}
	if depth > 0 {
		kinds = append(kinds, "object", "array", "array", "object")
	}
	switch kind := g.oneOf(kinds...); kind {
	case "object":
		return g.object0(name, depth-1)
	case "array":
		f := &randomField{name: name, kind: kind, items: g.field("", depth-1)}
		if g.IntN(2) == 0 {
			f.items = &randomField{kind: "string"}
		}
		g.constrain(f)
		return f
	default:
		f := &randomField{name: name, kind: kind}
		if kind == "map" {
			f.items = g.field("", 0)
		}
		g.constrain(f)
		return f
	}
}

func (g *pairMaker) object0(name string, depth int) *randomField {
	f := &randomField{name: name, kind: "object"}
	for _, name := range []string{"a", "b", "c"}[:1+g.IntN(3)] {
		f.fields = append(f.fields, g.field(name, depth))
	}
	g.constrain(f)
	return f
}

// constrain adds a constraint.
func (g *pairMaker) constrain(f *randomField) {
	n := func(limit int) string { return fmt.Sprint(g.IntN(limit)) }
	var line string
	switch f.kind {
	case "string":
		line = g.oneOf("maxLength: "+n(5), "minLength: "+n(3), "enum: [a, b]", "enum: [a, b, c]", "pattern: ^[a-z]*$",
			"pattern: ^[a-z0-9]+$", "pattern: ^(a|b)$", "format: date", "format: date-time", "default: a", "default: b",
			"nullable: true", "minLength: 1", "not: {enum: [a]}", "anyOf: [{enum: [a]}, {minLength: 2}]", "pattern: b",
			"allOf: [{maxLength: 3}]", "oneOf: [{pattern: a}, {pattern: b}]")
	case "integer", "number":
		line = g.oneOf("minimum: "+n(4), "maximum: "+n(9), "multipleOf: "+g.oneOf("2", "3", "4"), "default: "+n(5),
			"nullable: true", "enum: [1, 2, 3]", "enum: [2, 3]", "exclusiveMinimum: true\nminimum: 0", "format: int32",
			"not: {minimum: 5}", "anyOf: [{maximum: 3}, {minimum: 7}]")
	case "boolean":
		line = g.oneOf("default: true", "nullable: true", "enum: [true]")
	case "int-or-string":
		line = g.oneOf("pattern: ^[0-9]+%$", "maximum: 10", "anyOf: [{type: integer}, {type: string}]", "default: 1",
			"maxLength: 3")
	case "array":
		line = g.oneOf("maxItems: "+n(4), "minItems: "+n(3), "nullable: true", "default: []")
		if f.items.kind == "string" || f.items.kind == "integer" {
			line = g.oneOf(line, "x-kubernetes-list-type: set")
		}
		if g.IntN(3) == 0 {
			g.rule(f)
			return
		}
	case "map":
		line = g.oneOf("maxProperties: "+n(4), "minProperties: "+n(3), "default: {}")
	case "object":
		names := make([]string, len(f.fields))
		for i := range f.fields {
			names[i] = f.fields[i].name
		}
		name := g.oneOf(names...)
		switch g.IntN(6) {
		case 0, 1:
			if !strings.Contains(strings.Join(f.required, ""), name) {
				f.required = append(f.required, name)
			}
			return
		case 2:
			g.rule(f)
			return
		}
		line = g.oneOf("minProperties: "+n(3), "maxProperties: "+n(4),
			"anyOf: [{required: ["+name+"]}, {required: [a]}]",
			"not: {required: ["+name+"]}", "oneOf: [{required: ["+name+"]}, {not: {required: [a]}}]",
			"x-kubernetes-preserve-unknown-fields: true", "default: {}", "nullable: true")
	}
	key, _, _ := strings.Cut(line, ":")
	for _, old := range f.lines {
		if was, _, _ := strings.Cut(old, ":"); was == key {
			return
		}
	}
	f.lines = append(f.lines, line)
}

// rule adds a rule.
func (g *pairMaker) rule(f *randomField) {
	f.rules = append(f.rules, g.expr("self", f, 2))
}

func (g *pairMaker) expr(self string, f *randomField, depth int) string {
	if depth > 0 && g.IntN(2) == 0 {
		x, y := g.expr(self, f, depth-1), g.expr(self, f, depth-1)
		return g.oneOf(x+" && "+y, "("+x+" || "+y+")", "!("+x+")", "("+x+" ? "+y+" : true)",
			"("+x+" ? true : "+y+")")
	}
	n := fmt.Sprint(g.IntN(4))
	switch f.kind {
	case "string":
		return g.oneOf(self+" != 'a'", self+" == 'b'", "size("+self+") < "+n, self+".matches('^[a-c]*$')",
			self+".startsWith('a')", self+" in ['a', 'b']", self+".contains('b')", "!"+self+".contains('a')",
			self+".matches('b')")
	case "integer":
		return g.oneOf(self+" > "+n, self+" != "+n, self+" <= "+n, self+" in [1, 2]")
	case "boolean":
		return self
	case "number":
		return self + " < " + n + ".5"
	case "array":
		return g.oneOf("size("+self+") < "+n, self+".all(x, "+g.expr("x", f.items, 1)+")",
			self+".exists(x, "+g.expr("x", f.items, 1)+")", self+".filter(x, "+g.expr("x", f.items, 0)+").size() <= "+n,
			self+".all(x, "+self+".exists_one(y, x == y))")
	case "map":
		return g.oneOf("size("+self+") < "+n, self+".all(k, k.size() < 5)", "'a' in "+self)
	case "object":
		p := f.fields[g.IntN(len(f.fields))]
		at := self + "." + p.name
		return g.oneOf("has("+at+")", "!has("+at+")", "(!has("+at+") || "+g.expr(at, p, 0)+")", g.expr(at, p, 0),
			"(has("+at+") && "+g.expr(at, p, 0)+")", "(has("+at+") ? "+g.expr(at, p, 0)+" : true)")
	}
	return "true"
}

// mutate changes something.
func (g *pairMaker) mutate(f *randomField) {
	below := append([]*randomField{}, f.fields...)
	if f.items != nil {
		below = append(below, f.items)
	}
	if len(below) > 0 && g.IntN(3) > 0 {
		g.mutate(below[g.IntN(len(below))])
		return
	}
	switch g.IntN(8) {
	case 0:
		if len(f.lines) > 0 {
			f.lines = append(f.lines[:0:0], f.lines[1:]...)
		}
	case 1:
		if len(f.rules) > 0 {
			f.rules[0] = g.oneOf(f.rules[0]+" && "+g.expr("self", f, 1), "("+f.rules[0]+") || "+g.expr("self", f, 1),
				"("+g.expr("self", f, 0)+") ? "+f.rules[0]+" : true")
		} else {
			g.rule(f)
		}
	case 2:
		if len(f.required) > 0 {
			f.required = f.required[1:]
		}
	case 3:
		if f.kind == "object" {
			f.fields = append(f.fields, g.field("new"+fmt.Sprint(len(f.fields)), 1))
		}
	case 4:
		if len(f.fields) > 1 {
			f.fields = f.fields[1:]
		}
	case 5:
		f.kind = map[string]string{"integer": "number", "number": "integer", "string": "int-or-string"}[f.kind] +
			map[bool]string{true: f.kind}[f.kind != "integer" && f.kind != "number" && f.kind != "string"]
	default:
		g.constrain(f)
	}
}

// crd is a CRD with the spec.
func (g *pairMaker) crd(spec *randomField) crds.CRD {
	var out strings.Builder
	out.WriteString(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  names: {kind: Thing, listKind: ThingList, plural: things, singular: thing}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
`)
	spec.write(&out, "            ")
	return readOne(out.String())
}

func readOne(text string) crds.CRD {
	src := &diag.Source{Path: "random.yaml", Data: []byte(text), Syntax: diag.YAML}
	list, found := crds.Read(context.Background(), []*diag.Source{src}, nil)
	if len(list) != 1 {
		panic(fmt.Sprint(found, text))
	}
	return list[0]
}

// versions is a CRD with the schemas of two as those of its versions v1 and v2.
func versions(before, after crds.CRD) crds.CRD {
	const key = "  versions:\n"
	_, second, _ := strings.Cut(string(after.IR.At.Source.Data), key)
	second = strings.NewReplacer("- name: v1", "- name: v2", "storage: true", "storage: false").Replace(second)
	return readOne(string(before.IR.At.Source.Data) + second)
}

func (f *randomField) write(out *strings.Builder, indent string) {
	line := func(text string) { out.WriteString(indent + text + "\n") }
	switch f.kind {
	case "int-or-string":
		line("x-kubernetes-int-or-string: true")
	case "map":
		line("type: object")
	default:
		line("type: " + f.kind)
	}
	for _, text := range f.lines {
		for _, part := range strings.Split(text, "\n") {
			line(part)
		}
	}
	if len(f.required) > 0 {
		line("required: [" + strings.Join(f.required, ", ") + "]")
	}
	if len(f.rules) > 0 {
		line("x-kubernetes-validations:")
		for _, rule := range f.rules {
			line(fmt.Sprintf("- {rule: %q}", rule))
		}
	}
	if f.items != nil {
		line(map[bool]string{true: "items:", false: "additionalProperties:"}[f.kind == "array"])
		f.items.write(out, indent+"  ")
	}
	if len(f.fields) > 0 {
		line("properties:")
		for _, p := range f.fields {
			line("  " + p.name + ":")
			p.write(out, indent+"    ")
		}
	}
}
