package support

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// TestReword gives the errors after the first the words of an older API server: a violated rule names the type of the
// value.
func TestReword(t *testing.T) {
	v := Validation{}
	rule := Rule{Type: "string", Message: "is empty"}
	v.broken(OK(false), "", nil, &rule)
	v.brokenByType(OK(false), "", nil, &rule)
	rule.Expression = func(self, old any) any { return old.(string) + " has become " + self.(string) + "empty" }
	v.brokenByType(OK(false), "", "x", &rule)
	v.brokenByType(fail[bool](&Failure{"no"}), "", nil, &Rule{Type: "string", Text: "self != ''"})
	reword(v.errs[1:], []func(*field.Error){ValueInGo})
	want := []string{`<nil>: Invalid value: "": is empty`, `<nil>: Invalid value: "string": is empty`,
		`<nil>: Invalid value: "string": x has become empty`,
		`<nil>: Invalid value: "string": no evaluating rule: self != ''`}
	for i, err := range v.errs {
		if got := err.Error(); len(v.errs) != len(want) || got != want[i] {
			t.Errorf("got %s, want %s", got, want[i])
		}
	}
}

// TestBelowStatus renames the fields of errors as servers do that leave out the status.
func TestBelowStatus(t *testing.T) {
	for path, want := range map[string]string{
		"status": noField, "status.ready": "ready", "status.conditions[0].status": "conditions[0].status",
	} {
		err := &field.Error{Field: path}
		if BelowStatus(err); err.Field != want {
			t.Errorf("%s becomes %s, want %s", path, err.Field, want)
		}
	}
}
