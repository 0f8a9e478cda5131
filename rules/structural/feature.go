package structural

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	apivalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	kubeversion "k8s.io/apimachinery/pkg/util/version"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// featureRows returns the checks of features that API servers of some versions, or of all, do not know.
func featureRows() []session.Row {
	return []session.Row{
		{Check: diag.Check{ID: "kube-feature", Severity: diag.Warning},
			Needs: session.EachVersion | session.EachSchema, Run: checkFeatures},
		{Check: diag.Check{ID: "format-unknown", Severity: diag.Warning},
			Needs: session.EachSchema, Run: checkFormat},
	}
}

func checkFeatures(p *session.Pass) {
	if p.Place == nil {
		if fields := p.Version.SelectableFields; len(fields) > 0 {
			reportTooNew(p, fields[0].At, p.Key(kube.SelectableFields.Field()), kube.SelectableFields)
		}
		return
	}
	if f := p.Schema.Format; isNameFormat(p.Schema) && p.Kube.First < kube.NameFormats.Since() {
		p.Reportf(p.At(f.At), p.Key("format"), "%s", tooNew(p, "format "+f.V, kube.NameFormats)).
			Help("use a pattern, or drop older versions with %s", rangeFrom(p, kube.NameFormats))
	}
	for i, r := range p.Schema.Rules {
		if old := r.OptionalOldSelf; old != nil {
			reportTooNew(p, old.At, p.Key(ruleKey(i, kube.OptionalOldSelf.Field())), kube.OptionalOldSelf)
		}
	}
}

// reportTooNew reports what a version in the range does not know, and suggests a range.
func reportTooNew(p *session.Pass, at diag.Span, key string, f kube.Feature) {
	if p.Kube.First >= f.Since() {
		return
	}
	found := p.Reportf(p.At(at), key, "%s", tooNew(p, f.Field(), f)).Help("remove it").Do(diag.Remove, "")
	if p.Kube.Last >= f.Since() {
		found.Help("remove it, or drop older versions with %s", rangeFrom(p, f)).Do(diag.Remove, "")
	}
}

func tooNew(p *session.Pass, what string, f kube.Feature) string {
	return fmt.Sprintf("%s requires Kubernetes %s, but the range begins with %s", what, f.Since(), p.Kube.First)
}

// rangeFrom returns the option for the versions of the range that have a feature.
func rangeFrom(p *session.Pass, f kube.Feature) string {
	versions := kube.Range{First: f.Since(), Last: max(f.Since(), p.Kube.Last)}
	return p.Write().Kube(versions.String())
}

// isNameFormat reports whether a schema has one of the formats of names.
func isNameFormat(s *schema.Schema) bool {
	return (s.Format.V == "k8s-short-name" || s.Format.V == "k8s-long-name") && (s.Type.V == "" || s.Type.V == "string")
}

func checkFormat(p *session.Pass) {
	format, typ, known := p.Schema.Format, p.Schema.Type.V, knownFormats(p.Schema.Type.V)
	if format.V == "" || slices.Contains(known, format.V) {
		return
	}
	if p.Schema.IntOrString.True() && slices.Contains(stringFormats(), format.V) {
		return // it is about the strings, whatever the type is
	}
	latest := kubeversion.MajorMinor(1, uint(kube.Latest()))
	asked := &spec.Schema{SchemaProps: spec.SchemaProps{Format: format.V, Type: []string{typ}}}
	if len(apivalidation.GetUnrecognizedFormats(asked, latest)) == 0 {
		return
	}
	ofType := ""
	if typ != "" {
		ofType = " for " + typePhrase(typ)
	}
	f := p.Reportf(p.At(format.At), p.Key("format"), "unknown format %q%s: the API server ignores it",
		format.V, ofType).CausedBy(diag.Span{}, "formats"+ofType)
	switch {
	case typ == "array" && hasStrings(p.Schema) && slices.Contains(stringFormats(), format.V):
		f.Help("remove it").Do(diag.Remove, "").
			Or("%s", p.Write().Choose("write +kubebuilder:validation:items:Format="+format.V, "move it to items")).
			Changes(diag.AcceptsLess, "only those with the format")
	case isAddress(format.V) && (typ == "string" || typ == "array" && hasStrings(p.Schema)):
		helpAddress(p, f, typ == "array")
	case len(known) == 0:
		f.Help("remove it").Do(diag.Remove, "")
	case near(format.V, known, "") != "":
		f.Help("%s", near(format.V, known, "")).Changes(diag.AcceptsLess, "only those with the format").
			Or("remove it").Do(diag.Remove, "")
	default:
		f.Help("remove it").Do(diag.Remove, "").
			Or("use one of %s", strings.Join(known, ", ")).Changes(diag.AcceptsLess, "only those with the format")
	}
}

// hasStrings reports whether the items of a list are strings.
func hasStrings(s *schema.Schema) bool { return s.Items != nil && s.Items.Type.V == "string" }

// isAddress reports whether a format is an attempt to say "an IP address". API servers have a format for each of the
// two kinds of addresses, but none for both.
func isAddress(format string) bool {
	return slices.Contains([]string{"ip", "ipaddr", "ipaddress"},
		strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(format)))
}

// helpAddress says how to accept what API servers accept now, or only IP addresses: with a rule where all versions of
// the range know isIP, or with the format of one kind of addresses. A rule for texts without limits may cost too much.
func helpAddress(p *session.Pass, f session.Finding, inList bool) {
	items, where, limits, text := "", "it", []string(nil), p.Schema
	if inList {
		items, where, text = "items:", "the items", p.Schema.Items
		if p.Schema.MaxItems == nil {
			limits = append(limits, "MaxItems")
		}
	}
	if text.MaxLength == nil {
		limits = append(limits, items+"MaxLength")
	}
	before := ""
	if len(limits) > 0 {
		before = "set " + diag.And(limits) + ", and "
	}
	f.Help("remove it").Do(diag.Remove, "")
	if p.Kube.First.NewRules().HasFunction("isIP") {
		f.Or("%s", p.Write().Choose(before+"write +kubebuilder:validation:"+items+`XValidation:rule="isIP(self)"`,
			before+"give "+where+" the rule isIP(self) instead")).
			Changes(diag.AcceptsLess, "only those with IP addresses")
	}
	for _, known := range []string{"ipv4", "ipv6"} {
		f.Or("%s", p.Write().Choose("write +kubebuilder:validation:"+items+"Format="+known,
			"give "+where+" the format "+known)).Changes(diag.AcceptsLess, "only those with the format")
	}
}

// knownFormats returns the formats of a type that API servers validate, sorted. They must not be changed.
func knownFormats(jsonType string) []string {
	switch jsonType {
	case "string", "":
		return stringFormats()
	case "integer":
		return integerFormats
	case "number":
		return numberFormats
	}
	return nil
}

var (
	stringFormats = sync.OnceValue(func() []string {
		var names []string
		for _, f := range kube.Formats() {
			names = append(names, f.Name)
		}
		return names
	})
	integerFormats = []string{"int32", "int64"}
	numberFormats  = []string{"double", "float"}
)
