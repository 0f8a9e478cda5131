package size

import (
	"cmp"
	"maps"
	"slices"

	"github.com/crdproof/crdproof/schema"
)

// A Share is what a part of a CRD takes of its JSON, in bytes. The names in JSON are a part of the format of
// explain --size --json.
type Share struct {
	Bytes int `json:"bytes"`
	// Descriptions is how many of the bytes are descriptions, with their keys.
	Descriptions int `json:"descriptions"`
}

func (s *Share) add(t Share) {
	s.Bytes += t.Bytes
	s.Descriptions += t.Descriptions
}

// A Field is a field of an object, with all below it, in one version of a CRD.
type Field struct {
	Version string `json:"version"`
	// Name is the way to the field as an author of objects knows it: "spec.ports[]", "" for the whole object. Depth is
	// how many named fields there are on it.
	Name string `json:"field"`
	Share
	Depth int `json:"-"`
}

// A Package is what comes from the Go files of one package: the fields and types that are declared there.
type Package struct {
	// Path is the import path, "" for what comes from no Go file.
	Path string `json:"package"`
	Share
	// Described is how many descriptions there are.
	Described int `json:"described"`
}

// A Spread says how the bytes of a CRD are spread.
type Spread struct {
	// Schemas are the schemas of all versions.
	Schemas Share
	// Fields are the fields of at least some share of the JSON, each below the one that it lies in, the largest first.
	Fields []Field
	// Packages are the largest first.
	Packages []Package
}

// SpreadOf finds out how the bytes of a CRD are spread; fields of less than one part in so many are left out.
func (w *Weights) SpreadOf(c *schema.CRD, parts int) Spread {
	var out Spread
	for i := range c.Versions {
		if root := c.Versions[i].Schema; root != nil {
			out.Schemas.add(w.shareOf(root))
		}
	}
	packages := map[string]Package{}
	for i := range c.Versions {
		v := &c.Versions[i]
		if v.Schema == nil {
			continue
		}
		out.Fields = append(out.Fields, w.fields(&schema.Place{Schema: v.Schema}, v.Name.V, 0,
			out.Schemas.Bytes/parts)...)
		schema.Walk(v.Schema, func(p *schema.Place) { w.addTo(packages, p.Schema) })
	}
	out.Packages = slices.SortedFunc(maps.Values(packages), func(a, b Package) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Path, b.Path))
	})
	return out
}

// Largest returns the fields that take most, none of which lies in another. A field that consists mostly of one
// field is replaced by that field.
func (s *Spread) Largest(most int) []Field {
	from := s.narrowed(-1)
	parts := s.below(from)
	if len(parts) == 0 && from >= 0 {
		parts = []int{from}
	}
	var out []Field
	for _, i := range parts[:min(len(parts), most)] {
		if f := s.Fields[s.narrowed(i)]; f.Name != "" {
			out = append(out, f)
		}
	}
	return out
}

// below returns the positions of the fields one level below another, the largest first; -1 stands for all versions
// together.
func (s *Spread) below(i int) []int {
	depth := -1
	if i >= 0 {
		depth = s.Fields[i].Depth
	}
	var out []int
	for j := i + 1; j < len(s.Fields) && s.Fields[j].Depth > depth; j++ {
		if s.Fields[j].Depth == depth+1 {
			out = append(out, j)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(s.Fields[b].Bytes, s.Fields[a].Bytes) })
	return out
}

// narrowed returns the innermost field that has more than two thirds of the bytes of the one above it, on the way down
// from a field.
func (s *Spread) narrowed(i int) int {
	all := s.Schemas.Bytes
	for {
		if i >= 0 {
			all = s.Fields[i].Bytes
		}
		below := s.below(i)
		if len(below) == 0 || s.Fields[below[0]].Bytes <= all/3*2 {
			return i
		}
		i = below[0]
	}
}

// Weights are the bytes of schemas, each of which is measured once, however often it occurs. Only one goroutine may use
// them at a time.
type Weights struct {
	own, all map[*schema.Schema]Share
	meter    *meter
}

// NewWeights returns those of no schema yet.
func NewWeights() *Weights {
	return &Weights{own: map[*schema.Schema]Share{}, all: map[*schema.Schema]Share{}, meter: newMeter()}
}

// shareOf returns what a schema takes, with all below it.
func (w *Weights) shareOf(s *schema.Schema) Share {
	if known, ok := w.all[s]; ok {
		return known
	}
	out := w.ownOf(s)
	for _, child := range (&schema.Place{Schema: s}).Children() {
		out.add(w.shareOf(child.Schema))
	}
	w.all[s] = out
	return out
}

// ownOf returns what a schema takes without those below it.
func (w *Weights) ownOf(s *schema.Schema) Share {
	if known, ok := w.own[s]; ok {
		return known
	}
	out := Share{Bytes: w.meter.ownBytes(s)}
	if s.Description.V != "" {
		out.Descriptions = w.meter.description(&s.Description.V)
		if out.Bytes < len("{}")+out.Descriptions {
			out.Descriptions-- // the only key has no comma
		}
	}
	w.own[s] = out
	return out
}

// fields returns the named fields below a place that take at least so many bytes, the largest first, each before those
// below it.
func (w *Weights) fields(p *schema.Place, version string, depth, least int) []Field {
	var out []Field
	if p.Above == nil {
		out = append(out, Field{Share: w.shareOf(p.Schema), Version: version})
	}
	children := slices.DeleteFunc(p.Children(), func(c *schema.Place) bool {
		return c.Nested || w.shareOf(c.Schema).Bytes < max(least, 1)
	})
	slices.SortStableFunc(children, func(a, b *schema.Place) int {
		return cmp.Compare(w.shareOf(b.Schema).Bytes, w.shareOf(a.Schema).Bytes)
	})
	for _, child := range children {
		below := depth
		if child.Step == schema.InProperty {
			below++
			out = append(out, Field{Share: w.shareOf(child.Schema), Version: version, Name: child.Field(),
				Depth: below})
		}
		out = append(out, w.fields(child, version, below, least)...)
	}
	return out
}

// addTo adds what a schema takes to the package that it is declared in, and its description to the one that it was
// written in.
func (w *Weights) addTo(packages map[string]Package, s *schema.Schema) {
	add := func(path string, share Share, described int) {
		p := packages[path]
		p.Path = path
		p.add(share)
		p.Described += described
		packages[path] = p
	}
	own := w.ownOf(s)
	add(s.At.Package(), Share{Bytes: own.Bytes - own.Descriptions}, 0)
	if s.Description.V != "" {
		add(s.Description.At.Package(), Share{own.Descriptions, own.Descriptions}, 1)
	}
}
