package support

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Operations with one operand, on every value.
func TestCELUnary(t *testing.T) {
	o := newOracle(t)
	ops := []struct {
		expression string
		ours       func(a any) any
	}{
		{"-a", Negate}, {"!a", func(a any) any { return Not(As[bool](a)).Dyn() }},
		{"size(a)", Size}, {"a.size()", Size}, {"type(a)", TypeOf},
		{"type(type(a))", func(a any) any { return TypeOf(TypeOf(a)) }},
		{"bool(a)", ConvertBool}, {"bytes(a)", ConvertBytes}, {"double(a)", ConvertDouble},
		{"duration(a)", ConvertDuration},
		{"int(a)", ConvertInt}, {"string(a)", ConvertString}, {"timestamp(a)", ConvertTimestamp},
		{"uint(a)", ConvertUint},
		{"a.x", func(a any) any { return Select(a, "x") }}, {"a.k", func(a any) any { return Select(a, "k") }},
		{"a.?k", func(a any) any { return SelectOptional(a, "k") }},
		{"has(a.k)", func(a any) any { return Present(a, "k") }},
		{"has(a.a)", func(a any) any { return Present(a, "a") }},
		{"a.a", func(a any) any { return Select(a, "a") }},
		{"has(a.v)", func(a any) any { return Present(a, "v") }},
		{"a.v", func(a any) any { return Select(a, "v") }},
		{"a.?v", func(a any) any { return SelectOptional(a, "v") }},
		{"has(a.?a.b)", func(a any) any { return Present(SelectOptional(a, "a"), "b") }},
		{"a.?a.b", func(a any) any { return Select(SelectOptional(a, "a"), "b") }},
		{"a.?a[0]", func(a any) any { return Index(SelectOptional(a, "a"), int64(0)) }},
		{"a.__namespace__", func(a any) any { return Select(a, "__namespace__") }},
		{"a.x__dash__y", func(a any) any { return Select(a, "x__dash__y") }},
		{"a.a__dot__b", func(a any) any { return Select(a, "a__dot__b") }},
		{"a.a__underscores__b", func(a any) any { return Select(a, "a__underscores__b") }},
		{"a.a__b", func(a any) any { return Select(a, "a__b") }},
		{"a.__namespace__x", func(a any) any { return Select(a, "__namespace__x") }},
		{"{'a': a}.a.k", func(a any) any { return Select(Closed(a), "k") }},
		{"[a][0][0]", func(a any) any { return Index(Closed(a), int64(0)) }},
		{"has({'a': a}.a.k)", func(a any) any { return Present(Closed(a), "k") }},
		{"{'a': a}.a.?k", func(a any) any { return SelectOptional(Closed(a), "k") }},
		{"a[0]", func(a any) any { return Index(a, int64(0)) }},
		{"a[?1]", func(a any) any { return IndexOptional(a, int64(1)) }},
		{"a[dyn(0.0)]", func(a any) any { return Index(a, float64(0)) }},
		{"a[?dyn(0u)]", func(a any) any { return IndexOptional(a, uint64(0)) }},
		{"a['a']", func(a any) any { return Index(a, "a") }},
		{"a[?'a']['b']", func(a any) any { return Index(IndexOptional(a, "a"), "b") }},
		{"optional.of(a)", OptionalOf}, {"optional.ofNonZeroValue(a)", OptionalOfNonZero},
		{"a.value()", OptionalValue}, {"a.hasValue()", OptionalHasValue},
		{"a in [1, 2, 3]", constants(int64(1), int64(2), int64(3))},
		{"a in [1.0, 0.5, 9223372036854775807.0]", constants(1.0, 0.5, 9223372036854775807.0)},
		{"a in [1u, 18446744073709551615u]", constants(uint64(1), uint64(18446744073709551615))},
		{"a in ['a', 'b']", constants("a", "b")}, {"a in [true]", constants(true)},
		{"a in [null]", func(a any) any { return In(a, ListLiteral(nil)) }},
		{"a in {1: 2, 3: 4}", func(a any) any {
			return In(a,
				MapLiteral(int64(1), int64(2), int64(3), int64(4)))
		}},
		{"a.map(x, type(x))", func(a any) any { return MapOf(a, TypeOf) }},
		{"a.map(x, has(x.k), x.k)", func(a any) any {
			return MapIf(a, func(x any) Result[bool] { return As[bool](Present(x, "k")) },
				func(x any) any { return Select(x, "k") })
		}},
		{"a.filter(x, x)", func(a any) any { return Filter(a, As[bool]) }},
		{"a.all(x, x)", func(a any) any { return AllOf(a, As[bool]).Dyn() }},
		{"a.exists(x, x)", func(a any) any { return ExistsOf(a, As[bool]).Dyn() }},
		{"a.exists_one(x, x)", func(a any) any { return ExistsOneOf(a, As[bool]).Dyn() }},
		{"a.transformMap(k, v, k)", func(a any) any {
			return TransformMap(a, Always, func(k, v any) any { return k })
		}},
		{"a + a == a", func(a any) any { return Equal(Add(a, a), a) }},
		{"a ? 1 : a", func(a any) any {
			return IfDyn(As[bool](a), func() any { return int64(1) }, func() any { return a })
		}},
	}
	for _, part := range []struct {
		name string
		time func(time.Time) int64
	}{
		{"getFullYear", FullYear}, {"getMonth", Month}, {"getDayOfYear", DayOfYear},
		{"getDayOfMonth", DayOfMonth},
		{"getDate", Date}, {"getDayOfWeek", DayOfWeek},
	} {
		ops = append(ops, struct {
			expression string
			ours       func(a any) any
		}{"a." + part.name + "()", func(a any) any { return TimePart(part.name, a, part.time) }})
	}
	for _, part := range []struct {
		name  string
		time  func(time.Time) int64
		whole func(time.Duration) int64
	}{
		{"getHours", Hours, DurationHours}, {"getMinutes", Minutes, DurationMinutes},
		{"getSeconds", Seconds, DurationSeconds}, {"getMilliseconds", Milliseconds, DurationMilliseconds},
	} {
		ops = append(ops, struct {
			expression string
			ours       func(a any) any
		}{"a." + part.name + "()", func(a any) any {
			return TimeOrDurationPart(part.name, a, part.time,
				part.whole)
		}})
	}
	for _, op := range ops {
		t.Run(op.expression, func(t *testing.T) {
			for _, a := range append(everyValue(), opaqueValues()...) {
				ours, theirs := showOurs(op.ours(a.ours)), o.eval(op.expression, a)
				if ours != theirs && !mayDiffer(theirs) && !o.mayBe(ours, op.expression, a) {
					t.Errorf("a = %s:\n got %s\nwant %s", a, ours, theirs)
				}
			}
		})
	}
}

func constants(values ...any) func(any) any {
	return func(a any) any { return InConstants(a, values) }
}

// A time zone is a name, or hours and minutes, which cel-go hardly checks.
func TestCELTimeZones(t *testing.T) {
	o := newOracle(t)
	for _, at := range []string{"0001-01-01T00:00:00Z", "2020-02-29T23:59:59.999999999Z", "2020-12-31T23:30:00+01:00",
		"9999-12-31T23:59:59Z"} {
		moment := value{at, nil, nil}
		parsed := StringToTime(at).val
		for _, zone := range []string{"", "UTC", "Europe/Berlin", "America/Los_Angeles", "Nowhere", "+01:00", "-08:00",
			"01:30", "-00:30", "+99:99", ":", "a:0", "0:b", "1:2:3", "99999999999:0"} {
			for _, part := range []struct {
				name string
				ours func(time.Time) int64
			}{
				{"getFullYear", FullYear}, {"getMonth", Month}, {"getDayOfYear", DayOfYear},
				{"getDayOfMonth", DayOfMonth}, {"getDate", Date},
				{"getDayOfWeek", DayOfWeek}, {"getHours", Hours}, {"getMinutes", Minutes},
				{"getSeconds", Seconds}, {"getMilliseconds", Milliseconds},
			} {
				ours := showOurs(ZonedPart(part.name, parsed, zone, part.ours))
				theirs := o.eval(fmt.Sprintf("timestamp(%q).%s(%q)", at, part.name, zone))
				if ours != theirs {
					t.Errorf("%s in %q, %s:\n got %s\nwant %s", moment, zone, part.name, ours, theirs)
				}
			}
		}
	}
}

// The functions of lists of optional values, and the first and last item of any.
func TestCELFirstLastUnwrap(t *testing.T) {
	o := newOracle(t)
	for _, op := range []struct {
		expression string
		ours       func(a any) any
	}{
		{"a.first()", First}, {"a.last()", Last},
		{"optional.unwrap(a)", func(a any) any { return Unwrap("optional.unwrap", a) }},
		{"a.unwrapOpt()", func(a any) any { return Unwrap("unwrapOpt", a) }},
	} {
		for _, a := range everyValue() {
			if ours, theirs := showOurs(op.ours(a.ours)), o.eval(op.expression, a); ours != theirs &&
				!mayDiffer(theirs) {
				t.Errorf("%s, a = %s:\n got %s\nwant %s", op.expression, a, ours, theirs)
			}
		}
	}
}

// Messages contain values as cel-go writes them. For a value with a schema, this depends on its address in memory.
func TestCELShow(t *testing.T) {
	for _, v := range append(append(scalars(), containers()...), opaqueValues()...) {
		ours, same := show(v.ours), false
		for range 1_000 { // for maps
			if same = ours == fmt.Sprint(v.theirs); same {
				break
			}
		}
		if !same && !mayDiffer(fmt.Sprint(v.theirs)) && !strings.HasPrefix(v.name, "format ") {
			t.Errorf("%s: got %q, want %q", v, ours, fmt.Sprint(v.theirs))
		}
	}
}

// Optional entries of literals must be optional values. An expression that was not checked may violate this.
func TestCELOptionalEntries(t *testing.T) {
	o := newOracle(t)
	for _, literal := range []struct {
		expression string
		ours       func(a, b any) any
	}{
		{"[?a, b]", func(a, b any) any { return ListLiteral(EntryIf{a}, b) }},
		{"{'k': b, ?'k': a}", func(a, b any) any { return MapLiteral("k", b, "k", EntryIf{a}) }},
		{"{'k': 1, ?b: a}", func(a, b any) any { return MapLiteral("k", int64(1), b, EntryIf{a}) }},
	} {
		parsed, issues := o.env.Parse(literal.expression)
		if issues.Err() != nil {
			t.Fatal(issues.Err())
		}
		program, err := o.env.Program(parsed)
		if err != nil {
			t.Fatal(err)
		}
		o.programs[literal.expression] = program
		for _, a := range append(scalars(), containers()...) {
			for _, b := range few(2) {
				ours, theirs := showOurs(literal.ours(a.ours, b.ours)), o.eval(literal.expression, a, b)
				if ours != theirs && !mayDiffer(theirs) && !o.mayBe(ours, literal.expression, a, b) {
					t.Fatalf("%s, a = %s, b = %s:\n got %s\nwant %s", literal.expression, a, b, ours, theirs)
				}
			}
		}
	}
}
