package diff

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/objects/internal/witness"
	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// A trial writes objects to both sides: those that one of them accepts, and that the other may reject.
type trial struct {
	*witness.Search
	reject *witness.Side
	// minimized are the texts of changes with the smallest witness, smaller is the budget for finding these.
	minimized map[[3]string]bool
	smaller   *effort.Budget
}

// change answers the questions for one gap.
func (s *trial) change(g *gap) Change {
	out := Change{Path: g.field, Keyword: g.keyword, Message: g.text, Old: g.accept, New: g.reject}
	if g.isTopology {
		out.Findings = append(out.Findings, Finding{Question: Definition, Answer: No, Class: ClassReaders,
			Reason: "server-side apply merges the field in another way"})
	}
	if g.isTopology && len(g.plans) == 0 {
		return out
	}
	if g.isTransition() {
		out.add(s.minimal(g, s.transition(g)))
		out.finish(g)
		return out
	}
	s.Obstacle = nil
	if g.isCut {
		for _, q := range g.asks() {
			s.unknown(&out, g, q, g.unknown)
		}
		return out
	}
	from := s.from(g)
	if from == nil {
		for _, q := range g.asks() {
			s.unknown(&out, g, q, "no valid object was found")
		}
		return out
	}
	for _, q := range g.asks() {
		found, stored := s.answer(g, q, from)
		if found.Answer != No {
			if larger := s.Enclosing(g.node.at); larger != nil {
				found, stored = s.answer(g, q, larger)
			}
		}
		if found.Answer != No && g.follows != nil && g.follows() {
			continue
		}
		if found.Answer != No {
			s.unknown(&out, g, q, g.unknown)
			continue
		}
		out.add(s.minimal(g, found))
		out.add(s.minimal(g, stored))
	}
	out.finish(g)
	return out
}

// from returns the object that plans for a gap change: the smallest valid one, or, if none was found, any for a gap
// with an object that shows it.
func (s *trial) from(g *gap) map[string]any {
	if smallest := s.Minimal(); smallest != nil || g.shown == nil {
		return smallest
	}
	return s.Start()
}

// asks returns the questions that the gap may answer with no.
func (g *gap) asks() []Question {
	if len(g.questions) == 0 {
		return []Question{Create}
	}
	return g.questions
}

// answer looks for an object that answers a question with no; for Create, also for an update of such an object.
func (s *trial) answer(g *gap, q Question, from map[string]any) (found, stored Finding) {
	var others []witness.Written // which show other differences, too
	shown, isEnough := 0, false
	// Not every object that shows the difference is ratcheted.
	try := func(shows *Witness, w *witness.Written) bool {
		other := s.stored(g, w)
		if other.Answer > stored.Answer {
			stored = other
		}
		if other.Answer == No && shows != nil && other.Witness.isLike(shows) && shows.isAlone == found.Witness.isAlone {
			found.Witness = shows
		}
		isEnough = other.Answer == No || s.isTolerated(g)
		return isEnough
	}
	s.Find(from, g.plans, func(w witness.Written) bool {
		finding := s.compare(g, w, q)
		if finding.Answer != No {
			return false
		}
		if found.Answer != No || !found.Witness.isAlone && finding.Witness.isAlone {
			found = finding
		}
		if q != Create {
			return true
		}
		if shown++; !finding.Witness.isAlone && shown < effort.DiffShown.N() {
			others = append(others, w)
			return false // another object may show the difference alone
		}
		return try(finding.Witness, &w) || shown > effort.DiffShown.N()
	})
	for i := range others {
		if isEnough || try(nil, &others[i]) {
			break
		}
	}
	return found, stored
}

// ratchets reports whether the API server ratchets a value, if it finds the old one.
func (s *trial) ratchets(n *node) bool {
	isStatus := len(n.at) > 0 && n.at[0].Name == "status" && s.reject.HasStatus()
	return n.list == nil && (!isStatus || s.reject.Minor.Has(kube.StatusRatcheting))
}

// isRatcheted reports whether the API server ratchets what the gap is about.
func (s *trial) isRatcheted(g *gap) bool { return g.isLeaf && s.ratchets(g.node) }

// isTolerated reports whether it takes what is stored, whatever else an update changes: it always finds the old value,
// which is not in an item of a list, whose keys may change; or the gap is about a type of lists, which is not checked
// if the old object has errors about such types (customresource/validator.go).
func (s *trial) isTolerated(g *gap) bool {
	return g.isTopology || s.isRatcheted(g) && !slices.ContainsFunc(g.node.at, schema.PathStep.IsItem)
}

// isLike reports whether two witnesses create the same object.
func (w *Witness) isLike(other *Witness) bool {
	return witness.JSON(w.Object) == witness.JSON(other.Object)
}

// unknown adds the findings if no plan for a gap has succeeded.
func (s *trial) unknown(c *Change, g *gap, q Question, reason string) {
	finding := s.undecided(g, q, reason)
	c.add(finding)
	if finding.Question = Stored; q == Create && !s.isRatcheted(g) {
		c.add(finding)
	}
}

// isTransition reports whether a gap is about a rule that only updates are checked with.
func (g *gap) isTransition() bool {
	return g.rule != nil && g.rule.UsesOldSelf() && !g.rule.Source.OptionalOldSelf.True()
}

func (c *Change) add(f Finding) {
	if f.Answer == Yes {
		return
	}
	c.Findings = append(c.Findings, f)
	slices.SortStableFunc(c.Findings, func(a, b Finding) int { return int(a.Question) - int(b.Question) })
}

// undecided returns the finding if no plan for a gap has succeeded, for a reason or because nothing shows the
// difference.
func (s *trial) undecided(g *gap, q Question, reason string) Finding {
	if tooLarge := s.TooLarge(); tooLarge != "" || g.isCut {
		return Finding{Question: q, Answer: Unknown, Class: ClassStrict, Reason: cmp.Or(tooLarge, g.unknown)}
	}
	if reason == "" {
		reason = "no object was found that shows the difference"
	}
	if s.Writes.Exceeded() {
		reason += "; " + s.Writes.Limit().Reason("the changes of the version")
	}
	if at := s.withoutValue(g.node.at); at != nil {
		reason += "; no valid value for " + at.String() + " was found"
	} else if s.Obstacle != nil {
		reason += "; all objects that were tried have the error: " + s.Obstacle.Error()
	}
	return Finding{Question: q, Answer: Unknown, Class: ClassStrict, Reason: reason}
}

// withoutValue returns the path of a value that cannot be made: one of the values that lead to a path, or a field that
// one of them requires. It returns nil if all of them can be made.
func (s *trial) withoutValue(at schema.Path) schema.Path {
	fails := func(n *schema.Schema) bool {
		_, ok := s.Value(n, 0)
		return !ok
	}
	for i := range len(at) + 1 {
		n, to := s.SchemaAt(s.Root, at[:i]), at[:i]
		if n == nil || !fails(n) {
			continue
		}
		for {
			i := slices.IndexFunc(n.Required, func(name schema.Text) bool { return fails(s.Property(n, name.V)) })
			if i < 0 {
				return to
			}
			to, n = to.Then(schema.Key(n.Required[i].V)), s.Property(n, n.Required[i].V)
		}
	}
	return nil
}

// compare writes an object to the rejecting side, too, and returns the finding if it answers the question with no.
func (s *trial) compare(g *gap, w witness.Written, q Question) Finding {
	other := s.Write(s.reject, w.Sent, false)
	if s.Err != nil {
		return Finding{}
	}
	show := func(q Question, class Class, old, after string) Finding {
		out := &Witness{Version: s.Accept.Version.Name.V, Object: w.Sent, Stored: other.Answer.Object, Old: old,
			New: after, isStatus: other.IsStatus, errors: len(other.Errors)}
		if other.Rejection != nil {
			out.rejection = other.Rejection.ErrStatus.Message
		}
		return Finding{Question: q, Answer: No, Class: class, Witness: out}
	}
	at := g.node.at
	if g.keyword == "" {
		at = g.plans[0][0].At
		if q == Kept && slices.Contains(other.Unknown, at.String()) {
			return show(Kept, ClassStored, "keeps "+at.String(), "drops "+at.String())
		}
	}
	if other.Rejection != nil {
		if q == Create && s.isAbout(g, other) {
			out := show(Create, ClassCreate, accepted, other.Rejection.ErrStatus.Message)
			out.Witness.isAlone = !slices.ContainsFunc(other.Errors, func(err *field.Error) bool {
				return !write.IsUnchecked(err) && !s.isAbout(g, witness.Written{Sent: w.Sent,
					Answer: write.Answer{Errors: field.ErrorList{err}}})
			})
			return out
		}
		return Finding{}
	}
	was, had := at.In(w.Answer.Object)
	now, has := at.In(other.Answer.Object)
	switch {
	case q == Create:
	case q == Kept && had && !has:
		return show(Kept, ClassStored, "keeps "+at.String(), "drops "+at.String())
	case q == Meaning && (had != has || witness.JSON(was) != witness.JSON(now)):
		return show(Meaning, ClassCreate, valueText(at, was, had), valueText(at, now, has))
	}
	return Finding{}
}

// accepted is the answer of a server that accepts an object.
const accepted = "accepted"

func valueText(at schema.Path, value any, exists bool) string {
	if !exists {
		return at.String() + " is not set"
	}
	return at.String() + " is " + witness.JSON(value)
}

// transition looks for an update that only a transition rule rejects.
func (s *trial) transition(g *gap) (found Finding) {
	unknown := Finding{Question: Stored, Answer: Unknown, Class: ClassStrict,
		Reason: "no update was found that violates the rule"}
	from := s.from(g)
	if from == nil {
		return unknown
	}
	targets := []schema.Path{g.node.at}
	for _, e := range g.rule.Conjuncts {
		names, all := s.FieldsOf(e)
		for i := range g.node.accept.Properties {
			if len(targets) >= effort.DiffTargets.N() || !s.Steps.Plans.Spend(1) {
				break
			}
			if name := g.node.accept.Properties[i].Name; all && len(targets) < 12 || names[name] {
				targets = append(targets, g.node.at.Then(schema.Key(name)))
			}
		}
	}
	whole := witness.Plan{}
	for _, at := range targets {
		whole = append(whole, witness.Edit{At: at, IsAny: true})
	}
	try := func(w *witness.Written, p witness.Plan) bool {
		update, ok := s.Apply(w.Answer.Object, p)
		if !ok || !s.CanWrite() {
			return false
		}
		req := write.Request{Old: w.Stored, Status: w.IsStatus && len(g.node.at) > 0 && g.node.at[0].Name == "status"}
		if s.Send(s.Accept, update, req).Rejection != nil || s.Err != nil {
			return false
		}
		answer := s.Send(s.reject, update, req)
		if answer.Rejection == nil || !s.isAbout(g, witness.Written{Sent: update, Answer: answer}) {
			return false
		}
		found = Finding{Question: Stored, Answer: No, Class: ClassStored, Reason: "an update is rejected",
			Witness: s.rejected(w, update, req, answer)}
		return true
	}
	if g.shown != nil && g.shown.Old != nil {
		s.Find(from, []witness.Plan{planOf(g.shown.Old, g.node)}, func(w witness.Written) bool {
			return try(&w, planOf(g.shown.Object, g.node))
		})
	}
	if found.Answer != No {
		s.Find(from, append([]witness.Plan{whole}, g.plans...), func(w witness.Written) bool {
			return !s.CanWrite() || slices.ContainsFunc(s.replacements(targets, w.Answer.Object),
				func(p witness.Plan) bool { return try(&w, p) })
		})
	}
	if found.Answer != No {
		unknown.Reason = cmp.Or(s.TooLarge(), unknown.Reason)
		return unknown
	}
	return found
}

// replacements makes plans that give one of several targets another value, or none.
func (s *trial) replacements(targets []schema.Path, object map[string]any) (out []witness.Plan) {
	for _, at := range targets {
		target := s.SchemaAt(s.Root, at)
		if target == nil || len(at) == 0 {
			continue
		}
		value, _ := at.In(object)
		if other, ok := s.otherThan(target, value); ok {
			out = append(out, witness.Plan{{At: at, Value: other}})
		}
		out = append(out, witness.Plan{{At: at, Absent: true}})
	}
	return out
}

// reader answers whether old clients can read what only the new side accepts.
func (s *trial) reader(g *gap) Change {
	out := Change{Path: g.field, Keyword: g.keyword, Message: g.text, Old: g.reject, New: g.accept}
	s.Obstacle = nil
	var finding Finding
	for _, from := range []func() map[string]any{s.Minimal, func() map[string]any { return s.Enclosing(g.node.at) }} {
		if g.isCut {
			break
		}
		object := from()
		if object == nil || finding.Answer == No {
			break
		}
		s.Find(object, g.plans, func(w witness.Written) bool {
			var shown Finding
			for _, q := range []Question{Create, Kept, Meaning} {
				if shown = s.compare(g, w, q); shown.Answer == No {
					break
				}
			}
			if shown.Answer != No {
				return false
			}
			shown = s.minimal(g, shown)
			finding = Finding{Question: Readers, Answer: No, Class: ClassReaders, Witness: shown.Witness}
			finding.Witness.Old, finding.Witness.New = finding.Witness.New, finding.Witness.Old
			if witness.JSON(w.Sent) != witness.JSON(shown.Witness.Object) {
				w = s.Write(s.Accept, shown.Witness.Object, true)
			}
			finding.Witness.Stored, finding.Witness.isStatus = w.Answer.Object, w.IsStatus
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

// isAbout reports whether a rejection is about a gap.
func (s *trial) isAbout(g *gap, result witness.Written) bool {
	if len(result.Errors) == 0 {
		return true
	}
	if g.rule != nil {
		return slices.ContainsFunc(result.Errors, func(err *field.Error) bool {
			return err.Origin == write.OriginRule &&
				(g.rule.Source.MessageExpression.V != "" || witness.SaysRule(err, g.rule.Source))
		})
	}
	return slices.ContainsFunc(result.Errors, func(err *field.Error) bool {
		// Paths of the subresource scale begin with a dot. Some errors have their field in the text only.
		at, ok := s.Locate(s.Root, result.Sent, strings.TrimPrefix(err.Field, "."))
		if len(at) == 0 && ok {
			return strings.Contains(err.Detail, g.node.at.String())
		}
		if !ok {
			return strings.HasPrefix(err.Field, g.node.at.String())
		}
		return len(at) >= len(g.node.at) && at[:len(g.node.at)].String() == g.node.at.String()
	})
}
