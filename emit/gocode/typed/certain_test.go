package typed

import (
	"testing"

	"github.com/crdproof/crdproof/emit/gocode/internal/object"
)

// TestCertainty compares && and || and ?: with those of CEL, for conditions that are true, false or unknown.
func TestCertainty(t *testing.T) {
	values := map[string]object.Value{}
	for name, cond := range map[string]certainty{
		"true": {object.Always, object.Never}, "false": {object.Never, object.Always},
		"unknown": {object.Never, object.Never},
	} {
		values[name] = goFacts{certain: &cond}.on(object.Value{Form: object.FormResult, Typ: object.BoolType})
	}
	show := func(cond *certainty) string {
		switch {
		case cond.yes.IsAlways() && !cond.no.IsAlways():
			return "true"
		case cond.no.IsAlways() && !cond.yes.IsAlways():
			return "false"
		case !cond.yes.IsAlways():
			return "unknown"
		}
		return "both"
	}
	decide := func(x, y, decisive string) string {
		switch {
		case x == decisive || y == decisive:
			return decisive
		case x == "unknown" || y == "unknown":
			return "unknown"
		}
		return x
	}
	c := &goCompiler{}
	for x, left := range values {
		for y, right := range values {
			for operator, want := range map[string]string{"&&": decide(x, y, "false"), "||": decide(x, y, "true")} {
				if got := show(c.joined(operator, left, right)); got != want {
					t.Errorf("%s %s %s: %s, want %s", x, operator, y, got, want)
				}
			}
			want := map[string]string{"true": x, "false": y, "unknown": "unknown"}
			for cond, condition := range values {
				if got := show(chosen(condition, left, right)); got != want[cond] {
					t.Errorf("%s ? %s : %s: %s, want %s", cond, x, y, got, want[cond])
				}
			}
		}
	}
}
