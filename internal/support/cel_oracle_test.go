package support

import (
	"fmt"
	"math"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	apicel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	kubecel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

// An oracle is cel-go, as the API server sets it up, with variables a, b and c of no known type.
type oracle struct {
	t        testing.TB
	env      *cel.Env
	programs map[string]cel.Program
}

func newOracle(t testing.TB) *oracle {
	base := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).StoredExpressionsEnv()
	env, err := base.Extend(cel.Variable("a", cel.DynType), cel.Variable("b", cel.DynType),
		cel.Variable("c", cel.DynType))
	if err != nil {
		t.Fatal(err)
	}
	return &oracle{t, env, map[string]cel.Program{}}
}

func (o *oracle) program(expression string) cel.Program {
	if p := o.programs[expression]; p != nil {
		return p
	}
	ast, issues := o.env.Compile(expression)
	if issues.Err() != nil {
		o.t.Fatalf("%s: %v", expression, issues.Err())
	}
	p, err := o.env.Program(ast)
	if err != nil {
		o.t.Fatalf("%s: %v", expression, err)
	}
	o.programs[expression] = p
	return p
}

// eval returns the result of cel-go for an expression.
func (o *oracle) eval(expression string, args ...value) string {
	vars := map[string]any{"a": types.NullValue, "b": types.NullValue, "c": types.NullValue}
	for i, arg := range args {
		vars[string("abc"[i])] = arg.theirs
	}
	out, _, err := o.program(expression).Eval(vars)
	if err != nil {
		return "failure: " + err.Error()
	}
	return showTheirs(out)
}

// mayBe reports whether cel-go sometimes has this result: with maps, its result depends on the order of Go's maps.
func (o *oracle) mayBe(result, expression string, args ...value) bool {
	for range 300 {
		if o.eval(expression, args...) == result {
			return true
		}
	}
	return false
}

// mayDiffer reports whether a message contains an address in memory.
func mayDiffer(text string) bool { return inMemory.MatchString(text) }

// A value is a CEL value in both of its forms. Each use creates it again, since the API server decodes each value
// again, too.
type value struct {
	name   string
	theirs ref.Val
	ours   any
}

func (v value) String() string { return v.name }

// showTheirs and showOurs format a value so that equal values have the same text.
func showTheirs(v ref.Val) string {
	switch v := v.(type) {
	case *types.Err:
		return "failure: " + v.Error()
	case types.Null:
		return "null"
	case kubecel.Format:
		return "format " + v.Name
	case *kubecel.Format:
		return "format " + v.Name
	case types.Bytes:
		return fmt.Sprintf("bytes %x", []byte(v))
	case types.Timestamp:
		return "timestamp " + v.Format(time.RFC3339Nano)
	case *types.Type:
		return "type " + v.TypeName()
	case *types.Optional:
		if !v.HasValue() {
			return "none"
		}
		return "optional(" + showTheirs(v.GetValue()) + ")"
	case traits.Lister:
		var items []string
		for i := types.Int(0); i < v.Size().(types.Int); i++ {
			items = append(items, showTheirs(v.Get(i)))
		}
		return fmt.Sprintf("%T[%s]", v, strings.Join(items, ", "))
	case traits.Mapper:
		var entries []string
		for it := v.Iterator(); it.HasNext() == types.True; {
			key := it.Next()
			if key == nil {
				entries = append(entries, "?")
				continue
			}
			item, found := v.Find(key)
			if !found {
				item = types.String("absent")
			}
			entries = append(entries, showTheirs(key)+": "+showTheirs(item))
		}
		sort.Strings(entries)
		return fmt.Sprintf("%T{%s}", v, strings.Join(entries, ", "))
	}
	if v.Type() == types.UnknownType {
		return fmt.Sprintf("unknown %v", v.Value())
	}
	return fmt.Sprintf("%s %v", v.Type().TypeName(), v.Value())
}

func showOurs(v any) string {
	switch v := v.(type) {
	case *Failure:
		return "failure: " + v.text
	case nil:
		return "null"
	case NamedFormat:
		return "format " + v.name
	case []byte:
		return fmt.Sprintf("bytes %x", v)
	case time.Time:
		return "timestamp " + v.Format(time.RFC3339Nano)
	case TypeName:
		return "type " + string(v)
	case Optional:
		if !v.set {
			return "none"
		}
		return "optional(" + showOurs(v.val) + ")"
	case List:
		var items []string
		for i := range v.Items {
			items = append(items, showOurs(v.at(i)))
		}
		return fmt.Sprintf("%s[%s]", goName(v), strings.Join(items, ", "))
	case *celMap:
		var entries []string
		for _, e := range v.entries {
			if isNaN(e.key) {
				e.val = "absent" // nothing finds a NaN
			}
			entries = append(entries, showOurs(e.key)+": "+showOurs(e.val))
		}
		sort.Strings(entries)
		return fmt.Sprintf("%s{%s}", goName(v), strings.Join(entries, ", "))
	case schemaObject:
		var entries []string
		for _, key := range v.keys() {
			if key == nil {
				entries = append(entries, "?")
				continue
			}
			item, found := v.find(key)
			if !found {
				item = "absent"
			}
			entries = append(entries, showOurs(key)+": "+showOurs(item))
		}
		sort.Strings(entries)
		return fmt.Sprintf("%s{%s}", goName(v), strings.Join(entries, ", "))
	case unknownData:
		return fmt.Sprintf("unknown %v", v.value)
	}
	return fmt.Sprintf("%s %v", nameOf(v), v)
}

// scalars are values at the edges of ranges.
func scalars() []value {
	var all []value
	add := func(theirs ref.Val, ours any) {
		all = append(all, value{fmt.Sprintf("%s %v", theirs.Type().TypeName(), theirs.Value()), theirs, ours})
	}
	add(types.NullValue, nil)
	for _, b := range []bool{false, true} {
		add(types.Bool(b), b)
	}
	for _, i := range []int64{0, 1, -1, 2, 3, -7, 60, 1 << 32, -1 << 40, 1<<53 + 1, math.MaxInt64, math.MaxInt64 - 1,
		math.MinInt64, math.MinInt64 + 1, 253402300799, 253402300800} {
		add(types.Int(i), i)
	}
	for _, u := range []uint64{0, 1, 2, 3, 1 << 53, math.MaxInt64, math.MaxInt64 + 1, math.MaxUint64} {
		add(types.Uint(u), u)
	}
	for _, f := range []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 2, 3.5, 1e6, 1e20, 1e21, 1e-7, 1 << 53,
		math.MaxInt64, math.MinInt64, math.MaxUint64, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()} {
		add(types.Double(f), f)
	}
	for _, s := range []string{"", "a", "b", "é", "true", "T", "1", "-1", "1.5", "0x10", "18446744073709551615",
		"1e400", "1h", "1d", "2020-01-02T03:04:05Z", "2020-01-02T03:04:05.678+01:00", "0000-01-01T00:00:00Z", "x-y",
		"__dot__", "UTC", "a\xff"} {
		add(types.String(s), s)
	}
	for _, s := range []string{"", "a", "b", "\xff"} {
		add(types.Bytes(s), []byte(s))
	}
	for _, s := range []string{"0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "2020-02-29T23:59:59.999999999Z",
		"2020-03-01T00:59:59.999999999+01:00", "9999-12-31T23:59:59.999999999Z"} {
		at, err := time.Parse(time.RFC3339, s)
		if err != nil {
			panic(err)
		}
		add(types.Timestamp{Time: at}, at)
	}
	for _, d := range []time.Duration{0, 1, -1, time.Second, -90 * time.Minute, 1234567 * time.Microsecond,
		math.MaxInt64, math.MinInt64} {
		add(types.Duration{Duration: d}, d)
	}
	add(types.IntType, TypeName("int"))
	add(types.MapType, TypeName("map"))
	add(types.ListType, TypeName("list"))
	add(types.OptionalType, TypeName("optional_type"))
	add(types.NewErr("failure of its own"), &Failure{"failure of its own"})
	return all
}

// containers are lists, maps and optional values, made of some scalars.
func containers() []value {
	var all []value
	list := func(values ...value) value {
		v := value{name: fmt.Sprint(values)}
		var theirs []ref.Val
		var ours []any
		for _, e := range values {
			theirs, ours = append(theirs, e.theirs), append(ours, e.ours)
		}
		v.theirs, v.ours = types.NewRefValList(types.DefaultTypeAdapter, theirs), List{Items: ours}
		return v
	}
	mapping := func(pairs ...value) value {
		v := value{name: "map" + fmt.Sprint(pairs)}
		theirs, ours := map[ref.Val]ref.Val{}, []any{}
		for i := 0; i < len(pairs); i += 2 {
			theirs[pairs[i].theirs] = pairs[i+1].theirs
			ours = append(ours, pairs[i].ours, pairs[i+1].ours)
		}
		v.theirs, v.ours = types.NewRefValMap(types.DefaultTypeAdapter, theirs), MapLiteral(ours...)
		return v
	}
	optional := func(v value) value {
		return value{"optional " + v.name, types.OptionalOf(v.theirs), Optional{v.ours, true}}
	}
	null := value{"null", types.NullValue, nil}
	one, oneU, oneD := value{"1", types.Int(1), int64(1)}, value{"1u", types.Uint(1), uint64(1)},
		value{"1.0", types.Double(1), float64(1)}
	two, nan := value{"2", types.Int(2), int64(2)}, value{"NaN", types.Double(math.NaN()), math.NaN()}
	a, b := value{"a", types.String("a"), "a"}, value{"b", types.String("b"), "b"}
	yes := value{"true", types.True, true}
	data := value{"b'a'", types.Bytes("a"), []byte("a")}
	all = append(all, list(), list(one), list(oneD), list(one, two), list(two, one), list(two, oneU), list(a),
		list(a, b), list(b, a), list(a, a),
		list(null), list(nan), list(data), list(a, one, yes, null), list(list(one)), list(list(), list(a)),
		list(mapping(a, one)), list(optional(one)), list(optional(one), a),
		list(value{"none", types.OptionalNone, Optional{}}, optional(a)),
		mapping(), mapping(a, one), mapping(a, oneD), mapping(a, two, b, one), mapping(one, a), mapping(oneU, a),
		mapping(one, a, oneU, b), mapping(oneD, a), mapping(yes, a),
		mapping(a, null), mapping(a, list(one)), mapping(a, mapping(b, one)), mapping(a, optional(one)),
		mapping(null, a), mapping(a, nan),
		value{"none", types.OptionalNone, Optional{}}, optional(null), optional(one), optional(oneD), optional(a),
		optional(list(one)), optional(mapping(a, one)),
		optional(optional(mapping(a, one))))
	return all
}

// node is a schema in its two forms. The fields below describe a value of it.
type node struct {
	theirs *schema.Structural
	ours   *Type
}

func scalar(typ, format string) node {
	s := &schema.Structural{Generic: schema.Generic{Type: typ}}
	if format != "" {
		s.ValueValidation = &schema.ValueValidation{Format: format}
	}
	return node{s, &Type{Name: typ, Format: format}}
}

func (n node) nullable() node {
	theirs, ours := *n.theirs, *n.ours
	theirs.Nullable, ours.Nullable = true, true
	return node{&theirs, &ours}
}

func listOf(items node, listType string, keys ...string) node {
	s := &schema.Structural{Generic: schema.Generic{Type: "array"}, Items: items.theirs}
	if listType != "" {
		s.XListType = &listType
		s.XListMapKeys = keys
	}
	return node{s, &Type{Name: "array", Items: items.ours, ListType: listType, ListKeys: keys}}
}

func mapOf(values node) node {
	s := &schema.Structural{Generic: schema.Generic{Type: "object"},
		AdditionalProperties: &schema.StructuralOrBool{Structural: values.theirs, Bool: true}}
	return node{s, &Type{Name: "object", Values: values.ours}}
}

func object(fields map[string]node) node {
	s := &schema.Structural{Generic: schema.Generic{Type: "object"}}
	t := &Type{Name: "object"}
	var names []string
	for name, n := range fields {
		if s.Properties == nil {
			s.Properties = map[string]schema.Structural{}
		}
		s.Properties[name] = *n.theirs
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		t.Fields = append(t.Fields, TypeField{name, fields[name].ours})
	}
	return node{s, t}
}

// embedded is a resource within another, whose metadata the API server knows in part.
func embedded(fields map[string]node) node {
	n := object(fields)
	n.theirs.XEmbeddedResource = true
	fields["apiVersion"], fields["kind"] = scalar("string", ""), scalar("string", "")
	fields["metadata"] = object(map[string]node{"name": scalar("string", ""), "generateName": scalar("string", "")})
	n.ours.Resource = object(fields).ours
	return n
}

func preserved() node {
	s := &schema.Structural{}
	s.XPreserveUnknownFields = true
	return node{s, &Type{Preserve: true}}
}

func intOrString() node {
	s := &schema.Structural{}
	s.XIntOrString = true
	return node{s, &Type{IntOrString: true}}
}

// value reads JSON in both ways.
func (n node) value(name string, json any) value {
	return value{name, apicel.UnstructuredToVal(json, n.theirs), readJSON(json, n.ours)}
}
