package diag

import "testing"

// TestEffect writes helps with their effects. An effect without words ends behind its kind.
func TestEffect(t *testing.T) {
	d := Warningf(Span{}, &Check{ID: "c"}, "m")
	for _, c := range []struct {
		d    Diagnostic
		want string
	}{
		{d.Help("write a"), "write a"},
		{d.Help("write a").Changes(OtherBytes, ""), "write a (changes only the file)"},
		{d.Help("write a").Changes(AcceptsMore, "those with %s", "a"), "write a (accepts more objects: those with a)"},
	} {
		if got := c.d.Helps()[0].String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
