package support

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/apiserver/pkg/cel/library"
)

// A libraryCall is an expression and the function that computes it, with the arguments a, b and c.
type libraryCall struct {
	expression string
	function   any
}

// name is that of the CEL function.
func (c libraryCall) name() string {
	name, _, _ := strings.Cut(strings.TrimPrefix(c.expression, "a."), "(")
	return name
}

// eval calls the function as generated code does: arguments that are not of the types of its parameters have no
// overload.
func (c libraryCall) eval(args ...any) any {
	f := reflect.ValueOf(c.function)
	in := make([]reflect.Value, len(args))
	for i, arg := range args {
		param := f.Type().In(i)
		switch {
		case param.Kind() == reflect.Interface && arg == nil:
			in[i] = reflect.Zero(param)
		case param.Kind() == reflect.Interface || reflect.TypeOf(arg) == param:
			in[i] = reflect.ValueOf(arg)
		default:
			return crdNoOverload(c.name(), args...)
		}
	}
	return dynOf(f.Call(in)[0].Interface())
}

// dynOf is a result as a dynamic value.
func dynOf(value any) any {
	switch r := value.(type) {
	case crdResult[bool]:
		return r.dyn()
	case crdResult[int64]:
		return r.dyn()
	case crdResult[uint64]:
		return r.dyn()
	case crdResult[float64]:
		return r.dyn()
	case crdResult[string]:
		return r.dyn()
	case crdResult[time.Duration]:
		return r.dyn()
	case crdResult[crdList]:
		return r.dyn()
	case crdResult[crdURL]:
		return r.dyn()
	case crdResult[crdIP]:
		return r.dyn()
	case crdResult[crdCIDR]:
		return r.dyn()
	case crdResult[crdQuantity]:
		return r.dyn()
	case crdResult[crdSemver]:
		return r.dyn()
	}
	return value
}

// stringLibrary, listLibrary and valueLibrary are the calls of all functions, on arguments of unknown types.
var stringLibrary = []libraryCall{
	{`a.contains(b)`, crdContainsDyn},
	{`a.startsWith(b)`, crdHasPrefixDyn},
	{`a.endsWith(b)`, crdHasSuffixDyn},
	{`a.charAt(b)`, crdCharAt},
	{`a.indexOf(b)`, crdIndexOfDyn},
	{`a.indexOf(b, c)`, crdIndexOfFrom},
	{`a.lastIndexOf(b)`, crdLastIndexOfDyn},
	{`a.lastIndexOf(b, c)`, crdLastIndexOfFrom},
	{`a.lowerAscii()`, crdLowerASCII},
	{`a.upperAscii()`, crdUpperASCII},
	{`a.replace(b, c)`, strings.ReplaceAll},
	{`a.replace(b, "é", c)`, func(s, old, n any) any { return replaceOf(s, old, "é", n) }},
	{`a.replace("a", b, c)`, func(s, replacement, n any) any { return replaceOf(s, "a", replacement, n) }},
	{`a.format([b, c])`, func(format, b, c any) any { return formatOf(format, b, c) }},
	{`a.split(b)`, crdSplit},
	{`a.split(b, c)`, crdSplitN},
	{`a.substring(b)`, crdSubstringFrom},
	{`a.substring(b, c)`, crdSubstring},
	{`a.trim()`, strings.TrimSpace},
	{`strings.quote(a)`, crdQuote},
	{`a.matches(b)`, crdMatchesDyn},
	{`a.find(b)`, crdFindMatchDyn},
	{`a.findAll(b)`, crdFindMatchesDyn},
	{`a.findAll(b, c)`, crdFindMatchesNDyn},
}

var listLibrary = []libraryCall{
	{`a.join()`, crdJoinAll},
	{`a.join(b)`, crdJoin},
	{`a.isSorted()`, crdIsSortedDyn},
	{`a.min()`, crdMinDyn},
	{`a.max()`, crdMaxDyn},
	{`a.sum()`, crdSumDyn},
	{`a.indexOf(b)`, crdIndexOfDyn},
	{`a.lastIndexOf(b)`, crdLastIndexOfDyn},
	{`a.includes(b)`, crdIncludes},
	{`a.slice(b, c)`, crdSlice},
	{`a.flatten()`, crdFlatten},
	{`a.flatten(b)`, crdFlattenDeep},
	{`a.reverse()`, crdReverse},
	{`a.distinct()`, crdDistinct},
	{`a.sort()`, crdSortDyn},
	{`a.first()`, crdFirst},
	{`a.last()`, crdLast},
	{`lists.range(a)`, crdRange},
	{`sets.contains(a, b)`, crdSetContains},
	{`sets.equivalent(a, b)`, crdSetEquivalent},
	{`sets.intersects(a, b)`, crdSetIntersects},
}

var valueLibrary = []libraryCall{
	{`url(a)`, crdParseURL},
	{`isURL(a)`, crdIsURL},
	{`a.getScheme()`, crdURLScheme},
	{`a.getHost()`, crdURLHost},
	{`a.getHostname()`, crdURLHostname},
	{`a.getPort()`, crdURLPort},
	{`a.getEscapedPath()`, crdURLEscapedPath},
	{`a.getQuery()`, crdURLQuery},
	{`ip(a)`, crdParseIP},
	{`isIP(a)`, crdIsIP},
	{`ip.isCanonical(a)`, crdIsCanonicalIP},
	{`a.family()`, crdIPFamily},
	{`a.isUnspecified()`, crdIPIsUnspecified},
	{`a.isLoopback()`, crdIPIsLoopback},
	{`a.isLinkLocalMulticast()`, crdIPIsLinkLocalMulticast},
	{`a.isLinkLocalUnicast()`, crdIPIsLinkLocalUnicast},
	{`a.isGlobalUnicast()`, crdIPIsGlobalUnicast},
	{`cidr(a)`, crdParseCIDR},
	{`isCIDR(a)`, crdIsCIDR},
	{`a.ip()`, crdCIDRIP},
	{`a.masked()`, crdCIDRMasked},
	{`a.prefixLength()`, crdCIDRPrefixLength},
	{`a.containsIP(b)`, crdContainsIPDyn},
	{`a.containsCIDR(b)`, crdContainsCIDRDyn},
	{`quantity(a)`, crdParseQuantity},
	{`isQuantity(a)`, crdIsQuantity},
	{`sign(a)`, crdQuantitySign},
	{`a.isInteger()`, crdQuantityIsInteger},
	{`a.asInteger()`, crdQuantityInteger},
	{`a.asApproximateFloat()`, crdQuantityFloat},
	{`a.add(b)`, crdQuantityAddDyn},
	{`a.sub(b)`, crdQuantitySubDyn},
	{`a.compareTo(b)`, crdCompareDyn},
	{`a.isLessThan(b)`, crdIsLessDyn},
	{`a.isGreaterThan(b)`, crdIsGreaterDyn},
	{`semver(a)`, crdParseSemver},
	{`semver(a, b)`, crdParseSemverLoosely},
	{`isSemver(a)`, crdIsSemver},
	{`isSemver(a, b)`, crdIsSemverLoosely},
	{`a.major()`, crdSemverMajor},
	{`a.minor()`, crdSemverMinor},
	{`a.patch()`, crdSemverPatch},
	{`a.validate(b)`, crdValidateFormat},
	{`string(a)`, crdConvertString},
	{`type(a)`, crdTypeOf},
	{`a == b`, crdEqual},
	{`a != b`, crdNotEqual},
}

// replaceOf and formatOf are calls with arguments other than a, b and c.
func replaceOf(s, old, replacement, n any) any {
	text, ok1 := s.(string)
	what, ok2 := old.(string)
	with, ok3 := replacement.(string)
	limit, ok4 := n.(int64)
	if !ok1 || !ok2 || !ok3 || !ok4 {
		return crdNoOverload("replace", s, old, replacement, n)
	}
	return crdReplace(text, what, with, limit)
}

func formatOf(format any, args ...any) any {
	text, ok := format.(string)
	if !ok {
		return crdNoOverload("format", format, crdList{})
	}
	for _, arg := range args {
		if _, failed := arg.(*crdFailure); failed {
			return arg
		}
	}
	return crdFormat(text, crdList{items: args}).dyn()
}

// few returns this many values of every type.
func few(each int) []value {
	var all []value
	seen := map[string]int{}
	for _, v := range append(everyValue(), opaqueValues(opaqueTexts...)...) {
		kind, _, _ := strings.Cut(v.name, " ")
		if seen[kind]++; seen[kind] <= each {
			all = append(all, v)
		}
	}
	return all
}

// textsAsValues are strings as values.
func textsAsValues(texts ...string) []value {
	var all []value
	for _, s := range texts {
		all = append(all, value{fmt.Sprintf("string %q", s), types.String(s), s})
	}
	return all
}

func intsAsValues(ints ...int64) []value {
	var all []value
	for _, i := range ints {
		all = append(all, value{fmt.Sprintf("int %d", i), types.Int(i), i})
	}
	return all
}

// readers are the functions that read the values of the libraries, by their names in CEL.
var readers = []struct {
	name string
	read func(string) any
}{
	{"url", func(s string) any { return crdParseURL(s).dyn() }},
	{"ip", func(s string) any { return crdParseIP(s).dyn() }},
	{"cidr", func(s string) any { return crdParseCIDR(s).dyn() }},
	{"quantity", func(s string) any { return crdParseQuantity(s).dyn() }},
	{"semver", func(s string) any { return crdParseSemver(s).dyn() }},
}

// opaqueTexts are texts that some of them accept.
var opaqueTexts = []string{
	"/", "https://user:pass@example.com:80/a%20b/c?k=v&k=w&l#frag", "https://[::1]:443/", "mailto:x@y", "http://h",
	"//h/p", "a/b", "http://[::1", "http://h:x/", "%zz", "/?a=%zz",
	"0.0.0.0", "127.0.0.1", "10.1.2.3", "169.254.1.1", "224.0.0.1", "::", "::1", "fe80::1", "fe80::1%eth0", "ff02::1",
	"2001:db8::", "2001:0db8::", "::ffff:1.2.3.4", "01.2.3.4", "1.2.3",
	"0.0.0.0/0", "10.1.2.3/8", "10.0.0.0/8", "10.1.0.0/16", "::/0", "2001:db8::1/32", "fe80::1/128", "1.2.3.4/33",
	"1.2.3.4/08", "::ffff:1.2.3.4/100",
	"0", "1", "1.0", "1000m", "1.5", "-1Gi", "1Ki", "1e3", "1E3", "9223372036854775807", "9999999999999999999999999G",
	"1n", "0.5u", "1 Gi", "1K", ".5", "+1", "1e", "",
	"0.0.0", "1.2.3", "1.2.3-alpha.1", "1.2.3+build", "1.2.3-alpha.beta+b",
	"18446744073709551615.9223372036854775808.1", "v1", "v1.2", "1.02.3", "01", "v", "1.2-a", "1.2.3-01",
	"00.00.00",
}

// opaqueValues are all values of the libraries: those that are read from texts, and others.
func opaqueValues(texts ...string) []value {
	o := newOracle(nil)
	eval := func(expression string, a ref.Val) ref.Val {
		out, _, _ := o.program(expression).Eval(map[string]any{"a": a, "b": types.NullValue, "c": types.NullValue})
		return out
	}
	var all []value
	for _, reader := range readers {
		for _, s := range texts {
			ours := reader.read(s)
			if _, failed := ours.(*crdFailure); !failed {
				all = append(all, value{fmt.Sprintf("%s(%q)", reader.name, s), eval(reader.name+"(a)", types.String(s)),
					ours})
			}
		}
	}
	sum := crdQuantityAdd(crdParseQuantity("1").val, crdParseQuantity("500m").val)
	all = append(all, value{"sum", eval(`quantity("1").add(quantity("500m"))`, types.NullValue), sum})
	for _, name := range slices.Sorted(maps.Keys(library.ConstantFormats)) {
		all = append(all, value{"format " + name, library.ConstantFormats[name], crdFindFormat(name).(crdOptional).val})
	}
	return all
}

// inMemory matches addresses in memory, which some messages contain.
var inMemory = regexp.MustCompile(`0x[0-9a-f]{6}`)

// hold compares our result with that of cel-go.
func (c libraryCall) hold(o *oracle, args ...value) {
	o.t.Helper()
	ours := make([]any, len(args))
	for i, arg := range args {
		ours[i] = arg.ours
	}
	got, want := showOurs(c.eval(ours...)), o.eval(c.expression, args...)
	if strings.Contains(want, "cost limit exceeded") || inMemory.MatchString(want) {
		return // nothing is counted in Go, and it has other places in memory
	}
	if got != want && !o.mayBe(got, c.expression, args...) {
		o.t.Errorf("%s with %v:\n got %s\nwant %s", c.expression, args, got, want)
	}
}

// callsOf are the calls with this many arguments.
func callsOf(arguments int, calls ...[]libraryCall) []libraryCall {
	return slices.DeleteFunc(slices.Concat(calls...), func(c libraryCall) bool {
		return reflect.TypeOf(c.function).NumIn() != arguments
	})
}
