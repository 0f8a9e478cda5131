package kube

import (
	"strings"

	"k8s.io/kube-openapi/pkg/validation/strfmt"
)

// A Format is a format of strings that API servers validate. The strings are candidates for comparisons of formats
// with other constraints: each kind of string that the API server accepts, and strings that it rejects although they
// are close to such a string.
type Format struct {
	Name           string
	Pattern        string // matches exactly the strings of the format; "" if a pattern cannot
	Valid, Invalid []string
}

// FormatOf returns the format with a name. Dashes in names do not matter to API servers.
func FormatOf(name string) (Format, bool) {
	plain := strings.ReplaceAll(name, "-", "")
	for _, f := range Formats() {
		if strings.ReplaceAll(f.Name, "-", "") == plain {
			return f, true
		}
	}
	return Format{}, false
}

const (
	date = `(\d{4}-((0[13578]|1[02])-(0[1-9]|[12]\d|3[01])|(0[469]|11)-(0[1-9]|[12]\d|30)|02-(0[1-9]|1\d|2[0-8]))|` +
		`(\d\d(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)`
	clock   = `([01]\d|2[0-3]):[0-5]\d:[0-5]\d([^tT\n]\d+)?([zZ]|[+-]\d\d:\d\d)`
	digit64 = `[A-Za-z0-9+/]`
	color   = `\s*(0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])\s*`
)

// Formats returns the formats of strings that API servers validate (pkg/apiserver/validation/formats.go in
// k8s.io/apiextensions-apiserver, k8s.io/kube-openapi/pkg/validation/strfmt), sorted by name. The first valid string of
// each is an example for people.
func Formats() []Format {
	dateTime := Format{"date-time", `^` + date + `[tT]` + clock + `([tT](?s:.*))?$`,
		[]string{"2006-01-02T15:04:05Z", "2006-01-02t15:04:05z", "2006-01-02T15:04:05.123456789+01:00",
			"2006-01-02T15:04:05,5-99:99", "2006-01-02T15:04:05ZT"},
		[]string{"", "2006-01-02", "2006-01-02 15:04:05Z", "2006-01-02T15:04:05", "2006-01-02T24:00:00Z",
			"2006-02-29T15:04:05Z", "2006-01-02T15:04:60Z", "2006-01-02T15:04Z"}}
	long := strings.Repeat("a", 64)
	return []Format{
		{"bsonobjectid", `^[0-9a-fA-F]{24}$`,
			[]string{"507f1f77bcf86cd799439011", "507F1F77BCF86CD799439011"},
			[]string{"", "507f1f77bcf86cd79943901", "507f1f77bcf86cd79943901g", "507f1f77bcf86cd7994390110"}},
		{"byte", `^(` + digit64 + `{4})*(` + digit64 + `{2}==|` + digit64 + `{3}=|` + digit64 + `{4})$`,
			[]string{"aGVsbG8=", "aGVsbG8h", "aA==", "++//", "aB=="},
			[]string{"", "aGVsbG8", "aGVs\nbG8h", "--__", "=", "aGVsbG8h="}},
		{"cidr", "",
			[]string{"192.0.2.0/24", "192.0.2.1/24", "0.0.0.0/0", "192.0.2.1/32", "192.000.002.000/24",
				"2001:db8::/32", "::/0", "::ffff:192.0.2.0/120"},
			[]string{"", "192.0.2.0", "192.0.2.0/33", "192.0.2/24", "2001:db8::/129", "192.0.2.0/-1",
				"fe80::%eth0/64"}},
		{"creditcard", "",
			[]string{"4111111111111111", "4111-1111-1111-1111", "378282246310005", "a4111111111111111"},
			[]string{"", "4111111111111112", "411111111111111", "1111111111111111"}},
		{"date", `^` + date + `$`,
			[]string{"2006-01-02", "0000-01-01", "9999-12-31", "2024-02-29", "2000-02-29"},
			[]string{"", "2006-1-2", "2023-02-29", "1900-02-29", "2006-13-01", "2006-04-31", "20060102", "02006-01-02",
				"2006-01-02T15:04:05Z"}},
		dateTime,
		{"datetime", dateTime.Pattern, dateTime.Valid, dateTime.Invalid},
		{"duration", "",
			[]string{"1h30m", "22ns", "-1.5h", "0", "1d", "2 weeks", "1d junk", "a1s", "1 HOUR", "+5s", ".5s", "PT1H"},
			[]string{"", "1", "h", "1.5", "1 x", "PT1X", "one hour"}},
		{"email", "",
			[]string{"me@example.com", "me@localhost", "Me <me@example.com>", `"a b"@example.com`,
				"me+tag@example.com", "é@example.com"},
			[]string{"", "me", "me@", "@example.com", "a b@example.com", "me@example.com, you@example.com"}},
		{"hexcolor", `^#?([0-9a-fA-F]{3}){1,2}$`,
			[]string{"#ff8800", "#F80", "f80", "FF8800"},
			[]string{"", "#", "#ff88", "#ff880", "#gg8800", "##ff8800", "orange"}},
		{"hostname", "",
			[]string{"www.example.com", "localhost", "a", "1", "Example.COM", "1.example.com", "xn--bcher-kva.example",
				"bücher.example", "a-b.example", strings.Repeat("a", 63)},
			[]string{"", "-a", "a_b", "a..b", ".a", "a b", "192.0.2.1", "www.example.com.", "example.c",
				"*.example.com", long}},
		{"ipv4", "",
			[]string{"192.0.2.1", "0.0.0.0", "255.255.255.255", "192.000.002.001", "::ffff:192.0.2.1", "::192.0.2.1"},
			[]string{"", "192.0.2", "192.0.2.256", "192.0.2.1.1", "192.0.2.1/24", "::1", " 192.0.2.1", "0xc0.0.2.1"}},
		{"ipv6", "",
			[]string{"2001:db8::1", "::", "::1", "2001:DB8:0:0:0:0:0:1", "::ffff:192.0.2.1"},
			[]string{"", ":", ":::", "1", "192.0.2.1", "2001:db8::1::", "2001:db8::g", "fe80::1%eth0", "::1/128",
				"00001::", "1:2:3:4:5:6:7:8:9", "[::1]"}},
		{"isbn", "",
			[]string{"0306406152", "0-306-40615-2", "9780306406157", "978-0-306-40615-7", "043942089X"},
			[]string{"", "0306406151", "9780306406158", "030640615", "043942089x"}},
		{"isbn10", "",
			[]string{"0306406152", "0-306-40615-2", "043942089X"},
			[]string{"", "0306406151", "9780306406157", "030640615"}},
		{"isbn13", "",
			[]string{"9780306406157", "978-0-306-40615-7"},
			[]string{"", "9780306406158", "0306406152", "978030640615"}},
		{"k8s-long-name", "",
			[]string{"www.example.com", "a", "1.2", "a--b", long, strings.Repeat("a.", 126) + "a"},
			[]string{"", "A", "a_b", "-a", "a-", "a..b", ".a", "a.", strings.Repeat("a", 254)}},
		{"k8s-short-name", `^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`,
			[]string{"my-name", "a", "1", "a--b", strings.Repeat("a", 63)},
			[]string{"", "A", "a.b", "a_b", "-a", "a-", long}},
		{"mac", "", // versions of Go differ
			[]string{"00:00:5e:00:53:01", "00-00-5E-00-53-01", "0000.5e00.5301", "02:00:5e:10:00:00:00:01",
				strings.Repeat("00:", 19) + "01"},
			[]string{"", "00:00:5e:00:53", "00:00:5e:00:53:0g", "00:00-5e:00:53:01", "0:0:5e:0:53:1"}},
		{"password", `(?s)^.*$`, []string{"", "secret", "pass word", "pässwörd"}, nil},
		{"rgbcolor", `^rgb\(` + color + `,` + color + `,` + color + `\)$`,
			[]string{"rgb(255,136,0)", "rgb( 255 , 136 , 0 )", "rgb(0,0,0)"},
			[]string{"", "rgb(256,136,0)", "rgb(255,136)", "RGB(255,136,0)", "rgb(00,0,0)", "rgb (0,0,0)",
				"rgba(0,0,0,0)"}},
		{"ssn", `^\d{3}[- ]\d{2}[- ]\d{4}$`,
			[]string{"111-11-1111", "111 11 1111", "111 11-1111"},
			[]string{"", "111111111", "111-111111", "111-11-111", "11-111-1111"}},
		{"uri", "",
			[]string{"https://example.com", "/path", "/", "mailto:me@example.com", "a:b", "http://",
				"https://[::1]:80/?a=b#c", "urn:a:b", "*"},
			[]string{"", "example.com", "path", "?a=b", "#a", "http://a b", "://a", "https://a:b", "http://[::1",
				"/%zz", "//\x00"}},
		{"uuid", strfmt.UUIDPattern,
			[]string{"6ba7b810-9dad-41d1-80b4-00c04fd430c8", "6BA7B810-9DAD-41D1-80B4-00C04FD430C8",
				"6ba7b8109dad41d180b400c04fd430c8", "00000000-0000-0000-0000-000000000000"},
			[]string{"", "6ba7b810-9dad-41d1-80b4-00c04fd430c", "{6ba7b810-9dad-41d1-80b4-00c04fd430c8}",
				"urn:uuid:6ba7b810-9dad-41d1-80b4-00c04fd430c8", "6ba7b810_9dad_41d1_80b4_00c04fd430c8"}},
		{"uuid3", strfmt.UUID3Pattern,
			[]string{"6ba7b810-9dad-31d1-80b4-00c04fd430c8", "6BA7B8109DAD31D100B400C04FD430C8"},
			[]string{"", "6ba7b810-9dad-41d1-80b4-00c04fd430c8", "6ba7b810-9dad-31d1-80b4-00c04fd430c"}},
		{"uuid4", strfmt.UUID4Pattern,
			[]string{"6ba7b810-9dad-41d1-80b4-00c04fd430c8", "6BA7B8109DAD41D180B400C04FD430C8"},
			[]string{"", "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "6ba7b810-9dad-41d1-00b4-00c04fd430c8"}},
		{"uuid5", strfmt.UUID5Pattern,
			[]string{"6ba7b810-9dad-51d1-80b4-00c04fd430c8", "6BA7B8109DAD51D180B400C04FD430C8"},
			[]string{"", "6ba7b810-9dad-41d1-80b4-00c04fd430c8", "6ba7b810-9dad-51d1-00b4-00c04fd430c8"}},
	}
}
