package lower

import (
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// A format is a named form of strings, in keywords that API servers of all versions enforce. (They check format: itself
// for two of the names alone, and that from 1.35 on.) A value of the format matches all patterns and not unlike, and
// has at most maxLength characters; "" and 0 mean no such limit.
type format struct {
	name      string
	patterns  []string
	unlike    string
	maxLength int64
}

// Parts of names, as apimachinery has them (pkg/api/validate/content).
const (
	labelText     = `[a-z0-9]([-a-z0-9]*[a-z0-9])?`
	subdomainText = labelText + `(\.` + labelText + `)*`
	// keyText is the name in a label's key, with its 63 characters at most.
	keyText = `([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]`
	// identifierText is an identifier of C, with 32 characters at most.
	identifierText = `[A-Za-z_][A-Za-z0-9_]{0,31}`
)

// formats are those of the tag k8s:format (k8s.io/code-generator, validation-gen/validators/format.go). Each takes and
// rejects what its function in apimachinery does (pkg/api/validate/strfmt.go), which a test compares.
func formats() []format {
	return []format{
		{
			name:     "k8s-extended-resource-name",
			patterns: []string{`^` + subdomainText + `/` + keyText + `$`, `^[^/]{1,244}/`},
			// A quota puts "requests." before the name, so it is shorter and does not begin with that.
			unlike:    `^requests\.|kubernetes\.io/`,
			maxLength: 244 + 1 + 63,
		},
		{
			// The tag's documentation lists it, and validation-gen has no function for it yet: this is ParseIPSloppy of
			// k8s.io/utils/net.
			name:     "k8s-ip",
			patterns: []string{`^(` + withZeros(ipv4Text) + `|` + withZeros(ipv6Text) + `)$`},
		},
		{
			name:      "k8s-label-key",
			patterns:  []string{`^(` + subdomainText + `/)?` + keyText + `$`, `^([^/]{1,253}/)?[^/]+$`},
			maxLength: 253 + 1 + 63,
		},
		{name: "k8s-label-value", patterns: []string{`^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$`}, maxLength: 63},
		{name: "k8s-long-name", patterns: []string{`^` + subdomainText + `$`}, maxLength: 253},
		{
			// To (?i), an s is a long s as well, and a k the sign for Kelvin. That these are longer in bytes, which the
			// function counts, is lost.
			name: "k8s-long-name-caseless", patterns: []string{`^(?i)` + subdomainText + `$`}, maxLength: 253,
		},
		{name: "k8s-path-segment-name", patterns: []string{`^([^./%][^/%]*|\.[^./%][^/%]*|\.\.[^/%]+)?$`}},
		{
			name:      "k8s-prefixed-label-key",
			patterns:  []string{`^` + subdomainText + `/` + keyText + `$`, `^[^/]{1,253}/`},
			maxLength: 253 + 1 + 63,
		},
		{
			// The function accepts everything with two slashes.
			name: "k8s-resource-fully-qualified-name",
			patterns: []string{
				`^(` + subdomainText + `/` + identifierText + `$|[^/]*/[^/]*/)`, `^([^/]{1,63}/|[^/]*/[^/]*/)`,
			},
		},
		{name: "k8s-resource-pool-name", patterns: []string{`^` + subdomainText + `(/` + subdomainText + `)*$`},
			maxLength: 253},
		{name: "k8s-short-name", patterns: []string{`^` + labelText + `$`}, maxLength: 63},
		{name: "k8s-uuid", patterns: []string{`^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$`}, maxLength: 36},
	}
}

// withZeros permits zeros in front of the numbers of an address.
func withZeros(address string) string {
	return strings.NewReplacer(ipv4Octet, `0*`+ipv4Octet, ipv6Group, `0*`+ipv6Group).Replace(address)
}

// formatOf returns the format of that name.
func formatOf(name string) (f *format, ok bool) {
	return findFormat(formats(), name)
}

func findFormat(list []format, name string) (f *format, ok bool) {
	for i := range list {
		if list[i].name == name {
			return &list[i], true
		}
	}
	return nil, false
}

func formatNames(list []format) []string {
	names := make([]string, len(list))
	for i := range list {
		names[i] = list[i].name
	}
	return names
}

// condition is the CEL for a string, the value of another expression, that has the format.
func (f *format) condition(value expr) expr {
	var terms []expr
	if f.maxLength > 0 {
		terms = append(terms, compare(size(value), "<=", integer(f.maxLength)))
	}
	matches := func(pattern string) expr { return value.call("matches", ident("r'"+pattern+"'")) }
	for _, p := range f.patterns {
		terms = append(terms, matches(p))
	}
	if f.unlike != "" {
		terms = append(terms, not(matches(f.unlike)))
	}
	return and(terms...)
}

// setFormat adds a format whose name is the marker's value.
func (ap applier) setFormat(n *node, m *markers.Marker, on target) {
	v := m.Arg("")
	f, ok := formatOf(v.Text)
	if !ok {
		ap.report(unknownFormat(v, formatNames(formats())))
		return
	}
	if on.field != nil && len(m.Steps) == 0 && n.sort == scalar && find(on.field.marks, markK8sOptional) != nil {
		f = f.orEmpty() // an empty text counts as unset, and Kubernetes does not check the format of that
	}
	f.addTo(&n.s, textOf(v))
}

// orEmpty is the format, or no text at all.
func (f *format) orEmpty() *format {
	out := *f
	out.patterns = nil
	for _, p := range f.patterns {
		out.patterns = append(out.patterns, "^$|"+p)
	}
	return &out
}

// addTo adds the format to a schema. The tighter of two bounds stays; a second pattern goes to allOf.
func (f *format) addTo(s *schema.Schema, from schema.Text) {
	if f.maxLength > 0 && (s.MaxLength == nil || s.MaxLength.V > f.maxLength) {
		s.MaxLength = &schema.Int{V: f.maxLength, At: from.At}
	}
	for _, p := range f.patterns {
		addPattern(s, schema.Text{V: p, At: from.At})
	}
	if f.unlike != "" {
		not := &schema.Schema{At: from.At, Pattern: schema.Text{V: f.unlike, At: from.At}}
		s.AllOf = append(slices.Clip(s.AllOf), &schema.Schema{At: from.At, Not: not})
	}
}

// addPattern adds a pattern to a schema that may have one already.
func addPattern(s *schema.Schema, pattern schema.Text) {
	switch s.Pattern.V {
	case "":
		s.Pattern = pattern
	case pattern.V:
	default:
		s.AllOf = append(slices.Clip(s.AllOf), &schema.Schema{At: pattern.At, Pattern: pattern})
	}
}

func unknownFormat(v *markers.Value, names []string) diag.Diagnostic {
	return diag.Errorf(v.At, markers.BadValue, "unknown format %q", v.Text).Help("%s", oneOfThese(v.Text, names))
}
