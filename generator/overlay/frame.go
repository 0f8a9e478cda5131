package overlay

import (
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

// A frame is an entry of the list crds.
type frame struct {
	// kinds are the CRDs that it is about; none means all.
	kinds      []schema.Text
	conditions conditions
	settings   []setting
}

// A setting is one value that an entry gives to CRDs.
type setting struct {
	slot
	// value is the value as it is written, but canonical; null removes what CRDs have.
	value schema.Value
	// from has the value with its positions.
	from *schema.CRD
	at   diag.Span
}

// A slot is what a setting sets: a field, of which annotations and labels have a slot for each key.
type slot struct{ field, key string }

// The fields whose keys are slots of their own.
const (
	fieldLabels      = "labels"
	fieldAnnotations = "annotations"
)

// String names the slot in messages.
func (s slot) String() string {
	switch s.field {
	case fieldLabels:
		return "label " + s.key
	case fieldAnnotations:
		return "annotation " + s.key
	}
	return s.field
}

// frame reads an entry of the list crds.
func (r *reader) frame(n *schema.Value) {
	before := len(r.found)
	var f frame
	carried := schema.Value{Kind: schema.Object, At: n.At}
	for i := range n.Members {
		m := &n.Members[i]
		switch {
		case m.Key == keyKind:
			f.kinds = r.texts(m)
		case m.Key == keyChannel || m.Key == keyGate:
			f.conditions.condition(r, m)
		case !slices.Contains(read.FrameKeys(), m.Key):
			r.unknown(m, "an entry of crds", append([]string{keyKind, keyChannel, keyGate}, read.FrameKeys()...),
				nil)
		case m.Value.Kind == schema.Null:
			r.errorf(m.KeyAt, "write a value, or remove the key", "%s: expected a value, got null", m.Key)
		default:
			carried.Members = append(carried.Members, *m)
		}
	}
	from, problems := read.Frame(&carried)
	r.report(problems...)
	if len(r.found) == before && len(carried.Members) == 0 {
		r.errorf(n.Start(), "add what the CRDs carry, such as labels: {app: operator}", "the entry changes nothing")
	}
	if len(r.found) > before {
		return
	}
	for i := range carried.Members {
		f.settings = append(f.settings, settingsOf(&carried.Members[i], from)...)
	}
	r.out.frames = append(r.out.frames, f)
}

// settingsOf returns the settings of a key of an entry, which is read into from.
func settingsOf(m *schema.Member, from *schema.CRD) (out []setting) {
	if fieldNamed(m.Key).keyed == nil {
		return []setting{{slot{field: m.Key}, orNull(m.Value.Canonical()), from, m.KeyAt}}
	}
	for i := range m.Value.Members {
		kv := &m.Value.Members[i]
		out = append(out, setting{slot{m.Key, kv.Key}, kv.Value.Canonical(), from, kv.KeyAt})
	}
	return out
}

// orNull returns null for an empty list: a CRD writes neither.
func orNull(v schema.Value) schema.Value {
	if v.Kind == schema.Array && len(v.Items) == 0 {
		return schema.Value{}
	}
	return v
}
