package overlay

import (
	"slices"
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

// valueOf returns what a CRD has in a slot, and where that is from.
func valueOf(c *schema.CRD, s slot) (schema.Value, diag.Span) {
	switch s.field {
	case fieldLabels:
		return keyValueOf(c.Labels, s.key)
	case fieldAnnotations:
		return keyValueOf(c.Annotations, s.key)
	case "shortNames":
		return textsOf(c.ShortNames)
	case "categories":
		return textsOf(c.Categories)
	case "preserveUnknownFields":
		if f := c.PreserveUnknownFields; f != nil {
			return schema.Value{Kind: schema.Bool, Text: boolText(f.V)}, f.At
		}
	}
	return schema.Value{}, diag.Span{} // Go types have no conversion
}

func boolText(v bool) string {
	if v {
		return "true"
	}
	return "false"
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
	switch s.field {
	case fieldLabels:
		c.Labels = s.with(c.Labels, s.from.Labels)
	case fieldAnnotations:
		c.Annotations = s.with(c.Annotations, s.from.Annotations)
	case "shortNames":
		c.ShortNames = s.from.ShortNames
	case "categories":
		c.Categories = s.from.Categories
	case "preserveUnknownFields":
		c.PreserveUnknownFields = s.from.PreserveUnknownFields
	case "conversion":
		c.Conversion = s.from.Conversion
	}
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
