package schema_test

import (
	"testing"

	"github.com/crdproof/crdproof/schema"
)

// FuzzReadPath makes sure that the steps of a path have the offsets that are returned, one after the other.
func FuzzReadPath(f *testing.F) {
	for _, s := range []string{".spec.ports[0].name", ".a", "a", ".", "..", ".a[?(@.b=='c]')].d", ".a['b'].c", ".a[",
		".a\\.b", ".a[*]", ".*"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		steps, isWhole := schema.ReadPath(path)
		at := 0
		for _, s := range steps {
			if s.Start < at || s.End <= s.Start || s.End > len(path) || !s.IsItem() && path[s.Start:s.End] != s.Name {
				t.Fatalf("%q: %+v", path, steps)
			}
			at = s.End
		}
		if isWhole && at != len(path) {
			t.Errorf("%q: %+v is said to be all of it", path, steps)
		}
	})
}
