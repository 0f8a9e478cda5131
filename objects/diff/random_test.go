package diff

import (
	"context"
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/internal/witness"
	"github.com/crdproof/crdproof/objects/internal/witnesstest"
	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/symbolic"
	"github.com/crdproof/crdproof/schema"
)

var (
	randomPairs   = flag.Int("pairs", 150, "how many random pairs of CRDs TestRandom compares")
	randomObjects = flag.Int("objects", 60, "how many random objects TestRandom writes for each pair")
	randomSeed    = flag.Uint64("seed", 1, "the seed of TestRandom")
	randomMinor   = flag.Int("minor", int(kube.Latest()), "the minor of Kubernetes whose servers TestRandom asks")
)

// TestRandom compares random CRDs with slightly changed ones. If the answer to a question is yes, the API server's
// library must treat random objects alike.
func TestRandom(t *testing.T) {
	pairs := *randomPairs
	if testing.Short() {
		pairs = min(pairs, 30)
	}
	g := &pairMaker{Rand: rand.New(rand.NewPCG(*randomSeed, 7))}
	minor := kube.Minor(*randomMinor)
	servers := kube.Range{First: minor, Last: minor}
	answers := map[string]int{}
	objects := 0
	for n := 0; n < pairs; {
		before, after := g.pair()
		if !isValid(t, before) || !isValid(t, after) {
			continue
		}
		n++
		c, err := Compare(context.Background(), before, after, servers)
		if err != nil {
			t.Fatalf("pair %d: %v", n, err)
		}
		for _, q := range Questions() {
			answers[q.String()+" "+c.Answer(q).String()]++
		}
		attack := &attack{T: t, pairMaker: g, c: c, before: before, after: after}
		objects += attack.run(*randomObjects)
		if n%10 == 0 && minor == kube.Latest() { // suites ask it
			RunSuites(t, c, after)
			both := versions(before, after)
			c, err := Between(t.Context(), both, "v1", "v2", servers)
			if err != nil {
				t.Fatalf("pair %d: %v", n, err)
			}
			RunSuites(t, c, both)
		}
		if t.Failed() {
			t.Fatalf("seed %d, pair %d:\n%s\n---\n%s", *randomSeed, n, before.IR.At.Source.Data,
				after.IR.At.Source.Data)
		}
	}
	for _, q := range Questions() {
		t.Logf("%s: %d yes, %d no, %d unknown", q, answers[q.String()+" yes"], answers[q.String()+" no"],
			answers[q.String()+" unknown"])
	}
	t.Logf("%d objects", objects)
	if objects < pairs {
		t.Errorf("only %d objects were accepted", objects)
	}
}

func isValid(t *testing.T, crd crds.CRD) bool {
	t.Helper()
	reasons, err := kube.Verdict(context.Background(), crd.Object)
	return err == nil && len(reasons) == 0
}

// An attack writes random objects to both CRDs of a comparison.
type attack struct {
	*testing.T
	*pairMaker
	c             *Comparison
	before, after crds.CRD
}

func (a *attack) run(n int) (accepted int) {
	side := func(crd crds.CRD) *witness.Side {
		return &witness.Side{CRD: crd, Version: &crd.IR.Versions[0], Minor: kube.Minor(*randomMinor)}
	}
	w := witness.NewWork(context.Background())
	first, second := a.before.IR.Versions[0].Schema, a.after.IR.Versions[0].Schema
	s := &trial{Search: witness.NewSearch(side(a.before), witness.NewBuilder(w, first, second)),
		reject: side(a.after)}
	other := witness.NewBuilder(w, second, first)
	objects := witnesstest.New(a.Rand)
	// Equal values with different texts, those that rules cannot read, and integers for which sums overflow.
	objects.Special = []any{"60s", "1m", "2m", "120s", "2020-01-01T00:00:00Z", "2020-01-01T00:00:00.0Z",
		"2020-01-01T00:00:00x5Z", int64(1 << 53), int64(1<<53 + 1), float64(symbolic.Fraction),
		int64(math.MaxInt64), int64(math.MinInt64), int64(1 << 62), int64(-2), 2.5, -0.5}
	for range n {
		if a.Failed() {
			break
		}
		object, ok := objects.Object(s.Builder, other)
		if !ok {
			continue
		}
		old := s.Write(s.Accept, object, true)
		if s.Err != nil {
			a.Fatal(s.Err)
		}
		if old.Rejection != nil {
			continue
		}
		accepted++
		now := s.Write(s.reject, object, false)
		if now.Rejection != nil && a.c.Answer(Create) == Yes {
			a.Errorf("create is yes, but %s: %v", witness.JSON(object), now.Rejection)
		}
		if now.Rejection == nil {
			a.compare(witness.JSON(object), old.Answer.Object, now.Answer.Object)
		}
		a.update(s, &old)
		a.touch(s, objects, other, &old, now.Errors)
	}
	return accepted
}

// touch changes single fields of a stored object. The errors that the object has under the other CRD must be ratcheted,
// but for those about the field.
func (a *attack) touch(
	s *trial, objects *witnesstest.Objects, other *witness.Builder, w *witness.Written, errs field.ErrorList,
) {
	if a.c.Answer(Stored) != Yes || len(errs) == 0 {
		return
	}
	var places []schema.Path
	var walk func(at schema.Path, value any)
	walk = func(at schema.Path, value any) {
		switch value := value.(type) {
		case map[string]any:
			for _, name := range keysOf(value) {
				places = append(places, at.Then(schema.Key(name)))
				walk(at.Then(schema.Key(name)), value[name])
			}
		case []any:
			for i, item := range value {
				walk(at.Then(schema.Item(i)), item)
			}
		}
	}
	walk(schema.Path{schema.Key("spec")}, w.Answer.Object["spec"])
	for range min(3, len(places)) {
		at := places[a.IntN(len(places))]
		p := witness.Plan{{At: at, Absent: true}}
		if of := s.SchemaAt(s.Root, at); of != nil && a.IntN(3) > 0 {
			if value, ok := objects.Value(s.Builder, of, other.SchemaAt(other.Root, at)); ok {
				p = witness.Plan{{At: at, Value: value}}
			}
		}
		update, ok := s.Apply(w.Answer.Object, p)
		req := write.Request{Old: w.Stored}
		if !ok {
			continue
		}
		found := s.Send(s.reject, update, req).Errors
		if len(found) == 0 || s.Send(s.Accept, update, req).Rejection != nil {
			continue
		}
		for _, err := range found {
			isOld := slices.ContainsFunc(errs, func(old *field.Error) bool {
				return old.Type == err.Type && old.Field == err.Field && old.Detail == err.Detail
			})
			name := at[len(at)-1].Name
			place, ok := s.Locate(s.Root, update, err.Field)
			isBelow := ok && len(place) >= len(at) && slices.Equal(place[:len(at)], at)
			if isOld && !isBelow && !strings.Contains(err.Detail, "."+name) &&
				!strings.Contains(err.Detail, "(self") && !write.IsUnchecked(err) {
				a.Errorf("stored is yes, but an update of %s to %s: %v", witness.JSON(w.Stored), witness.JSON(update), err)
			}
		}
	}
}

// compare compares what both CRDs make of an object.
func (a *attack) compare(text string, old, now map[string]any) {
	lost, changed := false, false
	var walk func(x, y any)
	walk = func(x, y any) {
		fields, isObject := x.(map[string]any)
		others, also := y.(map[string]any)
		if isObject && also {
			for name, value := range fields {
				if other, ok := others[name]; ok {
					walk(value, other)
				} else {
					lost = true
				}
			}
			return
		}
		list, isList := x.([]any)
		items, also := y.([]any)
		if isList && also && len(list) == len(items) {
			for i := range list {
				walk(list[i], items[i])
			}
			return
		}
		changed = changed || witness.JSON(x) != witness.JSON(y)
	}
	walk(old, now)
	if lost && a.c.Answer(Kept) == Yes && a.c.Answer(Meaning) == Yes {
		a.Errorf("kept and meaning are yes, but %s is %s and %s", text, witness.JSON(old), witness.JSON(now))
	}
	if changed && a.c.Answer(Meaning) == Yes {
		a.Errorf("meaning is yes, but %s is %s and %s", text, witness.JSON(old), witness.JSON(now))
	}
}

// update writes a stored object without a change, and with another label.
func (a *attack) update(s *trial, w *witness.Written) {
	if a.c.Answer(Stored) != Yes {
		return
	}
	labels := schema.Path{schema.Key("metadata"), schema.Key("labels")}
	for _, p := range []witness.Plan{{}, {{At: labels, Value: map[string]any{"a": "b"}}}} {
		update, _ := s.Apply(w.Answer.Object, p)
		req := write.Request{Old: w.Stored}
		if answer := s.Send(s.reject, update, req); answer.Rejection != nil &&
			s.Send(s.Accept, update, req).Rejection == nil {
			a.Errorf("stored is yes, but an update of %s to %s: %v", witness.JSON(w.Stored), witness.JSON(update),
				answer.Rejection)
		}
	}
}
