package gocode_test

import (
	"bytes"
	"flag"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"

	"github.com/crdproof/crdproof/emit/gocode/testdata/exchange"
	"github.com/crdproof/crdproof/rules/kube"
)

var (
	seed    = flag.Uint64("seed", 1, "where random objects begin")
	objects = flag.Int("objects", 500, "how many random objects to make of each kind")
)

// objectCount is how many random objects to make of each kind: an eighth of them in short tests.
func objectCount() int {
	if testing.Short() {
		return *objects / 8
	}
	return *objects
}

// TestProcessing prunes and defaults random objects, including invalid ones, and compares with what its library makes
// of them.
func TestProcessing(t *testing.T) {
	p := start(t, readCRDs(t, "testdata/crds/processing.yaml"), kube.Latest())
	m := maker{rand.New(rand.NewPCG(*seed, 0))}
	for _, kind := range slices.Sorted(maps.Keys(p.resources)) {
		s := p.resources[kind].schema
		for range objectCount() {
			object := exchange.Exact(m.object(s))
			want := exchange.Decode(object)
			paths := pruning.PruneWithOptions(want, s, true,
				structural.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
			got := p.ask(t, kind+".Prune", object, nil)
			if !slices.Equal(got.Pruned, paths) {
				t.Errorf("pruned\n%s\nremoved %q\nwant    %q", object, got.Pruned, paths)
			}
			compare(t, "pruned", object, got.Object, want)

			want = exchange.Decode(object) // defaulting is right for what was not pruned too
			if m.IntN(2) == 0 {
				object, want = got.Object, exchange.Decode(got.Object)
			}
			defaulting.PruneNonNullableNullsWithoutDefaults(want, s)
			defaulting.Default(want, s)
			compare(t, "defaulted", object, p.ask(t, kind+".Default", object, nil).Object, want)
		}
	}
}

// compare compares an object with what it should have become.
func compare(t *testing.T, how string, before, got []byte, want map[string]any) {
	t.Helper()
	if exact := exchange.Exact(want); !bytes.Equal(got, exact) {
		t.Errorf("%s\n%s\ngot  %s\nwant %s", how, before, got, exact)
	}
}
