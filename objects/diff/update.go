package diff

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/schema"
)

// stored looks for an update of a stored object that the accepting side accepts and the rejecting one rejects.
func (s *search) stored(g *gap, w *written) Finding {
	isStatus := w.isStatus && len(g.node.at) > 0 && g.node.at[0].name == "status"
	list := []plan{{}} // certainly accepted
	if !s.isTolerated(g) {
		list = s.updates(g, w.Answer.Object)
	}
	for _, p := range list {
		update, ok := s.apply(w.Answer.Object, p)
		if !ok {
			continue
		}
		if !s.canWrite() {
			break
		}
		req := write.Request{Old: w.Stored, Status: isStatus}
		if len(p) > 0 {
			if update, ok = s.accepted(update, p, req, effort.DiffUpdateRepairs.N()); !ok {
				continue
			}
		}
		answer := s.send(s.reject, update, req)
		if s.err != nil {
			return Finding{}
		}
		if answer.Rejection != nil && s.isAbout(g, written{object: update, Answer: answer}) {
			reason := "an update of another field is rejected"
			if len(p) == 0 {
				reason = "an update without a change is rejected"
			}
			return Finding{Question: Stored, Answer: No, Class: ClassStored, Reason: reason,
				Witness: s.rejected(w, update, req, answer)}
		}
	}
	unknown := Finding{Question: Stored, Answer: Unknown, Class: ClassStrict,
		Reason: "no update was found that is rejected, but the API server does not ratchet the field in all updates"}
	if tooLarge := s.tooLarge(); tooLarge != "" || !s.canWrite() {
		unknown.Reason = cmp.Or(tooLarge, s.writes.Limit().Reason("the changes of the version"))
		return unknown
	}
	// The API server ratchets values that have not changed (KEP-4008), unless it cannot find the old one.
	value, _ := g.node.at.in(w.Answer.Object)
	if s.isRatcheted(g) || g.rule == nil && g.isFixed(value) && s.ratchets(g.node) || g.isTopology {
		return Finding{}
	}
	if g.rule != nil && g.isSafe && s.ratchets(g.node) && !s.mayHoldNull(g.node.accept) &&
		!s.mayChangeElse(g.node.accept, g.node.at, s.about(g)) {
		return Finding{}
	}
	return unknown
}

// accepted returns an update that the accepting side accepts: the one that a plan has made, with repairs of what the
// plan changes. Others could change what the gap is about.
func (s *search) accepted(update map[string]any, p plan, req write.Request, repairs int) (map[string]any, bool) {
	req.Validation = "Strict"
	answer := s.send(s.accept, update, req)
	if answer.Rejection == nil || repairs == 0 || s.err != nil {
		return update, answer.Rejection == nil
	}
	tries := 0
	for _, repair := range s.repairs(update, answer.Errors) {
		isElsewhere := func(w wish) bool { return !w.at.isIn(p[0].at) }
		if len(repair) == 0 || slices.ContainsFunc(repair, isElsewhere) || tries == effort.DiffUpdateWays.N() {
			continue
		}
		if repaired, ok := s.apply(update, repair); ok {
			tries++
			if out, ok := s.accepted(repaired, p, req, repairs-1); ok {
				return out, true
			}
		}
	}
	return nil, false
}

// rejected is the witness of an update that only the rejecting side has rejected.
func (s *search) rejected(w *written, update map[string]any, req write.Request, answer write.Answer) *Witness {
	out := &Witness{Version: s.accept.version.Name.V, Object: w.object, Update: update, Status: req.Status,
		Old: accepted, New: answer.Rejection.ErrStatus.Message}
	if req.Status {
		req.Status = false
		if main := s.send(s.reject, update, req); main.Rejection != nil {
			out.rejection = main.Rejection.ErrStatus.Message
		}
	}
	return out
}

// mayHoldNull reports whether a value may have nulls in it: the API server does not take such values for unchanged.
func (w *work) mayHoldNull(s *schema.Schema) (may bool) {
	if !w.steps.schemas.Spend(w.sizeOf(s).schemas) {
		return true
	}
	schema.Walk(s, func(p *schema.Place) {
		may = may || isNullable(p.Schema) || keepsUnknown(p.Schema) || p.Schema.AdditionalAllowed
	})
	return may
}

// isFixed reports whether nothing in a value could change but what the gap is about.
func (g *gap) isFixed(value any) bool {
	switch value := value.(type) {
	case []any: // with more than one item, it may still have too few
		return len(value) == 0 && g.keyword == "minItems" && g.node.reject.MinItems.V == 1
	case map[string]any:
		s := g.node.accept
		hasOther := len(s.Properties) > 1 || len(s.Properties) == 1 && g.node.fieldOf(s.Properties[0].Name) != g.field
		return len(value) == 0 && s.AdditionalProperties == nil && !keepsUnknown(s) && !hasOther
	}
	return false
}

// updates are plans that change something else than a gap is about: nothing, an annotation, and what is near.
func (s *search) updates(g *gap, object map[string]any) []plan {
	annotation := path{{name: "metadata"}, {name: "annotations"}, {name: "example.com/changed"}}
	out := []plan{{}, {{at: annotation, value: "true"}}}
	reads := s.about(g)
	for n := g.node; n != nil && len(out) < effort.DiffUpdates.N(); n = n.above {
		value, _ := n.at.in(object)
		switch value := value.(type) {
		case map[string]any:
			out = append(out, s.otherFields(n.accept, n.at, value, reads)...)
		case []any:
			if item, ok := s.value(n.accept.Items, len(value)+1); ok {
				out = append(out, plan{{at: n.at.item(len(value)), value: item}})
			}
			for i := range value {
				if len(out) >= effort.DiffUpdates.N() {
					break
				}
				if other, ok := s.otherThan(n.accept.Items, value[i]); ok && (i > 0 || n == g.node) {
					out = append(out, plan{{at: n.at.item(i), value: other}})
				}
			}
		}
		if n.above != nil {
			reads = []reading{{at: path{n.at[len(n.at)-1]}, isWhole: true}}
		}
	}
	return out[:min(len(out), effort.DiffUpdates.N())]
}

// about are the parts of the node that a gap is about: what its rule reads, or the field that it requires.
func (s *search) about(g *gap) (out []reading) {
	if g.rule != nil {
		for _, e := range g.rule.conjuncts {
			out = append(out, s.readings(e)...)
		}
	}
	name, ok := g.field, g.node.field == ""
	if !ok {
		name, ok = strings.CutPrefix(g.field, g.node.field+".")
	}
	if ok && s.property(g.node.accept, name) != nil {
		out = append(out, reading{at: path{{name: name}}, isWhole: true})
	}
	return out
}

// A division of readings of an object has those of the whole object, and those of each field.
type division struct {
	whole  []reading
	fields map[string][]reading
}

func (w *work) divided(reads []reading) division {
	w.steps.schemas.Spend(1 + len(reads))
	out := division{fields: map[string][]reading{}}
	for _, r := range reads {
		switch {
		case len(r.at) == 0 && r.isWhole:
			out.whole = append(out.whole, r)
		case len(r.at) > 0:
			name := r.at[0].name
			out.fields[name] = append(out.fields[name], reading{r.at[1:], r.isWhole})
		}
	}
	return out
}

// within are readings of an object as those of one of its fields.
func (d *division) within(name string) []reading {
	return append(slices.Clip(d.whole), d.fields[name]...)
}

// writable are the fields of an object that an update of it may change at a place.
func writable(of *schema.Schema, at path) (out []schema.Property) {
	for _, p := range of.Properties {
		if len(at) > 0 || !slices.Contains([]string{"apiVersion", "kind", "metadata", "status"}, p.Name) {
			out = append(out, p)
		}
	}
	return out
}

// otherFields are plans that change one part of an object that is not among those that are read, or a key of a map or
// the items of a list, even if all of them are read.
func (s *search) otherFields(of *schema.Schema, at path, fields map[string]any, reads []reading) (out []plan) {
	divided := s.divided(reads)
	for _, p := range writable(of, at) {
		if len(out) >= effort.DiffFields.N() || !s.steps.schemas.Spend(1) {
			break
		}
		below := divided.within(p.Name)
		value, has := fields[p.Name]
		inner, isObject := value.(map[string]any)
		items, isList := value.([]any)
		switch {
		case len(below) == 0:
			if other, ok := s.otherThan(p.Schema, value); ok {
				out = append(out, plan{{at: at.field(p.Name), value: other}})
			}
		case has && isObject:
			out = append(out, s.otherFields(p.Schema, at.field(p.Name), inner, below)...)
		case has && isList && p.Schema.Items != nil:
			if item, ok := s.value(p.Schema.Items, len(items)+1); ok {
				out = append(out, plan{{at: at.field(p.Name).item(len(items)), value: item}})
			}
		}
	}
	if len(at) > 0 && (of.AdditionalProperties != nil || keepsUnknown(of) && !isRead(reads)) {
		if made, ok := s.value(of.AdditionalProperties, 1); ok {
			out = append(out, plan{{at: at.field("other"), value: made}})
		}
	}
	return out
}

// isRead reports whether readings are of a whole value.
func isRead(reads []reading) bool {
	return slices.ContainsFunc(reads, func(r reading) bool { return len(r.at) == 0 && r.isWhole })
}

// mayChangeElse reports whether an update may change something in a value that is not among what is read.
func (w *work) mayChangeElse(of *schema.Schema, at path, reads []reading) bool {
	switch {
	case len(reads) == 0 || hasType(of, arrayType) || of.AdditionalProperties != nil || of.AdditionalAllowed ||
		keepsUnknown(of):
		return true
	}
	divided := w.divided(reads)
	return slices.ContainsFunc(writable(of, at), func(p schema.Property) bool {
		return !w.steps.schemas.Spend(1) || w.mayChangeElse(p.Schema, at.field(p.Name), divided.within(p.Name))
	})
}

// otherThan returns a value of a schema that differs from another.
func (s *search) otherThan(of *schema.Schema, value any) (any, bool) {
	for variant := range 4 {
		if made, ok := s.value(of, variant); ok && encode(made) != encode(value) {
			return made, true
		}
	}
	switch value := value.(type) { // all that is made are the smallest objects and lists
	case map[string]any:
		for _, p := range s.otherFields(of, path{{name: "value"}}, value, nil) {
			out := maps.Clone(value)
			out[p[0].at[1].name] = p[0].value
			return out, true
		}
	case []any:
		if item, ok := s.value(of.Items, len(value)+1); ok {
			return append(slices.Clone(value), item), true
		}
	}
	return nil, false
}
