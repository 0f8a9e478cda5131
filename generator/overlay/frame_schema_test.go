package overlay

import (
	"maps"
	"slices"
	"testing"

	"github.com/crdproof/crdproof/schema/read"
)

// TestFrameSchema keeps the schema of entries in step with their keys.
func TestFrameSchema(t *testing.T) {
	got := slices.Sorted(maps.Keys(frameSchema()["properties"].(map[string]any)))
	want := append(read.FrameKeys(), keyKind, keyChannel, keyGate)
	slices.Sort(want)
	for _, f := range fields() {
		if !slices.Contains(want, f.name) {
			t.Errorf("%s is not a key of an entry", f.name)
		}
	}
	if len(fields()) != len(read.FrameKeys()) || !slices.Equal(got, want) {
		t.Errorf("the schema has the keys %v, entries have %v", got, want)
	}
}
