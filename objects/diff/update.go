package diff

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/objects/internal/witness"
	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/schema"
)

// stored looks for an update of a stored object that the accepting side accepts and the rejecting one rejects.
func (s *trial) stored(g *gap, w *witness.Written) Finding {
	isStatus := w.IsStatus && len(g.node.at) > 0 && g.node.at[0].Name == "status"
	list := []witness.Plan{{}} // certainly accepted
	if !s.isTolerated(g) {
		list = s.updates(g, w.Answer.Object)
	}
	for _, p := range list {
		update, ok := s.Apply(w.Answer.Object, p)
		if !ok {
			continue
		}
		if !s.CanWrite() {
			break
		}
		req := write.Request{Old: w.Stored, Status: isStatus}
		if len(p) > 0 {
			if update, ok = s.accepted(update, p, req, effort.DiffUpdateRepairs.N()); !ok {
				continue
			}
		}
		answer := s.Send(s.reject, update, req)
		if s.Err != nil {
			return Finding{}
		}
		if answer.Rejection != nil && s.isAbout(g, witness.Written{Sent: update, Answer: answer}) {
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
	if tooLarge := s.TooLarge(); tooLarge != "" || !s.CanWrite() {
		unknown.Reason = cmp.Or(tooLarge, s.Writes.Limit().Reason("the changes of the version"))
		return unknown
	}
	// The API server ratchets values that have not changed (KEP-4008), unless it cannot find the old one.
	value, _ := g.node.at.In(w.Answer.Object)
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
func (s *trial) accepted(
	update map[string]any, p witness.Plan, req write.Request, repairs int,
) (map[string]any, bool) {
	req.Validation = "Strict"
	answer := s.Send(s.Accept, update, req)
	if answer.Rejection == nil || repairs == 0 || s.Err != nil {
		return update, answer.Rejection == nil
	}
	tries := 0
	for _, repair := range s.Repairs(update, answer.Errors) {
		isElsewhere := func(w witness.Edit) bool { return !w.At.IsIn(p[0].At) }
		if len(repair) == 0 || slices.ContainsFunc(repair, isElsewhere) || tries == effort.DiffUpdateWays.N() {
			continue
		}
		if repaired, ok := s.Apply(update, repair); ok {
			tries++
			if out, ok := s.accepted(repaired, p, req, repairs-1); ok {
				return out, true
			}
		}
	}
	return nil, false
}

// rejected returns the witness of an update that only the rejecting side has rejected.
func (s *trial) rejected(w *witness.Written, update map[string]any, req write.Request, answer write.Answer) *Witness {
	out := &Witness{Version: s.Accept.Version.Name.V, Object: w.Sent, Update: update, Status: req.Status,
		Old: accepted, New: answer.Rejection.ErrStatus.Message}
	if req.Status {
		req.Status = false
		if main := s.Send(s.reject, update, req); main.Rejection != nil {
			out.rejection = main.Rejection.ErrStatus.Message
		}
	}
	return out
}

// mayHoldNull reports whether a value may have nulls in it: the API server does not take such values for unchanged.
func (s *trial) mayHoldNull(value *schema.Schema) (may bool) {
	if !s.Steps.Schemas.Spend(s.SizeOf(value).Schemas) {
		return true
	}
	schema.Walk(value, func(p *schema.Place) {
		may = may || witness.IsNullable(p.Schema) || witness.KeepsAny(p.Schema)
	})
	return may
}

// isFixed reports whether nothing in a value could change but what the gap is about.
func (g *gap) isFixed(value any) bool {
	switch value := value.(type) {
	case nil: // which the new side drops: only a field beside it could change
		above := g.node.above
		return g.keyword == "nullable" && above != nil && len(above.accept.Properties) == 1 &&
			above.accept.AdditionalProperties == nil && !witness.KeepsUnknown(above.accept)
	case []any: // with more than one item, it may still have too few
		return len(value) == 0 && g.keyword == "minItems" && g.node.reject.MinItems.V == 1
	case map[string]any:
		s := g.node.accept
		hasOther := len(s.Properties) > 1 || len(s.Properties) == 1 && g.node.fieldOf(s.Properties[0].Name) != g.field
		return len(value) == 0 && s.AdditionalProperties == nil && !witness.KeepsUnknown(s) && !hasOther
	}
	return false
}

// updates makes plans that change something else than a gap is about: nothing, an annotation, and what is near.
func (s *trial) updates(g *gap, object map[string]any) []witness.Plan {
	annotation := schema.Path{schema.Key("metadata"), schema.Key("annotations"), schema.Key("example.com/changed")}
	out := []witness.Plan{{}, {{At: annotation, Value: "true"}}}
	reads := s.about(g)
	for n := g.node; n != nil && len(out) < effort.DiffUpdates.N(); n = n.above {
		value, _ := n.at.In(object)
		switch value := value.(type) {
		case map[string]any:
			out = append(out, s.otherFields(n.accept, n.at, value, reads)...)
		case []any:
			if item, ok := s.Value(n.accept.Items, len(value)+1); ok {
				out = append(out, witness.Plan{{At: n.at.Then(schema.Item(len(value))), Value: item}})
			}
			for i := range value {
				if len(out) >= effort.DiffUpdates.N() {
					break
				}
				if other, ok := s.otherThan(n.accept.Items, value[i]); ok && (i > 0 || n == g.node) {
					out = append(out, witness.Plan{{At: n.at.Then(schema.Item(i)), Value: other}})
				}
			}
		}
		if n.above != nil {
			reads = []witness.Reading{{At: schema.Path{n.at[len(n.at)-1]}, IsWhole: true}}
		}
	}
	return out[:min(len(out), effort.DiffUpdates.N())]
}

// about returns the parts of the node that a gap is about: what its rule reads, or the field that it requires.
func (s *trial) about(g *gap) (out []witness.Reading) {
	if g.rule != nil {
		for _, e := range g.rule.Conjuncts {
			out = append(out, s.Readings(e)...)
		}
	}
	name, ok := g.field, g.node.field == ""
	if !ok {
		name, ok = strings.CutPrefix(g.field, g.node.field+".")
	}
	if ok && s.Property(g.node.accept, name) != nil {
		out = append(out, witness.Reading{At: schema.Path{schema.Key(name)}, IsWhole: true})
	}
	return out
}

// A division of readings of an object has those of the whole object, and those of each field.
type division struct {
	whole  []witness.Reading
	fields map[string][]witness.Reading
}

func (s *trial) divided(reads []witness.Reading) division {
	s.Steps.Schemas.Spend(1 + len(reads))
	out := division{fields: map[string][]witness.Reading{}}
	for _, r := range reads {
		switch {
		case len(r.At) == 0 && r.IsWhole:
			out.whole = append(out.whole, r)
		case len(r.At) > 0:
			name := r.At[0].Name
			out.fields[name] = append(out.fields[name], witness.Reading{At: r.At[1:], IsWhole: r.IsWhole})
		}
	}
	return out
}

// within returns readings of an object as those of one of its fields.
func (d *division) within(name string) []witness.Reading {
	return append(slices.Clip(d.whole), d.fields[name]...)
}

// writable returns the fields of an object that an update of it may change at a place.
func writable(object *schema.Schema, at schema.Path) (out []schema.Property) {
	for _, p := range object.Properties {
		if len(at) > 0 || !slices.Contains([]string{"apiVersion", "kind", "metadata", "status"}, p.Name) {
			out = append(out, p)
		}
	}
	return out
}

// otherFields makes plans that change one part of an object that is not among those that are read, or a key of a map
// or the items of a list, even if all of them are read.
func (s *trial) otherFields(
	object *schema.Schema, at schema.Path, fields map[string]any, reads []witness.Reading,
) (out []witness.Plan) {
	divided := s.divided(reads)
	for _, p := range writable(object, at) {
		if len(out) >= effort.DiffFields.N() || !s.Steps.Schemas.Spend(1) {
			break
		}
		below := divided.within(p.Name)
		value, has := fields[p.Name]
		inner, isObject := value.(map[string]any)
		items, isList := value.([]any)
		switch {
		case len(below) == 0:
			if other, ok := s.otherThan(p.Schema, value); ok {
				out = append(out, witness.Plan{{At: at.Then(schema.Key(p.Name)), Value: other}})
			}
		case has && isObject:
			out = append(out, s.otherFields(p.Schema, at.Then(schema.Key(p.Name)), inner, below)...)
		case has && isList && p.Schema.Items != nil:
			if item, ok := s.Value(p.Schema.Items, len(items)+1); ok {
				out = append(out, witness.Plan{{At: at.Then(schema.Key(p.Name), schema.Item(len(items))), Value: item}})
			}
		}
	}
	if len(at) > 0 && (object.AdditionalProperties != nil || witness.KeepsUnknown(object) && !isRead(reads)) {
		if made, ok := s.Value(object.AdditionalProperties, 1); ok {
			out = append(out, witness.Plan{{At: at.Then(schema.Key("other")), Value: made}})
		}
	}
	return out
}

// isRead reports whether readings are of a whole value.
func isRead(reads []witness.Reading) bool {
	return slices.ContainsFunc(reads, func(r witness.Reading) bool { return len(r.At) == 0 && r.IsWhole })
}

// mayChangeElse reports whether an update may change something in a value that is not among what is read.
func (s *trial) mayChangeElse(object *schema.Schema, at schema.Path, reads []witness.Reading) bool {
	if len(reads) == 0 || witness.HasType(object, witness.ArrayType) || object.AdditionalProperties != nil ||
		witness.KeepsAny(object) {
		return true
	}
	divided := s.divided(reads)
	return slices.ContainsFunc(writable(object, at), func(p schema.Property) bool {
		below := at.Then(schema.Key(p.Name))
		return !s.Steps.Schemas.Spend(1) || s.mayChangeElse(p.Schema, below, divided.within(p.Name))
	})
}

// otherThan returns a value of a schema that differs from another.
func (s *trial) otherThan(target *schema.Schema, value any) (any, bool) {
	for variant := range 4 {
		if made, ok := s.Value(target, variant); ok && witness.JSON(made) != witness.JSON(value) {
			return made, true
		}
	}
	switch value := value.(type) { // all that is made are the smallest objects and lists
	case map[string]any:
		for _, p := range s.otherFields(target, schema.Path{schema.Key("value")}, value, nil) {
			out := maps.Clone(value)
			out[p[0].At[1].Name] = p[0].Value
			return out, true
		}
	case []any:
		if item, ok := s.Value(target.Items, len(value)+1); ok {
			return append(slices.Clone(value), item), true
		}
	}
	return nil, false
}
