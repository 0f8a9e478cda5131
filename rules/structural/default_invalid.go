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

	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/kube"
)

func valueText(v schema.Value) string {
	text := string(kube.AppendJSON(nil, v))
	const most = 60
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}

// report says what is wrong with a default, and what follows from it.
func (b *badDefault) report(consequence string) {
	rule := b.failedRule()
	message, help := b.explain(rule)
	f := b.pass.Reportf(b.pass.At(b.Schema.Default.At, b.At()), b.err.Field, "%s%s", message, consequence).
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
	switch err, s := b.err, b.schemaInside(); {
	case rule != nil:
		return subject + " fails a rule: " + strings.TrimPrefix(err.Detail, failedRule),
			"give a default that the rule permits, or let the rule permit this one"
	case strings.HasPrefix(err.Detail, compileError):
		return subject + " cannot be held against the rules, since one of them does not compile", "correct the rule"
	case err.Type == field.ErrorTypeRequired:
		return b.lacksRequired()
	case err.Detail == hasUnknownFields:
		return b.hasUnknown()
	case err.Type == field.ErrorTypeNotSupported:
		return subject + " is not a value of the enum", b.nearEnum()
	case err.Type == field.ErrorTypeTypeInvalid || b.isTypeError():
		message, help = b.wrongType()
		return subject + message, help
	case err.Type == field.ErrorTypeTooLong && s != nil && s.MaxLength != nil:
		return fmt.Sprintf("%s has more than %d characters", subject, s.MaxLength.V), "give a shorter one"
	case err.Type == field.ErrorTypeTooLong, err.Type == field.ErrorTypeTooMany:
		return subject + " is refused: " + lowerFirst(err.ErrorBody()), "give a shorter one"
	default:
		return subject + " is refused: it " + inBody(err), "give a value that the schema permits"
	}
}

// wrongType speaks of a value that has another type than its schema, or not the format of it, which the API server
// tells in the same words.
func (b *badDefault) wrongType() (message, help string) {
	s, v := b.schemaInside(), b.valueInside()
	switch {
	case s == nil || v == nil:
		return fmt.Sprintf(" is not %s, but %s", b.wantedType(), kindPhrase(b.err)), "give a value of the type"
	case v.Kind == schema.String && s.Format.V != "" && (s.Type.V == "string" || s.Type.V == ""):
		return " does not have the format " + s.Format.V, formatHelp(s.Format.V)
	case s.Type.V == "integer" && isBeyond(*v):
		return " is beyond the integers of 64 bits", "give a smaller number, or use a string"
	case s.Type.V == "integer" && kindOf(*v) == "integer":
		return " is beyond the 32 bits of int32", "give a smaller number, or use the format int64"
	case s.Type.V == "number" && v.Kind == schema.NumberKind:
		return " is beyond the 32 bits of float", "give a smaller number, or use the format double"
	}
	message = fmt.Sprintf(" is not %s, but %s", typePhrase(s.Type.V), typePhrase(kindOf(*v)))
	switch {
	case b.inside == "" && s.Type.V == "string" && (v.Kind == schema.Bool || v.Kind == schema.NumberKind):
		return message, "write it in quotes: " + strconv.Quote(v.Text)
	case s.Type.V == "integer" && v.Kind == schema.NumberKind:
		return message, "give a whole number, or use the type number"
	}
	return message, "give a value of the type"
}

// formatExamples are the formats of strings that API servers check (pkg/apiserver/validation/formats.go,
// k8s.io/kube-openapi/pkg/validation/strfmt), with an example of each.
func formatExamples() map[string]string {
	return map[string]string{
		"bsonobjectid": "507f1f77bcf86cd799439011", "byte": "aGVsbG8=", "cidr": "192.0.2.0/24",
		"creditcard": "4111111111111111", "date": "2006-01-02", "date-time": "2006-01-02T15:04:05Z",
		"datetime": "2006-01-02T15:04:05Z", "duration": "1h30m", "email": "me@example.com", "hexcolor": "#ff8800",
		"hostname": "www.example.com", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1",
		"isbn": "0306406152", "isbn10": "0306406152", "isbn13": "9780306406157", "mac": "00:00:5e:00:53:01",
		"k8s-long-name": "www.example.com", "k8s-short-name": "my-name", "password": "", "rgbcolor": "rgb(255,136,0)",
		"ssn": "111-11-1111", "uri": "https://example.com", "uuid": "6ba7b810-9dad-41d1-80b4-00c04fd430c8",
		"uuid3": "6ba7b810-9dad-31d1-80b4-00c04fd430c8", "uuid4": "6ba7b810-9dad-41d1-80b4-00c04fd430c8",
		"uuid5": "6ba7b810-9dad-51d1-80b4-00c04fd430c8",
	}
}

func formatHelp(format string) string {
	switch example := formatExamples()[format]; {
	case example == "":
		return "give a value of the format"
	case format == "byte":
		return "give bytes in base64, such as " + example
	default:
		return "give one such as " + example
	}
}

// wantedType is the type that a value inside a default should have by the API server's words.
func (b *badDefault) wantedType() string {
	if _, want, ok := strings.Cut(b.err.Detail, "must be of type "); ok {
		want, _, _ = strings.Cut(want, ":")
		return typePhrase(strings.TrimSpace(want))
	}
	return "of the schema's type"
}

// kindPhrase names the type that the API server's error found.
func kindPhrase(err *field.Error) string {
	if i := strings.LastIndex(err.Detail, ": \""); i >= 0 {
		return typePhrase(strings.Trim(err.Detail[i+2:], "\""))
	}
	return "another"
}

func (b *badDefault) nearEnum() string {
	s := b.schemaInside()
	if s == nil {
		return "give one of its values"
	}
	var list []string
	for _, v := range s.Enum {
		list = append(list, v.Text)
	}
	is := fmt.Sprint(b.err.BadValue)
	return near(is, list, useOneOf(list))
}

// lacksRequired speaks of a required field that a default does not have, and of the field's own default, which comes
// later.
func (b *badDefault) lacksRequired() (message, help string) {
	name := strings.TrimPrefix(b.inside, ".")
	message = fmt.Sprintf("default %s lacks %q, which is required", valueText(*b.Schema.Default), name)
	help = "give all required fields in the default"
	if s := b.schemaInside(); s != nil && s.Default != nil {
		message += ": the field's own default is filled in only later"
		if whole, ok := b.completed(); ok {
			help = "write it out: " + b.pass.Write().Set("default", string(kube.AppendJSON(nil, whole)))
		} else {
			help = "write it out in the default"
		}
	}
	return message, help
}

// completed is the default with the own defaults of the required fields that it lacks itself.
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
			isSet(b.Schema.EmbeddedResource), structural.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	}
	if len(unknown) == 0 {
		return "the default has fields that the schema does not know", "remove them"
	}
	first := unknown[0]
	message = fmt.Sprintf("the default has the field %q, which the schema does not have", first)
	help = "remove it, or add it to the schema"
	if !strings.ContainsAny(first, ".[") {
		help = near(first, names(b.Schema), help)
	}
	return message, help
}

// schemaInside is the schema of the value inside a default that the error is about, nil where that is not known.
func (b *badDefault) schemaInside() *schema.Schema {
	return follow(b.Schema, strings.ReplaceAll(b.inside, ".[", "[")).s // as some of the API server's paths have it
}

// valueInside is the value inside a default that the error is about, nil where that is not known.
func (b *badDefault) valueInside() *schema.Value {
	path := strings.ReplaceAll(b.inside, ".[", "[")
	steps, isWhole := schema.ReadPath(path)
	v := b.Schema.Default
	for _, to := range steps {
		if v = v.Below(to); v == nil {
			return nil
		}
	}
	if !isWhole {
		return nil
	}
	return v
}
