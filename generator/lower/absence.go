package lower

import (
	"slices"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
)

// This file holds the checks of what Go writes of values that are not set, and the API server refuses or drops.

// What the API server does to null among the items of a list and the values of a map.
const (
	refusesNull = "refuses"
	dropsNull   = "drops with its key"
)

// checkElement makes sure of the elements of a list or a map that Go writes as null: a nil slice is as good as an empty
// one, and so is the null of a type that writes itself so; a nil pointer is not.
func (d describer) checkElement(n *node, does string) {
	if d.opts.Compat {
		return
	}
	if n.isBytes() {
		d.warn(d.emptyElement(n.s.At))
	}
	switch zero := d.flattener().zeroOf(n); {
	case zero == nil || zero.Kind != schema.Null:
	case n.sort == pointerSort && n.jsonType() == "" && !n.isIntOrString() && does == refusesNull:
		// Without a type null is as good as any other value.
	case n.sort == pointerSort || n.ref != nil && n.ref.noNull:
		d.warn(d.nullElement(n.s.At, does))
	default:
		n.s.Nullable = &schema.Flag{V: true}
	}
}

// finishElements takes null from the items of a list whose topology forbids it.
func (fl flattener) finishElements(s *schema.Schema) {
	isOurs := func(s *schema.Schema) bool { return s != nil && s.Nullable != nil && !s.Nullable.At.IsValid() }
	switch {
	case isOurs(s.Items) && (s.ListType.V == "set" || s.ListType.V == "map"):
		items := *s.Items
		items.Nullable = nil
		s.Items = &items
	case isOurs(s.Items) || isOurs(s.AdditionalProperties):
		fl.deviate(nullElements, s.At)
	}
}

// checkMetadata reports an ObjectMeta of which nothing is left: that of a kind itself is the API server's business.
func (d describer) checkMetadata(at diag.Span) {
	if described := d.meta == metaDescribed; described != d.opts.GenerateEmbeddedObjectMeta {
		d.deviate(objectMeta, at)
	}
	if d.meta != metaEmpty || d.preserves || d.opts.Compat {
		return
	}
	if way := d.parts(); len(way) == 2 && way[1] == "metadata" {
		return
	}
	pruned := d.metadataPruned(at)
	pruned.Severity = diag.Warning
	d.report(pruned)
}

// checkAbsence reports a field whose unset value, as Go writes it or leaves it out, the API server refuses, though the
// object is complete to its author: the server drops a null unless it is nullable, fills in defaults, and only then looks
// whether what is required is there.
func (fl flattener) checkAbsence(p property, s *schema.Schema) {
	f := p.field
	if f == nil || !fl.program.Owns(f.at) {
		return
	}
	required := p.required.V != "" && s.Default == nil
	zero := fl.zeroOf(p.node)
	if zero == nil {
		if required && fl.omitsZero(p) && p.node.sort != pointerSort && p.node.sort != interfaceSort {
			fl.warn(requiredOmitted(f, "the zero value"))
		}
		return
	}
	isNull := zero.Kind == schema.Null
	nullable := s.Nullable != nil && s.Nullable.V
	omitted := fl.omitsZero(p)
	switch {
	case required && f.omitZero && p.node.zeroBehind:
		fl.warn(requiredOmitted(f, "a pointer to a zero value"))
	case isNull && (!omitted || p.node.innerNull) && required && !nullable:
		fl.warn(nullRequired(f, s, omitted))
	case isNull && (!omitted || p.node.innerNull) && nullable && len(s.Enum) > 0:
		fl.warn(nullOutsideEnum(f, s.Nullable.At))
	case p.node.isBytes() && (!f.omitEmpty || p.node.innerNull):
		fl.warn(emptyBytes(f))
	case !omitted && isNull:
	case !omitted:
		if why := refusal(s, zero); why != "" && !required {
			fl.warn(zeroRefused(f, shortJSON(zero), why))
		}
	case required:
		fl.checkOmitted(p, s, zero)
	}
}

// checkOmitted reports a required field that Go leaves out where it has a value that the schema permits.
func (fl flattener) checkOmitted(p property, s *schema.Schema, zero *schema.Value) {
	f := p.field
	if p.node.sort == sliceSort && zero.Kind == schema.Null && f.omitEmpty {
		zero = &schema.Value{Kind: schema.Array}
		if s.Type.V == "object" {
			zero.Kind = schema.Object
		} else if s.Type.V == "string" {
			zero.Kind = schema.String
		}
	}
	if zero.Kind != schema.Null && refusal(s, zero) == "" {
		fl.warn(requiredOmitted(f, shortJSON(zero)))
	}
}

// checkEmbeddedRules reports rules and junctors of a struct embedded by pointer that cannot hold where the pointer is nil:
// they read a field that the struct requires, or demand one of a group.
func (fl flattener) checkEmbeddedRules(at diag.Span, src *node) {
	for _, r := range src.s.Rules {
		demands := len(r.Group) > 0 && !strings.HasSuffix(r.Rule.V, "<= 1")
		reads := func(p property) bool {
			return p.required.V != "" && strings.Contains(r.Rule.V, "self."+p.name) && !strings.Contains(r.Rule.V, "has(self."+p.name)
		}
		if demands || slices.ContainsFunc(src.properties, reads) {
			fl.warn(ruleOfPointer(at, r.At))
		}
	}
	for _, alternatives := range [][]*schema.Schema{src.s.AnyOf, src.s.OneOf} {
		demandsNone := func(s *schema.Schema) bool { return len(s.Required) == 0 }
		if len(alternatives) > 0 && !slices.ContainsFunc(alternatives, demandsNone) {
			fl.warn(ruleOfPointer(at, alternatives[0].At))
		}
	}
}
