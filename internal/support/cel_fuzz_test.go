package support

import (
	"flag"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	apicel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	kubecel "k8s.io/apiserver/pkg/cel"
)

var randomValues = flag.Int("random-values", 3_000, "number of random pairs of values to compare with cel-go")

// The formats that CEL reads are read as strfmt reads them.
func FuzzCELFormats(f *testing.F) {
	for _, text := range []string{"", "1h", "1h30m", "2 weeks, 3 days", "5 µs", "1m 1min 1minute", "1 ns",
		"1 ms, 2 h, 3 nanos", "4 s", "12x3s", "1.5d", "9999999999999999999s", "-1w", "3wk", "1 hrs", "1\thour",
		"2020-02-29", "2020-02-29T23:59:59Z", "2020-02-29t23:59:59z", "2020-02-29T23:59:59.123456+01:00",
		"2020-02-29T23:59:59,5Z", "2020-02-29T23:59:59", "2020-02-29T24:00:00Z",
		"2020-02-29T3:59:59Z", "YQ==", "YQ", "_-==", "Y\nQ==", "YQ==YQ=="} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, format := range []string{"duration", "date", "date-time", "byte", "other"} {
			n := scalar("string", format)
			ours, theirs := showOurs(readJSON(text, n.ours)), showTheirs(apicel.UnstructuredToVal(text, n.theirs))
			if ours != theirs {
				t.Errorf("%q as %s:\n got %s\nwant %s", text, format, ours, theirs)
			}
		}
	})
}

func FuzzCELEscape(f *testing.F) {
	for _, name := range []string{"a", "", "1a", "a.b", "a-b", "a/b", "a__b", "a___b", "____", "_", "namespace",
		"__namespace__", "__dot__", "a__dot__b__dash____slash__", "__x__", "__namespace__a",
		"__underscores__", "___dot__", "__dot___", "ä", "a b", "__a_b__", "__dot__dot__"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		ours, ok := escape(name)
		if theirs, fine := kubecel.Escape(name); ours != theirs || ok != fine {
			t.Errorf("escape %q: got %q, %v, want %q, %v", name, ours, ok, theirs, fine)
		}
		ours, ok = unescape(name)
		if theirs, fine := kubecel.Unescape(name); ours != theirs || ok != fine {
			t.Errorf("unescape %q: got %q, %v, want %q, %v", name, ours, ok, theirs, fine)
		}
	})
}

// Texts are converted as cel-go converts them.
func FuzzCELConvertText(f *testing.F) {
	for _, v := range scalars() {
		if text, ok := v.ours.(string); ok {
			f.Add(text)
		}
	}
	conversions := []struct {
		typ  ref.Type
		ours func(any) any
	}{
		{types.BoolType, ConvertBool}, {types.BytesType, ConvertBytes}, {types.DoubleType, ConvertDouble},
		{types.DurationType, ConvertDuration},
		{types.IntType, ConvertInt}, {types.StringType, ConvertString},
		{types.TimestampType, ConvertTimestamp}, {types.UintType, ConvertUint},
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range conversions {
			if ours, theirs := showOurs(c.ours(text)),
				showTheirs(types.String(text).ConvertToType(c.typ)); ours != theirs {
				t.Errorf("%q as %s:\n got %s\nwant %s", text, c.typ, ours, theirs)
			}
		}
		if ours, theirs := showOurs(ConvertString([]byte(text))),
			showTheirs(types.Bytes(text).ConvertToType(types.StringType)); ours != theirs {
			t.Errorf("bytes %q:\n got %s\nwant %s", text, ours, theirs)
		}
	})
}

// Numbers of all types, and times, are compared, calculated and converted as cel-go does.
func FuzzCELNumbers(f *testing.F) {
	for _, a := range []int64{0, 1, -1, 1 << 31, 3037000500, 1 << 53, math.MaxInt64, math.MinInt64} {
		for _, b := range []int64{0, 1, -1, 7, math.MinInt64} {
			f.Add(a, b)
		}
	}
	o := newOracle(f)
	operators := []struct {
		expression string
		ours       func(a, b any) any
	}{
		{"a == b", Equal}, {"a < b", Less}, {"a >= b", GreaterEqual}, {"a + b", Add},
		{"a - b", Subtract},
		{"a * b", Multiply}, {"a / b", Divide}, {"a % b", Modulo},
		{"int(a)", func(a, _ any) any { return ConvertInt(a) }},
		{"uint(a)", func(a, _ any) any { return ConvertUint(a) }},
		{"double(a)", func(a, _ any) any { return ConvertDouble(a) }},
		{"string(a)", func(a, _ any) any { return ConvertString(a) }},
		{"timestamp(a)", func(a, _ any) any { return ConvertTimestamp(a) }},
		{"-a", func(a, _ any) any { return Negate(a) }},
	}
	f.Fuzz(func(t *testing.T, x, y int64) {
		forms := func(x int64) []value {
			d := math.Float64frombits(uint64(x))
			at := time.Unix(x%maxTime, x&0x3fffffff).UTC()
			return []value{
				{"int", types.Int(x), x}, {"uint", types.Uint(x), uint64(x)}, {"bits", types.Double(d), d},
				{"double", types.Double(x), float64(x)},
				{"duration", types.Duration{Duration: time.Duration(x)}, time.Duration(x)},
				{"timestamp", types.Timestamp{Time: at}, at},
			}
		}
		for _, a := range forms(x) {
			for _, b := range forms(y) {
				for _, op := range operators {
					if ours, theirs := showOurs(op.ours(a.ours, b.ours)), o.eval(op.expression, a, b); ours != theirs {
						t.Errorf("%s, %s %v, %s %v:\n got %s\nwant %s", op.expression, a, a.ours, b, b.ours, ours,
							theirs)
					}
				}
			}
		}
	})
}

// Values of random schemas, alike and different ones, are compared, added and searched as the API server does.
func TestCELRandomValues(t *testing.T) {
	o := newOracle(t)
	for seed := range uint64(*randomValues) {
		compareRandom(t, o, seed)
	}
}

func FuzzCELRandomValues(f *testing.F) {
	f.Add(uint64(1))
	o := newOracle(f)
	f.Fuzz(func(t *testing.T, seed uint64) { compareRandom(t, o, seed) })
}

func compareRandom(t *testing.T, o *oracle, seed uint64) {
	r := random{rand.New(rand.NewPCG(seed, 6))}
	n := r.node(3)
	a, b := r.json(n), r.json(n)
	if r.IntN(3) == 0 {
		b = r.change(a)
	}
	for _, op := range []struct {
		expression string
		ours       func(a, b any) any
	}{
		{"a == b", Equal}, {"a != b", NotEqual}, {"a + b", Add}, {"a in b", In},
		{"a in [b]", func(a, b any) any { return In(a, ListLiteral(b)) }},
		{"a + b == b + a", func(a, b any) any { return Equal(Add(a, b), Add(b, a)) }},
		{"b in a.map(x, x)", func(a, b any) any { return In(b, MapOf(a, func(x any) any { return x })) }},
		{"a.all(x, x in b)", func(a, b any) any {
			return AllOf(a, func(x any) Result[bool] { return As[bool](In(x, b)) }).Dyn()
		}},
		{"a.exists(k, v, b[?k].orValue(v) == v)", func(a, b any) any {
			return ExistsPair(a, func(k, v any) Result[bool] {
				return As[bool](Equal(OptionalOrValue(IndexOptional(b, k), func() any { return v }), v))
			}).Dyn()
		}},
	} {
		x, y := n.value("a", a), n.value("b", b)
		ours, theirs := showOurs(op.ours(x.ours, y.ours)), o.eval(op.expression, x, y)
		if ours != theirs && !mayDiffer(theirs) && !o.mayBe(ours, op.expression, x, y) {
			t.Errorf("seed %d, %s:\n   a %s\n   b %s\n got %s\nwant %s", seed, op.expression, showTheirs(x.theirs),
				showTheirs(y.theirs), ours, theirs)
		}
	}
}

// A random makes schemas, and JSON that mostly fits them, from few parts, so that its results are often alike.
type random struct{ *rand.Rand }

func pick[T any](r random, of ...T) T { return of[r.IntN(len(of))] }

func (r random) node(depth int) node {
	n := r.anyNode(depth)
	if r.IntN(5) == 0 {
		return n.nullable()
	}
	return n
}

func (r random) anyNode(depth int) node {
	if depth == 0 || r.IntN(4) == 0 {
		return pick(r, scalar("string", ""), scalar("string", pick(r, "date", "date-time", "duration", "byte")),
			scalar("integer", ""), scalar("number", ""), scalar("boolean", ""), intOrString(), preserved())
	}
	switch r.IntN(4) {
	case 0:
		return listOf(r.node(depth-1), pick(r, "", "atomic", "set"))
	case 1:
		keys := []string{"a", "b-c", "namespace", "d"}[:1+r.IntN(4)]
		fields := map[string]node{"v": r.node(depth - 1)}
		for _, key := range keys {
			fields[key] = pick(r, scalar("string", ""), scalar("string", "date"), scalar("integer", ""))
		}
		return listOf(object(fields), "map", keys...)
	case 2:
		return mapOf(r.node(depth - 1))
	}
	fields := map[string]node{}
	for range r.IntN(4) {
		fields[pick(r, "a", "b-c", "namespace", "d__e", "f")] = r.node(depth - 1)
	}
	return object(fields)
}

func (r random) json(n node) any {
	switch t := n.ours; {
	case r.IntN(25) == 0:
		return pick[any](r, nil, "a", int64(1), true, 1.5, []any{}, j{})
	case t.IntOrString:
		return pick[any](r, "a", "1", int64(1), int64(2))
	case t.Name == "object":
		object := j{}
		for _, name := range []string{"a", "b-c", "namespace", "d__e", "f", "v", "unknown"} {
			switch field := n.field(name); {
			case r.IntN(3) == 0:
			case field.ours != nil:
				object[name] = r.json(field)
			case r.IntN(8) == 0:
				object[name] = pick[any](r, "a", int64(1), nil)
			}
		}
		return object
	case t.Name == "array":
		list := []any{}
		for range r.IntN(4) {
			list = append(list, r.json(node{n.theirs.Items, t.Items}))
		}
		return list
	case t.Name == "string":
		switch t.Format {
		case "date":
			return pick[any](r, "2020-01-01", "2020-01-02", "no")
		case "date-time":
			return pick[any](r, "2020-01-01T00:00:00Z", "2020-01-01T00:00:00.0Z", "2020-01-01T01:00:00+01:00")
		case "duration":
			return pick[any](r, "1h", "60m", "2 hours")
		case "byte":
			return pick[any](r, "YQ==", "Yg==", "?")
		}
		return pick[any](r, "a", "b", "namespace", "1")
	case t.Name == "integer":
		return pick[any](r, int64(0), int64(1), int64(2))
	case t.Name == "number":
		return pick[any](r, int64(0), int64(1), 1.0, 1.5)
	case t.Name == "boolean":
		return pick[any](r, true, false)
	}
	return pick[any](r, j{"a": int64(1)}, j{"a": 1.0}, []any{"a"}, "a", int64(1))
}

// field is the schema of a field or of a map's values.
func (n node) field(name string) node {
	if n.ours.Values != nil {
		return node{n.theirs.AdditionalProperties.Structural, n.ours.Values}
	}
	if t := n.ours.field(name); t != nil {
		s := n.theirs.Properties[name]
		return node{&s, t}
	}
	return node{}
}

// change is JSON that is almost the same: in another order, or with something added or removed.
func (r random) change(json any) any {
	switch json := json.(type) {
	case []any:
		out := []any{}
		for _, i := range r.Perm(len(json)) {
			if r.IntN(6) > 0 {
				out = append(out, r.change(json[i]))
			}
		}
		return out
	case map[string]any:
		out := j{}
		for name, value := range json {
			out[name] = r.change(value)
		}
		if r.IntN(6) == 0 {
			out[strings.Repeat("a", 1+r.IntN(2))] = nil
		}
		return out
	}
	return json
}
