package confirmed

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/internal/regular"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/rules/symbolic"
	"github.com/crdproof/crdproof/schema"
)

var typeUndecodable = &diag.Check{ID: "type-undecodable", Severity: diag.Warning}

// Decoders returns the check of what Go decodes.
func Decoders() []*diag.Check { return []*diag.Check{typeUndecodable} }

// CheckDecoder reports a value that the schema of a place accepts and the decoder of its Go type does not.
func CheckDecoder(p *session.Pass) {
	s := p.Schema
	isForeign := p.Owns != nil && !p.Owns(p.At())
	if p.Nested || s.Incomplete != 0 || s.Origin == schema.NoOrigin || s.Origin == schema.OtherOrigin || isForeign {
		return
	}
	structure, err := p.Version.Structure()
	if err != nil {
		return
	}
	list := slices.DeleteFunc(suspects(p.Context(), s), func(text string) bool {
		value, ok := decoded(text)
		return !ok || decodes(s, value)
	})
	if len(list) == 0 {
		return
	}
	accepts := kube.Accepts(s)
	for _, text := range list {
		if value, _ := decoded(text); accepts(value) && acceptsIn(p, structure, value) {
			reportDecoder(p, text)
			return
		}
	}
}

// Words that people write for values of some types, with and without success, as JSON.
var (
	wordsOfNumbers    = []string{`1.5`, `"5"`, `"80%"`, `"auto"`, `true`}
	wordsOfTexts      = []string{`5`, `true`, `1.5`}
	wordsOfBytes      = []string{`"hello world"`, `"YWI"`, `"https://example.com"`}
	wordsOfQuantities = []string{`"10GB"`, `"10 Gi"`, `"1.5 Gi"`, `"auto"`, `""`}
	wordsOfDurations  = []string{`"1d"`, `"7d"`, `"1w"`, `"30"`, `"1 h"`, `"1h 30m"`, `"P1D"`, `"never"`, `""`}
	wordsOfTimes      = []string{`"2024-01-31"`, `"2024-01-31T12:00:00"`, `"2024-01-31 12:00:00"`, `"now"`, `""`}
	wordsOfAddresses  = []string{`"10.0.0.0/8"`, `"10.0.0.1"`, `"10.0.0.1:80"`, `"localhost"`, `"fe80::1%eth0"`,
		`"::1"`}
)

// suspects returns values, as JSON, that people may write for a schema and that its Go type may not decode.
func suspects(ctx context.Context, s *schema.Schema) []string {
	var out []string
	isStated := s.Pattern.V != "" || s.Format.V != ""
	switch o := s.Origin; {
	case o == schema.GoBytes:
		out = wordsOfBytes
	case o == schema.GoString, o == schema.GoBool:
		out = wordsOfTexts
	case o >= schema.GoInt8 && o <= schema.GoFloat64:
		out = wordsOfNumbers
	case o == schema.Quantity:
		out = wordsOfQuantities
	case o == schema.Duration && isStated: // without, people know the form or have a pattern for it
		out = wordsOfDurations
	case o == schema.Time || o == schema.MicroTime:
		out = wordsOfTimes
	case o >= schema.GoIP && o <= schema.GoPrefix:
		out = wordsOfAddresses
	}
	out = slices.Clone(out)
	if s.IntOrString != nil {
		out = append(out, `5`)
	}
	if f, ok := kube.FormatOf(s.Format.V); ok && s.Format.At.IsValid() {
		out = append(out, strconv.Quote(f.Valid[0]))
	}
	if word, ok := wordBeyond(ctx, s); ok {
		out = append(out, strconv.Quote(word))
	}
	return out
}

// wordBeyond returns a text that the pattern of a schema matches, but not the form that its Go type decodes.
func wordBeyond(ctx context.Context, s *schema.Schema) (string, bool) {
	if s.Pattern.V == "" {
		return "", false
	}
	forms := map[schema.Origin]string{schema.Duration: schema.DurationPattern, schema.Quantity: schema.QuantityPattern}
	q := regular.Query{MaxLength: maxWord}
	budget := effort.New(ctx, effort.SymbolicText)
	stated, err := regular.Compile(s.Pattern.V, budget)
	if err != nil {
		return "", false
	}
	q.Match = append(q.Match, stated)
	if form := forms[s.Origin]; form == s.Pattern.V {
		return "", false
	} else if form != "" {
		avoided, err := regular.Compile(form, budget)
		if err != nil {
			return "", false
		}
		q.Avoid = append(q.Avoid, avoided)
	}
	word, answer := regular.Find(q, effort.SymbolicText.N(), budget)
	return word, answer == regular.Found
}

// maxWord limits the text that shows what a pattern accepts.
const maxWord = 20

func decoded(text string) (value any, ok bool) {
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return i, true
	}
	return value, json.Unmarshal([]byte(text), &value) == nil
}

// decodes reports whether the Go type of a schema decodes a value.
func decodes(s *schema.Schema, value any) bool {
	v := schema.Value{}
	switch value := value.(type) {
	case bool:
		v = schema.Value{Kind: schema.Bool, Text: strconv.FormatBool(value)}
	case string:
		v = schema.Value{Kind: schema.String, Text: value}
	case int64:
		v = schema.Value{Kind: schema.NumberKind, Text: strconv.FormatInt(value, 10)}
	case float64:
		v = schema.Value{Kind: schema.NumberKind, Text: strconv.FormatFloat(value, 'g', -1, 64)}
	}
	return s.Origin.Decodes(&v)
}

// acceptsIn reports whether the API server's code accepts an object with a value at the place of a pass. Without
// rules, what is around the value does not matter.
func acceptsIn(p *session.Pass, structure *structural.Structural, value any) bool {
	if !p.Version.Schema.HasRules() {
		return true
	}
	around := p.Place
	if p.Step == schema.InProperty { // the value need not be there
		around = p.Above
	}
	rules, _ := expr.Compile(p.Version.Index, withRule(around, schema.Rule{Rule: schema.Text{V: "true"}}), structure,
		expr.Options{Kube: p.Kube, Before: p.Version.Rules()})
	i := slices.IndexFunc(rules, func(r expr.Rule) bool {
		return r.Place.Path() == around.Path() && r.Source.Rule.V == "true"
	})
	if i < 0 || rules[i].Checked == nil {
		return false
	}
	small := symbolic.Of(p.Context(), Reduced(structure, rules, p.Place), rules)
	answer, found := small.Exists(symbolic.Claim{Rule: &rules[i], Outcomes: symbolic.True})
	if answer != symbolic.Yes {
		return false
	}
	object := normal(found.Object)
	at, ok := locate(object, way(around))
	if p.Step == schema.InProperty {
		at = append(at, p.Name)
	}
	if !ok || len(at) == 0 {
		return false
	}
	_, rejecting, ok := small.Write(at.with(object, value), nil)
	return ok && len(rejecting) == 0
}

// reportDecoder reports a value, at the marker that lets the schema accept it.
func reportDecoder(p *session.Pass, text string) {
	s := p.Schema
	at, key := p.At(), "type"
	help, effect, what := "", diag.AcceptsLess, "only values that Go decodes"
	switch {
	case s.IntOrString != nil && s.IntOrString.At.IsValid():
		at, key, help = s.IntOrString.At, "x-kubernetes-int-or-string", "remove the marker"
	case s.Type.At.IsValid() && s.Type.V == "number":
		at, help = s.Type.At, "write integer"
	case s.Pattern.At.IsValid():
		at, key, help = s.Pattern.At, "pattern", "change the pattern so that it rejects the value"
		if s.Origin == schema.Duration {
			if pattern, e := durationPattern(p, s.Pattern.V); pattern != "" {
				help, effect, what = "write "+durationMarker(pattern), e.Kind, e.Detail
			}
		}
	case s.Format.At.IsValid():
		at, key = s.Format.At, "format"
		switch s.Origin {
		case schema.Duration: // the format stays, which rejects durations of more than 292 years
			help = "add " + durationMarker(schema.DurationPattern) + " above the format"
		case schema.GoBytes:
			help, effect, what = "remove the marker", diag.AcceptsOther, "base64, and no other values"
		}
	}
	d := diag.Warningf(p.At(at), typeUndecodable, "API servers accept %s here, which Go cannot decode as %s: one such "+
		"object makes every list and watch of the kind fail", text, s.Origin).In(p.Key(key))
	if text, ok := strings.CutPrefix(help, "write "); ok {
		d = d.Write(text)
	} else {
		d = d.Help("%s", help)
	}
	if help == "remove the marker" {
		d = d.Do(diag.RemoveMarker, "")
	}
	if help != "" {
		d = d.Changes(effect, "%s", what)
	}
	p.Report(d)
}

// durationMarker returns the marker for a pattern of durations.
func durationMarker(pattern string) string {
	return "+kubebuilder:validation:Pattern=`" + pattern + "`"
}
