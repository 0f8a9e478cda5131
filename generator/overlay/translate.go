package overlay

import (
	"bytes"
	"context"
	"maps"
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit/crd"
	"github.com/crdproof/crdproof/schema"
)

// A Pair is the CRD of Go types and the one that ships. A kind whose CRD must stay as it is has the same CRD twice.
type Pair struct{ Generated, Shipped *schema.CRD }

// A Translation is an overlay file that makes CRDs of Go types what ships.
type Translation struct {
	// Data is the file, nil if nothing needs one.
	Data []byte
	// Entries counts its entries, Places the schemas that differ.
	Entries, Places int
	// Left are the differences that no overlay makes.
	Left []Leftover
	// Undescribed is set if schemas have descriptions and none of what ships has one, Labeled if metadata of embedded
	// objects has fields: what options of the generator do for all schemas.
	Undescribed, Labeled bool
}

// A Leftover is a difference that no overlay makes.
type Leftover struct {
	// Kind is that of the CRD, What is different in it, Before is what its Go types give and After what ships. Why says
	// what to do.
	Kind, What, Before, After, Why string
}

// Translate finds the overlay file that makes the generated CRD of each pair the shipped one. If the context has ended,
// the result is undefined.
func Translate(ctx context.Context, pairs []Pair) Translation {
	t := &translator{pairs: pairs}
	for i := range pairs {
		t.pair(i)
	}
	frames := t.frames()
	var out Translation
	// The fewest words first: if they do not give what ships, since changes at one place depend on others, more.
	for _, way := range []frugality{byTypes, byPaths, byPlaces} {
		entries := t.entries(ctx, way)
		if ctx.Err() != nil {
			break
		}
		t.loosen(entries)
		out = Translation{Data: fileOf(entries, frames), Entries: len(entries) + len(frames), Places: t.places(),
			Left: t.left, Undescribed: t.undescribed(), Labeled: t.labeled()}
		if wrong := t.wrong(out.Data); len(wrong) == 0 {
			return out
		} else if way == byPlaces {
			out.Left = append(out.Left, wrong...)
		}
	}
	return out
}

// A frugality is how entries select what they change.
type frugality uint8

const (
	// byTypes selects by Go types and wildcards too, byPaths by kinds and paths alone; byPlaces has one entry for each
	// place.
	byTypes frugality = iota
	byPaths
	byPlaces
)

// A translator holds the places of all pairs.
type translator struct {
	pairs []Pair
	// spots are all places, roots those of whole versions.
	spots, roots []*spot
	// byType has the places of a Go type, by its name with its package.
	byType map[string][]*spot
	left   []Leftover
}

// A spot is a place of a generated CRD.
type spot struct {
	// pair and version say where it is; order numbers the spots.
	pair, order int
	version     string
	above       *spot
	step        schema.PatternStep
	below       []*spot
	// before is its schema, after the one that ships; nil if that has no such place.
	before, after *schema.Schema
	ops           []op
}

// pair finds the differences of a pair.
func (t *translator) pair(i int) {
	p := t.pairs[i]
	kind := p.Generated.Kind.V
	for j := range p.Generated.Versions {
		v := &p.Generated.Versions[j]
		shipped := versionNamed(p.Shipped, v.Name.V)
		switch {
		case shipped == nil:
			t.left = append(t.left, Leftover{kind, "version " + v.Name.V, "present", "absent",
				"remove the Go type of the version, or mark it +kubebuilder:skipversion"})
		case shipped.Schema == nil || v.Schema == nil:
			t.left = append(t.left, Leftover{kind, "schema of " + v.Name.V, "present", "absent",
				"an output of a profile with schemas: false writes CRDs without schemas"})
		default:
			root := &spot{pair: i, version: v.Name.V, before: v.Schema, after: shipped.Schema}
			t.roots = append(t.roots, root)
			t.compare(root)
		}
	}
	for j := range p.Shipped.Versions {
		if v := &p.Shipped.Versions[j]; versionNamed(p.Generated, v.Name.V) == nil {
			t.left = append(t.left, Leftover{kind, "version " + v.Name.V, "absent", "present",
				"add a Go type of the version"})
		}
	}
}

func versionNamed(c *schema.CRD, name string) *schema.Version {
	i := slices.IndexFunc(c.Versions, func(v schema.Version) bool { return v.Name.V == name })
	if i < 0 {
		return nil
	}
	return &c.Versions[i]
}

// undescribed reports whether what ships lacks all descriptions that the schemas have.
func (t *translator) undescribed() bool {
	has := func(s *schema.Schema) bool { return s != nil && s.Description.V != "" }
	return slices.ContainsFunc(t.spots, func(s *spot) bool { return has(s.before) }) &&
		!slices.ContainsFunc(t.spots, func(s *spot) bool { return has(s.after) })
}

// labeled reports whether metadata of an embedded object gets fields.
func (t *translator) labeled() bool {
	return slices.ContainsFunc(t.spots, func(s *spot) bool {
		return s.before.GoType.Is("k8s.io/apimachinery/pkg/apis/meta/v1", "ObjectMeta") &&
			slices.ContainsFunc(s.ops, func(o op) bool { return o.key == keyAddFields })
	})
}

// places counts the places that differ.
func (t *translator) places() (n int) {
	for _, s := range t.spots {
		if len(s.ops) > 0 {
			n++
		}
	}
	return n
}

// run applies a file, nil for none, to the generated CRDs.
func (t *translator) run(data []byte) (*Run, []*schema.CRD, []diag.Diagnostic) {
	var files []*diag.Source
	if data != nil {
		files = append(files, &diag.Source{Path: "overlay.yaml", Data: data})
	}
	set, found := Read(files)
	run := set.Start("", nil)
	var out []*schema.CRD
	for _, p := range t.pairs {
		out = append(out, run.Apply(p.Generated, nil, true))
	}
	return run, out, append(found, run.Findings()...)
}

// loosen marks the entries that accept more than before.
func (t *translator) loosen(entries []*draft) {
	run, _, _ := t.run(fileOf(entries, nil))
	if len(run.entries) != len(entries) {
		return // an entry cannot be read, which wrong reports
	}
	for i, e := range entries {
		e.loosens = len(run.entries[i].loosened) > 0
	}
}

// wrong returns what a file does not make as it ships.
func (t *translator) wrong(data []byte) (out []Leftover) {
	_, made, found := t.run(data)
	for _, d := range found {
		out = append(out, Leftover{What: "overlay", Why: d.Message})
	}
	for i, c := range made {
		for _, v := range c.Versions {
			shipped := versionNamed(t.pairs[i].Shipped, v.Name.V)
			if shipped != nil && shipped.Schema != nil && v.Schema != nil &&
				!bytes.Equal(crd.EncodeSchema(v.Schema), crd.EncodeSchema(shipped.Schema)) {
				out = append(out, Leftover{Kind: c.Kind.V, What: "schema of " + v.Name.V,
					Why: "it has values that an overlay cannot write"})
			}
		}
	}
	return out
}

// kindsOf names the kinds of pairs, with their groups if several kinds have a name.
func (t *translator) kindsOf(pairs []int) (out []string) {
	for _, i := range pairs {
		c := t.pairs[i].Generated
		name := c.Kind.V
		for j, other := range t.pairs {
			if j != i && other.Generated.Kind.V == name {
				name = c.Kind.V + "." + c.Group.V
			}
		}
		out = append(out, name)
	}
	return out
}

// sortedPairs returns the pairs of spots, each once.
func sortedPairs(spots []*spot) []int {
	in := map[int]bool{}
	for _, s := range spots {
		in[s.pair] = true
	}
	return slices.Sorted(maps.Keys(in))
}
