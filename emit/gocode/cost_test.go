package gocode

import (
	"strings"
	"testing"
)

// What an API server might do otherwise because of cost is said, and nothing where it cannot.
func TestCostNote(t *testing.T) {
	for _, c := range []struct {
		kind Kind
		want string
	}{
		{Kind{}, ""},
		{Kind{Dear: []string{"", "spec.a"}},
			"when one rule costs more than 1,000,000 units, which those of the object and spec.a may; its"},
		{Kind{Dear: []string{"a", "b", "c", "d", "e", "f"}}, "those of a, b, c, d, e and others may; its"},
		{Kind{Dear: []string{"a"}, DearObject: true},
			"which those of a may, and when the rules of an object cost more than 10,000,000 units together"},
	} {
		got := strings.ReplaceAll(costNote(&c.kind), "\n", " ")
		if !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%+v: %s", c.kind, got)
		}
	}
	if got := filled("one two three four", 9); got != "one two\nthree\nfour" {
		t.Errorf("filled: %q", got)
	}
}
