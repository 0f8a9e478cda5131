package effort

import (
	"bytes"
	"context"
	"flag"
	"os"
	"testing"

	"github.com/crdproof/crdproof/diag"
)

var update = flag.Bool("update", false, "rewrite docs/limits.md")

func TestBudget(t *testing.T) {
	limit := &Limit{Name: "rounds", Steps: "rounds", Most: 1000}
	var m Meter
	ctx, cancel := context.WithCancel(Measured(context.Background(), &m))
	b := New(ctx, limit)
	if !b.Spend(1000) || b.Ended() || b.Exceeded() {
		t.Error("the budget ends before its limit")
	}
	if b.Spend(1) || !b.Ended() || !b.Exceeded() {
		t.Error("the budget does not end beyond its limit")
	}
	if m.Steps(limit) != 1001 {
		t.Errorf("%d steps were counted", m.Steps(limit))
	}
	d := b.Undecided(diag.Span{}, "x")
	if d.Notes[0] != "the limit is 1,000 rounds (rounds in docs/limits.md)" {
		t.Error(d.Notes)
	}
	b = New(ctx, limit)
	cancel()
	if b.Spend(lookEvery) || !b.Ended() || b.Exceeded() {
		t.Error("the budget outlives its context, or reports a limit")
	}
}

// TestLimits checks that every row of the table is complete, and that no name is used twice.
func TestLimits(t *testing.T) {
	names := map[string]bool{}
	for _, l := range Limits() {
		if l.Name == "" || l.Steps == "" || l.Most <= 0 || l.Beyond == "" || l.Why == "" || names[l.Name] {
			t.Errorf("incomplete or duplicate row %+v", l)
		}
		names[l.Name] = true
	}
}

// TestReference keeps docs/limits.md in step with the table, or rewrites it.
func TestReference(t *testing.T) {
	const path = "../../docs/limits.md"
	var want bytes.Buffer
	if err := WritePage(&want); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(path, want.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%s is not current: run go test ./internal/effort -update", path)
	}
}
