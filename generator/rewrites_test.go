package generator_test

import (
	"bytes"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/crdproof/crdproof/objects/difftest"
)

// TestRewrites tries each rule that is suggested in a case with the API server's code, on random objects: it must have
// the value of the author's rule, and do what the help says where that has none.
func TestRewrites(t *testing.T) {
	cases := slices.DeleteFunc(readCases(t), func(c *testCase) bool {
		return c.header["known"] != "" || !bytes.Contains(txtar.Format(c.archive), []byte("change the rule to "))
	})
	writeCases(t, t.TempDir(), cases)
	rewrites := difftest.Rewrites{TB: t, Objects: 2000}
	if testing.Short() {
		rewrites.Objects = 100
	}
	for _, c := range cases {
		result := c.generate(t, c.list(t), c.options(t))
		for _, crd := range generatedCRDs(t, result) {
			rewrites.Try(crd, result.Diagnostics)
		}
	}
	rewrites.End()
}
