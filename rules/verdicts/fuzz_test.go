package verdicts

import (
	"math"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/cache"
)

// FuzzPlaces reads any bytes as a position in the places of a CRD. What is read lies in one of them, and reads the same
// when it is written again.
func FuzzPlaces(f *testing.F) {
	src := &diag.Source{Path: "a.go", Data: []byte("package a\n\ntype A struct{}\n")}
	list := places{diag.At(src, 0, 9), diag.At(src, 11, 26)}
	for _, at := range []diag.Span{diag.At(src, 0, 0), diag.At(src, 8, 9), diag.At(src, 16, 22), diag.At(src, 26, 26)} {
		var w cache.Writer
		list.WriteSpan(&w, at)
		f.Add(w.Data())
	}
	for _, numbers := range [][3]int{{0, math.MaxInt, 1}, {1, 1, math.MaxInt}, {2, 0, 0}, {-1, 0, 0}, {0, -1, 1}} {
		var w cache.Writer
		for _, n := range numbers {
			w.Int(n)
		}
		f.Add(w.Data())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := cache.NewReader(data)
		at, ok := list.ReadSpan(r)
		if !ok {
			return
		}
		var w cache.Writer
		if !list.WriteSpan(&w, at) {
			t.Fatalf("%d to %d lies in no place", at.Start, at.End)
		}
		if again, ok := list.ReadSpan(cache.NewReader(w.Data())); !ok || again != at {
			t.Errorf("%v is read as %v", at, again)
		}
	})
}
