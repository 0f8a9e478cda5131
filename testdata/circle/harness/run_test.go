package harness

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// TestCircle closes the circle for a few hundred types, for fewer in short tests. `make circle` does so for more, and
// for other seeds.
func TestCircle(t *testing.T) {
	seeds, types := []uint64{1, 2}, 300
	if testing.Short() {
		seeds, types = seeds[:1], 60
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			report, err := Run(context.Background(), Config{Root: "..", Seed: seed, Types: types, Values: 12,
				Mutations: 10, NilElements: true})
			if err != nil {
				t.Fatal(err)
			}
			var text strings.Builder
			report.Summary(&text)
			t.Log(text.String())
			if len(report.Failures) > 0 {
				text.Reset()
				report.Details(&text, 10)
				t.Errorf("the circle does not close in %d places:\n%s", len(report.Failures), text.String())
			}
			// If all types are rejected, the test shows nothing.
			if report.Rejected*3 > report.Types || report.Readable*10 < report.Mutations {
				t.Errorf("%d of %d types are rejected, %d of %d mutations read", report.Rejected, report.Types,
					report.Readable, report.Mutations)
			}
		})
	}
}
