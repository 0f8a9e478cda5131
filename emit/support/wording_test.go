package support

import "testing"

// TestReword gives the errors after the first the words of an older API server: a violated rule names the type of the
// value.
func TestReword(t *testing.T) {
	v := crdValidation{}
	rule := crdRule{typ: "string", text: "self != ''", message: "is empty"}
	v.broken(crdOK(false), "", rule)
	v.brokenByType(crdOK(false), rule)
	v.reword(1, crdValueInGo)
	want := []string{`<nil>: Invalid value: "": is empty`, `<nil>: Invalid value: "string": is empty`}
	for i, err := range v.errs {
		if got := err.Error(); len(v.errs) != len(want) || got != want[i] {
			t.Errorf("got %s, want %s", got, want[i])
		}
	}
}
