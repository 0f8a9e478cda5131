package lower

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/markers"
)

// This file holds the texts of diagnostics about how Go writes and reads a type in JSON.

const stateHelp = "say what it looks like with +kubebuilder:validation:Type=… on the type, where object keeps the fields of a struct, " +
	"or on the field (items:Type=… for items); for any JSON put +kubebuilder:pruning:PreserveUnknownFields there"

func malformedTag(at diag.Span, f *field) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Check: "field-tag", Message: "Go finds no json in this tag, and writes the field under its Go name",
		HelpText: fmt.Sprintf("write `json:%q`", jsonName(f)+",omitempty"),
	}
}

func tagName(at diag.Span, f *field) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Check: "field-tag", Message: fmt.Sprintf("%q is no name that Go takes from a tag: it uses the field's own", f.name),
		HelpText: "leave out quotes, backslashes and what cannot be printed",
	}
}

func tagSpace(at diag.Span, option, trimmed string) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Check: "field-tag", Message: fmt.Sprintf("Go knows no tag option %q", option),
		HelpText: fmt.Sprintf("write %q, without space", trimmed),
	}
}

func (r reporter) unexported(f *field, name string) diag.Diagnostic {
	return r.reached(diag.Diagnostic{
		Span: f.at, Check: "field-unexported",
		Message:  "field " + name + " has a json tag, but Go neither writes nor reads it, since its name begins with a small letter",
		HelpText: "begin the name with a capital letter, or remove the tag",
	})
}

func (r reporter) unexportedPointer(f *field, name string) diag.Diagnostic {
	return r.reached(diag.Diagnostic{
		Span: f.at, Check: "field-unexported",
		Message:  "Go writes an embedded *" + name + ", but cannot read it, since it cannot set an unexported field",
		HelpText: "embed " + name + " itself, or export it",
	})
}

func (r reporter) inlineNamed(f *field) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: f.at, Check: "field-inline",
		Message: fmt.Sprintf("Go knows no tag option inline: it writes this field as an object of its own, under the key %q", f.name),
	}
	if f.named {
		d.HelpText = "remove the option, or the name in front of it"
	} else {
		d.HelpText = fmt.Sprintf("embed the type: remove the name %s, or name the field in the tag: `json:%q`", f.goName, jsonName(f)+",omitempty")
	}
	return r.reached(d)
}

func (r reporter) untaggedName(f *field, t *typ) diag.Diagnostic {
	return r.reached(diag.Diagnostic{
		Span: f.at, Check: "field-untagged",
		Message:  fmt.Sprintf("field %s of %s has no json tag: its key is %q", f.goName, owner(t), f.name),
		HelpText: fmt.Sprintf("add `json:%q`, or `json:\"-\"` to leave it out", jsonName(f)+",omitempty"),
	})
}

// owner names the struct that a field is of.
func owner(t *typ) string {
	if t == nil {
		return "an anonymous struct"
	}
	return "type " + t.name
}

func sameName(later, first property) diag.Diagnostic {
	if first.node.s.At == later.node.s.At {
		first, later = later, first
	}
	return diag.Diagnostic{
		Span: later.node.s.At, Check: "field-hidden",
		Message:  fmt.Sprintf("two fields have the key %q: Go writes and reads neither, and the schema has none", later.name),
		HelpText: "rename one of them in its json tag, or leave it out with `json:\"-\"`",
		SeeAlso:  related(first.node.s.At, "the other one"),
	}
}

func (r reporter) quotedMarshaler(f *field, name string) diag.Diagnostic {
	return r.reached(diag.Diagnostic{
		Span: f.at, Check: "field-string",
		Message:  "type " + name + " marshals itself, so that Go passes over the tag option string when writing, but not when reading",
		HelpText: "remove the option",
	})
}

func (r reporter) quotedNothing(f *field) diag.Diagnostic {
	return r.reached(diag.Diagnostic{
		Span: f.at, Check: "field-string",
		Message:  "the tag option string means nothing to Go here: it is for strings, numbers and booleans",
		HelpText: "remove the option",
	})
}

func (r reporter) quotedMarkers(f *field, name string, at diag.Span) diag.Diagnostic {
	return r.reached(diag.Diagnostic{
		Span: f.at, Check: "field-string",
		Message:  "the tag option string makes this field a string, which the markers of type " + name + " do not speak of",
		HelpText: "remove the option, or give the field a type without markers",
		SeeAlso:  related(at, "the type"),
	})
}

func unknownForm(t *typ) diag.Diagnostic {
	return diag.Diagnostic{
		Span: t.decl.At, Check: "type-marshaler",
		Message:  "type " + t.name + " marshals itself: what its JSON looks like cannot be known",
		HelpText: stateHelp,
	}
}

func emptyObject(at diag.Span) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Check: "type-empty", Message: "this is an object of which no property is known: the API server drops all that is in it",
		HelpText: "put +kubebuilder:pruning:PreserveUnknownFields on the type, or on the field",
	}
}

func oneWay(t *typ, has, lacks string) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: t.decl.At, Check: "type-one-way", HelpText: "give the type " + lacks,
		Message: fmt.Sprintf("type %s has %s, but not %s: Go does not read what it writes", t.name, has, lacks),
	}
	return d
}

func fieldsLost(at diag.Span, owner, does, name, method, from string) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Check: "field-lost",
		Message:  fmt.Sprintf("Go %s %s by the %s of the embedded %s, which knows nothing of field %s", does, owner, method, from, name),
		HelpText: "give the embedded field a name, or give the type a " + method + " of its own, with a Type marker",
	}
}

func methodsLost(t *typ, from string) diag.Diagnostic {
	return diag.Diagnostic{
		Span: t.decl.At, Check: "type-methods",
		Message:  fmt.Sprintf("type %s is declared as %s, but has none of its methods: Go writes it in another form", t.name, from),
		HelpText: fmt.Sprintf("make it an alias: type %s = %s, or embed it in a struct", t.decl.Name, from),
	}
}

func (r reporter) notAddressable(at diag.Span, value string, t *typ) diag.Diagnostic {
	return r.reached(diag.Diagnostic{
		Span: at, Check: "type-address",
		Message:  "Go cannot take the address of a map's values, which the marshal method of " + t.name + " needs: it writes the plain Go value",
		HelpText: "use pointers as values: map[…]*" + value + ", or give the method a value receiver",
	})
}

func (r reporter) keyOneWay(at diag.Span, name string) diag.Diagnostic {
	return r.reached(diag.Diagnostic{
		Span: at, Check: "type-one-way", Message: "map key " + name + " has MarshalText, but not UnmarshalText: Go does not read what it writes",
		HelpText: "give the type UnmarshalText, or use a string type as the key",
	})
}

func (r reporter) integerKey(at diag.Span, name string) diag.Diagnostic {
	return r.reached(diag.Diagnostic{
		Span: at, Check: "type-map-key",
		Message:  "map key " + name + " is an integer, which a schema cannot say: the API server accepts any key, and Go refuses the whole object",
		HelpText: "use a string type as the key, or a list with listType=map",
	})
}

func boundOutside(bound *schema.Number, r *intRange, field diag.Span) diag.Diagnostic {
	return diag.Diagnostic{
		Span: bound.At, Check: "bound-outside",
		Message:  fmt.Sprintf("%s is no value of the Go type, which holds %s", bound.V, r),
		HelpText: "give a value that it holds, or change the type",
		SeeAlso:  related(field, "the type"),
	}
}

func lengthOutside(bound *schema.Int, length int64) diag.Diagnostic {
	return diag.Diagnostic{
		Span: bound.At, Check: "bound-outside",
		Message:  fmt.Sprintf("%d is more than the %d items that the array holds", bound.V, length),
		HelpText: "use a slice, or remove the marker",
	}
}

func imprecise(at diag.Span) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Check: "type-precision",
		Message:  "the type holds integers above 9223372036854775807, which the API server refuses",
		HelpText: "use int64 with +kubebuilder:validation:Minimum=0, a string or a resource.Quantity, or set a maximum that is smaller",
	}
}

func unreadableBound(bound *schema.Number) diag.Diagnostic {
	return diag.Diagnostic{
		Span: bound.At, Check: "bound-unreadable",
		Message:  "the API server reads " + bound.V + " as a floating-point number beyond 64 bits, and then refuses every value",
		HelpText: "remove the marker, since the type says as much, or keep away from the end by 1024",
	}
}

func (r reporter) nullElement(at diag.Span, does string) diag.Diagnostic {
	return r.reached(diag.Diagnostic{
		Span: at, Check: "json-null-element", Message: "Go writes a nil among these as null, which the API server " + does,
		HelpText: "hold values instead of pointers, or take care that none is nil",
	})
}

func nullRequired(f *field, s *schema.Schema, omitted bool) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: f.at, Check: "json-null",
		Message:  fmt.Sprintf("Go writes %q as null where it is not set, and the API server refuses that, since the field is required", f.name),
		HelpText: "add omitempty to the tag, if it may be absent, or +nullable, if null is a value",
	}
	if s.MinItems != nil && s.MinItems.V > 0 || s.MinProperties != nil && s.MinProperties.V > 0 {
		d.HelpText = "add omitempty to the tag, and +required if it is to stay so"
	}
	if omitted {
		d.Message = fmt.Sprintf("Go writes %q as null where it points to nothing, and the API server refuses that, since the field is required", f.name)
		d.HelpText = "use a plain value or one pointer, or add +nullable, if null is a value"
	}
	return d
}

func nullOutsideEnum(f *field, nullable diag.Span) diag.Diagnostic {
	return diag.Diagnostic{
		Span: f.at, Check: "json-null",
		Message:  fmt.Sprintf("Go writes %q as null where it is not set, which +nullable permits, but no enum, not even one that lists null", f.name),
		HelpText: "add omitempty to the tag, or check the values with +kubebuilder:validation:XValidation instead of an enum",
		SeeAlso:  related(nullable, "+nullable"),
	}
}

func emptyBytes(f *field) diag.Diagnostic {
	help := "add omitempty to the tag"
	if f.omitEmpty {
		help = "use a plain slice: omitempty leaves out a pointer only where it is nil"
	}
	return diag.Diagnostic{
		Span: f.at, Check: "json-empty",
		Message:  fmt.Sprintf("Go writes %q as \"\" where it is empty, which is no base64 to the API server, and refused", f.name),
		HelpText: help,
	}
}

func (r reporter) emptyElement(at diag.Span) diag.Diagnostic {
	return r.reached(diag.Diagnostic{
		Span: at, Check: "json-empty", Message: "Go writes an empty one among these as \"\", which is no base64 to the API server, and refused",
		HelpText: "take care that none of them is empty, or hold strings",
	})
}

func notReadable(at diag.Span, t *typ) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Check: "type-one-way", Message: t.name + " does not read null, though it is nullable here",
		HelpText: "remove +nullable, or use a pointer",
	}
}

func zeroRefused(f *field, zero, why string) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: f.at, Check: "json-zero",
		Message:  fmt.Sprintf("Go writes %q even where it is not set, as %s, and the API server refuses that: %s", f.name, zero, why),
		HelpText: "add omitempty to the tag, or permit the value",
	}
	if f.omitEmpty {
		d.Notes = []string{"omitempty never leaves out a struct"}
		d.HelpText = "use omitzero or a pointer if it may be absent, or say +required"
	} else if strings.HasPrefix(zero, "{") || strings.HasPrefix(zero, "[") {
		d.HelpText = "use a pointer with omitempty, or omitzero"
	}
	return d
}

func requiredOmitted(f *field, zero string) diag.Diagnostic {
	option := "omitempty"
	if !f.omitEmpty {
		option = "omitzero"
	}
	return diag.Diagnostic{
		Span: f.at, Check: "json-omitted",
		Message: fmt.Sprintf("Go leaves out %q where it is %s, and the API server refuses that, since the field is required, though %s is permitted",
			f.name, zero, zero),
		HelpText: "remove " + option + " from the tag, or make the field optional, or forbid " + zero + " in the schema",
	}
}

func (r reporter) metadataPruned(at diag.Span) diag.Diagnostic {
	return r.reached(diag.Diagnostic{
		Span: at, Check: "metadata-pruned",
		Message:  "the schema of this ObjectMeta is empty: the API server drops its labels, annotations and all else",
		HelpText: "put +crdproof:embeddedObjectMeta on the field, or run with crd:generateEmbeddedObjectMeta=true",
	})
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

func noObjectMeta(m *markers.Marker) diag.Diagnostic {
	return diag.Diagnostic{
		Span: m.At, Check: "marker-target", Message: "the field holds no ObjectMeta for " + m.Def.Name + " to describe",
		HelpText: "remove the marker, or put it on the field that does",
	}
}

func ruleOfPointer(at, rule diag.Span) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Check: "embedded-rules",
		Message:  "where this pointer is nil, none of the fields is there, and a rule about them fails",
		HelpText: "embed the struct itself, give it a name in its tag, or guard the fields in the rule with has()",
		SeeAlso:  related(rule, "the rule"),
	}
}

func defaultForm(at diag.Span, value string) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Check: "field-string", Message: "the tag option string makes this field a string, but its default is none",
		HelpText: "write " + strconv.Quote(value),
	}
}

func stated(v *markers.Value, got string) diag.Diagnostic {
	return diag.Diagnostic{
		Span: v.At, Check: "type-conflict", Message: fmt.Sprintf("Go writes %s here, which is never %s", typePhrase(got), typePhrase(v.Text)),
		HelpText: "remove the marker, or change the type of the field",
	}
}

func kindWithout(at diag.Span, kind, key, help string) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Check: "kind-incomplete",
		Message:  fmt.Sprintf("kind %s has no %s in JSON: no object of it can be stored and read", kind, key),
		HelpText: help,
	}
}
