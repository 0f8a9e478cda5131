package diff

import (
	"slices"

	"github.com/google/cel-go/common/ast"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/server"
)

// change answers the questions for one gap.
func (s *search) change(g *gap) Change {
	out := Change{Path: g.field, Keyword: g.keyword, Message: g.text, Old: g.accept, New: g.reject}
	if g.isTopology {
		out.Findings = append(out.Findings, Finding{Question: Definition, Answer: No, Class: ClassReaders,
			Reason: "server-side apply merges the field in another way"})
	}
	if g.isTopology && len(g.plans) == 0 {
		return out
	}
	if g.isTransition() {
		out.add(s.transition(g))
		out.finish(g)
		return out
	}
	from := s.minimal()
	if from == nil {
		for _, q := range g.asks() {
			s.unknown(&out, g, q, "no valid object was found")
		}
		return out
	}
	for _, q := range g.asks() {
		found, stored := s.answer(g, q, from)
		if found.Answer != No {
			s.unknown(&out, g, q, g.unknown)
			continue
		}
		out.add(found)
		out.add(stored)
	}
	out.finish(g)
	return out
}

// asks are the questions that the gap may answer with no.
func (g *gap) asks() []Question {
	if len(g.questions) == 0 {
		return []Question{Create}
	}
	return g.questions
}

// answer looks for an object that answers a question with no; for Create, also for an update of such an object.
func (s *search) answer(g *gap, q Question, from map[string]any) (found, stored Finding) {
	var others []written // which show other differences, too
	shown := 0
	// Not every object that shows the difference is ratcheted.
	try := func(is *Witness, w *written) bool {
		other := s.stored(g, w)
		if other.Answer > stored.Answer {
			stored = other
		}
		if other.Answer == No && is != nil && other.Witness.isLike(is) && is.isAlone == found.Witness.isAlone {
			found.Witness = is
		}
		return other.Answer == No
	}
	s.find(from, g.plans, func(w written) bool {
		is := s.compare(g, w, q)
		if is.Answer != No {
			return false
		}
		if found.Answer != No || !found.Witness.isAlone && is.Witness.isAlone {
			found = is
		}
		if q != Create {
			return true
		}
		if shown++; !is.Witness.isAlone && shown < manyShown {
			others = append(others, w)
			return false // another object may show the difference alone
		}
		return try(is.Witness, &w) || g.isAlwaysFound() || shown > manyShown
	})
	for i := range others {
		if try(nil, &others[i]) || g.isAlwaysFound() {
			break
		}
	}
	return found, stored
}

// isRatcheted reports whether the API server ratchets the value, if it finds the old one.
func (g *gap) isRatcheted() bool { return g.isLeaf && g.node.list == nil }

// isAlwaysFound reports whether it finds the old value whatever else an update changes: it is not in an item of a list,
// whose keys may change.
func (g *gap) isAlwaysFound() bool {
	return g.isRatcheted() && !slices.ContainsFunc(g.node.at, func(s step) bool { return s.name == "" })
}

// manyShown is how many objects are looked at that show a difference, until an update of one is rejected.
const manyShown = 6

// isLike reports whether two witnesses create the same object.
func (w *Witness) isLike(other *Witness) bool { return encode(w.Object) == encode(other.Object) }

// unknown adds the findings if no plan for a gap has succeeded.
func (s *search) unknown(c *Change, g *gap, q Question, reason string) {
	finding := g.undecided(q, reason)
	c.add(finding)
	if finding.Question = Stored; q == Create && !g.isRatcheted() {
		c.add(finding)
	}
}

// isTransition reports whether a gap is about a rule that only updates are checked with.
func (g *gap) isTransition() bool {
	return g.rule != nil && !slices.ContainsFunc(g.rule.conjuncts, func(e ast.Expr) bool { return !usesOldSelf(e) }) &&
		!isOn(g.rule.source.OptionalOldSelf)
}

func (c *Change) add(f Finding) {
	if f.Answer == Yes {
		return
	}
	c.Findings = append(c.Findings, f)
	slices.SortStableFunc(c.Findings, func(a, b Finding) int { return int(a.Question) - int(b.Question) })
}

// undecided is the finding if no plan for a gap has succeeded.
func (g *gap) undecided(q Question, reason string) Finding {
	if reason == "" {
		reason = "no object was found that shows the difference"
	}
	return Finding{Question: q, Answer: Unknown, Class: ClassStrict, Reason: reason}
}

// compare writes an object to the rejecting side, too, and returns the finding if it answers the question with no.
func (s *search) compare(g *gap, w written, q Question) Finding {
	other := s.write(s.reject, w.object, false)
	if s.err != nil {
		return Finding{}
	}
	show := func(q Question, class Class, old, after string) Finding {
		out := &Witness{Version: s.accept.version.Name.V, Object: w.object, Stored: other.Answer.Object, Old: old,
			New: after, isStatus: other.isStatus}
		if other.Rejection != nil {
			out.rejection = other.Rejection.ErrStatus.Message
		}
		return Finding{Question: q, Answer: No, Class: class, Witness: out}
	}
	at := g.node.at
	if g.keyword == "" {
		at = g.plans[0][0].at
		if q == Kept && slices.Contains(other.Unknown, at.String()) {
			return show(Kept, ClassStored, "keeps "+at.String(), "drops "+at.String())
		}
	}
	if other.Rejection != nil {
		if q == Create && s.isAbout(g, other) {
			out := show(Create, ClassCreate, accepted, other.Rejection.ErrStatus.Message)
			out.Witness.isAlone = !slices.ContainsFunc(other.Errors, func(err *field.Error) bool {
				return err.Detail != unchecked && !s.isAbout(g, written{object: w.object,
					Answer: server.Answer{Errors: field.ErrorList{err}}})
			})
			return out
		}
		return Finding{}
	}
	was, had := at.in(w.Answer.Object)
	is, has := at.in(other.Answer.Object)
	switch {
	case q == Create:
	case q == Kept && had && !has:
		return show(Kept, ClassStored, "keeps "+at.String(), "drops "+at.String())
	case q == Meaning && (had != has || encode(was) != encode(is)):
		return show(Meaning, ClassCreate, valueText(at, was, had), valueText(at, is, has))
	}
	return Finding{}
}

// unchecked is what the API server says if it does not evaluate rules because of other errors
// (customresource/validator.go).
const unchecked = "some validation rules were not checked because the object was invalid; correct the existing " +
	"errors to complete validation"

// accepted is the answer of a server that accepts an object.
const accepted = "accepted"

func valueText(at path, value any, exists bool) string {
	if !exists {
		return at.String() + " is not set"
	}
	return at.String() + " is " + encode(value)
}

// stored looks for an update of a stored object that the accepting side accepts and the rejecting one rejects.
func (s *search) stored(g *gap, w *written) Finding {
	isStatus := w.isStatus && len(g.node.at) > 0 && g.node.at[0].name == "status"
	tried := 0
	list := s.updates(g, w.Answer.Object)
	if g.isAlwaysFound() {
		list = list[:min(len(list), fewUpdates)]
	}
	for _, p := range list {
		update, ok := s.apply(w.Answer.Object, p)
		if !ok {
			continue
		}
		req := server.Request{Old: w.Stored, Status: isStatus}
		if len(p) > 0 {
			req.Validation = "Strict"
			if s.send(s.accept, update, req).Rejection != nil {
				continue
			}
			req.Validation = ""
		}
		tried++
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
	// The API server ratchets values that have not changed (KEP-4008), unless it cannot find the old one.
	// List types are checked only if the old list satisfies them (customresource/validator.go).
	value, _ := g.node.at.in(w.Answer.Object)
	if g.isRatcheted() || g.rule == nil && g.isFixed(value) && g.node.list == nil || g.isTopology {
		return Finding{}
	}
	// The rule reads everything that could change.
	isScalar := !hasType(g.node.accept, objectType) && !hasType(g.node.accept, arrayType)
	if (tried <= 2 || isScalar) && g.node.list == nil && g.rule != nil && g.isSafe && !mayHoldNull(g.node.accept) {
		return Finding{}
	}
	return Finding{Question: Stored, Answer: Unknown, Class: ClassStrict,
		Reason: "no update was found that is rejected, but the API server does not ratchet the field in all updates"}
}

// rejected is the witness of an update that only the rejecting side has rejected.
func (s *search) rejected(w *written, update map[string]any, req server.Request, answer server.Answer) *Witness {
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
func mayHoldNull(s *schema.Schema) (may bool) {
	schema.Walk(s, func(p *schema.Place) {
		may = may || isNullable(p.Schema) || keepsUnknown(p.Schema) || p.Schema.AdditionalAllowed
	})
	return may
}

// isFixed reports whether nothing in a value could change but what the gap is about.
func (g *gap) isFixed(value any) bool {
	switch value := value.(type) {
	case []any:
		return len(value) == 0
	case map[string]any:
		n := g.node
		isOther := func(p schema.Property) bool {
			return n.below(step{name: p.Name}, p.Schema, p.Schema).field != g.field
		}
		return len(value) == 0 && n.accept.AdditionalProperties == nil && !keepsUnknown(n.accept) &&
			!slices.ContainsFunc(n.accept.Properties, isOther)
	}
	return false
}

// manyUpdates is how many updates of an object are tried, fewUpdates how many of one that is certainly ratcheted.
const manyUpdates, fewUpdates = 30, 1

// updates are plans that change something else than a gap is about: nothing, an annotation, and what is near.
func (s *search) updates(g *gap, object map[string]any) []plan {
	annotation := path{{name: "metadata"}, {name: "annotations"}, {name: "example.com/changed"}}
	out := []plan{{}, {{at: annotation, value: "true"}}}
	var avoid []string
	if g.rule != nil {
		for _, e := range g.rule.conjuncts {
			names, all := fieldsOf(e)
			if avoid = append(avoid, names...); all {
				avoid = append(avoid, "*")
			}
		}
	}
	for n := g.node; n != nil && len(out) < manyUpdates; n = n.above {
		value, _ := n.at.in(object)
		way := ""
		if len(n.at) < len(g.node.at) {
			way = g.node.at[len(n.at)].name
			avoid = nil
		}
		switch value := value.(type) {
		case map[string]any:
			out = append(out, s.otherFields(n, value, append([]string{way}, avoid...), g)...)
		case []any:
			if item, ok := s.value(n.accept.Items, len(value)+1); ok {
				out = append(out, plan{{at: n.at.item(len(value)), value: item}})
			}
			for i := range value {
				if other, ok := s.otherThan(n.accept.Items, value[i]); ok && (i > 0 || n == g.node) {
					out = append(out, plan{{at: n.at.item(i), value: other}})
				}
			}
		}
	}
	return out[:min(len(out), manyUpdates)]
}

// otherFields are plans that change one field of an object: one that is not to be avoided, or a key of a map, even if a
// rule reads all of them.
func (s *search) otherFields(n *node, fields map[string]any, avoid []string, g *gap) (out []plan) {
	for i := range n.accept.Properties {
		p := &n.accept.Properties[i]
		if slices.Contains(avoid, p.Name) || slices.Contains(avoid, "*") || len(n.at) == 0 &&
			slices.Contains([]string{"apiVersion", "kind", "metadata", "status"}, p.Name) ||
			n == g.node && g.field == n.below(step{name: p.Name}, p.Schema, p.Schema).field {
			continue
		}
		if other, ok := s.otherThan(p.Schema, fields[p.Name]); ok && len(out) < 8 {
			out = append(out, plan{{at: n.at.field(p.Name), value: other}})
		}
	}
	isOpen := keepsUnknown(n.accept) && !slices.Contains(avoid, "*")
	if len(n.at) > 0 && (n.accept.AdditionalProperties != nil || isOpen) {
		if made, ok := s.value(n.accept.AdditionalProperties, 1); ok {
			out = append(out, plan{{at: n.at.field("other"), value: made}})
		}
	}
	return out
}

// otherThan returns a value of a schema that differs from another.
func (s *search) otherThan(of *schema.Schema, value any) (any, bool) {
	for variant := range 4 {
		if made, ok := s.value(of, variant); ok && encode(made) != encode(value) {
			return made, true
		}
	}
	return nil, false
}

// transition looks for an update that only a transition rule rejects.
func (s *search) transition(g *gap) (found Finding) {
	unknown := Finding{Question: Stored, Answer: Unknown, Class: ClassStrict,
		Reason: "no update was found that violates the rule"}
	from := s.minimal()
	if from == nil {
		return unknown
	}
	targets := []path{g.node.at}
	for _, e := range g.rule.conjuncts {
		names, all := fieldsOf(e)
		for i := range g.node.accept.Properties {
			if name := g.node.accept.Properties[i].Name; all && len(targets) < 12 || slices.Contains(names, name) {
				targets = append(targets, g.node.at.field(name))
			}
		}
	}
	whole := plan{}
	for _, at := range targets {
		whole = append(whole, wish{at: at, isAny: true})
	}
	s.find(from, append([]plan{whole}, g.plans...), func(w written) bool {
		isStatus := w.isStatus && len(g.node.at) > 0 && g.node.at[0].name == "status"
		for _, p := range s.replacements(targets, w.Answer.Object) {
			update, ok := s.apply(w.Answer.Object, p)
			if !ok {
				continue
			}
			req := server.Request{Old: w.Stored, Status: isStatus}
			if s.send(s.accept, update, req).Rejection != nil || s.err != nil {
				continue
			}
			if answer := s.send(s.reject, update, req); answer.Rejection != nil &&
				s.isAbout(g, written{object: update, Answer: answer}) {
				found = Finding{Question: Stored, Answer: No, Class: ClassStored, Reason: "an update is rejected",
					Witness: s.rejected(&w, update, req, answer)}
				return true
			}
		}
		return false
	})
	if found.Answer != No {
		return unknown
	}
	return found
}

// replacements are plans that give one of several targets another value, or none.
func (s *search) replacements(targets []path, object map[string]any) (out []plan) {
	for _, at := range targets {
		of := schemaAt(s.root, at)
		if of == nil || len(at) == 0 {
			continue
		}
		value, _ := at.in(object)
		if other, ok := s.otherThan(of, value); ok {
			out = append(out, plan{{at: at, value: other}})
		}
		out = append(out, plan{{at: at, absent: true}})
	}
	return out
}

// reader answers whether old clients can read what only the new side accepts.
func (s *search) reader(g *gap) Change {
	out := Change{Path: g.field, Keyword: g.keyword, Message: g.text, Old: g.reject, New: g.accept}
	finding := g.undecided(Readers, g.unknown)
	if from := s.minimal(); from != nil {
		s.find(from, g.plans, func(w written) bool {
			var shown Finding
			for _, q := range []Question{Create, Kept, Meaning} {
				if shown = s.compare(g, w, q); shown.Answer == No {
					break
				}
			}
			if shown.Answer != No {
				return false
			}
			finding = Finding{Question: Readers, Answer: No, Class: ClassReaders, Witness: shown.Witness}
			finding.Witness.Old, finding.Witness.New = finding.Witness.New, finding.Witness.Old
			finding.Witness.Stored, finding.Witness.isStatus = w.Answer.Object, w.isStatus
			return true
		})
	}
	out.add(finding)
	out.finish(g)
	return out
}

// finish sets the help, which depends on the findings.
func (c *Change) finish(g *gap) {
	breaks := func(q Question) bool {
		return slices.ContainsFunc(c.Findings, func(f Finding) bool { return f.Question == q && f.Answer == No })
	}
	switch {
	case breaks(Readers):
		c.Help = "make the change in a new version of the API, or when all clients know the new values"
	case breaks(Kept):
		c.Help = "keep the field, and mark it as deprecated in its description; or make the change in a new version"
	case breaks(Meaning):
		c.Help = "keep the default; or make the change in a new version of the API"
	case g.keyword == "required" && breaks(Create):
		c.Help = "set a default for the field, or leave it optional"
	case g.isTransition() && breaks(Stored):
		c.Help = "make the change in a new version of the API"
	case g.rule != nil && breaks(Stored):
		c.Help = "let stored values pass: set optionalOldSelf, and begin the rule with " +
			"oldSelf.hasValue() && self == oldSelf.value() ||"
	case breaks(Stored):
		c.Help = "make the change in a new version of the API, or update all stored objects first"
	case breaks(Create):
		c.Help = "make the change in a new version of the API"
		isAbout := func(f Finding) bool { return f.Question == Stored }
		if !slices.ContainsFunc(c.Findings, isAbout) {
			c.Findings[0].Reason = "stored objects can still be written, since the API server ratchets the value"
		}
	}
}
