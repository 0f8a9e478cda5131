package structural

import (
	"fmt"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/session"
)

// nestedRows are the checks of what stands in allOf, anyOf, oneOf and not (KEP-2335): it validates values and
// describes no structure.
func nestedRows() []session.Row {
	return []session.Row{
		explained(diag.Check{
			ID: "nested-keyword",
			Doc: "Inside allOf, anyOf, oneOf and not a schema says nothing of types, defaults, descriptions, null, " +
				"maps, metadata or merging, and has no rules: what fields there are, and of which type, is said " +
				"outside.",
			Bad: "type: object\nproperties:\n  a: {type: string}\nanyOf:\n- properties:\n    a: {type: string, " +
				"minLength: 1}",
			Good: "type: object\nproperties:\n  a: {type: string}\nanyOf:\n- properties:\n    a: {minLength: 1}",
		},
			reason{"*", forbidden, "must be * to be structural", explainNestedKeyword},
			reason{"", forbidden, "must not be specified in a nested context", explainNestedMetadata},
		),
		{Check: diag.Check{
			ID: "nested-unknown", Verdict: true,
			Doc: "A field that allOf, anyOf, oneOf or not of the root speaks of is one that the schema outside has.",
			Bad: inSchema +
				"{type: object, properties: {spec: {type: object}}, not: {properties: {sepc: {minProperties: 3}}}}",
			Good: inSchema +
				"{type: object, properties: {spec: {type: object}}, not: {properties: {spec: {minProperties: 3}}}}",
		}, Needs: session.EachSchema, Run: checkNestedStructure},
		{Check: diag.Check{
			ID: "nested-idle", Severity: diag.Warning,
			Doc: "Below the root, API servers accept a field that only allOf, anyOf, oneOf or not speaks of, but " +
				"prune it from every object: what is said of it always holds, and not refuses everything.",
			Bad:  "type: object\nproperties:\n  name: {type: string}\nnot:\n  properties:\n    nmae: {pattern: x}",
			Good: "type: object\nproperties:\n  name: {type: string}\nnot:\n  properties:\n    name: {pattern: x}",
		}, Needs: session.EachSchema, Run: checkNestedIdle},
		{Check: diag.Check{
			ID: "nested-required", Severity: diag.Warning,
			Doc: "A field that allOf, anyOf, oneOf or not requires, and that the schema outside does not have, is " +
				"pruned from every object: the requirement never holds.",
			Bad: "type: object\nproperties:\n  name: {type: string}\n  id: {type: string}\nanyOf:\n- required: " +
				"[nmae]\n- required: [id]",
			Good: "type: object\nproperties:\n  name: {type: string}\n  id: {type: string}\nanyOf:\n- required: " +
				"[name]\n- required: [id]",
		}, Needs: session.EachSchema, Run: checkNestedRequired},
	}
}

// junctor names the junctor that a nested place lies in.
func junctor(p *schema.Place) string {
	for ; p != nil; p = p.Above {
		switch p.Step {
		case schema.InAllOf:
			return "allOf"
		case schema.InAnyOf:
			return "anyOf"
		case schema.InOneOf:
			return "oneOf"
		case schema.InNot:
			return "not"
		}
	}
	return ""
}

func explainNestedKeyword(r *rejection) {
	name := r.Rejection.Of
	at := diag.Span{}
	for _, k := range keywords(r.Schema) {
		if k.name == name {
			at = k.at
		}
	}
	f := r.errorf(at, "there is no %s inside of %s, which validates values and describes no structure", name,
		junctor(r.Place)).
		Help("say it of %s outside of %s", what(r.Place), junctor(r.Place))
	switch name {
	case "x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-map-type":
		f.Also(topologyPaths(r)...)
	case "title", "description":
		f.Help("remove it")
	}
}

// topologyPaths are the fields of what the API server says of list types and map types besides, where they stand
// inside of a junctor.
func topologyPaths(r *rejection) []string {
	var out []string
	for _, other := range r.Rejection.All {
		if strings.HasPrefix(other.Path, r.Key("")+".") && other.Path != r.Rejection.Path &&
			(strings.Contains(other.Message, "x-kubernetes-list-") ||
				strings.Contains(other.Message, "x-kubernetes-map-type")) {
			out = append(out, other.Path)
		}
	}
	return out
}

func explainNestedMetadata(r *rejection) {
	r.errorf(r.Place.At(), "nothing can be said of metadata inside of %s", junctor(r.Place)).
		Help("use a rule, such as self.metadata.name.startsWith('a'), or say it of the name outside of %s",
			junctor(r.Place))
}

// inNestedValues reports whether a place is part of the values of a map that stand inside of a junctor. There are no
// such maps, and what they would hold is not looked at.
func inNestedValues(p *schema.Place) bool {
	for ; p != nil && p.Nested; p = p.Above {
		if p.Step == schema.InValues && p.Above.Nested {
			return true
		}
	}
	return false
}

// checkNestedStructure looks at junctors of the root alone, as the API server does (complete.go), which says it of
// the schema outside.
func checkNestedStructure(p *session.Pass) {
	if junctorOfRoot(p.Place) {
		if outside, path := unknownOutside(p.Place); outside != nil {
			reportUnknown(p, p.Version.Key("schema.openAPIV3Schema")+path, outside, "")
		}
	}
}

func checkNestedIdle(p *session.Pass) {
	outside, _ := unknownOutside(p.Place)
	if outside == nil || junctorOfRoot(p.Place) || isOpen(outside) ||
		isMetaField(p.Name) && isSet(outside.EmbeddedResource) ||
		outside.AdditionalAllowed || outside.AdditionalProperties != nil {
		return
	}
	reportUnknown(p, p.Key(""), outside, ": it is pruned, so that what is said of it always holds")
}

// reportUnknown says that a junctor is about what the schema outside does not have, and what follows from that.
func reportUnknown(p *session.Pass, path string, outside *schema.Schema, consequence string) {
	j := junctor(p.Place)
	if p.Step != schema.InProperty {
		p.Reportf(p.At(), path, "%s speaks of items, but the schema outside has none%s", j, consequence).
			Help("add items outside of %s", j)
		return
	}
	p.Reportf(p.At(), path, "%s speaks of the field %q, which the schema outside does not have%s", j, p.Name,
		consequence).
		Help("%s", near(p.Name, names(outside), "add it to properties outside of "+j))
}

// unknownOutside returns, for a field or for items of which a junctor speaks, the schema outside that does not have
// them, and the path where it would. The schema is nil where it has them, or where the same was said of a field
// above.
func unknownOutside(p *schema.Place) (outside *schema.Schema, path string) {
	if !p.Nested || p.Step != schema.InProperty && p.Step != schema.InItems || inNestedValues(p) {
		return nil, ""
	}
	s, path := structure(p)
	if s != nil {
		return nil, ""
	}
	outside, _ = structure(p.Above)
	return outside, path
}

// junctorOfRoot reports whether the outermost junctor around a place belongs to the root.
func junctorOfRoot(p *schema.Place) bool {
	for p != nil && p.Nested && p.Above.Nested {
		p = p.Above
	}
	return p != nil && p.Nested && isRoot(p.Above)
}

func checkNestedRequired(p *session.Pass) {
	if !p.Nested || len(p.Schema.Required) == 0 {
		return
	}
	outside, path := structure(p.Place)
	if outside == nil || isOpen(outside) || outside.AdditionalAllowed || outside.AdditionalProperties != nil {
		return
	}
	j, effect := junctor(p.Place), "which therefore never holds"
	if j == "not" {
		effect = "which therefore forbids nothing"
	}
	for i, r := range p.Schema.Required {
		if outside.Property(r.V) == nil && !(isMetaField(r.V) && (path == "" || isSet(outside.EmbeddedResource))) {
			p.Reportf(p.At(r.At), p.Key(fmt.Sprintf("required[%d]", i)),
				"%s requires %q, %s: the schema outside has no such field", j, r.V, effect).
				Help("%s", near(r.V, names(outside), "add it to properties outside of "+j))
		}
	}
}
