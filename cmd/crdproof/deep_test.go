package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
)

// TestDeepSchemas makes sure that the work for a nested schema grows with its depth, not with the square of it.
func TestDeepSchemas(t *testing.T) {
	t.Chdir(t.TempDir())
	const small, factor = 150, 4
	for _, depth := range []int{small, factor * small} {
		if err := os.WriteFile(fmt.Sprintf("%d.json", depth), []byte(deepCRD(depth)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range []string{"check %d.json", "explain %d.json",
		"helpers:crds=%d.json,package=rules output:helpers:dir=rules%[1]d"} {
		allocated := func(depth int) float64 {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			args := strings.Fields(fmt.Sprintf(command, depth))
			if code := run(t.Context(), args, nil, io.Discard, io.Discard); code != exitClean {
				t.Fatalf("%q: exit code %d", args, code)
			}
			runtime.ReadMemStats(&after)
			return float64(after.TotalAlloc - before.TotalAlloc)
		}
		allocated(small) // what is computed once
		if ratio := allocated(factor*small) / allocated(small); ratio > 1.5*factor {
			t.Errorf("%s: %d times the depth takes %.1f times the memory", command, factor, ratio)
		} else {
			t.Logf("%s: %.1f", command, ratio)
		}
	}
}

// deepCRD is a CRD with objects in objects.
func deepCRD(depth int) string {
	schema := strings.Repeat(`{"type":"object","properties":{"a":`, depth) + `{"type":"string","maxLength":5}` +
		strings.Repeat("}}", depth)
	return `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",` +
		`"metadata":{"name":"widgets.example.com"},"spec":{"group":"example.com","scope":"Namespaced",` +
		`"names":{"plural":"widgets","singular":"widget","kind":"Widget","listKind":"WidgetList"},` +
		`"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":` + schema + `}}]}}`
}
