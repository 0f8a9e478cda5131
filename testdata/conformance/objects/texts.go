package objects

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// words are strings and names that mean something somewhere, and some that mean nothing.
var words = []string{
	"", "a", "b", "x", "foo", "bar", "web", "name", "kind", "default", "true", "null", "é", "世界", "a-b", "a.b", "a/b",
	"A", "ab cd", "-", ".",
	"*", "1", "0", "80", "1.5", "10%", "1Gi", "500m", "1h", "5m0s", "2024-01-02T03:04:05Z", "10.0.0.1", "::1",
	"10.0.0.0/8", "1.2.3", "v1",
	"https://example.com/a?b=c#d", "example.com", "*.example.com", "Exact", "𝒳", "\n", "'", "\"", "\\", "\u0000",
}

// key makes a key of a map.
func (m *maker) key(n *node) string {
	switch {
	case len(n.rules.strings) > 0 && m.one(4):
		return pick(m, n.rules.strings...)
	case m.one(8):
		return pick(m, words...)
	}
	return pick(m, "a", "b", "c", "app", "key-1", "example.com/name")
}

// text makes a string within the bounds.
func (m *maker) text(n *node, limits structural.ValueValidation) string {
	s := m.anyText(n, limits)
	if limits.MinLength != nil {
		for short := int(min(*limits.MinLength, 100)); utf8.RuneCountInString(s) < short; {
			s += pick(m, "a", "b", "1", "é")
		}
	}
	if limits.MaxLength != nil {
		if runes := []rune(s); len(runes) > int(*limits.MaxLength) {
			s = string(runes[:max(0, *limits.MaxLength)])
		}
	}
	return s
}

func (m *maker) anyText(n *node, limits structural.ValueValidation) string {
	if s, ok := m.formatted(limits.Format); ok && !m.one(10) {
		return s
	}
	if limits.Pattern != "" && !m.one(10) {
		return m.matching(limits.Pattern, limits)
	}
	switch {
	case len(n.rules.strings) > 0 && m.one(2):
		s := pick(m, n.rules.strings...)
		if strings.ContainsAny(s, `^$[(*+\`) && m.one(2) {
			return m.matching(s, limits)
		}
		return s
	case m.one(3):
		return pick(m, words...)
	}
	return pick(m, "a", "b", "abc", "web-1", "example.com", "foo.bar/baz", n.name)
}

// matching makes a string that matches a pattern, if it is easy.
func (m *maker) matching(pattern string, limits structural.ValueValidation) string {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return pattern
	}
	compiled, err := regexp.Compile(pattern)
	if err != nil {
		return pattern
	}
	var out string
	for range 6 {
		var b strings.Builder
		m.match(&b, parsed)
		out = b.String()
		n := int64(utf8.RuneCountInString(out))
		if compiled.MatchString(out) && (limits.MaxLength == nil || n <= *limits.MaxLength) &&
			(limits.MinLength == nil || n >= *limits.MinLength) {
			break
		}
	}
	return out
}

// match writes something that a part of a pattern matches.
func (m *maker) match(out *strings.Builder, re *syntax.Regexp) {
	repeat := func(low, high int) {
		if high < 0 {
			high = low + 3
		}
		for range low + m.IntN(min(high-low, 4)+1) {
			if out.Len() < 300 {
				m.match(out, re.Sub[0])
			}
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		out.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		out.WriteRune(m.runeOf(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		out.WriteRune(pick(m, 'a', 'b', '1', '-', '.', 'é', '世'))
	case syntax.OpStar:
		repeat(0, -1)
	case syntax.OpPlus:
		repeat(1, -1)
	case syntax.OpQuest:
		repeat(0, 1)
	case syntax.OpRepeat:
		repeat(re.Min, re.Max)
	case syntax.OpAlternate:
		m.match(out, pick(m, re.Sub...))
	case syntax.OpConcat, syntax.OpCapture:
		for _, sub := range re.Sub {
			m.match(out, sub)
		}
	}
}

// runeOf picks from a class, which holds pairs of a first and a last rune.
func (m *maker) runeOf(class []rune) rune {
	if len(class) < 2 {
		return 'a'
	}
	i := m.IntN(len(class)/2) * 2
	low, high := class[i], class[i+1]
	if low < 0x7f && high > 0x7f {
		high = 0x7e
	}
	if low < ' ' && high > ' ' {
		low = ' '
	}
	return low + m.Int32N(min(high-low, 200)+1)
}

// formats are strings for the formats: most are right, the last ones of each nearly so.
var formats = map[string][]string{
	"bsonobjectid": {"507f1f77bcf86cd799439011", "507f1f77bcf86cd79943901", "507f1f77bcf86cd79943901g"},
	"uri": {"https://example.com/a?b=c", "mailto:a@b.c", "/a", "example.com", "http://[::1]:80/", "://",
		"http://a b", "%zz"},
	"email":    {"a@example.com", "\"a b\" <a@example.com>", "a@b", "a", "@", "a@b@c"},
	"hostname": {"example.com", "a", "a-b.c", "1.2", "-a", "a_b", "example.com.", "xn--bcher-kva.example"},
	"ipv4":     {"10.0.0.1", "255.255.255.255", "010.0.0.1", "1.2.3", "256.1.1.1", "::1", "::ffff:1.2.3.4"},
	"ipv6":     {"::1", "2001:db8::1", "::ffff:1.2.3.4", "fe80::1%eth0", "1.2.3.4", "1::2::3"},
	"cidr":     {"10.0.0.0/8", "10.0.0.1/8", "::/0", "10.0.0.0/33", "10.0.0.0", "10.0.0/8", "010.0.0.0/8"},
	"mac": {"01:23:45:67:89:ab", "01-23-45-67-89-ab", "0123.4567.89ab", "01:23:45:67:89",
		"g1:23:45:67:89:ab"},
	"uuid": {"6ba7b810-9dad-11d1-80b4-00c04fd430c8", "6BA7B8109DAD11D180B400C04FD430C8",
		"6ba7b810-9dad-11d1-80b4-00c04fd430c", "urn:uuid:x"},
	"uuid3":      {"a3bb189e-8bf9-3888-9912-ace4e6543002", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"},
	"uuid4":      {"f47ac10b-58cc-4372-a567-0e02b2c3d479", "f47ac10b-58cc-4372-c567-0e02b2c3d479"},
	"uuid5":      {"74738ff5-5367-5958-9aee-98fffdcd1876", "74738ff5-5367-3958-9aee-98fffdcd1876"},
	"isbn":       {"0321751043", "978-0321751041", "9780321751041", "0321751042", "978"},
	"isbn10":     {"0321751043", "0-321-75104-3", "0321751042", "080442957X"},
	"isbn13":     {"978-0321751041", "9780321751041", "9780321751042"},
	"creditcard": {"4111 1111 1111 1111", "4111-1111-1111-1111", "4111 1111 1111 1112", "1"},
	"ssn":        {"111-11-1111", "111 11 1111", "111-111-111", "11"},
	"hexcolor":   {"#fff", "#FFFFFF", "fff", "#ff", "#ggg"},
	"rgbcolor":   {"rgb(100,100,100)", "rgb( 1, 2 ,3 )", "rgb(256,0,0)", "rgb(1,2)"},
	"byte":       {"aGVsbG8=", "", "aGVsbG8", "a===", "aGVs bG8=", "aGVs\nbG8="},
	"password":   {"secret", ""},
	"date":       {"2024-02-29", "2023-02-29", "2024-1-2", "2024-01-02T00:00:00Z"},
	"duration":   {"1h", "5m30s", "1 day", "2 weeks", "1d", "-1s", "1", "1.5h", "P1D", "10ms", "3 fortnights"},
	"datetime": {"2024-01-02T03:04:05Z", "2024-01-02T03:04:05.123456789+02:00", "2024-01-02 03:04:05",
		"2024-01-02", "2024-01-02T03:04Z"},
	"date-time": {"2024-01-02T03:04:05Z", "2024-01-02T03:04:05.5-07:00", "2024-01-02t03:04:05z",
		"2024-13-02T03:04:05Z", "2024-01-02", ""},
	"k8s-short-name": {"a", "web-1", "1a", "-a", "a.b", "A", ""},
	"k8s-long-name":  {"a.b", "example.com", "a..b", "A.b", "-a.b"},
}

// formatted makes a string of a format, if it is one that says something.
func (m *maker) formatted(format string) (string, bool) {
	list := formats[format]
	if len(list) == 0 {
		return "", false
	}
	if m.one(5) {
		return pick(m, list...), true
	}
	return list[m.IntN((len(list)+1)/2)], true
}
