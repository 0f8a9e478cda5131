package main

import "testing"

// TestTyped compares the helpers for Go types with those for JSON, on a sample of parity's modules.
func TestTyped(t *testing.T) { sample(t, "^(source-controller|cert-manager|karpenter|rules)$", 8000) }

// TestImportedAsData is TestTyped with the structures of imported types as data.
func TestImportedAsData(t *testing.T) {
	*asData = true
	defer func() { *asData = false }()
	sample(t, "^(cert-manager|keda)$", 4000)
}

func sample(t *testing.T, modules string, objects int) {
	t.Helper()
	t.Chdir("..")
	*run, *count = modules, objects
	same, err := try(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !same {
		t.Error("they differ")
	}
}
