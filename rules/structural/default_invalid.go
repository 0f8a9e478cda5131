package structural

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

func valueText(v schema.Value) string {
	text := string(kube.AppendJSON(nil, v))
	const most = 60
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}

// report reports a default that is invalid, and the consequence.
func (b *badDefault) report(consequence string) {
	rule := b.failedRule()
	message, help := b.explain(rule)
	at := b.Schema.Default.At
	if list := b.textList(); list != nil {
		at = list.At
	} else if v := b.valueInside(); v != nil && v.At.IsValid() {
		at = v.At
	}
	f := b.pass.Reportf(b.pass.At(at, b.At()), b.err.Field, "%s%s", message, consequence).
		Help("%s", help).Also(b.also...)
	if rule != nil {
		f.See(rule.Rule.At, "the rule")
		if !rule.Rule.At.IsValid() {
			f.See(rule.At, "the rule")
		}
	}
}

func (b *badDefault) explain(rule *schema.Rule) (message, help string) {
	subject := "default " + valueText(*b.Schema.Default)
	if in := strings.TrimPrefix(b.inside, "."); in != "" {
		subject = in + " of the default"
	}
	form := b.textForm()
	switch err, s := b.err, b.schemaInside(); {
	case form != nil && rule == nil:
		message, help = explainText(subject, b.schemaInside(), b.valueInside(), form)
		return message, help
	case rule != nil:
		return subject + " violates a rule: " + strings.TrimPrefix(err.Detail, failedRule),
			"change the default, or change the rule"
	case err.Type == field.ErrorTypeRequired:
		return b.lacksRequired()
	case err.Detail == hasUnknownFields:
		return b.hasUnknown()
	case err.Type == field.ErrorTypeNotSupported:
		return subject + " is not an enum value", b.nearEnum()
	case err.Type == field.ErrorTypeTypeInvalid || b.isTypeError():
		message, help = b.wrongType()
		return subject + message, help
	case err.Type == field.ErrorTypeTooLong && s != nil && s.MaxLength != nil:
		return fmt.Sprintf("%s has more than %d characters", subject, s.MaxLength.V), "write a shorter value"
	case err.Type == field.ErrorTypeTooLong, err.Type == field.ErrorTypeTooMany:
		return "the API server rejects " + subject + ": " + lowerFirst(err.ErrorBody()), "write a shorter value"
	default:
		return subject + " is invalid: it " + inBody(err), "write a value that the schema permits"
	}
}

// wrongType explains a value that does not have the type or the format of its schema, which the API server reports in
// the same words.
func (b *badDefault) wrongType() (message, help string) {
	s, v := b.schemaInside(), b.valueInside()
	switch {
	case s == nil || v == nil:
		return wrongTypeOf(b.wantedType(), kindPhrase(b.err)), "write a value of this type"
	case v.Kind == schema.String && s.Format.V != "" && (s.Type.V == "string" || s.Type.V == ""):
		return " does not match the format " + s.Format.V, formatHelp(s.Format.V)
	case s.Type.V == "integer" && isBeyond(*v):
		return " does not fit int64", "write a smaller number, or use a string"
	case s.Type.V == "integer" && kindOf(*v) == "integer":
		return " does not fit int32", "write a smaller number, or use the format int64"
	case s.Type.V == "number" && v.Kind == schema.NumberKind:
		return " does not fit a 32-bit float", "write a smaller number, or use the format double"
	}
	message = wrongTypeOf(typePhrase(s.Type.V), typePhrase(kindOf(*v)))
	switch list := b.textList(); {
	case list != nil:
		return message, "write " + quotedList(list)
	case s.Type.V == "string" && (v.Kind == schema.Bool || v.Kind == schema.NumberKind):
		return message, "write it in quotes: " + strconv.Quote(v.Written())
	case s.Type.V == "integer" && v.Kind == schema.NumberKind:
		return message, "write a whole number, or use the type number"
	}
	if list := b.asList(s, v); list != "" {
		return message, "write " + list
	}
	return message, "write " + typePhrase(s.Type.V)
}

// asList returns a list whose only item is a scalar, or the list that a string is the text of; "" if the schema is not
// one of lists, or the item does not fit it.
func (b *badDefault) asList(s *schema.Schema, v *schema.Value) string {
	if s.Type.V != "array" || s.Items == nil || v.Kind == schema.Array || v.Kind == schema.Object || v.Text == "" {
		return ""
	}
	text, item := v.Literal(), kindOf(*v)
	inner, isList := strings.CutPrefix(strings.TrimSuffix(v.Text, "]"), "[")
	switch {
	case v.Kind == schema.String && isList && !strings.ContainsAny(inner, "[]{}\"'`"):
		var items []string
		for part := range strings.SplitSeq(inner, ",") {
			if part = strings.TrimSpace(part); part != "" {
				items = append(items, (&schema.Value{Kind: schema.String, Text: part}).Literal())
			}
		}
		text, item = strings.Join(items, ", "), "string"
	case s.Items.Type.V == "string" && item != "string":
		text, item = strconv.Quote(v.Written()), "string"
	}
	if s.Items.Type.V != item {
		return ""
	}
	return b.pass.Write().Choose("{"+text+"}", "["+text+"]")
}

// changeTo words a help that says what to write for a finding at something larger.
func changeTo(help string) string {
	return strings.ReplaceAll("change it to "+strings.TrimPrefix(help, "write "), ", or write ", ", or to ")
}

// wrongTypeOf ends the message about a value of the wrong type.
func wrongTypeOf(want, got string) string {
	return " has the wrong type: expected " + want + ", got " + got
}

func formatHelp(format string) string {
	known, ok := kube.FormatOf(format)
	if !ok || known.Valid[0] == "" {
		return "write a value of this format"
	}
	switch example := known.Valid[0]; format {
	case "byte":
		return "write bytes in base64, such as " + strconv.Quote(example)
	default:
		return "write a value of this format, such as " + strconv.Quote(example)
	}
}

// wantedType returns the type that the API server's message expects of a value inside a default.
func (b *badDefault) wantedType() string {
	if _, want, ok := strings.Cut(b.err.Detail, "must be of type "); ok {
		want, _, _ = strings.Cut(want, ":")
		return typePhrase(strings.TrimSpace(want))
	}
	return "a value of the schema's type"
}

// kindPhrase names the type that the API server's error found.
func kindPhrase(err *field.Error) string {
	if i := strings.LastIndex(err.Detail, ": \""); i >= 0 {
		return typePhrase(strings.Trim(err.Detail[i+2:], "\""))
	}
	return "another type"
}

func (b *badDefault) nearEnum() string {
	s := b.schemaInside()
	if s == nil {
		return "write an enum value"
	}
	if help := schema.Meant(fmt.Sprint(b.err.BadValue), s.Enum); help != "" {
		return help
	}
	return useOneOf(schema.Literals(s.Enum))
}

// lacksRequired explains a required field that a default lacks. The field's own default is applied only later.
func (b *badDefault) lacksRequired() (message, help string) {
	name := strings.TrimPrefix(b.inside, ".")
	message = fmt.Sprintf("default %s lacks the required field %q", valueText(*b.Schema.Default), name)
	help = fmt.Sprintf("add %q to the default", name)
	if s := b.schemaInside(); s != nil && s.Default != nil {
		message += ": the field's own default is applied only later"
		if whole, ok := b.completed(); ok {
			help = "write " + b.pass.Write().Set("default", string(kube.AppendJSON(nil, whole)))
		}
	}
	return message, help
}

// completed returns the default with the own defaults of the required fields that it lacks itself.
func (b *badDefault) completed() (schema.Value, bool) {
	whole := *b.Schema.Default
	if whole.Kind != schema.Object || strings.Count(b.inside, ".") != 1 {
		return whole, false
	}
	whole.Members = slices.Clone(whole.Members)
	for _, r := range b.Schema.Required {
		if slices.ContainsFunc(whole.Members, func(m schema.Member) bool { return m.Key == r.V }) {
			continue
		}
		p := b.Schema.Property(r.V)
		if p == nil || p.Default == nil {
			return whole, false
		}
		whole.Members = append(whole.Members, schema.Member{Key: r.V, Value: *p.Default})
	}
	slices.SortFunc(whole.Members, func(a, b schema.Member) int { return strings.Compare(a.Key, b.Key) })
	return whole, true
}

func (b *badDefault) hasUnknown() (message, help string) {
	var unknown []string // which the API server would prune
	if s := belowDefaults(b.pass, b.Place); s != nil {
		unknown = pruning.PruneWithOptions(runtime.DeepCopyJSONValue(s.Default.Object), s,
			b.Schema.EmbeddedResource.True(), structural.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	}
	if len(unknown) == 0 {
		return "the default has unknown fields", "remove the unknown fields"
	}
	first := unknown[0]
	message = fmt.Sprintf("the default has an unknown field %q", first)
	help = "remove the field, or add it to the schema"
	if n := diag.Near(first, b.Schema.PropertyNames()); n != "" && !strings.ContainsAny(first, ".[") {
		help = fmt.Sprintf("rename the field to %q", n)
	}
	return message, help
}

// schemaInside returns the schema of the value inside a default that the error is about, nil if that is unknown.
func (b *badDefault) schemaInside() *schema.Schema {
	return follow(b.Schema, strings.ReplaceAll(b.inside, ".[", "[")).s // as some of the API server's paths have it
}

// textList returns the list of strings in a marker whose item the error is about, if it has only numbers or booleans:
// the first item of a list decides how a marker reads all of them. It returns nil in all other cases.
func (b *badDefault) textList() *schema.Value {
	end := strings.LastIndexByte(b.inside, '[')
	if !b.isTypeError() || end < 0 || !strings.HasSuffix(b.inside, "]") || b.pass.Write().Choose("Go", "") == "" {
		return nil
	}
	item := b.schemaInside()
	list := b.valueAt(strings.TrimSuffix(b.inside[:end], "."))
	if item == nil || item.Type.V != "string" || list == nil || list.Kind != schema.Array || !list.At.IsValid() ||
		slices.ContainsFunc(list.Items, func(v schema.Value) bool {
			return v.Kind != schema.NumberKind && v.Kind != schema.Bool
		}) {
		return nil
	}
	return list
}

// quotedList writes the items of a list as strings, in a marker.
func quotedList(list *schema.Value) string {
	items := make([]string, len(list.Items))
	for i := range list.Items {
		items[i] = strconv.Quote(list.Items[i].Written())
	}
	return "{" + strings.Join(items, ", ") + "}"
}

// valueInside returns the value inside a default that the error is about, nil if that is unknown.
func (b *badDefault) valueInside() *schema.Value { return b.valueAt(b.inside) }

func (b *badDefault) valueAt(inside string) *schema.Value {
	path := strings.ReplaceAll(inside, ".[", "[")
	steps, isWhole := schema.ReadPath(path)
	v := b.Schema.Default
	for _, to := range steps {
		if v = v.Below(to.PathStep); v == nil {
			return nil
		}
	}
	if !isWhole {
		return nil
	}
	return v
}
