package overlay

import (
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower"
	"github.com/crdproof/crdproof/schema"
)

// A carrier gives the CRDs of one run what the entries of the list crds say.
type carrier struct {
	frames []frame
	// own is the annotation that the run itself writes, "" for none.
	own string
	// uses say what became of each setting, in the order of the frames and of their settings.
	uses  [][]use
	found []diag.Diagnostic
}

// A use is what became of a setting in the CRDs of a run.
type use struct {
	// matches is set if the entry selects a CRD, changes if the setting decides the value of one.
	matches, changes bool
	// before is where the same value is in a CRD without the setting; replacedBy is a setting of a higher precedence.
	before, replacedBy diag.Span
	// contradicts is set once a contradiction is reported.
	contradicts bool
}

// carrier returns that of a run. own is the annotation that crdproof itself writes, "" if it writes none.
func (s *Set) carrier(own string) carrier {
	a := carrier{own: own, frames: s.frames}
	for i := range a.frames {
		a.uses = append(a.uses, make([]use, len(a.frames[i].settings)))
	}
	return a
}

// A candidate is a setting for a CRD, with what becomes of it.
type candidate struct {
	*setting
	use *use
	// isOfKind is set if the entry names the kind: it then has precedence over entries for all CRDs.
	isOfKind bool
}

// apply gives a CRD what the entries for it set. What markers set gives way to entries for all CRDs, and these to
// entries that name the kind.
func (a *carrier) apply(c *schema.CRD, v *lower.Variant) {
	for _, list := range a.bySlot(c, v) {
		value, at := valueOf(c, list[0].slot)
		var last *candidate
		for i := range list {
			next := &list[i]
			next.use.matches = true
			if next.value.Equal(value) {
				next.use.before = at
				continue
			}
			if last != nil {
				last.use.replacedBy = next.at
				a.contradiction(last, next)
			}
			last, value, at = next, next.value, next.at
		}
		if last != nil {
			last.use.changes = true
			last.put(c)
		}
	}
}

// bySlot returns the settings for a CRD, those of each slot in the order of precedence.
func (a *carrier) bySlot(c *schema.CRD, v *lower.Variant) (out [][]candidate) {
	index := map[slot]int{}
	for _, ofKind := range []bool{false, true} {
		for i := range a.frames {
			f := &a.frames[i]
			if (len(f.kinds) > 0) != ofKind || !selectsKind(f.kinds, c) || !f.conditions.hold(v) {
				continue
			}
			for j := range f.settings {
				s := &f.settings[j]
				at, ok := index[s.slot]
				if !ok {
					at, out = len(out), append(out, nil)
					index[s.slot] = at
				}
				out[at] = append(out[at], candidate{s, &a.uses[i][j], ofKind})
			}
		}
	}
	return out
}

// A field is a row of the table of what an entry of the list crds sets.
type field struct {
	name string
	// path leads to it in the object of a CRD.
	path []string
	// value returns what a CRD has, and where that is from; nil for one that Go types never have. put sets it to what
	// another CRD has. Labels and annotations are set by their keys.
	value func(c *schema.CRD) (schema.Value, diag.Span)
	put   func(c, from *schema.CRD)
	keyed func(c *schema.CRD) *[]schema.KeyValue
}

// fields returns the table, whose names are those of read.FrameKeys.
func fields() []field {
	return []field{
		{name: fieldLabels, path: []string{"metadata", fieldLabels},
			keyed: func(c *schema.CRD) *[]schema.KeyValue { return &c.Labels }},
		{name: fieldAnnotations, path: []string{"metadata", fieldAnnotations},
			keyed: func(c *schema.CRD) *[]schema.KeyValue { return &c.Annotations }},
		{name: "conversion", path: []string{"spec", "conversion"},
			put: func(c, from *schema.CRD) { c.Conversion = from.Conversion }},
		{name: "preserveUnknownFields", path: []string{"spec", "preserveUnknownFields"},
			value: func(c *schema.CRD) (schema.Value, diag.Span) {
				if f := c.PreserveUnknownFields; f != nil {
					return schema.Value{Kind: schema.Bool, Text: strconv.FormatBool(f.V)}, f.At
				}
				return schema.Value{}, diag.Span{}
			},
			put: func(c, from *schema.CRD) { c.PreserveUnknownFields = from.PreserveUnknownFields }},
		{name: "shortNames", path: []string{"spec", "names", "shortNames"},
			value: func(c *schema.CRD) (schema.Value, diag.Span) { return textsOf(c.ShortNames) },
			put:   func(c, from *schema.CRD) { c.ShortNames = from.ShortNames }},
		{name: "categories", path: []string{"spec", "names", "categories"},
			value: func(c *schema.CRD) (schema.Value, diag.Span) { return textsOf(c.Categories) },
			put:   func(c, from *schema.CRD) { c.Categories = from.Categories }},
	}
}

// fieldNamed returns the row of a field.
func fieldNamed(name string) field {
	table := fields()
	return table[slices.IndexFunc(table, func(f field) bool { return f.name == name })]
}

// valueOf returns what a CRD has in a slot, and where that is from.
func valueOf(c *schema.CRD, s slot) (schema.Value, diag.Span) {
	switch f := fieldNamed(s.field); {
	case f.keyed != nil:
		return keyValueOf(*f.keyed(c), s.key)
	case f.value != nil:
		return f.value(c)
	}
	return schema.Value{}, diag.Span{}
}

func keyValueOf(list []schema.KeyValue, key string) (schema.Value, diag.Span) {
	for _, kv := range list {
		if kv.Key == key {
			return schema.Value{Kind: schema.String, Text: kv.Value}, kv.At
		}
	}
	return schema.Value{}, diag.Span{}
}

func textsOf(list []schema.Text) (out schema.Value, at diag.Span) {
	if len(list) == 0 {
		return schema.Value{}, diag.Span{}
	}
	out.Kind = schema.Array
	for _, t := range list {
		out.Items = append(out.Items, schema.Value{Kind: schema.String, Text: t.V})
	}
	return out, list[0].At
}

// put sets the value in a CRD.
func (s *setting) put(c *schema.CRD) {
	f := fieldNamed(s.field)
	if f.keyed == nil {
		f.put(c, s.from)
		return
	}
	*f.keyed(c) = s.with(*f.keyed(c), *f.keyed(s.from))
}

// with returns labels or annotations with one that is set or removed, sorted by key.
func (s *setting) with(list, from []schema.KeyValue) []schema.KeyValue {
	out := slices.DeleteFunc(slices.Clone(list), func(kv schema.KeyValue) bool { return kv.Key == s.key })
	if s.value.Kind != schema.Null {
		out = append(out, from[slices.IndexFunc(from, func(kv schema.KeyValue) bool { return kv.Key == s.key })])
	}
	slices.SortFunc(out, func(a, b schema.KeyValue) int { return strings.Compare(a.Key, b.Key) })
	return out
}
