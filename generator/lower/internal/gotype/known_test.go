package gotype

import (
	"encoding/json"
	"log/slog"
	"math/big"
	"net"
	"net/netip"
	"reflect"
	"regexp"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsv1beta1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/crdproof/crdproof/generator/lower/internal/pattern"
	"github.com/crdproof/crdproof/schema"
)

// TestNull decodes null into each known type.
func TestNull(t *testing.T) {
	for _, v := range []any{
		new(metav1.ObjectMeta), new(metav1.Time), new(metav1.MicroTime), new(metav1.Duration), new(metav1.FieldsV1),
		new(resource.Quantity), new(runtime.RawExtension), new(unstructured.Unstructured), new(intstr.IntOrString),
		new(apiextensionsv1.JSON), new(apiextensionsv1beta1.JSON), new(json.RawMessage), new(json.Number),
		new(slog.Level), new(big.Int), new(big.Float), new(big.Rat), new(net.IP), new(netip.Addr), new(netip.AddrPort),
		new(netip.Prefix), new(time.Time),
	} {
		of := reflect.TypeOf(v).Elem()
		k := findKnown(of.PkgPath(), of.Name())
		if k == nil {
			t.Errorf("%s is not a known type", of)
			continue
		}
		if err := json.Unmarshal([]byte("null"), v); (err != nil) != k.refusesNull {
			t.Errorf("%s: refusesNull is %t, but decoding null gives the error %v", of, k.refusesNull, err)
		}
	}
}

// TestPatterns compares the patterns of known types with the functions that read these types.
func TestPatterns(t *testing.T) {
	texts := []string{
		"", "0", "+0", "1s", "1.5h", ".5m", "5.m", "1h2m3s", "-1h", "1", "s", "1x", "1µs", "1μs", "1 s", "1h-2m",
		"--1s", "2562047h47m16.854775807s",
		"2020-01-02T03:04:05Z", "2020-01-02T03:04:05.1Z", "2020-01-02T03:04:05.123456Z",
		"2020-01-02T03:04:05.1234567Z", "2020-01-02T03:04:05+01:30",
		"2020-01-02t03:04:05z", "2020-01-02T03:04:05,5Z", "2020-01-02T03:04:05+24:00", "2020-01-02T03:04:05ZT",
		"2020-01-02 03:04:05Z", "2020-1-2T03:04:05Z",
		"1.2.3.4", "01.2.3.4", "1.2.3.256", "1.2.3", "::", "::1", "fe80::1%eth0", "::ffff:1.2.3.4", "::ffff:1.2.3.04",
		"1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7::",
		"1::3:4:5:6:7:8", "1::2:3:4:5:6:7:8", "::2:3:4:5:6:7:8", ":1", "1:", ":::", "1:2:3:4:5:6:1.2.3.4",
		"1:2:3:4:5::1.2.3.4", "1:2:3:4:5:6:7:1.2.3.4",
		"1::1.2.3.4", "12345::", "fe80:1%eth0", "[2001:db8:1]:1", "[:ffff:1.2.3.4]:1", "1.2.3.4:80", "[::1]:80",
		"[::1%e]:80",
		"1.2.3.4:080", "1.2.3.4:65536", "1.2.3.4/24", "::/0", "1.2.3.4/024", "INFO", "info+2", "WARN-", "debug4",
	}
	reads := map[string]func(string) bool{
		schema.DurationPattern: func(s string) bool { _, err := time.ParseDuration(s); return err == nil },
		schema.TimePattern:     func(s string) bool { _, err := time.Parse(time.RFC3339, s); return err == nil },
		schema.MicroTimePattern: func(s string) bool {
			_, err := time.Parse("2006-01-02T15:04:05.000000Z07:00", s)
			return err == nil
		},
		pattern.Ipv6Pattern: func(s string) bool {
			a, err := netip.ParseAddr(s)
			return err == nil && a.Is6() && a.Zone() == ""
		},
		pattern.ZonedPattern: func(s string) bool {
			a, err := netip.ParseAddr(s)
			return err == nil &&
				a.Zone() != ""
		},
		pattern.CidrPattern: func(s string) bool {
			p, err := netip.ParsePrefix(s)
			return err == nil &&
				p.IsValid()
		},
		pattern.Ipv4Pattern:     func(s string) bool { a, err := netip.ParseAddr(s); return err == nil && a.Is4() },
		pattern.AddrPortPattern: func(s string) bool { _, err := netip.ParseAddrPort(s); return err == nil },
		pattern.LevelPattern:    func(s string) bool { var l slog.Level; return l.UnmarshalText([]byte(s)) == nil },
	}
	unwritten := map[string]bool{ // Go reads these, and never writes them
		"2020-01-02T03:04:05,5Z": true, "2020-01-02T03:04:05+24:00": true, "1.2.3.4:080": true,
	}
	for pattern, read := range reads {
		for _, text := range texts {
			if matches := regexp.MustCompile(pattern).MatchString(text); matches != read(text) && !unwritten[text] {
				t.Errorf("%q with %s: matches %t, Go reads it %t", text, pattern, matches, read(text))
			}
		}
	}
}
