package diff

import (
	"cmp"
	"slices"

	"github.com/google/cel-go/common/ast"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
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
	s.obstacle = nil
	if g.isCut {
		for _, q := range g.asks() {
			s.unknown(&out, g, q, g.unknown)
		}
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
			if larger := s.enclosing(g.node.at); larger != nil {
				found, stored = s.answer(g, q, larger)
			}
		}
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
	shown, isEnough := 0, false
	// Not every object that shows the difference is ratcheted.
	try := func(is *Witness, w *written) bool {
		other := s.stored(g, w)
		if other.Answer > stored.Answer {
			stored = other
		}
		if other.Answer == No && is != nil && other.Witness.isLike(is) && is.isAlone == found.Witness.isAlone {
			found.Witness = is
		}
		isEnough = other.Answer == No || s.isTolerated(g)
		return isEnough
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
		if shown++; !is.Witness.isAlone && shown < effort.DiffShown.N() {
			others = append(others, w)
			return false // another object may show the difference alone
		}
		return try(is.Witness, &w) || shown > effort.DiffShown.N()
	})
	for i := range others {
		if isEnough || try(nil, &others[i]) {
			break
		}
	}
	return found, stored
}

// ratchets reports whether the API server ratchets a value, if it finds the old one.
func (s *search) ratchets(n *node) bool {
	isStatus := len(n.at) > 0 && n.at[0].name == "status" && s.reject.hasStatus()
	return n.list == nil && (!isStatus || s.reject.minor.Has(kube.StatusRatcheting))
}

// isRatcheted reports whether the API server ratchets what the gap is about.
func (s *search) isRatcheted(g *gap) bool { return g.isLeaf && s.ratchets(g.node) }

// isTolerated reports whether it takes what is stored, whatever else an update changes: it always finds the old value,
// which is not in an item of a list, whose keys may change; or the gap is about a type of lists, which is not checked
// if the old object has errors about such types (customresource/validator.go).
func (s *search) isTolerated(g *gap) bool {
	isItem := func(s step) bool { return s.name == "" }
	return g.isTopology || s.isRatcheted(g) && !slices.ContainsFunc(g.node.at, isItem)
}

// isLike reports whether two witnesses create the same object.
func (w *Witness) isLike(other *Witness) bool { return encode(w.Object) == encode(other.Object) }

// unknown adds the findings if no plan for a gap has succeeded.
func (s *search) unknown(c *Change, g *gap, q Question, reason string) {
	finding := s.undecided(g, q, reason)
	c.add(finding)
	if finding.Question = Stored; q == Create && !s.isRatcheted(g) {
		c.add(finding)
	}
}

// isTransition reports whether a gap is about a rule that only updates are checked with.
func (g *gap) isTransition() bool {
	return g.rule != nil && !slices.ContainsFunc(g.rule.conjuncts, func(e ast.Expr) bool { return !usesOldSelf(e) }) &&
		!g.rule.source.OptionalOldSelf.True()
}

func (c *Change) add(f Finding) {
	if f.Answer == Yes {
		return
	}
	c.Findings = append(c.Findings, f)
	slices.SortStableFunc(c.Findings, func(a, b Finding) int { return int(a.Question) - int(b.Question) })
}

// undecided is the finding if no plan for a gap has succeeded, for a reason or because nothing shows the difference.
func (s *search) undecided(g *gap, q Question, reason string) Finding {
	if tooLarge := s.tooLarge(); tooLarge != "" || g.isCut {
		return Finding{Question: q, Answer: Unknown, Class: ClassStrict, Reason: cmp.Or(tooLarge, g.unknown)}
	}
	if reason == "" {
		reason = "no object was found that shows the difference"
	}
	if s.writes.Exceeded() {
		reason += "; " + s.writes.Limit().Reason("the changes of the version")
	}
	if at := s.withoutValue(g.node.at); at != nil {
		reason += "; no valid value for " + at.String() + " was found"
	} else if s.obstacle != nil {
		reason += "; all objects that were tried have the error: " + s.obstacle.Error()
	}
	return Finding{Question: q, Answer: Unknown, Class: ClassStrict, Reason: reason}
}

// withoutValue returns the path of a value that cannot be made: one of the values that lead to a path, or a field that
// one of them requires. It returns nil if all of them can be made.
func (s *search) withoutValue(at path) path {
	fails := func(n *schema.Schema) bool {
		_, ok := s.value(n, 0)
		return !ok
	}
	for i := range len(at) + 1 {
		n, to := s.schemaAt(s.root, at[:i]), at[:i]
		if n == nil || !fails(n) {
			continue
		}
		for {
			i := slices.IndexFunc(n.Required, func(name schema.Text) bool { return fails(s.property(n, name.V)) })
			if i < 0 {
				return to
			}
			to, n = to.field(n.Required[i].V), s.property(n, n.Required[i].V)
		}
	}
	return nil
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
				return !write.IsUnchecked(err) && !s.isAbout(g, written{object: w.object,
					Answer: write.Answer{Errors: field.ErrorList{err}}})
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

// accepted is the answer of a server that accepts an object.
const accepted = "accepted"

func valueText(at path, value any, exists bool) string {
	if !exists {
		return at.String() + " is not set"
	}
	return at.String() + " is " + encode(value)
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
		names, all := s.fieldsOf(e)
		for i := range g.node.accept.Properties {
			if len(targets) >= effort.DiffTargets.N() || !s.steps.plans.Spend(1) {
				break
			}
			if name := g.node.accept.Properties[i].Name; all && len(targets) < 12 || names[name] {
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
			if !s.canWrite() {
				return true
			}
			req := write.Request{Old: w.Stored, Status: isStatus}
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
		unknown.Reason = cmp.Or(s.tooLarge(), unknown.Reason)
		return unknown
	}
	return found
}

// replacements are plans that give one of several targets another value, or none.
func (s *search) replacements(targets []path, object map[string]any) (out []plan) {
	for _, at := range targets {
		of := s.schemaAt(s.root, at)
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
	s.obstacle = nil
	var finding Finding
	for _, from := range []func() map[string]any{s.minimal, func() map[string]any { return s.enclosing(g.node.at) }} {
		if g.isCut {
			break
		}
		object := from()
		if object == nil || finding.Answer == No {
			break
		}
		s.find(object, g.plans, func(w written) bool {
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
	if finding.Answer != No {
		finding = s.undecided(g, Readers, g.unknown)
	}
	out.add(finding)
	out.finish(g)
	return out
}

// ratcheted is the reason of a finding that is not one of Stored, too.
const ratcheted = "stored objects can still be written, since the API server ratchets the value"

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
			c.Findings[0].Reason = ratcheted
		}
	}
}
