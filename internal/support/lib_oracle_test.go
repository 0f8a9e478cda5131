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
			return noOverload(c.name(), args...)
		}
	}
	return dynOf(f.Call(in)[0].Interface())
}

// dynOf is a result as a dynamic value.
func dynOf(value any) any {
	switch r := value.(type) {
	case Result[bool]:
		return r.Dyn()
	case Result[int64]:
		return r.Dyn()
	case Result[uint64]:
		return r.Dyn()
	case Result[float64]:
		return r.Dyn()
	case Result[string]:
		return r.Dyn()
	case Result[time.Duration]:
		return r.Dyn()
	case Result[List]:
		return r.Dyn()
	case Result[URL]:
		return r.Dyn()
	case Result[IP]:
		return r.Dyn()
	case Result[CIDR]:
		return r.Dyn()
	case Result[Quantity]:
		return r.Dyn()
	case Result[Semver]:
		return r.Dyn()
	}
	return value
}

// stringLibrary, listLibrary and valueLibrary are the calls of all functions, on arguments of unknown types.
var stringLibrary = []libraryCall{
	{`a.contains(b)`, ContainsDyn},
	{`a.startsWith(b)`, HasPrefixDyn},
	{`a.endsWith(b)`, HasSuffixDyn},
	{`a.charAt(b)`, CharAt},
	{`a.indexOf(b)`, IndexOfDyn},
	{`a.indexOf(b, c)`, IndexOfFrom},
	{`a.lastIndexOf(b)`, LastIndexOfDyn},
	{`a.lastIndexOf(b, c)`, LastIndexOfFrom},
	{`a.lowerAscii()`, LowerASCII},
	{`a.upperAscii()`, UpperASCII},
	{`a.replace(b, c)`, strings.ReplaceAll},
	{`a.replace(b, "é", c)`, func(s, old, n any) any { return replaceOf(s, old, "é", n) }},
	{`a.replace("a", b, c)`, func(s, replacement, n any) any { return replaceOf(s, "a", replacement, n) }},
	{`a.format([b, c])`, func(format, b, c any) any { return formatOf(format, b, c) }},
	{`a.split(b)`, Split},
	{`a.split(b, c)`, SplitN},
	{`a.substring(b)`, SubstringFrom},
	{`a.substring(b, c)`, Substring},
	{`a.trim()`, strings.TrimSpace},
	{`strings.quote(a)`, Quote},
	{`a.matches(b)`, MatchesDyn},
	{`a.find(b)`, FindMatchDyn},
	{`a.findAll(b)`, FindMatchesDyn},
	{`a.findAll(b, c)`, FindMatchesNDyn},
}

var listLibrary = []libraryCall{
	{`a.join()`, JoinAll},
	{`a.join(b)`, Join},
	{`a.isSorted()`, IsSortedDyn},
	{`a.min()`, MinDyn},
	{`a.max()`, MaxDyn},
	{`a.sum()`, SumDyn},
	{`a.indexOf(b)`, IndexOfDyn},
	{`a.lastIndexOf(b)`, LastIndexOfDyn},
	{`a.includes(b)`, Includes},
	{`a.slice(b, c)`, Slice},
	{`a.flatten()`, Flatten},
	{`a.flatten(b)`, FlattenDeep},
	{`a.reverse()`, Reverse},
	{`a.distinct()`, Distinct},
	{`a.sort()`, SortDyn},
	{`a.first()`, First},
	{`a.last()`, Last},
	{`lists.range(a)`, Range},
	{`sets.contains(a, b)`, SetContains},
	{`sets.equivalent(a, b)`, SetEquivalent},
	{`sets.intersects(a, b)`, SetIntersects},
}

var valueLibrary = []libraryCall{
	{`url(a)`, ParseURL},
	{`isURL(a)`, IsURL},
	{`a.getScheme()`, URLScheme},
	{`a.getHost()`, URLHost},
	{`a.getHostname()`, URLHostname},
	{`a.getPort()`, URLPort},
	{`a.getEscapedPath()`, URLEscapedPath},
	{`a.getQuery()`, URLQuery},
	{`ip(a)`, ParseIP},
	{`isIP(a)`, IsIP},
	{`ip.isCanonical(a)`, IsCanonicalIP},
	{`a.family()`, IPFamily},
	{`a.isUnspecified()`, IPIsUnspecified},
	{`a.isLoopback()`, IPIsLoopback},
	{`a.isLinkLocalMulticast()`, IPIsLinkLocalMulticast},
	{`a.isLinkLocalUnicast()`, IPIsLinkLocalUnicast},
	{`a.isGlobalUnicast()`, IPIsGlobalUnicast},
	{`cidr(a)`, ParseCIDR},
	{`isCIDR(a)`, IsCIDR},
	{`a.ip()`, CIDRIP},
	{`a.masked()`, CIDRMasked},
	{`a.prefixLength()`, CIDRPrefixLength},
	{`a.containsIP(b)`, ContainsIPDyn},
	{`a.containsCIDR(b)`, ContainsCIDRDyn},
	{`quantity(a)`, ParseQuantity},
	{`isQuantity(a)`, IsQuantity},
	{`sign(a)`, QuantitySign},
	{`a.isInteger()`, QuantityIsInteger},
	{`a.asInteger()`, QuantityInteger},
	{`a.asApproximateFloat()`, QuantityFloat},
	{`a.add(b)`, QuantityAddDyn},
	{`a.sub(b)`, QuantitySubDyn},
	{`a.compareTo(b)`, CompareDyn},
	{`a.isLessThan(b)`, IsLessDyn},
	{`a.isGreaterThan(b)`, IsGreaterDyn},
	{`semver(a)`, ParseSemver},
	{`semver(a, b)`, ParseSemverLoosely},
	{`isSemver(a)`, IsSemver},
	{`isSemver(a, b)`, IsSemverLoosely},
	{`a.major()`, SemverMajor},
	{`a.minor()`, SemverMinor},
	{`a.patch()`, SemverPatch},
	{`a.validate(b)`, ValidateFormat},
	{`string(a)`, ConvertString},
	{`type(a)`, TypeOf},
	{`a == b`, Equal},
	{`a != b`, NotEqual},
}

// replaceOf and formatOf are calls with arguments other than a, b and c.
func replaceOf(s, old, replacement, n any) any {
	text, ok1 := s.(string)
	what, ok2 := old.(string)
	with, ok3 := replacement.(string)
	limit, ok4 := n.(int64)
	if !ok1 || !ok2 || !ok3 || !ok4 {
		return noOverload("replace", s, old, replacement, n)
	}
	return Replace(text, what, with, limit)
}

func formatOf(format any, args ...any) any {
	text, ok := format.(string)
	if !ok {
		return noOverload("format", format, List{})
	}
	for _, arg := range args {
		if _, failed := arg.(*Failure); failed {
			return arg
		}
	}
	return Format(text, List{Items: args}).Dyn()
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
	{"url", func(s string) any { return ParseURL(s).Dyn() }},
	{"ip", func(s string) any { return ParseIP(s).Dyn() }},
	{"cidr", func(s string) any { return ParseCIDR(s).Dyn() }},
	{"quantity", func(s string) any { return ParseQuantity(s).Dyn() }},
	{"semver", func(s string) any { return ParseSemver(s).Dyn() }},
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
			if _, failed := ours.(*Failure); !failed {
				all = append(all, value{fmt.Sprintf("%s(%q)", reader.name, s), eval(reader.name+"(a)", types.String(s)),
					ours})
			}
		}
	}
	sum := QuantityAdd(ParseQuantity("1").val, ParseQuantity("500m").val)
	all = append(all, value{"sum", eval(`quantity("1").add(quantity("500m"))`, types.NullValue), sum})
	for _, name := range slices.Sorted(maps.Keys(library.ConstantFormats)) {
		all = append(all, value{"format " + name, library.ConstantFormats[name], FindFormat(name).(Optional).val})
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
