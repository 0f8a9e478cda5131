package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/difftest"
	"github.com/crdproof/crdproof/testdata/parity/harness"
)

// guards are what a rule looks at before it reads a field.
var guards = regexp.MustCompile(`!?has\([^()]*\) (?:&&|\|\|) `)

// TestRules looks at what crdproof suggests for the rules of the modules.
func TestRules(t *testing.T) {
	files := generatedFiles(t)
	t.Run("rewrites", func(t *testing.T) { testRewrites(t, files) })
	t.Run("slips", func(t *testing.T) { testSlips(t, files) })
}

// generatedFiles are the CRDs of the modules that have rules.
func generatedFiles(t *testing.T) (out []*diag.Source) {
	t.Helper()
	work := t.TempDir()
	tools, err := harness.Build(t.Context(), ".", work, os.Getenv("CRDPROOF"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range harness.Cases() {
		if c.Repeats() || testing.Short() && !c.Small {
			continue
		}
		files, output, err := runJob(t.Context(), harness.Job{
			Tool: tools.Crdproof, Dir: c.WorkDir("."), Paths: c.Paths, Out: filepath.Join(work, c.Name),
			Options: append([]string{"mistakes=warn", "unproved=true", "maxDescLen=0"}, c.Options...),
		})
		if err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		for _, name := range unionOfNames(files, nil) {
			if bytes.Contains(files[name], []byte("x-kubernetes-validations:")) {
				out = append(out, &diag.Source{Path: name, Data: files[name], Syntax: diag.YAML})
			}
		}
	}
	return out
}

// testRewrites tries each rule that is suggested for the CRDs of the modules with the API server's code, on random
// objects: it must have the value of the author's rule, and do what the help says where that has none. Since the authors
// have guarded most of their rules, it does so once more with rules whose guards are removed, for some of the CRDs.
func testRewrites(t *testing.T, files []*diag.Source) {
	asWritten, unguarded := difftest.Rewrites{TB: t, Objects: 300}, difftest.Rewrites{TB: t, Objects: 60}
	for i, src := range files {
		tryRewrites(t, &asWritten, src)
		if !*allRules && i%4 > 0 {
			continue
		}
		for _, crd := range difftest.Read(t, src) {
			tryRewrites(t, &unguarded, difftest.Edited(t, crd, func(rule string) string {
				return guards.ReplaceAllString(rule, "")
			}))
		}
	}
	t.Log("as they are written:")
	asWritten.End()
	t.Log("without guards:")
	unguarded.End()
}

// tryRewrites tries what is suggested for the CRDs of a file.
func tryRewrites(t *testing.T, rewrites *difftest.Rewrites, src *diag.Source) {
	t.Helper()
	found := crds.Validate(t.Context(), []*diag.Source{src}, crds.Validation{}).Found
	for _, crd := range difftest.Read(t, src) {
		rewrites.Try(crd, found)
	}
}
