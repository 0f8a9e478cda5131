package diff

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/objects/server"
	"github.com/crdproof/crdproof/schema"
)

// An attempt is an object to try.
type attempt struct {
	// object is the last object, to which the wishes of more are granted.
	object map[string]any
	more   plan
	// pinned is what all repairs must leave as it is, kept what earlier ones demanded of values.
	pinned, kept plan
	// depth is how many repairs it has.
	depth int
	// errors is how many errors the last object had.
	errors int
}

// attempts are those that are left.
type attempts struct {
	*builder
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
		out.object, ok = a.apply(out.object, out.more.and(out.kept...).and(out.pinned...))
		if !ok {
			continue
		}
		key := encode(out.object)
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

// find looks for an object that the accepting side accepts and that passes a test. It starts with an object and each of
// the plans, and repairs what the server rejects.
func (s *search) find(from map[string]any, plans []plan, test func(written) bool) *written {
	queue := attempts{builder: s.builder, seen: map[string]bool{}}
	for _, p := range plans {
		queue.list = append(queue.list, attempt{object: from, pinned: p})
	}
	var common field.ErrorList
	for tries := 0; tries < effort.DiffTries.N() && s.canWrite(); tries++ {
		at, ok := queue.next()
		if !ok {
			break
		}
		result := s.write(s.accept, at.object, true)
		if tries == 0 {
			s.obstacle, common = nil, slices.Clone(result.Errors)
		}
		common = slices.DeleteFunc(common, func(err *field.Error) bool { return !hasError(result.Errors, err) })
		switch {
		case s.err != nil || s.ctx.Err() != nil:
			return nil
		case result.Rejection == nil:
			if test(result) {
				return &result
			}
		case at.depth < effort.DiffRepairs.N():
			at.depth, at.errors = at.depth+1, len(result.Errors)
			free := at
			free.kept = nil
			for _, at.more = range s.repairs(at.object, result.Errors) {
				queue.list = append(queue.list, at)
				if free.more = at.more; len(at.kept) > 0 {
					queue.list = append(queue.list, free)
				}
			}
		}
	}
	if len(common) > 0 {
		s.obstacle = common[0]
	}
	return nil
}

// hasError reports whether some errors have one of the same kind at the same field.
func hasError(errs field.ErrorList, like *field.Error) bool {
	return slices.ContainsFunc(errs, func(err *field.Error) bool {
		return err.Type == like.Type && err.Field == like.Field
	})
}

// repairs are plans that may fix the first errors of a server about an object: all of them, then one that may be the
// cause of the others.
func (s *search) repairs(object map[string]any, errs field.ErrorList) []plan {
	var each [][]plan
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

func (s *search) repair(object map[string]any, err *field.Error) []plan {
	at, ok := s.place(object, err)
	if !ok {
		return nil
	}
	if err.Type == field.ErrorTypeRequired {
		return []plan{{{at: at, isAny: true}}}
	}
	for above := len(at); above >= 0; above-- { // a rule may name a field below
		node := s.schemaAt(s.root, at[:above])
		if node == nil {
			continue
		}
		if err.Origin == server.OriginRule {
			if out := s.repairRules(node, at[:above], err); len(out) > 0 {
				return out
			}
			continue
		}
		if out := s.junctors(node, node, at[:above], true); len(node.AllOf)+len(node.AnyOf)+len(node.OneOf) > 0 ||
			node.Not != nil {
			return out
		}
		var out []plan
		switch isObject := slices.Contains(typesOf(node), objectType); {
		case isObject && err.Type == field.ErrorTypeTooMany:
			out = append(out, plan{{at: at[:above], value: map[string]any{}}}) // with what the other plans demand
		case isObject && node.MinProperties != nil:
			out = s.fields(node, at[:above])
		}
		for variant := range 3 {
			if made, ok := s.value(node, variant); ok {
				out = append(out, plan{{at: at[:above], value: made}})
			}
		}
		return out
	}
	return nil
}

// fields are plans that set one of the fields of an object each.
func (s *search) fields(of *schema.Schema, at path) (out []plan) {
	for i := range of.Properties {
		if len(out) < 4 {
			out = append(out, plan{{at: at.field(of.Properties[i].Name), isAny: true}})
		}
	}
	return out
}

// place is the path of an error about an object. Those of oneOf, anyOf and not have it only at the start of their text,
// in quotes (kube-openapi, pkg/validation/errors).
func (s *search) place(object map[string]any, err *field.Error) (path, bool) {
	text := err.Field
	if quoted, ok := strings.CutPrefix(err.Detail, `"`); ok && (text == "" || text == "<nil>") {
		text, _, _ = strings.Cut(quoted, `"`)
	}
	return s.locate(s.root, object, text)
}

// repairRules are plans that satisfy the rules of a schema that an error may be about.
func (s *search) repairRules(node *schema.Schema, at path, err *field.Error) (out []plan) {
	for i := range node.Rules {
		source := &node.Rules[i]
		if source.MessageExpression.V == "" && !saysRule(err, source) {
			continue
		}
		var parts [][]plan
		for _, e := range s.parsed(source).conjuncts {
			parts = append(parts, s.plansFor(e, at, node, true))
		}
		out = mixed(out, s.all(parts))
	}
	return out
}
