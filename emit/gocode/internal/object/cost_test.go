package object

import (
	"strings"
	"testing"
)

// TestCostNote checks the note on cost, which is empty if cost makes no difference.
func TestCostNote(t *testing.T) {
	for _, c := range []struct {
		kind Kind
		want string
	}{
		{Kind{}, ""},
		{Kind{ExpensiveFields: []string{"", "spec.a"}},
			"a rule that costs more than 1,000,000 units, which rules on the object and spec.a may."},
		{Kind{ExpensiveFields: []string{"a", "b", "c", "d", "e", "f"}}, "rules on a, b, c, d, e and others may."},
		{Kind{ExpensiveFields: []string{"a"}, ExpensiveObject: true},
			"rules on a may, and the rules of an object that cost more than 10,000,000 units together"},
	} {
		got := costNote(&c.kind)
		if !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%+v: %s", c.kind, got)
		}
	}
	if got := filled("one two three four", 9); got != "one two\nthree\nfour" {
		t.Errorf("filled: %q", got)
	}
}
