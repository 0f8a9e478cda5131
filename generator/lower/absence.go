package lower

import (
	"slices"
	"strconv"
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
		d.warn(d.reached(diag.Errorf(n.s.At, jsonEmpty,
			"Go writes an empty one among these as \"\", which is no base64 to the API server, and refused").
			Help("take care that none of them is empty, or hold strings")))
	}
	switch zero := d.flattener().zeroOf(n); {
	case zero == nil || zero.Kind != schema.Null:
	case n.sort == pointerSort && n.jsonType() == "" && !n.isIntOrString() && does == refusesNull:
		// Without a type null is as good as any other value.
	case n.sort == pointerSort || n.ref != nil && n.ref.noNull:
		d.warn(d.reached(diag.Errorf(n.s.At, jsonNullElement,
			"Go writes a nil among these as null, which the API server %s", does).
			Help("hold values instead of pointers, or take care that none is nil")))
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
	if d.meta != metaEmpty || d.preserves || d.opts.Compat || d.inRootMetadata() {
		return
	}
	d.report(d.reached(diag.Warningf(at, metadataPruned,
		"the schema of this ObjectMeta is empty: the API server drops its labels, annotations and all else").
		Help("put +crdproof:embeddedObjectMeta on the field, or run with crd:generateEmbeddedObjectMeta=true")))
}

// checkAbsence reports a field whose unset value, as Go writes it or leaves it out, the API server refuses, though
// the object is complete to its author: the server drops a null unless it is nullable, fills in defaults, and only
// then looks whether what is required is there.
func (fl flattener) checkAbsence(p property, s *schema.Schema) {
	f := p.field
	if f == nil || !fl.program.Owns(f.at) {
		return
	}
	required := p.required.V != "" && s.Default == nil
	zero := fl.zeroOf(p.node)
	if zero == nil {
		if required && fl.omitsZero(p) && p.node.sort != pointerSort && p.node.sort != interfaceSort {
			fl.requiredOmitted(f, "the zero value")
		}
		return
	}
	isNull := zero.Kind == schema.Null
	nullable := s.Nullable != nil && s.Nullable.V
	omitted := fl.omitsZero(p)
	switch {
	case required && f.omitZero && p.node.zeroBehind:
		fl.requiredOmitted(f, "a pointer to a zero value")
	case isNull && (!omitted || p.node.innerNull) && required && !nullable:
		fl.nullRequired(f, s, omitted)
	case isNull && (!omitted || p.node.innerNull) && nullable && len(s.Enum) > 0:
		fl.warn(diag.Errorf(f.at, jsonNull,
			"Go writes %q as null where it is not set, which +nullable permits, but no enum, not even one that "+
				"lists null",
			f.name).
			Help("add omitempty to the tag, or check the values with +kubebuilder:validation:XValidation instead of "+
				"an enum").
			See(s.Nullable.At, "+nullable"))
	case p.node.isBytes() && (!f.omitEmpty || p.node.innerNull):
		help := "add omitempty to the tag"
		if f.omitEmpty {
			help = "use a plain slice: omitempty leaves out a pointer only where it is nil"
		}
		fl.warn(diag.Errorf(f.at, jsonEmpty,
			"Go writes %q as \"\" where it is empty, which is no base64 to the API server, and refused", f.name).
			Help("%s", help))
	case !omitted && isNull:
	case !omitted:
		if why := refusal(s, zero); why != "" && !required {
			fl.zeroRefused(f, shortJSON(zero), why)
		}
	case required:
		fl.checkOmitted(p, s, zero)
	}
}

// nullRequired reports a required field that Go writes as null.
func (fl flattener) nullRequired(f *field, s *schema.Schema, omitted bool) {
	when, help := "it is not set", "add omitempty to the tag, if it may be absent, or +nullable, if null is a value"
	switch {
	case omitted:
		when, help = "it points to nothing", "use a plain value or one pointer, or add +nullable, if null is a value"
	case s.MinItems != nil && s.MinItems.V > 0 || s.MinProperties != nil && s.MinProperties.V > 0:
		help = "add omitempty to the tag, and +required if it is to stay so"
	}
	fl.warn(diag.Errorf(f.at, jsonNull,
		"Go writes %q as null where %s, and the API server refuses that, since the field is required",
		f.name, when).Help("%s", help))
}

// zeroRefused reports a field whose zero value the API server refuses.
func (fl flattener) zeroRefused(f *field, zero, why string) {
	refused := diag.Errorf(f.at, jsonZero,
		"Go writes %q even where it is not set, as %s, and the API server refuses that: %s", f.name, zero, why).
		Help("add omitempty to the tag, or permit the value")
	if f.omitEmpty {
		refused = refused.Note("omitempty never leaves out a struct").
			Help("use omitzero or a pointer if it may be absent, or say +required")
	} else if strings.HasPrefix(zero, "{") || strings.HasPrefix(zero, "[") {
		refused = refused.Help("use a pointer with omitempty, or omitzero")
	}
	fl.warn(refused)
}

// requiredOmitted reports a required field that Go leaves out where it has a value.
func (fl flattener) requiredOmitted(f *field, zero string) {
	option := "omitempty"
	if !f.omitEmpty {
		option = "omitzero"
	}
	fl.warn(diag.Errorf(f.at, jsonOmitted,
		"Go leaves out %q where it is %s, and the API server refuses that, since the field is required, "+
			"though %s is permitted",
		f.name, zero, zero).
		Help("remove %s from the tag, or make the field optional, or forbid %s in the schema", option, zero))
}

// shortJSON is a value as a person reads it.
func shortJSON(v *schema.Value) string {
	switch v.Kind {
	case schema.Null:
		return "null"
	case schema.String:
		return strconv.Quote(v.Text)
	case schema.Array:
		if len(v.Items) > 0 {
			return "[…]"
		}
		return "[]"
	case schema.Object:
		var list []string
		for _, m := range v.Members {
			list = append(list, strconv.Quote(m.Key)+": "+shortJSON(&m.Value))
		}
		if text := "{" + strings.Join(list, ", ") + "}"; len(text) <= 60 {
			return text
		}
		return "{" + list[0] + ", …}"
	}
	return v.Text
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
		fl.requiredOmitted(f, shortJSON(zero))
	}
}

// checkEmbeddedRules reports rules and junctors of a struct embedded by pointer that cannot hold where the pointer is
// nil: they read a field that the struct requires, or demand one of a group.
func (fl flattener) checkEmbeddedRules(at diag.Span, src *node) {
	for _, r := range src.s.Rules {
		demands := len(r.Group) > 0 && !strings.HasSuffix(r.Rule.V, "<= 1")
		reads := func(p property) bool {
			return p.required.V != "" && strings.Contains(r.Rule.V, "self."+p.name) &&
				!strings.Contains(r.Rule.V, "has(self."+p.name)
		}
		if demands || slices.ContainsFunc(src.properties, reads) {
			fl.ruleOfPointer(at, r.At)
		}
	}
	for _, alternatives := range [][]*schema.Schema{src.s.AnyOf, src.s.OneOf} {
		demandsNone := func(s *schema.Schema) bool { return len(s.Required) == 0 }
		if len(alternatives) > 0 && !slices.ContainsFunc(alternatives, demandsNone) {
			fl.ruleOfPointer(at, alternatives[0].At)
		}
	}
}

// ruleOfPointer reports a rule, or a junctor, of a struct that is embedded as a pointer.
func (fl flattener) ruleOfPointer(at, rule diag.Span) {
	fl.warn(diag.Errorf(at, embeddedRules,
		"where this pointer is nil, none of the fields is there, and a rule about them fails").
		Help("embed the struct itself, give it a name in its tag, or guard the fields in the rule with has()").
		See(rule, "the rule"))
}
