package support

import (
	"net/netip"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
)

// Pattern is a regular expression that is compiled once, when it is first needed.
func Pattern(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// HasFormat reports whether a string has a format. The format's name is written without dashes. Older versions of the
// library do not know the names of Kubernetes.
func HasFormat(format, value string) bool {
	switch format {
	case "k8sshortname":
		return len(utilvalidation.IsDNS1123Label(value)) == 0
	case "k8slongname":
		return len(utilvalidation.IsDNS1123Subdomain(value)) == 0
	}
	return strfmt.Default.Validates(format, value)
}

// IsAddress is HasFormat for addresses. Most do not need strfmt, which accepts more of them, and allocates.
func IsAddress(format, value string) bool {
	switch format {
	case "cidr":
		if _, err := netip.ParsePrefix(value); err == nil {
			return true
		}
	case "ipv4", "ipv6":
		if ip, err := netip.ParseAddr(value); err == nil && ip.Zone() == "" && ip.Is4() == (format == "ipv4") {
			return true
		}
	}
	return HasFormat(format, value)
}

// IsDateTime reports whether a string has the format date-time: a date and a time of RFC 3339, with any character
// before the fraction, any offset, and ignoring what follows another T (strfmt.IsDateTime).
func IsDateTime(s string) bool {
	t := strings.IndexAny(s, "tT")
	if t < 0 {
		return false
	}
	date, clock := s[:t], s[t+1:]
	if _, err := time.Parse("2006-01-02", date); err != nil {
		return false
	}
	if end := strings.IndexAny(clock, "tT"); end >= 0 {
		clock = clock[:end]
	}
	return isClock(clock)
}

// isClock reports whether a string is hours, minutes and seconds, perhaps a fraction, and an offset.
func isClock(s string) bool {
	const shape = "00:00:00"
	if len(s) < len(shape) || !hasShape(s[:len(shape)], shape) || s[:2] > "23" || s[3:5] > "59" || s[6:8] > "59" {
		return false
	}
	s = s[len(shape):]
	if zone := len(s) - len("+00:00"); zone >= 0 && (s[zone] == '+' || s[zone] == '-') &&
		hasShape(s[zone+1:], "00:00") {
		s = s[:zone]
	} else if strings.HasSuffix(s, "z") || strings.HasSuffix(s, "Z") {
		s = s[:len(s)-1]
	} else {
		return false
	}
	if s == "" {
		return true
	}
	_, n := utf8.DecodeRuneInString(s)
	return s[0] != '\n' && len(s) > n && strings.Trim(s[n:], "0123456789") == ""
}

// hasShape reports whether a string has the length of its shape, a digit for every 0, and is otherwise equal.
func hasShape(s, shape string) bool {
	if len(s) != len(shape) {
		return false
	}
	for i := range len(s) {
		if digit := s[i] >= '0' && s[i] <= '9'; shape[i] == '0' && !digit || shape[i] != '0' && s[i] != shape[i] {
			return false
		}
	}
	return true
}

// IsBase64 reports whether a string is base64 with padding, and not empty (govalidator.IsBase64).
func IsBase64(s string) bool { return s != "" && hasDigits64(s, "+/") }

// hasDigits64 reports whether a string is base64 with padding, for an alphabet whose last digits are given.
func hasDigits64(s, last string) bool {
	if len(s)%4 != 0 {
		return false
	}
	digits := strings.TrimSuffix(strings.TrimSuffix(s, "="), "=")
	for i := range len(digits) {
		c := digits[i]
		if !(c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == last[0] || c == last[1]) {
			return false
		}
	}
	return true
}
