package main

import (
	"math/rand/v2"
	"testing"
)

// TestSmall injects mistakes into the small modules.
func TestSmall(t *testing.T) {
	c := campaign{rounds: 3, most: 3, random: rand.New(rand.NewPCG(4, 0))}
	t.Chdir("..")
	total, err := c.run(t.Context(), "^(gateway-api|source-controller|snapshotter)$", "")
	if err != nil {
		t.Fatal(err)
	}
	if total.remaining == 0 || total.reported*100 < total.remaining*leastShare || total.vanishing > 0 {
		total.print("small")
		t.Fail()
	}
}
