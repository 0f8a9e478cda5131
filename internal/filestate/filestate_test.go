package filestate

import (
	"testing"
	"time"
)

// TestSettled decides whether a file may have changed after a time.
func TestSettled(t *testing.T) {
	began := time.Unix(1000, 500_000_000)
	for _, test := range []struct {
		name string
		at   State
		want bool
	}{
		{"absent", State{}, true},
		{"unreadable", State{Mode: -1}, false},
		{"long ago", State{Mode: 1, Changed: began.Add(-time.Second).UnixNano()}, true},
		{"a moment ago", State{Mode: 1, Changed: began.Add(-time.Millisecond).UnixNano()}, false},
		{"later", State{Mode: 1, Changed: began.Add(time.Second).UnixNano()}, false},
		{"a set time", State{Mode: 1, Modified: 5, Changed: began.UnixNano()}, false},
		{"only a set time", State{Mode: 1, Modified: began.UnixNano()}, false},
		{"without fractions", State{Mode: 1, Changed: time.Unix(998, 0).UnixNano()}, false},
		{"without fractions, long ago", State{Mode: 1, Changed: time.Unix(990, 0).UnixNano()}, true},
	} {
		if got := test.at.IsSettled(began); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}
