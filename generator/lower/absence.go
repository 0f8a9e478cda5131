package lower

import (
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// This file checks how Go encodes unset values that the API server then rejects or drops.

// What the API server does with null in a list and in a map.
const (
	rejectsNull = "rejects"
	dropsNull   = "drops together with its key"
)

// checkElement checks the elements of a list or a map that Go encodes as null. A nil slice means the same as an empty
// one, so its null is allowed; so is the null of a type whose own method writes it. A nil pointer is reported.
func (d describer) checkElement(n *node, does string) {
	if d.opts.Compat {
		return
	}
	if n.isBytes() {
		d.warn(d.reached(diag.Errorf(n.s.At, jsonEmpty,
			"an empty element is encoded as \"\", which the API server rejects: it is not valid base64").
			Help("make sure that no element is empty, or use strings instead")))
	}
	switch zero := d.flattener().zeroOf(n); {
	case zero == nil || zero.Kind != schema.Null:
	case n.sort == pointerSort && n.jsonType() == "" && !n.isIntOrString() && does == rejectsNull:
		// Without a type, null is a value like any other.
	case n.sort == pointerSort || n.noNull() != "":
		d.warn(d.reached(diag.Errorf(n.s.At, jsonNullElement,
			"a nil element is encoded as null, which the API server %s", does).
			Help("use values instead of pointers, or make sure that no element is nil")))
	case d.opts.With(nullElements):
		n.s.Nullable = &schema.Flag{V: true}
	}
}

// finishElements removes nullable from the items of a list whose list type forbids it.
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

// checkMetadata reports an ObjectMeta whose fields are all pruned. The API server handles the metadata of the kind
// itself.
func (d describer) checkMetadata(at diag.Span) {
	if described := d.meta == metaDescribed; described != d.opts.GenerateEmbeddedObjectMeta {
		d.deviate(objectMeta, at)
	}
	if d.meta != metaEmpty || d.preserves || d.opts.Compat || d.inRootMetadata() {
		return
	}
	d.report(d.reached(diag.Warningf(at, metadataPruned,
		"the schema of this ObjectMeta is empty: the API server prunes its labels, annotations and all other fields").
		Help("add +crdproof:embeddedObjectMeta to the field, or run with crd:generateEmbeddedObjectMeta=true")))
}

// checkAbsence reports a field whose unset value the API server rejects, although the object looks complete in Go. The
// server drops a null unless the field is nullable, then applies defaults, and only then checks required fields.
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
	nullable := s.Nullable.True()
	omitted := fl.omitsZero(p)
	switch {
	case required && f.omitZero && p.node.zeroBehind:
		fl.requiredOmitted(f, "a pointer to a zero value")
	case isNull && (!omitted || p.node.innerNull) && required && !nullable:
		fl.nullRequired(p, s, omitted)
	case isNull && (!omitted || p.node.innerNull) && nullable && len(s.Enum) > 0:
		fl.warn(diag.Errorf(f.at, jsonNull,
			"a nil %q is encoded as null; an enum never accepts null, even with +nullable", f.name).
			Help("add omitempty to the tag, or check the values with +kubebuilder:validation:XValidation instead of "+
				"an enum").
			See(s.Nullable.At, "+nullable"))
	case p.node.isBytes() && (!f.omitEmpty || p.node.innerNull):
		help := "add omitempty to the tag"
		if f.omitEmpty {
			help = "use a slice: omitempty omits a pointer only if it is nil"
		}
		fl.warn(diag.Errorf(f.at, jsonEmpty,
			"an empty %q is encoded as \"\", which the API server rejects: it is not valid base64", f.name).
			Help("%s", help))
	case !omitted && isNull:
	case !omitted:
		if why := rejection(s, zero); why != "" && !required {
			fl.zeroRejected(f, shortJSON(zero), why)
		} else if why == "" {
			fl.checkDefault(f, s, zero, omitted)
		}
	case required:
		fl.checkOmitted(p, s, zero)
	case rejection(s, zero) == "":
		fl.checkDefault(f, s, zero, omitted)
	}
}

// checkDefault reports a default that takes the place of a value that Go clients set, or that the objects of Go clients
// never get. zero is a valid value that a Go client sets by not setting the field; for an empty string, list or map,
// and for a struct, a default in its place is what is meant.
func (fl flattener) checkDefault(f *field, s *schema.Schema, zero *schema.Value, omitted bool) {
	isValue := zero.Kind == schema.Bool || zero.Kind == schema.NumberKind ||
		zero.Kind == schema.String && (zero.Text != "" || !omitted)
	if s.Default == nil || rejection(s, s.Default) != "" || !isValue || s.Default.Equal(*zero) ||
		sameNumber(s.Default, zero) || f.goName == "" {
		return
	}
	d := diag.Errorf(f.at, defaultReplaces, "Go omits %q if it is %s, so the API server stores the default %s",
		f.name, shortJSON(zero), shortJSON(s.Default))
	if !omitted {
		d = diag.Errorf(f.at, defaultUnused, "Go writes %s for an unset %q, so the default %s is never applied",
			shortJSON(zero), f.name, shortJSON(s.Default))
	}
	d = d.Help("use a pointer: %s", pointerField(f))
	if zero.Kind == schema.String && zero.Text == "" {
		d = d.Help("add omitempty to the tag")
	}
	fl.warn(d.See(s.Default.At, "the default"))
}

// sameNumber reports whether two values are the same number, such as 0 and 0.0.
func sameNumber(a, b *schema.Value) bool {
	return a.Kind == schema.NumberKind && b.Kind == schema.NumberKind && schema.CompareNumbers(a.Text, b.Text) == 0
}

// pointerField declares a field as a pointer that is omitted if it is nil.
func pointerField(f *field) string {
	tag := "`json:" + strconv.Quote(f.name+",omitempty") + "`"
	if f.syntax.Tag != nil && f.omits() {
		tag = f.syntax.Tag.Value
		if f.omitZero { // which may ask the value behind the pointer
			tag = strings.Replace(strings.Replace(tag, ",omitempty", "", 1), ",omitzero", ",omitempty", 1)
		}
	} else if old := "json:" + strconv.Quote(f.name); f.syntax.Tag != nil && strings.Contains(f.syntax.Tag.Value, old) {
		tag = strings.Replace(f.syntax.Tag.Value, old, "json:"+strconv.Quote(f.name+",omitempty"), 1)
	}
	return f.goName + " *" + types.ExprString(f.syntax.Type) + " " + tag
}

// nullRequired reports a required field that Go encodes as null.
func (fl flattener) nullRequired(p property, s *schema.Schema, omitted bool) {
	f, option := p.field, "omitempty"
	if p.node.sort == structSort || p.node.sort == unreadSort { // which omitempty never omits
		option = "omitzero"
	}
	isBytes := p.node.isBytes()
	canBeNull := len(s.Enum) == 0 && !isBytes && p.node.noNull() == ""
	which, help := "a nil", "add "+option+" to the tag"
	if canBeNull {
		help += ", or add +nullable to the field"
	}
	switch {
	case isBytes && p.node.innerNull:
		help = "use a slice with omitempty instead of the pointer"
	case omitted && !canBeNull:
		which, help = "a pointer to nil in", "use a value or a single pointer"
	case omitted:
		which, help = "a pointer to nil in", "use a value or a single pointer, or add +nullable to the field"
	case s.MinItems != nil && s.MinItems.V > 0 || s.MinProperties != nil && s.MinProperties.V > 0:
		help = "add omitempty to the tag, and +required to keep the field required"
	}
	fl.warn(diag.Errorf(f.at, jsonNull,
		"%s %q is encoded as null, which the API server rejects: the field is required", which, f.name).
		Help("%s", help))
}

// zeroRejected reports a field whose zero value the API server rejects.
func (fl flattener) zeroRejected(f *field, zero, why string) {
	rejected := diag.Errorf(f.at, jsonZero,
		"an unset %q is encoded as %s, which the API server rejects: %s", f.name, zero, why).
		Help("add omitempty to the tag, or change the schema to accept the value")
	if f.omitEmpty {
		rejected = rejected.Note("omitempty has no effect on structs").
			Help("add omitzero to the tag, or use a pointer")
	} else if strings.HasPrefix(zero, "{") || strings.HasPrefix(zero, "[") {
		rejected = rejected.Help("add omitzero to the tag, or use a pointer with omitempty")
	}
	fl.warn(rejected)
}

// requiredOmitted reports a required field that Go omits although it has a value.
func (fl flattener) requiredOmitted(f *field, zero string) {
	option := "omitempty"
	if !f.omitEmpty {
		option = "omitzero"
	}
	fl.warn(diag.Errorf(f.at, jsonOmitted,
		"Go omits %q if it is %s, a valid value; the API server then rejects the object: the field is required",
		f.name, zero).
		Help("remove %s from the tag, or make the field optional, or reject %s in the schema", option, zero))
}

// shortJSON is a value as messages show it.
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

// checkOmitted reports a required field that Go omits although it has a value that the schema accepts.
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
	if zero.Kind != schema.Null && rejection(s, zero) == "" {
		fl.requiredOmitted(f, shortJSON(zero))
	}
}

// checkEmbeddedRules reports rules and junctors of a struct embedded by pointer that fail if the pointer is nil: they
// read a field that the struct requires, or require one of a group.
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
		"if this pointer is nil, its fields are absent and a rule about them fails").
		Help("embed the struct itself, name it in its tag, or guard the fields in the rule with has()").
		See(rule, "the rule"))
}
