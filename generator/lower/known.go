package lower

import (
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/internal/gojson"
	"github.com/crdproof/crdproof/schema"
)

// Packages whose types have a known schema.
const (
	pkgMeta         = "k8s.io/apimachinery/pkg/apis/meta/v1"
	pkgUnstructured = pkgMeta + "/unstructured"
	pkgResource     = "k8s.io/apimachinery/pkg/api/resource"
	pkgRuntime      = "k8s.io/apimachinery/pkg/runtime"
	pkgIntstr       = "k8s.io/apimachinery/pkg/util/intstr"
	pkgExtV1        = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	pkgExtV1beta1   = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
)

// Patterns of what the decoders of known types accept.
const (
	// levelPattern is what slog.Level decodes.
	levelPattern = `^(?i:debug|info|warn|error)([+-][0-9]{1,9})?$`
	// ipv4Pattern and ipv6Pattern narrow the formats of addresses, which accept leading zeros.
	ipv4Octet   = `(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])`
	ipv4Text    = `(` + ipv4Octet + `\.){3}` + ipv4Octet
	ipv4Pattern = `^` + ipv4Text + `$`
	ipv6Pattern = `^` + ipv6Text + `$`
	cidrPattern = `^(` + ipv4Text + `|` + ipv6Text + `)/(0|[1-9][0-9]{0,2})$`
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
	// zonedPattern is an IPv6 address with a zone, which no format knows.
	zonedPattern = `^` + ipv6Text + `%.+$`
	// addrPortPattern is what netip.AddrPort writes.
	portText        = `(0|[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])`
	addrPortPattern = `^(` + ipv4Text + `|\[` + ipv6Text + `(%[^\]]+)?\]):` + portText + `$`
)

// A known is a type whose JSON form its declaration does not show.
type known struct {
	pkg, name string
	// refusesNull is set if Go cannot decode null into the type, though it may write it.
	refusesNull bool
}

// A knownType is a row of the table of known types.
type knownType struct {
	pkg, name string
	// declared is what is left of the type's declaration.
	declared load.Opaque
	node     func() *node
	// zero is the JSON form of the type's zero value.
	zero string
	// compat is the schema of controller-gen, rejected if it has none; nil if it reads the declaration.
	compat func() *node
	// refusesNull is set if Go cannot decode null into the type, though it may write it.
	refusesNull bool
}

// noNull is the name of a type into which Go cannot decode null; empty for others.
func (k *known) noNull() string {
	if !k.refusesNull {
		return ""
	}
	return path.Base(k.pkg) + "." + k.name
}

// What is left of the declarations. Most known types marshal themselves. Time and MicroTime embed time.Time, so that
// types made of them do so too.
var (
	opaque       = load.Opaque{}
	marshalsJSON = load.Opaque{Methods: []string{"MarshalJSON", "UnmarshalJSON"}}
	byPointer    = load.Opaque{Methods: []string{"*MarshalJSON", "UnmarshalJSON"}}
	textPointer  = load.Opaque{Methods: []string{"*MarshalText", "UnmarshalText"}}
	marshalsText = load.Opaque{Methods: []string{"MarshalText", "UnmarshalText"}}
	marshalsBoth = load.Opaque{Methods: []string{"MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText"}}
	hasZero      = load.Opaque{Methods: append([]string{"IsZero"}, marshalsJSON.Methods...)}
	timeMethods  = append([]string{"IsZero"}, marshalsBoth.Methods...)
	ofTime       = load.Opaque{Methods: timeMethods}
	embedsTime   = load.Opaque{Methods: hasZero.Methods, Promoted: timeMethods}
	rawMessage   = load.Opaque{Underlying: "[]byte", Methods: marshalsJSON.Methods}
	textBytes    = load.Opaque{Underlying: "[]byte", Methods: marshalsText.Methods}
	textNumber   = load.Opaque{Underlying: "string"}
	level        = load.Opaque{Underlying: "int", Methods: marshalsBoth.Methods}
)

// knownTypes is the table of such types in Kubernetes' libraries and in Go's own.
var knownTypes = [...]knownType{
	{pkgMeta, "ObjectMeta", opaque, object, `{}`, object, false},
	{pkgMeta, "Time", embedsTime, goTime, `null`, dateTime, false},
	{pkgMeta, "MicroTime", embedsTime, microTime, `null`, dateTime, false},
	{pkgMeta, "Duration", marshalsJSON, textLike(schema.DurationPattern), `"0s"`, text, true},
	{pkgMeta, "Fields", opaque, anyMap, `null`, anyMap, false},
	{pkgMeta, "FieldsV1", marshalsJSON, rawObject, `null`, nil, false},
	{pkgResource, "Quantity", hasZero, quantity, `"0"`, quantity, false},
	{pkgRuntime, "RawExtension", marshalsJSON, rawObject, `null`, rawObject, false},
	{pkgUnstructured, "Unstructured", byPointer, anyKind, `null`, object, true},
	{pkgIntstr, "IntOrString", marshalsJSON, int32OrString, `0`, intOrString, false},
	{pkgExtV1, "JSON", marshalsJSON, anything, `null`, anything, false},
	{pkgExtV1beta1, "JSON", marshalsJSON, anything, `null`, anything, false},

	{"encoding/json", "RawMessage", rawMessage, anything, `null`, nil, false},
	{"encoding/json", "Number", textNumber, number, `0`, nil, false},
	{"log/slog", "Level", level, textLike(levelPattern), `"INFO"`, nil, true},
	{"math/big", "Int", byPointer, bigInteger, `0`, rejected, false},
	{"math/big", "Float", textPointer, text, `"0"`, nil, false},
	{"math/big", "Rat", textPointer, text, `"0"`, nil, false},
	{"net", "IP", textBytes, oneOfTexts(ipv4, ipv6), `""`, nil, false},
	{"net/netip", "Addr", marshalsText, oneOfTexts(ipv4, ipv6, matching(zonedPattern)), `""`, nil, false},
	{"net/netip", "AddrPort", marshalsText, oneOfTexts(matching(addrPortPattern)), `""`, nil, false},
	{"net/netip", "Prefix", marshalsText, oneOfTexts(cidr), `""`, nil, false},
	{"time", "Time", ofTime, goTime, `"0001-01-01T00:00:00Z"`, rejected, false},
}

// byPointer reports whether only a pointer to the type marshals it.
func (k *knownType) byPointer() bool {
	return slices.ContainsFunc(k.declared.Methods, func(m string) bool { return strings.HasPrefix(m, "*") })
}

// known is what nodes of the type refer to.
func (k *knownType) known() *known { return &known{pkg: k.pkg, name: k.name, refusesNull: k.refusesNull} }

// findKnown returns the row of a type, or nil.
func findKnown(pkgPath, name string) *knownType {
	for i := range knownTypes {
		if k := &knownTypes[i]; k.pkg == pkgPath && k.name == name {
			return k
		}
	}
	return nil
}

// opaqueTypes are the types whose declaration need not be read, with what takes its place. Without known-types they are
// those that controller-gen knows; and those that it rejects, except under compat.
func opaqueTypes(opts Options) map[string]load.Opaque {
	out := map[string]load.Opaque{}
	for i := range knownTypes {
		k := &knownTypes[i]
		if opts.With(knownForms) || theirs(k) != nil || k.compat != nil && !opts.Compat {
			out[k.pkg+"."+k.name] = k.declared
		}
	}
	return out
}

// theirs is the schema of controller-gen, nil if it has none for the type as such.
func theirs(k *knownType) *node {
	if k.compat == nil {
		return nil
	}
	return k.compat()
}

// rejected stands for the schema of a type that controller-gen rejects.
func rejected() *node { return nil }

func typed(jsonType string) *node { return &node{s: schema.Schema{Type: schema.Text{V: jsonType}}} }

func object() *node { return typed("object") }
func text() *node   { return typed("string") }
func number() *node { return typed("number") }

func bigInteger() *node {
	n := typed("integer")
	n.ints = &gojson.Range{Unbounded: true}
	return n
}

func dateTime() *node {
	n := text()
	n.s.Format.V = "date-time"
	return n
}

// goTime describes a time.Time, microTime one of metav1 with six digits after the seconds.
func goTime() *node    { return timeLike(schema.TimePattern) }
func microTime() *node { return timeLike(schema.MicroTimePattern) }

func timeLike(pattern string) *node {
	n := textLike(pattern)()
	n.s.Format.V = "date-time"
	return n
}

// textLike describes a string with a pattern. A more specific pattern on the field replaces it.
func textLike(pattern string) func() *node {
	return func() *node {
		n := text()
		n.s.Pattern.V, n.replaceable = pattern, true
		return n
	}
}

// Alternatives of a string.
var (
	ipv4 = schema.Schema{Format: schema.Text{V: "ipv4"}, Pattern: schema.Text{V: ipv4Pattern}}
	ipv6 = schema.Schema{Format: schema.Text{V: "ipv6"}, Pattern: schema.Text{V: ipv6Pattern}}
	cidr = schema.Schema{Format: schema.Text{V: "cidr"}, Pattern: schema.Text{V: cidrPattern}}
)

func matching(p string) schema.Schema { return schema.Schema{Pattern: schema.Text{V: p}} }

// oneOfTexts describes a string of one of several forms, or an empty one, which is the zero value.
func oneOfTexts(forms ...schema.Schema) func() *node {
	return func() *node {
		n := text()
		for i := range forms {
			n.s.AnyOf = append(n.s.AnyOf, &forms[i])
		}
		n.s.AnyOf = append(n.s.AnyOf, &schema.Schema{MaxLength: &schema.Int{V: 0}})
		return n
	}
}

func anyMap() *node {
	n := object()
	n.s.AdditionalAllowed = true
	return n
}

func rawObject() *node {
	n := object()
	n.s.PreserveUnknownFields = &schema.Flag{V: true}
	return n
}

// anyKind is an object with a kind, which Unstructured needs to decode it.
func anyKind() *node {
	n := rawObject()
	kind := text()
	kind.s.MinLength = &schema.Int{V: 1}
	version := text() // Go decodes a group, a slash and a version, or a version alone
	version.s.Pattern.V = `^[^/]*(/[^/]*)?$`
	n.properties = []property{{name: "apiVersion", node: version}, {name: "kind", node: kind}}
	n.s.Required = []schema.Text{{V: "kind"}}
	return n
}

func anything() *node {
	return &node{s: schema.Schema{PreserveUnknownFields: &schema.Flag{V: true}}}
}

func intOrString() *node {
	return &node{s: schema.Schema{
		IntOrString: &schema.Flag{V: true},
		AnyOf:       []*schema.Schema{{Type: schema.Text{V: "integer"}}, {Type: schema.Text{V: "string"}}},
	}}
}

// int32OrString is an IntOrString whose integers are those that Go decodes.
func int32OrString() *node {
	n := intOrString()
	n.ints = &gojson.Range{Min: -1 << 31, Max: 1<<31 - 1}
	return n
}

func quantity() *node {
	n := intOrString()
	n.s.Pattern.V = schema.QuantityPattern
	return n
}

// knownNode returns the node of a known type.
func (d describer) knownNode(pkgPath, name string) *node {
	k := findKnown(pkgPath, name)
	if name == "ObjectMeta" && d.meta == metaDescribed {
		return embeddedObjectMeta()
	}
	n, compat := k.node(), theirs(k)
	switch {
	case compat != nil && !d.opts.With(knownForms):
		n = compat
	case compat == nil || !reflect.DeepEqual(compat.s, n.s): // finishInts decides about the range of integers
		n.deviation = knownForms
	}
	n.zero = zeroText(k.zero)
	n.s.Origin = originOf(k)
	return n
}

// originOf is what rules must know of the type.
func originOf(k *knownType) schema.Origin {
	switch {
	case k.pkg == pkgResource && k.name == "Quantity":
		return schema.Quantity
	case k.pkg == pkgMeta && k.name == "Duration":
		return schema.Duration
	}
	return schema.NoOrigin
}

// embeddedObjectMeta describes the fields of ObjectMeta that users write, without those that the API server sets.
func embeddedObjectMeta() *node {
	texts := func() *node {
		n := object()
		n.additional = text()
		return n
	}
	list := typed("array")
	list.items = text()
	n := object()
	n.zero = zeroText(`{}`)
	n.properties = []property{
		{name: "name", node: text()},
		{name: "namespace", node: text()},
		{name: "annotations", node: texts()},
		{name: "labels", node: texts()},
		{name: "finalizers", node: list},
	}
	return n
}
