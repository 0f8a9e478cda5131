package expressions

import (
	"bytes"
	"testing"
)

// TestMake shows that a batch can be made again, that it has rules, and that the server compiles most of what is made.
func TestMake(t *testing.T) {
	rules, rejected := 0, 0
	for number := range uint64(4) {
		b, err := Make(1, number, 60)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Make(1, number, 60)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b.CRD, again.CRD) {
			t.Errorf("batch %d differs from itself", number)
		}
		rules, rejected = rules+b.Rules, rejected+len(b.Rejected)
		for _, r := range b.Rejected[:min(3, len(b.Rejected))] {
			t.Log(r)
		}
	}
	if rules < rejected {
		t.Errorf("the server compiles %d of %d rules", rules, rules+rejected)
	}
}
