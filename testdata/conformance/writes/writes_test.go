package writes

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/internal/writetest"
	"github.com/crdproof/crdproof/testdata/conformance/answers"
	"github.com/crdproof/crdproof/testdata/conformance/harness"
	"github.com/crdproof/crdproof/testdata/conformance/server"
)

var update = flag.Bool("update", false, "write the answers of the API server to the cases of objects/write")

var (
	seed  = flag.Uint64("seed", 1, "make random objects from this number")
	count = flag.Int("objects", 40, "how many random objects of each CRD to write")
	more  = flag.String("crds", "", "take the CRDs that match this pattern, such as dir/*/*.yaml, for random "+
		"objects as well")
)

const folder = "../../../objects/write/testdata"

// TestCases compares the cases of objects/write with a real API server: the answers in the files are its own, and
// objects/write gives the same.
func TestCases(t *testing.T) {
	s, err := server.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	all, err := writetest.Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	var reals []*Real
	for _, c := range all {
		marked := slices.ContainsFunc(c.Steps, func(s writetest.Step) bool { return s.CRD != nil })
		real, err := Create(t.Context(), s, c.CRD, marked)
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		reals = append(reals, real)
	}
	time.Sleep(2 * time.Second) // or else each case waits by itself
	for i, c := range all {
		t.Run(c.Name, func(t *testing.T) { testCase(t, c, reals[i]) })
	}
}

func testCase(t *testing.T, c *writetest.Case, real *Real) {
	library := &writetest.Library{}
	if err := library.Use(t.Context(), c.CRD); err != nil {
		t.Fatal(err)
	}
	for i, step := range c.Steps {
		if step.CRD != nil {
			if err := errors.Join(real.Replace(t.Context(), step.CRD), real.Await(t.Context())); err != nil {
				t.Fatalf("step %d: %v", i+1, err)
			}
			if err := library.Use(t.Context(), step.CRD); err != nil {
				t.Fatalf("step %d: %v", i+1, err)
			}
			continue
		}
		var want string
		answer, differences, err := Compare(t.Context(), real, library, step)
		if err == nil {
			want, err = writetest.Render(answer)
		}
		switch {
		case err != nil:
			t.Errorf("step %d, %s: %v\n%s", i+1, step.Do, err, step.Object)
		case differences != "":
			t.Errorf("step %d, %s: %s\n%s", i+1, step.Do, step.Object, differences)
		}
		if *update {
			c.Set(step, want)
		} else if want != c.Want(step) {
			t.Errorf("step %d, %s: %s\nthe server:\n%s\nthe file:\n%s", i+1, step.Do, step.Object, want, c.Want(step))
		}
	}
	if *update {
		if err := c.Write(folder); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRandom writes random objects of the CRDs of the cases, of those in the folder crds, and of those that a flag
// names.
func TestRandom(t *testing.T) {
	s, err := server.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	r, err := Run(t.Context(), s, Config{CRDs: randomCRDs(t), Seed: *seed, Objects: *count})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d writes: %d accepted, %d invalid, %d rejected otherwise; %d with warnings", r.Writes, r.Accepted,
		r.Invalid, r.Unread, r.Warned)
	for i, finding := range r.Findings {
		if i == 10 {
			t.Errorf("and %d more", len(r.Findings)-i)
			break
		}
		t.Error(finding)
	}
	if r.Accepted*10 < r.Writes || r.Invalid*10 < r.Writes || r.Warned*20 < r.Writes {
		t.Error("too many answers are the same")
	}
}

func randomCRDs(t *testing.T) []*apiext.CustomResourceDefinition {
	t.Helper()
	var out []*apiext.CustomResourceDefinition
	add := func(data []byte) {
		fixed, _, err := harness.Fix(data)
		if err != nil {
			t.Fatal(err)
		}
		crd := &apiext.CustomResourceDefinition{}
		if err := yaml.Unmarshal(fixed, crd); err != nil {
			t.Fatal(err)
		}
		out = append(out, crd)
	}
	small, err := answers.SmallFiles()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range small {
		add(f.Data)
	}
	all, err := writetest.Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		out = append(out, c.CRD)
	}
	paths, err := filepath.Glob(*more)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		add(data)
	}
	return Sorted(out)
}

// TestLarge writes an object that is too large for a request, and some that are near what a store takes.
func TestLarge(t *testing.T) {
	s, err := server.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	all, err := writetest.Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	c := all[slices.IndexFunc(all, func(c *writetest.Case) bool { return c.Name == "decoding" })]
	real, err := Create(t.Context(), s, c.CRD, false)
	if err != nil {
		t.Fatal(err)
	}
	library := &writetest.Library{}
	if err := library.Use(t.Context(), c.CRD); err != nil {
		t.Fatal(err)
	}
	for i, size := range []int{1 << 20, 1500 << 10, 1600 << 10, 3<<20 + 200} {
		object := fmt.Sprintf(`{"apiVersion":"decoding.example.com/v1","kind":"Widget",`+
			`"metadata":{"name":"large-%d"},"spec":{"text":"%s"}}`, i, strings.Repeat("x", size-120))
		step := writetest.Step{Do: "create", Version: "v1", Object: []byte(object), Written: []byte(object)}
		answer, differences, err := Compare(t.Context(), real, library, step)
		if err != nil || differences != "" {
			t.Errorf("%d bytes: %v %.1000s", len(object), err, differences)
		}
		if rejected := answer.Rejection != nil; rejected != (size > 1500<<10) {
			t.Errorf("%d bytes are rejected: %t", len(object), rejected)
		}
	}
}
