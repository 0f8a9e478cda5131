package harness

import (
	"flag"
	"testing"
)

var (
	typedSeed   = flag.Uint64("typed-seed", 1, "the seed of the kinds of TestTyped")
	typedTypes  = flag.Int("typed-types", 150, "how many kinds TestTyped makes")
	typedValues = flag.Int("typed-values", 100, "how many values of each it compares")
)

// TestTyped compares the helpers for random Go types with those for JSON.
func TestTyped(t *testing.T) {
	cfg := Config{Root: "..", Seed: *typedSeed, Types: *typedTypes, Values: *typedValues}
	if testing.Short() {
		cfg.Types = 25
	}
	counts, findings, err := Typed(t.Context(), cfg)
	if err != nil {
		t.Fatalf("%v\n%s", err, findings)
	}
	if len(findings) > 20000 {
		findings = findings[:20000]
	}
	t.Logf("%+v\n%s", counts, findings)
	if counts.Different > 0 || counts.Objects == 0 || counts.Fast*4 < counts.Valid {
		t.Error("they differ, or typed code is rarely certain")
	}
}
