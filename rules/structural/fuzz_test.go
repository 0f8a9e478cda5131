package structural

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/validation"
)

// FuzzNameFault compares our findings about names with the library that API servers use.
func FuzzNameFault(f *testing.F) {
	for _, s := range []string{"a", "A", "a-b", "-a", "a-", "9a", "a.b", "a..b", ".a", "a.", "a.-b", "a-.b", "ä", "",
		"a_b", "\xff"} {
		f.Add(s, false)
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, s string, isSubdomain bool) {
		errs := validation.IsDNS1035Label(s)
		if isSubdomain {
			errs = validation.IsDNS1123Subdomain(s)
		}
		why, start, end := nameFault(s, isSubdomain)
		if (why == "") != (len(errs) == 0) {
			t.Errorf("%q: we say %q, the library %q", s, why, errs)
		}
		if start < 0 || end < start || end > len(s) {
			t.Errorf("%q: %s from %d to %d", s, why, start, end)
		}
		if why == "is no DNS name" {
			t.Errorf("%q: the fault is not reported", s)
		}
	})
}
