// Package pattern has the regular expressions that schemas use: formats of names, addresses, and ranges of numbers.
package pattern

import (
	"cmp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower/internal/cel"
	"github.com/crdproof/crdproof/schema"
)

// Patterns of what the decoders of known types accept.
const (
	// LevelPattern is what slog.Level decodes.
	LevelPattern = `^(?i:debug|info|warn|error)([+-][0-9]{1,9})?$`
	// ipv4Pattern and ipv6Pattern narrow the formats of addresses, which accept leading zeros.
	ipv4Octet   = `(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])`
	ipv4Text    = `(` + ipv4Octet + `\.){3}` + ipv4Octet
	Ipv4Pattern = `^` + ipv4Text + `$`
	Ipv6Pattern = `^` + ipv6Text + `$`
	CidrPattern = `^(` + ipv4Text + `|` + ipv6Text + `)/(0|[1-9][0-9]{0,2})$`
	// ipv6Text is eight groups. One run of them may be omitted, and the last two may be an IPv4 address.
	ipv6Group = `[0-9a-fA-F]{1,4}`
	ipv6Left  = `(` + ipv6Group + `:)`
	ipv6Right = `(:` + ipv6Group + `)`
	ipv6Text  = `(` + ipv6Left + `{7}` + ipv6Group + `|` + ipv6Left + `{1,7}:|` + ipv6Left + `{1,6}:` + ipv6Group +
		`|` + ipv6Left + `{1,5}` + ipv6Right + `{1,2}|` + ipv6Left + `{1,4}` + ipv6Right + `{1,3}|` + ipv6Left +
		`{1,3}` + ipv6Right + `{1,4}|` + ipv6Left + `{1,2}` + ipv6Right + `{1,5}|` + ipv6Left + ipv6Right +
		`{1,6}|:(` + ipv6Right + `{1,7}|:)|(` + ipv6Left + `{6}|::` + ipv6Left + `{0,5}|` + ipv6Left + `:` +
		ipv6Left + `{0,4}|` + ipv6Left + `{2}:` + ipv6Left + `{0,3}|` + ipv6Left + `{3}:` + ipv6Left + `{0,2}|` +
		ipv6Left + `{4}:` + ipv6Left + `{0,1}|` + ipv6Left + `{5}:)` + ipv4Text + `)`
	// ZonedPattern is an IPv6 address with a zone, which no format knows.
	ZonedPattern = `^` + ipv6Text + `%.+$`
	// AddrPortPattern is what netip.AddrPort writes.
	portText        = `(0|[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])`
	AddrPortPattern = `^(` + ipv4Text + `|\[` + ipv6Text + `(%[^\]]+)?\]):` + portText + `$`
)

// A Format is a named form of strings, in keywords that API servers of all versions enforce. (They check format: itself
// for two of the names alone, and that from 1.35 on.) A value of the format matches all patterns and not unlike, and
// has at most MaxLength characters; "" and 0 mean no such limit.
type Format struct {
	Name      string
	patterns  []string
	unlike    string
	maxLength int64
	// message is what the errors of rules say; "" for the name.
	message string
}

// Declared returns a format that a project has declared.
func Declared(name, pattern, message string) Format {
	return Format{Name: name, patterns: []string{pattern}, message: message}
}

// Message returns what the errors of rules say about a value that does not have the format.
func (f *Format) Message() string { return cmp.Or(f.message, "must be a valid "+f.Name) }

// Parts of names, as apimachinery has them (pkg/api/validate/content).
const (
	labelText     = `[a-z0-9]([-a-z0-9]*[a-z0-9])?`
	subdomainText = labelText + `(\.` + labelText + `)*`
	// keyText is the name in a label's key, with its 63 characters at most.
	keyText = `([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]`
	// identifierText is an identifier of C, with 32 characters at most.
	identifierText = `[A-Za-z_][A-Za-z0-9_]{0,31}`
)

// Formats returns those of the tag k8s:format (k8s.io/code-generator, validation-gen/validators/format.go). Each takes
// and rejects what its function in apimachinery does (pkg/api/validate/strfmt.go), which a test compares.
func Formats() []Format {
	return []Format{
		{Name: "k8s-condition-reason", patterns: []string{`^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$`}},
		{
			Name:     "k8s-extended-resource-name",
			patterns: []string{`^` + subdomainText + `/` + keyText + `$`, `^[^/]{1,244}/`},
			// A quota puts "requests." before the name, so it is shorter and does not begin with that.
			unlike:    `^requests\.|kubernetes\.io/`,
			maxLength: 244 + 1 + 63,
		},
		{
			// The tag's documentation lists it, and validation-gen has no function for it yet: this is ParseIPSloppy of
			// k8s.io/utils/net.
			Name:     "k8s-ip",
			patterns: []string{`^(` + withZeros(ipv4Text) + `|` + withZeros(ipv6Text) + `)$`},
		},
		{
			Name:      "k8s-label-key",
			patterns:  []string{`^(` + subdomainText + `/)?` + keyText + `$`, `^([^/]{1,253}/)?[^/]+$`},
			maxLength: 253 + 1 + 63,
		},
		{Name: "k8s-label-value", patterns: []string{`^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$`}, maxLength: 63},
		{Name: "k8s-long-name", patterns: []string{`^` + subdomainText + `$`}, maxLength: 253},
		{
			// To (?i), an s is a long s as well, and a k the sign for Kelvin. That these are longer in bytes, which the
			// function counts, is lost.
			Name: "k8s-long-name-caseless", patterns: []string{`^(?i)` + subdomainText + `$`}, maxLength: 253,
		},
		{Name: "k8s-path-segment-name", patterns: []string{`^([^./%][^/%]*|\.[^./%][^/%]*|\.\.[^/%]+)?$`}},
		{
			Name:      "k8s-prefixed-label-key",
			patterns:  []string{`^` + subdomainText + `/` + keyText + `$`, `^[^/]{1,253}/`},
			maxLength: 253 + 1 + 63,
		},
		{
			// Up to 0.37, the function accepts everything with two slashes.
			Name:      "k8s-resource-fully-qualified-name",
			patterns:  []string{`^` + subdomainText + `/` + identifierText + `$`, `^[^/]{1,63}/`},
			maxLength: 63 + 1 + 32,
		},
		{Name: "k8s-resource-pool-name", patterns: []string{`^` + subdomainText + `(/` + subdomainText + `)*$`},
			maxLength: 253},
		{Name: "k8s-short-name", patterns: []string{`^` + labelText + `$`}, maxLength: 63},
		{Name: "k8s-uuid", patterns: []string{`^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$`}, maxLength: 36},
	}
}

// withZeros permits zeros in front of the numbers of an address.
func withZeros(address string) string {
	return strings.NewReplacer(ipv4Octet, `0*`+ipv4Octet, ipv6Group, `0*`+ipv6Group).Replace(address)
}

// FormatOf returns the format of that name.
func FormatOf(name string) (f *Format, ok bool) {
	return FindFormat(Formats(), name)
}

// FindFormat returns the format of that name in a list.
func FindFormat(list []Format, name string) (f *Format, ok bool) {
	for i := range list {
		if list[i].Name == name {
			return &list[i], true
		}
	}
	return nil, false
}

// FormatNames returns the names of formats.
func FormatNames(list []Format) []string {
	names := make([]string, len(list))
	for i := range list {
		names[i] = list[i].Name
	}
	return names
}

// Condition returns the CEL for a string, the value of another expression, that has the format.
func (f *Format) Condition(value cel.Expr) cel.Expr {
	var terms []cel.Expr
	if f.maxLength > 0 {
		terms = append(terms, cel.Compare(cel.Size(value), "<=", cel.Int(f.maxLength)))
	}
	matches := func(pattern string) cel.Expr { return value.Call("matches", cel.Raw(pattern)) }
	for _, p := range f.patterns {
		terms = append(terms, matches(p))
	}
	if f.unlike != "" {
		terms = append(terms, cel.Not(matches(f.unlike)))
	}
	return cel.And(terms...)
}

// OrEmpty returns the format, or no text at all.
func (f *Format) OrEmpty() *Format {
	out := *f
	out.patterns = nil
	for _, p := range f.patterns {
		out.patterns = append(out.patterns, "^$|"+p)
	}
	return &out
}

// Schema returns a schema that requires the format, for a marker at a place.
func (f *Format) Schema(at diag.Span) *schema.Schema {
	out := &schema.Schema{}
	if f.maxLength > 0 {
		out.MaxLength = &schema.Int{V: f.maxLength, At: at}
	}
	for i, p := range f.patterns {
		if pattern := (schema.Text{V: p, At: at}); i == 0 {
			out.Pattern = pattern
		} else {
			out.AllOf = append(out.AllOf, &schema.Schema{At: at, Pattern: pattern})
		}
	}
	if f.unlike != "" {
		not := &schema.Schema{At: at, Pattern: schema.Text{V: f.unlike, At: at}}
		out.AllOf = append(out.AllOf, &schema.Schema{At: at, Not: not})
	}
	return out
}

// Names of formats as apimachinery's functions have them (pkg/util/validation, IsDNS1123Label and others).
const (
	dns1035Label     = "dns1035Label"
	dns1123Label     = "dns1123Label"
	dns1123Subdomain = "dns1123Subdomain"
)

// NameFormats returns the formats that names of objects can have. Names are DNS subdomains, so formats with a slash are
// excluded.
func NameFormats() []Format {
	withSlash := []string{"k8s-extended-resource-name", "k8s-prefixed-label-key", "k8s-resource-fully-qualified-name"}
	short, _ := FormatOf("k8s-short-name")
	long, _ := FormatOf("k8s-long-name")
	list := []Format{
		{Name: dns1035Label, patterns: []string{`^[a-z]([-a-z0-9]*[a-z0-9])?$`}, maxLength: 63},
		{Name: dns1123Label, patterns: short.patterns, maxLength: short.maxLength},
		{Name: dns1123Subdomain, patterns: long.patterns, maxLength: long.maxLength},
	}
	return append(list, slices.DeleteFunc(Formats(),
		func(f Format) bool { return slices.Contains(withSlash, f.Name) })...)
}

// GenerateNameFormats returns the formats of generateName by the format of the name that the API server makes of it: it
// cuts generateName to 58 characters and appends five letters and digits (k8s.io/apiserver, pkg/storage/names). An
// empty one counts as unset.
func GenerateNameFormats() []Format {
	const label, subdomain = `^([a-z0-9][-a-z0-9]*)?$`, `^(` + labelText + `\.)*([a-z0-9][-a-z0-9]*)?$`
	return []Format{
		{Name: dns1035Label, patterns: []string{`^([a-z][-a-z0-9]*)?$`}},
		{Name: dns1123Label, patterns: []string{label}},
		{Name: dns1123Subdomain, patterns: []string{subdomain}},
		{Name: "k8s-label-value", patterns: []string{`^([A-Za-z0-9][-A-Za-z0-9_.]*)?$`}},
		{Name: "k8s-long-name", patterns: []string{subdomain}},
		{Name: "k8s-short-name", patterns: []string{label}},
	}
}

// IsASCII reports whether a pattern matches the whole of a text, and no character beyond ASCII.
func IsASCII(pattern string) bool {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil || pattern == "" || parsed.Op != syntax.OpConcat || len(parsed.Sub) < 2 ||
		parsed.Sub[0].Op != syntax.OpBeginText || parsed.Sub[len(parsed.Sub)-1].Op != syntax.OpEndText {
		return false
	}
	var within func(*syntax.Regexp) bool
	within = func(r *syntax.Regexp) bool {
		switch r.Op {
		case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
			return false
		case syntax.OpLiteral, syntax.OpCharClass:
			if r.Flags&syntax.FoldCase != 0 || slices.ContainsFunc(r.Rune,
				func(c rune) bool { return c > unicode.MaxASCII }) {
				return false
			}
		}
		return !slices.ContainsFunc(r.Sub, func(sub *syntax.Regexp) bool { return !within(sub) })
	}
	return within(parsed)
}
