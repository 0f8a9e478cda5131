package crd

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// TestRandomCRDs compares Encode with controller-gen on unusual CRDs.
func TestRandomCRDs(t *testing.T) {
	runs := 3000
	if testing.Short() {
		runs = 400
	}
	compared := 0
	for seed := range uint64(runs) {
		c, opts := randomCRD(seed, bits)
		want, err := oracle(c, opts)
		if err != nil {
			// Not every string survives being read as YAML; see FuzzScalar.
			continue
		}
		compared++
		if got := Encode(c, opts); !bytes.Equal(got, want) {
			t.Fatalf("seed %d: %s", seed, difference(got, want))
		}
	}
	if compared < runs*9/10 {
		t.Errorf("controller-gen writes only %d of %d CRDs: too few for a comparison", compared, runs)
	}
}

// A source makes random parts of CRDs, the same for the same seed.
type source struct {
	*rand.Rand
	// bits are the pieces of strings.
	bits []string
}

func randomCRD(seed uint64, bits []string) (*schema.CRD, Options) {
	r := source{rand.New(rand.NewPCG(seed, 1)), bits}
	c := &schema.CRD{
		Group: r.located(), Kind: r.located(), ListKind: r.located(), Plural: r.located(), Singular: r.located(),
		ShortNames: r.texts(), Categories: r.texts(), Scope: r.located(),
		Annotations: r.keyValues(), Labels: r.keyValues(),
	}
	if r.rarely() {
		c.PreserveUnknownFields = &schema.Flag{V: r.coin()}
	}
	for range r.IntN(3) {
		c.Versions = append(c.Versions, r.version())
	}
	opts := Options{}
	if r.coin() {
		opts.ToolVersion = r.text()
	}
	if r.coin() {
		opts.Header = []byte("# " + r.text() + "\n")
	}
	return c, opts
}

func (r source) coin() bool   { return r.IntN(2) == 0 }
func (r source) rarely() bool { return r.IntN(6) == 0 }

// bits are the pieces that random strings are made of: whatever makes a difference to YAML somewhere. From "<<" on,
// the YAML library does not read back all that it writes.
var bits = []string{
	"", " ", "  ", "\n", "\n\n", "a", "B", "word", "some words", "two  spaces", "colon: ", "c:d", ":",
	" #", "#", "-", "- ", "---", "...",
	"?", "? ", "'", "''", `"`, `\`, "[", "]", "{", "}", ",", "&", "*", "!", "|", ">", "%", "@", "`", "~", "=",
	"0", "1", "12", "007", "0x1F", "0b11", "0o17", "1_000", "1e3", "1.5", ".5", "+1", "-1",
	"1:30", "59", "2006-01-02",
	"2006-1-2T3:04:05Z", "y", "no", "On", "null", "true", "FALSE", ".inf", "-.inf", ".NaN", "1e400",
	"\t", "\r", "\x00", "\x1b", "é", "ß word", "日本語", "\u00a0", "😀", "\uFFFD",
	strings.Repeat("x", 78), strings.Repeat("long words ", 9),
	strings.Repeat("y", 130), "line one\nline two", "trailing \nspace", "\n leading",
	"<<", "\u0085", "\u2028", "\u2029", "\uFEFF", "\xff", "\xe2\x80",
}

// tame are the bits that survive being written and read.
var tame = bits[:slices.Index(bits, "<<")]

func (r source) text() string {
	var b strings.Builder
	for range 1 + r.IntN(4)*r.IntN(4) {
		b.WriteString(r.bits[r.IntN(len(r.bits))])
	}
	return b.String()
}

func (r source) located() schema.Text { return schema.Text{V: r.text()} }

func (r source) texts() (out []schema.Text) {
	for range r.IntN(3) {
		out = append(out, r.located())
	}
	return out
}

// keys returns different keys, sorted byte by byte, whose order is not a matter of chance.
func (r source) keys() []string {
	for {
		var keys []string
		for range r.IntN(5) {
			// Parsing JSON as YAML, controller-gen fails on keys beyond 1024 bytes and on those with U+0085.
			key := strings.ToValidUTF8(strings.ReplaceAll(r.text(), "\u0085", ""), "")
			keys = append(keys, key[:min(len(key), strings.IndexByte(key+"x", 'x')+120)])
		}
		slices.Sort(keys)
		if keys = slices.Compact(keys); !hasCycle(keys) {
			return keys
		}
	}
}

func (r source) keyValues() (out []schema.KeyValue) {
	if r.coin() {
		return nil
	}
	for _, key := range r.keys() {
		out = append(out, schema.KeyValue{Key: key, Value: r.text()})
	}
	return out
}

func (r source) version() schema.Version {
	v := schema.Version{Name: r.located(), Served: r.coin(), Storage: r.coin(), Deprecated: r.rarely()}
	if r.rarely() {
		v.DeprecationWarning = &schema.Text{V: r.text()}
	}
	if !r.rarely() {
		v.Schema = r.schema(2)
	}
	if r.coin() {
		v.Subresources = &schema.Subresources{}
		if r.coin() {
			v.Subresources.Status = &diag.Span{}
		}
		if r.coin() {
			v.Subresources.Scale = &schema.Scale{SpecReplicasPath: r.located(), StatusReplicasPath: r.located()}
			if r.coin() {
				v.Subresources.Scale.LabelSelectorPath = &schema.Text{V: r.text()}
			}
		}
	}
	for range r.IntN(3) {
		v.Columns = append(v.Columns, schema.Column{
			Name: r.located(), Type: r.located(), JSONPath: r.located(), Description: r.located(), Format: r.located(),
			Priority: int32(r.IntN(3) - 1),
		})
	}
	v.SelectableFields = r.texts()
	return v
}

func (r source) schema(depth int) *schema.Schema {
	s := &schema.Schema{}
	if r.coin() {
		s.Type, s.Description = r.located(), r.located()
	}
	for _, t := range []*schema.Text{&s.Title, &s.Format, &s.Pattern, &s.ListType, &s.MapType} {
		if r.rarely() {
			*t = r.located()
		}
	}
	for _, n := range []**schema.Number{&s.Maximum, &s.Minimum, &s.MultipleOf} {
		if r.rarely() {
			*n = &schema.Number{V: schema.RoundedNumber(r.number())}
		}
	}
	for _, n := range []**schema.Int{
		&s.MaxLength, &s.MinLength, &s.MaxItems, &s.MinItems, &s.MaxProperties, &s.MinProperties,
	} {
		if r.rarely() {
			*n = &schema.Int{V: r.Int64() >> r.IntN(64)}
		}
	}
	for _, f := range []**schema.Flag{
		&s.ExclusiveMaximum, &s.ExclusiveMinimum, &s.UniqueItems, &s.Nullable, &s.PreserveUnknownFields,
		&s.EmbeddedResource, &s.IntOrString,
	} {
		if r.rarely() {
			*f = &schema.Flag{V: r.coin()}
		}
	}
	r.literals(s)
	if depth > 0 {
		r.children(s, depth-1)
	}
	return s
}

func (r source) literals(s *schema.Schema) {
	if r.rarely() {
		v := r.value(3)
		s.Default = &v
	}
	if r.rarely() {
		v := r.value(3)
		s.Example = &v
	}
	if r.rarely() {
		s.ExternalDocs = &schema.ExternalDocs{}
		if r.coin() {
			s.ExternalDocs.URL, s.ExternalDocs.Description = r.located(), r.located()
		}
	}
	if r.rarely() {
		s.Required, s.ListMapKeys = r.texts(), r.texts()
		for range r.IntN(3) {
			s.Enum = append(s.Enum, r.value(2))
		}
		for range r.IntN(3) {
			rule := schema.Rule{Rule: r.located(), Message: r.located(), Reason: r.located(), FieldPath: r.located()}
			if r.coin() {
				rule.OptionalOldSelf = &schema.Flag{V: r.coin()}
				rule.MessageExpression = r.located()
			}
			s.Rules = append(s.Rules, rule)
		}
	}
}

func (r source) children(s *schema.Schema, depth int) {
	for _, child := range []**schema.Schema{&s.Items, &s.AdditionalProperties, &s.Not} {
		if r.rarely() {
			*child = r.schema(depth)
		}
	}
	s.AdditionalAllowed = r.rarely()
	for _, list := range []*[]*schema.Schema{&s.AllOf, &s.AnyOf, &s.OneOf} {
		if r.rarely() {
			for range r.IntN(3) {
				*list = append(*list, r.schema(depth))
			}
		}
	}
	keys := r.keys()
	r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	for _, key := range keys {
		s.Properties = append(s.Properties, schema.Property{Name: key, Schema: r.schema(depth)})
	}
}

// limits are numbers at the edges of the types that numbers pass through.
var limits = []string{
	"-0", "-0.0", "9007199254740993", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
	"18446744073709551615", "18446744073709551616", "1e20", "1e21", "100000000000000000000000", "1e-4", "1e-5", "1E+6",
	"0", "1.0", "0.50", "1234567.5", "10000000000000000000",
}

// jsonNumber is what a number becomes inside of a JSON value: an int64 where it is written as one that fits, and a
// float64 otherwise.
func jsonNumber(literal string) string {
	if n, err := strconv.ParseInt(literal, 10, 64); err == nil {
		return strconv.FormatInt(n, 10)
	}
	return schema.RoundedNumber(literal)
}

// number returns a JSON number of any size, written in any way.
func (r source) number() string {
	switch r.IntN(7) {
	case 0:
		return fmt.Sprint(r.IntN(2000) - 1000)
	case 1:
		return fmt.Sprint(int64(r.Uint64()) >> r.IntN(64))
	case 2:
		return fmt.Sprint(r.Uint64() >> r.IntN(3))
	case 3:
		return fmt.Sprint(r.NormFloat64())
	case 4:
		return fmt.Sprintf("%de%d", r.IntN(2000)-1000, r.IntN(50)-25)
	case 5:
		return fmt.Sprintf("%d.%d", r.IntN(30), r.IntN(30)*10)
	default:
		return limits[r.IntN(len(limits))]
	}
}

func (r source) value(depth int) schema.Value {
	kind := schema.Kind(r.IntN(6))
	if depth == 0 {
		kind = schema.Kind(r.IntN(4))
	}
	v := schema.Value{Kind: kind}
	switch kind {
	case schema.Bool:
		v.Text = fmt.Sprint(r.coin())
	case schema.NumberKind:
		v.Text = jsonNumber(r.number())
	case schema.String:
		v.Text = r.text()
	case schema.Array:
		for range r.IntN(3) {
			v.Items = append(v.Items, r.value(depth-1))
		}
	case schema.Object:
		for _, key := range r.keys() {
			v.Members = append(v.Members, schema.Member{Key: key, Value: r.value(depth - 1)})
		}
	}
	return v
}
