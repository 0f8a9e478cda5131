package flatten

import (
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/schema"
)

// checkParent reports an optional struct with defaults that an object without it does not get. Go always writes such a
// field, so that its programs cannot tell that it was absent. A pointer may well mean that its default is nothing.
func (fl Flattener) checkParent(p node.Property, s *schema.Schema) {
	f := p.Field
	if f == nil || f.GoName == "" || p.Required.V != "" || f.OmitZero || p.Node.Sort != node.StructSort ||
		!fl.Program.Owns(f.At) || s.Incomplete != 0 || s.Default != nil || s.Nullable.True() || s.HasRules() {
		return
	}
	empty := &schema.Value{Kind: schema.Object}
	if zero := fl.ZeroOf(p.Node); zero == nil || rejection(s, zero) != "" || rejection(s, empty) != "" {
		return
	}
	var names []string
	var first diag.Span
	for _, property := range s.Properties {
		if d := property.Schema.Default; d != nil && !isZero(d) && rejection(property.Schema, d) == "" {
			names, first = append(names, property.Name), diag.Nearest(first, d.At)
		}
	}
	if len(names) == 0 {
		return
	}
	which := "the default of " + names[0]
	if len(names) > 1 {
		which = "the defaults of " + diag.And(names)
	}
	fl.Warn(diag.Errorf(f.At, checks.DefaultUnreached, "an object without %q does not get %s", f.Name, which).
		Note("Go writes {} for an unset %q, but other clients leave it out", f.Name).
		Help("add +kubebuilder:default={} to the field").Do(diag.Add, "+kubebuilder:default={}").
		Changes(diag.AcceptsOther, "objects without %q get the defaults in it", f.Name).
		See(first, "a default"))
}

// isZero reports whether Go programs read the same if a value is absent.
func isZero(v *schema.Value) bool {
	switch v.Kind {
	case schema.Bool:
		return v.Text == "false"
	case schema.NumberKind:
		return schema.CompareNumbers(v.Text, "0") == 0
	}
	return v.Text == "" && len(v.Items) == 0 && len(v.Members) == 0
}

// yearOne is the zero value of time.Time in JSON.
const yearOne = "0001-01-01T00:00:00Z"

// checkTime reports an optional time that Go writes although it is unset.
func (fl Flattener) checkTime(p node.Property) {
	f := p.Field
	if f == nil || p.Required.V != "" || f.OmitZero || !fl.Program.Owns(f.At) {
		return
	}
	zero := fl.ZeroOf(p.Node)
	if zero == nil || zero.Kind != schema.String || zero.Text != yearOne {
		return
	}
	d := diag.Errorf(f.At, checks.JSONTime, "an unset %q is encoded as %s", f.Name, yearOne)
	if f.OmitEmpty {
		d = d.Note("omitempty has no effect on a time.Time")
	}
	switch {
	case !hasOmitZero(f):
		d = d.Help("use a pointer: %s", pointerField(f))
	case f.OmitEmpty:
		d = d.Help("replace omitempty with omitzero in the tag").
			Do(diag.DropOption, "omitempty").Do(diag.AddOption, "omitzero")
	default:
		d = d.Help("add omitzero to the tag").Do(diag.AddOption, "omitzero")
	}
	fl.Warn(d)
}

// checkPatchTag reports a list that API servers replace as a whole although its tag asks for a merge: they read the
// list type of the schema alone.
func (fl Flattener) checkPatchTag(p node.Property, s *schema.Schema) {
	f := p.Field
	if f == nil || !fl.Program.Owns(f.At) || s.Type.V != "array" || s.ListType.V != "" || s.Items == nil {
		return
	}
	tag := f.StructTag()
	key := tag.Get("patchMergeKey")
	if !strings.Contains(tag.Get("patchStrategy"), "merge") {
		return
	}
	d := diag.Errorf(f.At, checks.PatchTag, "API servers ignore the tag patchStrategy of a CRD's type: they replace "+
		"%q as a whole", f.Name)
	item := s.Items.Property(key)
	switch {
	case item != nil && isKey(s.Items, key, item):
		d = d.Help("add +listType=map and +listMapKey=%s to the field", key).
			Do(diag.Add, "+listType=map").Do(diag.Add, "+listMapKey="+key).
			Changes(diag.AcceptsLess, "no items with the same %s", key)
	case key == "" && s.Items.Type.V == "string":
		d = d.Help("add +listType=set to the field").Do(diag.Add, "+listType=set").
			Changes(diag.AcceptsLess, "no duplicate items")
	default:
		return
	}
	fl.Warn(d.CausedBy(diag.Span{}, d.HelpText))
}

// isKey reports whether a field can be a key of a list of type map.
func isKey(items *schema.Schema, name string, s *schema.Schema) bool {
	isRequired := false
	for _, r := range items.Required {
		isRequired = isRequired || r.V == name
	}
	isScalar := s.Type.V == "string" || s.Type.V == "integer" || s.Type.V == "boolean"
	return isScalar && !s.Nullable.True() && (isRequired || s.Default != nil) && !items.Nullable.True()
}
