package typed

import (
	"testing"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/emit/gocode/internal/object"
)

// TestUnless shows what is left of steps for a value that is valid under a condition anyway.
func TestUnless(t *testing.T) {
	isText := func(x jen.Code) object.Condition { return isValidText(x) }
	x, y := jen.Id("x"), jen.Id("y")
	isEmpty := object.Compares(x, "==", jen.Lit(""))
	short := object.Holds(jen.Id("isShort").Call(x))
	for want, got := range map[string]steps{
		"utf8.ValidString(x)":              valid(isText(x)).unless(isEmpty),
		"utf8.ValidString(string(x))":      valid(isText(jen.String().Call(x))).unless(isEmpty),
		"x == \"\" || utf8.ValidString(y)": valid(isText(y)).unless(isEmpty),
		"x == \"\" || isShort(x)":          valid(isEmpty.Opposite(), short).unless(isEmpty),
		"x == nil || isShort(x)":           valid(short).unless(isNotNil(x).Opposite()),
		"true":                             valid(isEmpty.Opposite()).unless(isEmpty),
		"isShort(x)":                       valid(short).unless(object.Never),
	} {
		if cond, ok := got.condition(); !ok || cond.Source() != want {
			t.Errorf("got %s, want %s", cond.Source(), want)
		}
	}
}
