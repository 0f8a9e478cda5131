package main

import "testing"

// TestTyped compares the helpers for Go types with those for JSON, on a sample of parity's modules.
func TestTyped(t *testing.T) {
	t.Chdir("..")
	*run, *count = "^(source-controller|cert-manager|karpenter|rules)$", 8000
	same, err := try(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !same {
		t.Error("they differ")
	}
}
