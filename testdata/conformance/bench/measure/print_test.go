package measure

import (
	"io"
	"testing"
)

// TestGoals shows which measurements miss their goals.
func TestGoals(t *testing.T) {
	for _, c := range []struct {
		operation    string
		theirs, ours sample
		reached      bool
	}{
		{"prune", sample{1000, 50}, sample{200, 0}, true},
		{"prune", sample{1000, 50}, sample{201, 0}, false},
		{"prune", sample{1000, 50}, sample{100, 1}, false},
		{"validate", sample{1000, 500}, sample{10, 20}, true},
		{"validate", sample{1000, 500}, sample{10, 21}, false},
		{"update", sample{1000, 500}, sample{11, 0}, false},
	} {
		if reached := printRow(io.Discard, "Widget", c.operation, c.theirs, c.ours); reached != c.reached {
			t.Errorf("%s in %v ns and %v allocations of the library's %v ns: %v", c.operation, c.ours.nanoseconds,
				c.ours.allocations, c.theirs.nanoseconds, reached)
		}
	}
}
