package expressions

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/google/cel-go/common/types"
)

// texts are strings for those functions that take none but some.
var texts = map[string][]string{
	"matches": {"^a+$", "[0-9]{2,}", "é", "(a)(b)?", "", "^\\\\d+\\\\.\\\\w$", "(?i)TCP"},
	"find":    {"[a-z]+", "[0-9]+", "", "b|c", "^$"},
	"findAll": {"[a-z]", "[0-9]+", "", "b|c", "."},
	"url": {"https://example.com:80/a%20b?c=d&c=e&f#g", "/path", "http://[::1]:6443/", "https://u@h.com", "",
		"http://a b", "://"},
	"ip":   {"10.0.0.1", "::1", "fe80::1", "ff02::1", "0.0.0.0", "2001:DB8::1", "::ffff:1.2.3.4", "010.1.1.1", ""},
	"cidr": {"10.0.0.0/8", "10.0.0.1/24", "::/0", "2001:db8::/32", "10.0.0.0", "::ffff:1.2.3.0/120", "1.2.3.4/33"},
	"quantity": {
		"1", "1Gi", "500m", "1.5", "-2k", "1e3", "12345678901234567890", "0.1n", "", "abc", "1000m", "1Ki", "1024",
		"9223372036854775807", "100E",
	},
	"semver": {"1.2.3", "1.0.0-alpha.1", "1.0.0+build", "v1.2.3", "1.2", "01.2.3", "", "1.2.3-rc.10", "1"},
	"duration": {"1h", "90s", "1.5h", "-1m", "1ms", "1us", "1ns", "0", "2540400h", "9223372036s",
		"10h5m3.000000001s"},
	"timestamp": {"2024-01-02T03:04:05Z", "2024-02-29T23:59:59.123456789-07:00", "0001-01-01T00:00:00Z",
		"9999-12-31T23:59:59Z", "1970-01-01T00:00:00Z", "2024-12-31T23:00:00+01:00"},
	"bad duration":  {"1d", "", "1h 2m", "9223372037s", "-"},
	"bad timestamp": {"2024-01-02", "", "10000-01-01T00:00:00Z", "2024-13-01T00:00:00Z"},
	"zone": {"UTC", "America/New_York", "Asia/Kolkata", "+05:30", "-08:00", "", "Europe/Nowhere", "+5",
		"02:00"},
	"int":          {"1", "-5", "9223372036854775807", "9223372036854775808", "1.5", "", " 1", "0x1"},
	"double":       {"1", "1.5", "NaN", "Infinity", "1e400", "", "-0.0"},
	"bool":         {"true", "True", "t", "1", "TRUE", "yes", ""},
	"format.named": {"dns1123Label", "uuid", "date", "nothing", "byte", "labelValue", "qualifiedName"},
	"validate": {"a", "A_b", "example.com/x", "2024-01-02", "aGk=", "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "",
		"a-", "http://x"},
	"format": {"%s", "%d", "%s and %s", "%.3f", "%e", "%x", "%X", "%o", "%b", "%%", "%.2e", "%q", "%s %d", "%"},
	"": {
		"a", "b", "TCP", "abc", "é世", "a,b", "x-y", "1", "A", "", "hello world", "a.b.c", "\\n", "\\\\", "'",
		"\\\"q\\\"", "𝒳", "name", "default",
	},
}

// text writes a string literal, one that the function takes if there is one.
func (m maker) text(function string) string {
	list := texts[function]
	if list == nil || m.one(6) {
		list = texts[""]
	}
	s := pick(m, list...)
	if !m.one(4) {
		s = pick(m, list[:(len(list)+1)/2]...) // most of the first half mean something
	}
	quote := pick(m, `"`, `"`, `'`)
	if quote == `'` && !strings.Contains(s, `'`) || quote == `"` && !strings.Contains(s, `'`) {
		return quote + s + quote
	}
	return `"` + s + `"`
}

// literal writes a value of a type that has literals or is made of one, "" for others. Function is the one whose
// argument it is.
func (g *generator) literal(t *types.Type, function string, depth int) string {
	below := func(t *types.Type) string { return g.leaf(t, "", depth-1) }
	switch t.Kind() {
	case types.BoolKind:
		return g.simpleTest()
	case types.IntKind:
		if small[function] {
			return strconv.Itoa(g.IntN(7) - 1)
		}
		return pick(g.maker, "0", "1", "-1", "2", "3", "5", "10", "255", "1024", "9223372036854775807",
			"-9223372036854775808", "-7")
	case types.UintKind:
		return pick(g.maker, "0u", "1u", "2u", "7u", "18446744073709551615u")
	case types.DoubleKind:
		return pick(g.maker, "0.0", "1.0", "-1.5", "2.5", "1e3", "1e300", "0.1", "double('NaN')", "-0.0",
			"9007199254740993.0", "3.0")
	case types.StringKind:
		return g.text(function)
	case types.BytesKind:
		return pick(g.maker, "b''", "b'abc'", "b'\\xff\\x00'", "b'é'")
	case types.TimestampKind:
		return g.time("timestamp")
	case types.DurationKind:
		return g.time("duration")
	case types.NullTypeKind:
		return "null"
	case types.DynKind, types.AnyKind:
		return wrap("dyn", g.leaf(g.basicType(1), "", depth-1))
	case types.TypeKind:
		return pick(g.maker, "int", "string", "list", "map", "null_type", "google.protobuf.Duration", "optional_type",
			"type(1)")
	case types.ListKind:
		return g.listOf(t, depth)
	case types.MapKind:
		return g.mapOf(t, depth)
	case types.OpaqueKind:
		if t.TypeName() == "optional_type" {
			if g.one(3) {
				return "optional.none()"
			}
			return wrap(pick(g.maker, "optional.of", "optional.ofNonZeroValue"), below(t.Parameters()[0]))
		}
	}
	return opaque(g, t.TypeName())
}

// time makes a time or a duration. Invalid literals do not compile.
func (g *generator) time(function string) string {
	if g.one(8) {
		return function + "(" + quoted(pick(g.maker, texts["bad "+function]...)) + " + '')"
	}
	return function + "(" + quoted(pick(g.maker, texts[function]...)) + ")"
}

// simpleTest asks something that differs from object to object, where there is something to ask.
func (g *generator) simpleTest() string {
	if len(g.scope) == 0 || g.one(5) {
		return pick(g.maker, "true", "false")
	}
	v := pick(g.maker, g.scope...)
	switch {
	case v.typ.Kind() == types.BoolKind:
		return v.text
	case v.field && g.one(2):
		return wrap("has", v.text)
	case v.typ.Kind() == types.IntKind || v.typ.Kind() == types.StringKind || v.typ.Kind() == types.DoubleKind:
		return "(" + v.text + pick(g.maker, " == ", " < ", " != ", " >= ") + g.literal(v.typ, "", 0) + ")"
	case v.typ.Kind() == types.ListKind || v.typ.Kind() == types.MapKind:
		return "(" + v.text + ".size() > " + pick(g.maker, "0", "1", "2") + ")"
	}
	return pick(g.maker, "true", "false")
}

func quoted(s string) string { return `"` + s + `"` }

// small are functions whose numbers are positions and sizes. One makes lists as long as its argument says.
var small = map[string]bool{
	"substring": true, "charAt": true, "indexOf": true, "lastIndexOf": true, "slice": true, "flatten": true,
	"split": true, "replace": true, "findAll": true,
	"_[_]": true, "_[?_]": true, "lists.range": true,
}

func opaque(g *generator, name string) string {
	switch name {
	case "kubernetes.URL":
		return wrap("url", g.text("url"))
	case "kubernetes.Quantity":
		return wrap("quantity", g.text("quantity"))
	case "kubernetes.Semver":
		if g.one(4) {
			return "semver(" + g.text("semver") + ", true)"
		}
		return wrap("semver", g.text("semver"))
	case "net.IP":
		return wrap("ip", g.text("ip"))
	case "net.CIDR":
		return wrap("cidr", g.text("cidr"))
	case "kubernetes.NamedFormat":
		return "format." + pick(g.maker, "dns1123Label", "dns1123Subdomain", "dns1035Label", "qualifiedName",
			"labelValue", "uri", "uuid", "byte", "date",
			"datetime", "dns1123LabelPrefix", "dns1123SubdomainPrefix", "dns1035LabelPrefix") + "()"
	}
	return ""
}

func wrap(function, arg string) string {
	if arg == "" {
		return ""
	}
	return function + "(" + arg + ")"
}

func (g *generator) listOf(t *types.Type, depth int) string {
	item := t.Parameters()[0]
	var items []string
	for range g.IntN(4) {
		v := g.leaf(item, "", depth-1)
		if v == "" {
			return ""
		}
		if g.one(12) {
			if o := g.leaf(types.NewOptionalType(item), "", depth-1); o != "" {
				v = "?" + o
			}
		}
		items = append(items, v)
	}
	return "[" + strings.Join(items, ", ") + "]"
}

func (g *generator) mapOf(t *types.Type, depth int) string {
	var entries []string
	taken := map[string]bool{}
	for range g.IntN(3) {
		k, v := g.leaf(t.Parameters()[0], "", depth-1), g.leaf(t.Parameters()[1], "", depth-1)
		if k == "" || v == "" {
			return ""
		}
		if taken[k] && !g.one(20) {
			continue
		}
		taken[k] = true
		if g.one(12) {
			if o := g.leaf(types.NewOptionalType(t.Parameters()[1]), "", depth-1); o != "" {
				k, v = "?"+k, o
			}
		}
		entries = append(entries, fmt.Sprintf("%s: %s", k, v))
	}
	return "{" + strings.Join(entries, ", ") + "}"
}
