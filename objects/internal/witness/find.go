package witness

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/schema"
)

// An attempt is an object to try.
type attempt struct {
	// object is the last object, to which the edits of more are applied.
	object map[string]any
	more   Plan
	// pinned is what all repairs must leave as it is, kept what earlier ones demanded of values.
	pinned, kept Plan
	// depth is how many repairs it has.
	depth int
	// errors is how many errors the last object had.
	errors int
}

// attempts are those that are left.
type attempts struct {
	*Builder
	list []attempt
	seen map[string]bool
}

// next makes the object of the first of those whose last object had the fewest errors. Attempts that cannot be made, or
// whose object is known, are skipped.
func (a *attempts) next() (out attempt, ok bool) {
	for len(a.list) > 0 {
		at := 0
		for i := range a.list {
			if a.list[i].errors < a.list[at].errors {
				at = i
			}
		}
		out = a.list[at]
		a.list = slices.Delete(a.list, at, at+1)
		out.object, ok = a.Apply(out.object, out.more.and(out.kept...).and(out.pinned...))
		if !ok {
			continue
		}
		key := JSON(out.object)
		if len(out.pinned.demands()) > 0 { // repairs can do more
			key = "repairable " + key
		}
		if !a.seen[key] {
			a.seen[key] = true
			out.kept = out.more.demands().and(out.kept...)
			return out, true
		}
	}
	return attempt{}, false
}

// Find looks for an object that the accepting side accepts and that passes a test. It starts with an object and each of
// the plans, and repairs what the server rejects.
func (s *Search) Find(from map[string]any, plans []Plan, test func(Written) bool) *Written {
	queue := attempts{Builder: s.Builder, seen: map[string]bool{}}
	for _, p := range plans {
		queue.list = append(queue.list, attempt{object: from, pinned: p})
	}
	var common field.ErrorList
	for tries := 0; tries < effort.DiffTries.N() && s.CanWrite(); tries++ {
		at, ok := queue.next()
		if !ok {
			break
		}
		result := s.Write(s.Accept, at.object, true)
		if tries == 0 {
			s.Obstacle, common = nil, slices.Clone(result.Errors)
		}
		common = slices.DeleteFunc(common, func(err *field.Error) bool { return !hasError(result.Errors, err) })
		switch {
		case s.Err != nil || s.Context.Err() != nil:
			return nil
		case result.Rejection == nil:
			if test(result) {
				return &result
			}
		case at.depth < effort.DiffRepairs.N():
			at.depth, at.errors = at.depth+1, len(result.Errors)
			free := at
			free.kept = nil
			for _, at.more = range s.Repairs(at.object, result.Errors) {
				queue.list = append(queue.list, at)
				if free.more = at.more; len(at.kept) > 0 {
					queue.list = append(queue.list, free)
				}
			}
		}
	}
	if len(common) > 0 {
		s.Obstacle = common[0]
	}
	return nil
}

// hasError reports whether some errors have one of the same kind at the same field.
func hasError(errs field.ErrorList, like *field.Error) bool {
	return slices.ContainsFunc(errs, func(err *field.Error) bool {
		return err.Type == like.Type && err.Field == like.Field
	})
}

// Repairs makes plans that may fix the first errors of a server about an object: all of them, then one that may be the
// cause of the others.
func (s *Search) Repairs(object map[string]any, errs field.ErrorList) []Plan {
	var each [][]Plan
	for _, err := range errs[:min(len(errs), 3)] {
		if more := s.repair(object, err); len(more) > 0 {
			each = append(each, more)
		}
	}
	out := s.all(each)
	if len(each) > 1 {
		out = append(out, slices.Concat(each...)...)
	}
	return out
}

func (s *Search) repair(object map[string]any, err *field.Error) []Plan {
	at, ok := s.place(object, err)
	if !ok {
		return nil
	}
	if err.Type == field.ErrorTypeRequired {
		return []Plan{{{At: at, IsAny: true}}}
	}
	for above := len(at); above >= 0; above-- { // a rule may name a field below
		node := s.SchemaAt(s.Root, at[:above])
		if node == nil {
			continue
		}
		if err.Origin == write.OriginRule {
			if out := s.repairRules(node, at[:above], err); len(out) > 0 {
				return out
			}
			continue
		}
		if out := s.JunctorPlans(node, node, at[:above], true); len(node.AllOf)+len(node.AnyOf)+len(node.OneOf) > 0 ||
			node.Not != nil {
			return out
		}
		var out []Plan
		switch isObject := slices.Contains(TypesOf(node), ObjectType); {
		case isObject && err.Type == field.ErrorTypeTooMany:
			out = append(out, Plan{{At: at[:above], Value: map[string]any{}}}) // with what the other plans demand
		case isObject && node.MinProperties != nil:
			out = s.fields(node, at[:above])
		}
		for variant := range 3 {
			if made, ok := s.Value(node, variant); ok {
				out = append(out, Plan{{At: at[:above], Value: made}})
			}
		}
		return out
	}
	return nil
}

// fields makes plans that set one of the fields of an object each.
func (s *Search) fields(object *schema.Schema, at schema.Path) (out []Plan) {
	for i := range object.Properties {
		if len(out) < 4 {
			out = append(out, Plan{{At: at.Then(schema.Key(object.Properties[i].Name)), IsAny: true}})
		}
	}
	return out
}

// place returns the path of an error about an object. Those of oneOf, anyOf and not have it only at the start of their
// text, in quotes (kube-openapi, pkg/validation/errors).
func (s *Search) place(object map[string]any, err *field.Error) (schema.Path, bool) {
	text := err.Field
	if quoted, ok := strings.CutPrefix(err.Detail, `"`); ok && (text == "" || text == "<nil>") {
		text, _, _ = strings.Cut(quoted, `"`)
	}
	return s.Locate(s.Root, object, text)
}

// repairRules makes plans that satisfy the rules of a schema that an error may be about.
func (s *Search) repairRules(node *schema.Schema, at schema.Path, err *field.Error) (out []Plan) {
	for i := range node.Rules {
		source := &node.Rules[i]
		if source.MessageExpression.V == "" && !SaysRule(err, source) {
			continue
		}
		var parts [][]Plan
		for _, e := range s.Parsed(source).Conjuncts {
			parts = append(parts, s.RulePlans(e, at, node, true))
		}
		out = interleaved(out, s.all(parts))
	}
	return out
}
