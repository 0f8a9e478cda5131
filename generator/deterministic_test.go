package generator_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/crdproof/crdproof/generator"
)

// tempting are the cases in which an iteration over a map would change the output, and those for which controller-gen's
// output varies from run to run. API servers iterate over maps of properties, so the cases of defaults are among them.
func tempting() []string {
	return []string{
		"kinds/several_versions", "kinds/version_of_import", "kinds/metadata",
		"shapes/embedded_three_levels_of_one_name",
		"shapes/generics_other_package", "folding/enum_outside", "markers/one_of", "mistakes/default_in_shared_type", "mistakes/go_redeclared",
		"mistakes/marker_type", "mistakes/several", "mistakes/version_duplicate",
	}
}

// TestDeterministic makes 50 runs of each tempting case in both modes, 10 in short tests: files and diagnostics must be
// the same. The first run calls the go command again, in short tests only for every fourth case. The other runs share
// one listing.
func TestDeterministic(t *testing.T) {
	runs := 50
	if testing.Short() {
		runs = 10
	}
	chosen := casesForDeterminism(t)
	writeCases(t, t.TempDir(), chosen)
	for i, c := range chosen {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			opts := c.options(t)
			listing := c.list(t)
			result := c.generate(t, listing, opts)
			if !testing.Short() || i%4 == 0 {
				var err error
				if result, err = generator.Run(context.Background(), c.config(opts)); err != nil {
					t.Fatal(err)
				}
			}
			for _, opts.Compat = range []bool{opts.Compat, true} {
				if opts.Compat {
					opts.Tolerate, opts.Unproved = true, true
					result = c.generate(t, listing, opts)
				}
				first := whole(t, c, result)
				for i := 1; i < runs; i++ {
					if text := whole(t, c, c.generate(t, listing, opts)); text != first {
						t.Fatalf("run %d differs: %s", i+1, difference([]byte(first), []byte(text)))
					}
				}
			}
		})
	}
}

func casesForDeterminism(t *testing.T) []*testCase {
	t.Helper()
	cases := map[string]*testCase{}
	var out []*testCase
	for _, c := range readCases(t) {
		cases[c.name] = c
		if c.header["oracle"] == "varies" {
			out = append(out, c)
		}
	}
	for _, name := range tempting() {
		if cases[name] == nil {
			t.Fatalf("unknown case %s", name)
		}
		out = append(out, cases[name])
	}
	return out
}

// whole is all output of a run, in order.
func whole(t *testing.T, c *testCase, result generator.Result) string {
	t.Helper()
	var out bytes.Buffer
	for _, f := range result.Files {
		fmt.Fprintf(&out, "%s\n%s\n", f.Path, f.Data)
	}
	out.WriteString(c.render(t, result.Diagnostics))
	return out.String()
}
