package diag

import "testing"

// TestSortKeepsTheSeverest has one finding told twice, as a warning first: a warning must not hide an error.
func TestSortKeepsTheSeverest(t *testing.T) {
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
