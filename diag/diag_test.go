package diag

import "testing"

// TestSortKeepsMostSevere sorts a finding that is reported twice, first as a warning: a warning must not hide an error.
func TestSortKeepsMostSevere(t *testing.T) {
	src := &Source{Path: "a.go", Data: []byte("package a")}
	d := Diagnostic{Span: At(src, 0, 7), Check: "r", Message: "m", Severity: Warning}
	severe := d
	severe.Severity = Error
	for _, list := range [][]Diagnostic{{d, severe}, {severe, d}} {
		if got := Sort(list); len(got) != 1 || got[0].Severity != Error {
			t.Errorf("%v", got)
		}
	}
}
