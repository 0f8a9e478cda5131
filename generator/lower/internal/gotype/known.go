package gotype

import (
	"go/types"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/options"
	"github.com/crdproof/crdproof/generator/lower/internal/pattern"
	"github.com/crdproof/crdproof/internal/gojson"
	"github.com/crdproof/crdproof/internal/moved"
	"github.com/crdproof/crdproof/schema"
)

// A knownType is a row of the table of known types.
type knownType struct {
	pkg, name string
	// declared is what is left of the type's declaration.
	declared load.Opaque
	node     func() *node.Node
	// zero is the JSON form of the type's zero value.
	zero string
	// compat is the schema of controller-gen, rejected if it has none; nil if it reads the declaration.
	compat func() *node.Node
	// pattern is that of the texts that Go decodes, with which only time-patterns narrows the schema; "" without one.
	pattern string
	// refusesNull is set if Go cannot decode null into the type, though it may write it.
	refusesNull bool
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
	{node.PkgMeta, "ObjectMeta", opaque, node.Object, `{}`, node.Object, ``, false},
	{node.PkgMeta, "Time", embedsTime, dateTime, `null`, dateTime, schema.TimePattern, false},
	{node.PkgMeta, "MicroTime", embedsTime, dateTime, `null`, dateTime, schema.MicroTimePattern, false},
	{node.PkgMeta, "Duration", marshalsJSON, node.Text, `"0s"`, node.Text, schema.DurationPattern, true},
	{node.PkgMeta, "Fields", opaque, anyMap, `null`, anyMap, ``, false},
	{node.PkgMeta, "FieldsV1", marshalsJSON, rawObject, `null`, nil, ``, false},
	{node.PkgResource, "Quantity", hasZero, quantity, `"0"`, quantity, ``, false},
	{node.PkgRuntime, "RawExtension", marshalsJSON, rawObject, `null`, rawObject, ``, false},
	{node.PkgUnstructured, "Unstructured", byPointer, anyKind, `null`, node.Object, ``, true},
	{node.PkgIntstr, "IntOrString", marshalsJSON, int32OrString, `0`, intOrString, ``, false},
	{node.PkgExtV1, "JSON", marshalsJSON, anything, `null`, anything, ``, false},
	{node.PkgExtV1beta1, "JSON", marshalsJSON, anything, `null`, anything, ``, false},

	{"encoding/json", "RawMessage", rawMessage, anything, `null`, nil, ``, false},
	{"encoding/json", "Number", textNumber, number, `0`, nil, ``, false},
	{"log/slog", "Level", level, textLike(pattern.LevelPattern), `"INFO"`, nil, ``, true},
	{"math/big", "Int", byPointer, bigInteger, `0`, rejected, ``, false},
	{"math/big", "Float", textPointer, node.Text, `"0"`, nil, ``, false},
	{"math/big", "Rat", textPointer, node.Text, `"0"`, nil, ``, false},
	{"net", "IP", textBytes, oneOfTexts(ipv4, ipv6), `""`, nil, ``, false},
	{"net/netip", "Addr", marshalsText, oneOfTexts(ipv4, ipv6, matching(pattern.ZonedPattern)), `""`, nil, ``, false},
	{"net/netip", "AddrPort", marshalsText, oneOfTexts(matching(pattern.AddrPortPattern)), `""`, nil, ``, false},
	{"net/netip", "Prefix", marshalsText, oneOfTexts(cidr), `""`, nil, ``, false},
	{"time", "Time", ofTime, dateTime, `"0001-01-01T00:00:00Z"`, rejected, schema.TimePattern, false},
}

// ByPointer reports whether only a pointer to the type marshals it.
func (k *knownType) byPointer() bool {
	return slices.ContainsFunc(k.declared.Methods, func(m string) bool { return strings.HasPrefix(m, "*") })
}

// known returns what nodes of the type refer to.
func (k *knownType) known() *node.Known {
	return &node.Known{Pkg: k.pkg, Name: k.name, RefusesNull: k.refusesNull}
}

// findKnown returns the row of a type, or nil.
func findKnown(pkgPath, name string) *knownType {
	former := moved.Former(pkgPath)
	for i := range knownTypes {
		if k := &knownTypes[i]; k.pkg == former && k.name == name {
			return k
		}
	}
	return nil
}

// OpaqueTypes returns the types whose declaration need not be read, with what takes its place. Without known-types they
// are those that controller-gen knows; and those that it rejects, except under compat.
func OpaqueTypes(opts options.Options) map[string]load.Opaque {
	out := map[string]load.Opaque{}
	for i := range knownTypes {
		k := &knownTypes[i]
		if opts.With(options.KnownForms) || theirs(k) != nil || k.compat != nil && !opts.Compat {
			for _, pkg := range moved.Paths(k.pkg) {
				out[pkg+"."+k.name] = k.declared
			}
		}
	}
	return out
}

// theirs returns the schema of controller-gen, nil if it has none for the type as such.
func theirs(k *knownType) *node.Node {
	if k.compat == nil {
		return nil
	}
	return k.compat()
}

// rejected stands for the schema of a type that controller-gen rejects.
func rejected() *node.Node { return nil }
func number() *node.Node   { return node.OfType("number") }

func bigInteger() *node.Node {
	n := node.OfType("integer")
	n.Ints = &gojson.Range{Unbounded: true}
	return n
}

func dateTime() *node.Node {
	n := node.Text()
	n.Own.Format.V = "date-time"
	return n
}

// textLike describes a string with a pattern. A more specific pattern on the field replaces it.
func textLike(pattern string) func() *node.Node {
	return func() *node.Node {
		n := node.Text()
		n.Own.Pattern.V, n.Replaceable = pattern, true
		return n
	}
}

// Alternatives of a string.
var (
	ipv4 = schema.Schema{Format: schema.Text{V: "ipv4"}, Pattern: schema.Text{V: pattern.Ipv4Pattern}}
	ipv6 = schema.Schema{Format: schema.Text{V: "ipv6"}, Pattern: schema.Text{V: pattern.Ipv6Pattern}}
	cidr = schema.Schema{Format: schema.Text{V: "cidr"}, Pattern: schema.Text{V: pattern.CidrPattern}}
)

func matching(p string) schema.Schema { return schema.Schema{Pattern: schema.Text{V: p}} }

// oneOfTexts describes a string of one of several forms, or an empty one, which is the zero value.
func oneOfTexts(forms ...schema.Schema) func() *node.Node {
	return func() *node.Node {
		n := node.Text()
		for i := range forms {
			n.Own.AnyOf = append(n.Own.AnyOf, &forms[i])
		}
		n.Own.AnyOf = append(n.Own.AnyOf, &schema.Schema{MaxLength: &schema.Int{V: 0}})
		return n
	}
}

func anyMap() *node.Node {
	n := node.Object()
	n.Own.AdditionalAllowed = true
	return n
}

func rawObject() *node.Node {
	n := node.Object()
	n.Own.PreserveUnknownFields = &schema.Flag{V: true}
	return n
}

// anyKind returns an object with a kind, which Unstructured needs to decode it.
func anyKind() *node.Node {
	n := rawObject()
	kind := node.Text()
	kind.Own.MinLength = &schema.Int{V: 1}
	version := node.Text() // Go decodes a group, a slash and a version, or a version alone
	version.Own.Pattern.V = `^[^/]*(/[^/]*)?$`
	n.Properties = []node.Property{{Name: "apiVersion", Node: version}, {Name: "kind", Node: kind}}
	n.Own.Required = []schema.Text{{V: "kind"}}
	return n
}

func anything() *node.Node {
	return &node.Node{Own: schema.Schema{PreserveUnknownFields: &schema.Flag{V: true}}}
}

func intOrString() *node.Node {
	return &node.Node{Own: schema.Schema{
		IntOrString: &schema.Flag{V: true},
		AnyOf:       []*schema.Schema{{Type: schema.Text{V: "integer"}}, {Type: schema.Text{V: "string"}}},
	}}
}

// int32OrString returns an IntOrString whose integers are those that Go decodes.
func int32OrString() *node.Node {
	n := intOrString()
	n.Ints = &gojson.Range{Min: -1 << 31, Max: 1<<31 - 1}
	return n
}

func quantity() *node.Node {
	n := intOrString()
	n.Own.Pattern.V = schema.QuantityPattern
	return n
}

// knownNode returns the node of a known type.
func (d Describer) knownNode(pkgPath, name string) *node.Node {
	k := findKnown(pkgPath, name)
	if name == "ObjectMeta" && d.meta == metaDescribed {
		return embeddedObjectMeta()
	}
	n, compat := k.node(), theirs(k)
	switch {
	case compat != nil && !d.Opts.With(options.KnownForms):
		n = compat
	case compat == nil || !reflect.DeepEqual(compat.Own, n.Own): // finishInts decides about the range of integers
		n.Deviation = options.KnownForms
	}
	d.narrow(n, k)
	n.Zero = zeroText(k.zero)
	return n
}

// narrow adds the origin of a known type to its node, and on request the pattern.
func (d Describer) narrow(n *node.Node, k *knownType) {
	n.Own.Origin = originOf(k)
	if k.pattern != "" && d.Opts.With(options.TimePatterns) {
		n.Own.Pattern.V, n.Replaceable, n.Deviation = k.pattern, true, options.TimePatterns
	}
}

// originOf returns what rules must know of the type.
func originOf(k *knownType) schema.Origin {
	switch {
	case k.pkg == node.PkgResource && k.name == "Quantity":
		return schema.Quantity
	case k.pkg == node.PkgIntstr:
		return schema.IntOrString
	case k.pattern == schema.DurationPattern:
		return schema.Duration
	case k.pattern == schema.TimePattern:
		return schema.Time
	case k.pattern == schema.MicroTimePattern:
		return schema.MicroTime
	}
	return schema.OriginOf(path.Base(k.pkg) + "." + k.name)
}

// embeddedObjectMeta describes the fields of ObjectMeta that users write, without those that the API server sets.
func embeddedObjectMeta() *node.Node {
	texts := func() *node.Node {
		n := node.Object()
		n.Additional = node.Text()
		return n
	}
	list := node.OfType("array")
	list.Items = node.Text()
	n := node.Object()
	n.Zero = zeroText(`{}`)
	n.Properties = []node.Property{
		{Name: "name", Node: node.Text()},
		{Name: "namespace", Node: node.Text()},
		{Name: "annotations", Node: texts()},
		{Name: "labels", Node: texts()},
		{Name: "finalizers", Node: list},
	}
	return n
}

func null() *schema.Value { return &schema.Value{Kind: schema.Null} }

// zeroText returns a zero value of the table of known types: null, {}, a number or a string.
func zeroText(text string) *schema.Value {
	switch {
	case text == "null":
		return null()
	case text == "{}":
		return &schema.Value{Kind: schema.Object}
	case text[0] != '"':
		return &schema.Value{Kind: schema.NumberKind, Text: text}
	}
	return &schema.Value{Kind: schema.String, Text: strings.Trim(text, `"`)}
}

// zeroOfBasic returns the JSON form of the zero value of a basic type.
func zeroOfBasic(info types.BasicInfo) *schema.Value {
	switch {
	case info&types.IsBoolean != 0:
		return &schema.Value{Kind: schema.Bool, Text: "false"}
	case info&types.IsString != 0:
		return &schema.Value{Kind: schema.String}
	}
	return &schema.Value{Kind: schema.NumberKind, Text: "0"}
}
