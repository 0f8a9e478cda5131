package support

import (
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/cel-go/common/types"
)

// The functions on one argument, on values of every type.
func TestLibraryOfOne(t *testing.T) {
	o := newOracle(t)
	values := append(everyValue(), opaqueValues(opaqueTexts...)...)
	for _, call := range callsOf(1, stringLibrary, listLibrary, valueLibrary) {
		for _, v := range values {
			call.hold(o, v)
		}
	}
}

// The functions on two arguments, on values of every type.
func TestLibraryOfTwo(t *testing.T) {
	o := newOracle(t)
	values := few(1)
	for _, call := range callsOf(2, stringLibrary, listLibrary, valueLibrary) {
		for _, a := range values {
			for _, b := range values {
				call.hold(o, a, b)
			}
		}
	}
}

// nasty are unusual texts: characters of several bytes, bytes that are not UTF-8, and characters that are special to a
// function.
var nasty = textsAsValues("", "a", "aa", "aba", "Ab Ba", "é", "éaé", "日本語", "a\xffb", "\xff", "�", "\xe6\x97",
	" \t\n x \u2003", "a,b,,c", "\"\\\a\b\f\n\r\t\v\x00'",
	"%", "%%", "100%", "%s", "%s and %s", "%d|%o", "%x|%X", "%b%b", "%.2f|%.3e", "%f %e", "%.", "%.2", "%.s",
	"%.99999999999999999999d", "%z", "%é", "%s%s%s", "%5d",
	"(", "a*", "[", "a|b", "^$", `\d+`, "(?i)A", "x{1001}")

var places = intsAsValues(-1, 0, 1, 2, 3, 4, 7, math.MaxInt32, math.MinInt64, math.MaxInt64)

// The functions on strings, with unusual strings, at every position.
func TestLibraryOfStrings(t *testing.T) {
	o := newOracle(t)
	for _, a := range nasty {
		for _, call := range callsOf(1, stringLibrary) {
			call.hold(o, a)
		}
		for _, call := range callsOf(2, stringLibrary) {
			for _, b := range append(nasty, places...) {
				call.hold(o, a, b)
			}
		}
		for _, call := range callsOf(3, stringLibrary) {
			for _, b := range append(nasty, places...) {
				for _, c := range append(places, nasty[0], nasty[1], nasty[5]) {
					call.hold(o, a, b, c)
				}
			}
		}
	}
}

// Regular expressions that are compiled once find the same as those that are compiled each time. The name of a type can
// be used as a text.
func TestLibraryOfPatterns(t *testing.T) {
	o := newOracle(t)
	for _, pattern := range []string{"", "a*", "(a)|b", "^.$", `\d+`, "日"} {
		compiled := regexp.MustCompile(pattern)
		literal := `"` + strings.ReplaceAll(pattern, `\`, `\\`) + `"`
		calls := []libraryCall{
			{`a.matches(` + literal + `)`, func(a any) any { return MatchesDynCompiled(a, compiled) }},
			{`a.find(` + literal + `)`, func(a any) any { return FindMatchDynCompiled(a, compiled) }},
			{`a.findAll(` + literal + `)`, func(a any) any { return FindMatchesDynCompiled(a, compiled) }},
		}
		for _, a := range append(append(few(2), nasty...), opaqueValues(opaqueTexts...)...) {
			for _, call := range calls {
				call.hold(o, a)
			}
			libraryCall{`a.findAll(` + literal + `, b)`,
				func(a, b any) any { return FindMatchesNDynCompiled(a, compiled, b) }}.hold(o, a, places[3])
		}
		for _, a := range nasty {
			text := a.ours.(string)
			if MatchesCompiled(text, compiled) != Matches(text, pattern).val {
				t.Errorf("%q and %q match once only", text, pattern)
			}
			if FindMatchCompiled(text, compiled) != FindMatch(text, pattern).val {
				t.Errorf("%q in %q is found once only", pattern, text)
			}
			if showOurs(FindMatchesCompiled(text, compiled)) != showOurs(FindMatches(text, pattern).Dyn()) {
				t.Errorf("%q in %q is found once only", pattern, text)
			}
		}
	}
}

// The values of the libraries, and other values, are compared with each other.
func TestLibraryOfOpaqueValues(t *testing.T) {
	o := newOracle(t)
	texts := textsAsValues(append([]string{"a-b", "A", "a.b", "a.b/c", "x_", "-", "a-", "aaa-", "9", "2020-02-29",
		"2020-02-30", "2020-02-29T01:02:03Z", "2020-02-29T01:02:03",
		"123e4567-e89b-12d3-a456-426614174000", "YWJj", "YWJj=", strings.Repeat("a", 64), strings.Repeat("a.", 127),
		"dns1123Label", "datetime", "none"}, opaqueTexts...)...)
	values := opaqueValues(opaqueTexts...)
	for _, call := range callsOf(1, valueLibrary) {
		for _, a := range append(values, texts...) {
			call.hold(o, a)
		}
	}
	for _, call := range callsOf(2, valueLibrary) {
		for _, a := range values {
			for _, b := range append(append(values, texts...), places...) {
				call.hold(o, a, b)
			}
		}
		for _, a := range texts {
			call.hold(o, a, value{"true", types.True, true})
			call.hold(o, a, value{"false", types.False, false})
		}
	}
	for _, a := range texts {
		libraryCall{`format.named(a).hasValue()`,
			func(name string) any { return OptionalHasValue(FindFormat(name)) }}.hold(o, a)
	}
}

// The functions on lists, with positions in them, and those that know the type of the items.
func TestLibraryOfLists(t *testing.T) {
	o := newOracle(t)
	var lists []value
	for _, v := range everyValue() {
		if _, ok := v.ours.(List); ok {
			lists = append(lists, v)
		}
	}
	for _, v := range few(1) {
		lists = append(lists, listValue(nasty[1], v))
	}
	random, items := rand.New(rand.NewPCG(1, 2)), scalars()
	for range 60 {
		lists = append(lists, randomList(random, items))
	}
	for _, a := range lists {
		for _, call := range callsOf(3, listLibrary) {
			for _, b := range places {
				for _, c := range places {
					call.hold(o, a, b, c)
				}
			}
		}
		for _, call := range callsOf(1, listLibrary) {
			call.hold(o, a)
		}
		for _, call := range callsOf(2, listLibrary) {
			for range 20 {
				call.hold(o, a, somewhere(random, lists))
			}
			for _, b := range places {
				call.hold(o, a, b)
			}
		}
	}
	sorted := libraryCall{`a.sortBy(x, x)`, func(list any) any {
		return SortByDyn(bound(list), MapOf(list, func(x any) any { return x }))
	}}
	backwards := libraryCall{`a.sortBy(x, -int(x))`, func(list any) any {
		return SortBy(bound(list), MapOf(list, func(x any) any { return Negate(ConvertInt(x)) }))
	}}
	for _, a := range lists {
		sorted.hold(o, a)
		backwards.hold(o, a)
	}
}

// bound is a list as the macro sortBy binds it: an empty one is a new list.
func bound(list any) any {
	if list, ok := list.(List); ok && list.size() == 0 {
		return List{}
	}
	return list
}

// randomList is a list with values of few types, mostly of one.
func randomList(random *rand.Rand, values []value) value {
	var items []value
	item := somewhere(random, values)
	for range random.IntN(20) {
		next := somewhere(random, values)
		for random.IntN(20) > 0 && nameOf(next.ours) != nameOf(item.ours) {
			next = somewhere(random, values)
		}
		item = next
		items = append(items, item)
	}
	return listValue(items...)
}

func somewhere(random *rand.Rand, values []value) value { return values[random.IntN(len(values))] }

func listValue(items ...value) value {
	var theirs []any
	v := List{}
	name := "list"
	for _, item := range items {
		theirs, v.Items = append(theirs, item.theirs), append(v.Items, item.ours)
		name += " " + item.name
	}
	return value{name, types.NewDynamicList(types.DefaultTypeAdapter, theirs), v}
}

// The functions that know the types of their arguments, compared with those that find the types at run time.
func TestLibraryOfKnownTypes(t *testing.T) {
	o := newOracle(t)
	list := func(items ...any) List { return List{Items: items} }
	one, milli := ParseQuantity("1").val, ParseQuantity("1m").val
	first, second := ParseSemver("1.0.0").val, ParseSemver("1.0.1").val
	notDistinct := Distinct(Optional{"a", true})
	for expression, got := range map[string]any{
		`dyn(optional.of("a")).distinct().sortBy(x, x)`: SortBy(notDistinct, notDistinct),
		`[1, 2, 9223372036854775807].sum()`: SumOfInts(list(int64(1), int64(2),
			int64(math.MaxInt64))).Dyn(),
		`[1, -2, 3].sum()`:                        SumOfInts(list(int64(1), int64(-2), int64(3))).Dyn(),
		`[1].filter(x, false).sum()`:              SumOfInts(list()).Dyn(),
		`[1u, 18446744073709551615u].sum()`:       SumOfUints(list(uint64(1), uint64(math.MaxUint64))).Dyn(),
		`[1u, 2u].sum()`:                          SumOfUints(list(uint64(1), uint64(2))).Dyn(),
		`[1.5, -2.25, 1e308].sum()`:               SumOfDoubles(list(1.5, -2.25, 1e308)).Dyn(),
		`[duration("1h"), duration("-1s")].sum()`: SumOfDurations(list(time.Hour, -time.Second)).Dyn(),
		`["b", "a", "c"].sort()`:                  Sort(list("b", "a", "c")),
		`[["b"]][1].sort()`:                       Sort(noSuchOverload),
		`["b", "a"].sortBy(x, [1][size(x)])`:      SortBy(list("b", "a"), noSuchOverload),
		`["b", "a"].sortBy(x, size(x)).distinct()`: Distinct(SortBy(list("b", "a"),
			list(int64(1), int64(1)))),
		`[["b"]][1].distinct()`:                          Distinct(noSuchOverload),
		`[[["b"]]][1].flatten()`:                         Flatten(&Failure{"index out of bounds: 1"}),
		`[[1]].flatten([1][1])`:                          FlattenDeep(list(list(int64(1))), noSuchOverload),
		`string(ip("2001:0db8::"))`:                      IPString(ParseIP("2001:0db8::").val),
		`string(cidr("10.1.2.3/8"))`:                     CIDRString(ParseCIDR("10.1.2.3/8").val),
		`quantity("1").isLessThan(quantity("1m"))`:       QuantityLess(one, milli),
		`quantity("1m").isLessThan(quantity("1"))`:       QuantityLess(milli, one),
		`quantity("1").isGreaterThan(quantity("1m"))`:    QuantityGreater(one, milli),
		`quantity("1").isGreaterThan(quantity("1"))`:     QuantityGreater(one, one),
		`semver("1.0.0").isLessThan(semver("1.0.1"))`:    SemverLess(first, second),
		`semver("1.0.0").isLessThan(semver("1.0.0"))`:    SemverLess(first, first),
		`semver("1.0.0").isGreaterThan(semver("1.0.1"))`: SemverGreater(first, second),
		`semver("1.0.1").isGreaterThan(semver("1.0.0"))`: SemverGreater(second, first),
		`"aé日".size()`:                                   StringSize("aé日"),
	} {
		if want := o.eval(expression); showOurs(got) != want {
			t.Errorf("%s:\n got %s\nwant %s", expression, showOurs(got), want)
		}
	}
}
