package diff

import (
	"context"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/generator/crds"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/server"
)

// A side is one of the two CRDs, at one version.
type side struct {
	crd     crds.CRD
	version *schema.Version
	// isAlone is set if the version is taken for the only one: a webhook converts the objects of one of the sides, or
	// the new side cannot read what the old one stores.
	isAlone bool
	// minor is the version of Kubernetes.
	minor kube.Minor
	// resource is set when the first object is written.
	resource *server.Resource
}

// hasStatus reports whether the status of objects is written through a subresource.
func (s *side) hasStatus() bool {
	return s.version.Subresources != nil && s.version.Subresources.Status != nil
}

// serve serves the CRD of a side.
func (s *side) serve() (*server.Resource, error) {
	object := s.crd.Object
	if s.isAlone {
		object = server.OnlyVersion(object, s.version.Name.V)
	}
	out, err := server.Accepted(object)
	if err != nil {
		return nil, err
	}
	return out.For(s.minor), nil
}

// A search writes objects to both sides. Its work is bounded by the number of writes, so that answers do not depend on
// the machine.
type search struct {
	ctx            context.Context
	accept, reject *side
	*builder
	// base is the smallest object that was found, nil before the first search, and empty if none was found.
	base map[string]any
	// around are valid objects with a value at a path; nil if none was found.
	around map[string]map[string]any
	// obstacle is an error that all objects had that find tried last for a gap; nil if there is none.
	obstacle *field.Error
	writes   int
	err      error
}

const (
	// writesPerGap is how many objects are tried for one gap.
	writesPerGap = 60
	// writesPerVersion is how many objects are tried for one version.
	writesPerVersion = 6000
)

// written is what became of an object.
type written struct {
	object map[string]any
	server.Answer
	isStatus bool
}

// write creates an object as clients do: the status follows through its subresource. The error of a server that cannot
// answer ends the search.
func (s *search) write(to *side, object map[string]any, strict bool) (out written) {
	out.object = object
	body := object
	status, hasStatus := object["status"]
	if hasStatus = hasStatus && to.hasStatus(); hasStatus {
		body = without(object, "status")
	}
	if out.Answer = s.send(to, body, server.Request{Validation: validation(strict)}); out.Rejection != nil {
		return out
	}
	if hasStatus {
		out.isStatus = true
		body = clone(out.Object).(map[string]any)
		body["status"] = status
		out.Answer = s.send(to, body, server.Request{Old: out.Stored, Status: true, Validation: validation(strict)})
	}
	return out
}

func validation(strict bool) string {
	if strict {
		return "Strict"
	}
	return "Warn"
}

func without(object map[string]any, name string) map[string]any {
	out := make(map[string]any, len(object))
	for key, value := range object {
		if key != name {
			out[key] = value
		}
	}
	return out
}

// send sends a request with an object to the version of a side.
func (s *search) send(to *side, object map[string]any, req server.Request) (answer server.Answer) {
	s.writes++
	body := maps.Clone(object)
	body["apiVersion"] = to.crd.Object.Spec.Group + "/" + to.version.Name.V
	req.Object = []byte(encode(body))
	if to.resource == nil {
		if to.resource, s.err = to.serve(); s.err != nil {
			return server.Answer{}
		}
	}
	req.Version = to.version.Name.V
	answer, err := to.resource.Write(s.ctx, req)
	if err != nil {
		s.err = err
	}
	if req.Status && !to.minor.Has(kube.StatusPaths) {
		for _, e := range answer.Errors {
			if _, ok := locate(s.root, object, e.Field); !ok {
				e.Field = "status." + e.Field
			}
		}
	}
	return answer
}

// start is the object without anything that the schema does not demand.
func (s *search) start() map[string]any {
	spec := s.accept.crd.Object.Spec
	out := map[string]any{
		"apiVersion": spec.Group + "/" + s.accept.version.Name.V,
		"kind":       spec.Names.Kind,
		"metadata":   map[string]any{"name": s.name()},
	}
	if made, ok := s.value(s.root, 0); ok {
		if fields, isObject := made.(map[string]any); isObject {
			for name, value := range fields {
				if _, has := out[name]; !has {
					out[name] = value
				}
			}
		}
	}
	return out
}

// name is one that the schema of metadata accepts.
func (s *search) name() string {
	const usual = "example"
	if meta := s.root.Property("metadata"); meta != nil && meta.Property("name") != nil {
		list, _ := s.solver.values(meta.Property("name"), nil)
		if name := meta.Property("name"); !s.holds(name, usual) && len(list) > 0 {
			if text, ok := list[0].(string); ok {
				return text
			}
		}
	}
	return usual
}

// minimal returns the smallest valid object that is found, nil without one.
func (s *search) minimal() map[string]any {
	if s.base == nil {
		s.base = map[string]any{}
		if object := s.find(s.start(), []plan{{}}, func(written) bool { return true }); object != nil {
			s.base = object.object
		}
	}
	if len(s.base) == 0 {
		return nil
	}
	return s.base
}

// enclosing returns a valid object that has what is around a path; nil if the smallest one has it, or if none is found.
// It is made step by step, since much may have to be repaired for each value that is added.
func (s *search) enclosing(at path) map[string]any {
	smallest := s.minimal()
	object := smallest
	for i := 1; i < len(at) && object != nil; i++ {
		to := at[:i]
		if _, has := to.in(object); has {
			continue
		}
		key := to.String()
		if _, known := s.around[key]; !known {
			if s.around == nil {
				s.around = map[string]map[string]any{}
			}
			s.around[key] = nil
			if found := s.find(object, []plan{{{at: to, isAny: true}}}, func(written) bool { return true }); found != nil {
				s.around[key] = found.object
			}
		}
		object = s.around[key]
	}
	if object == nil || encode(object) == encode(smallest) {
		return nil
	}
	return object
}

// find looks for an object that the accepting side accepts and that passes a test. It starts with an object and each of
// the plans, and repairs what the server rejects.
func (s *search) find(from map[string]any, plans []plan, test func(written) bool) *written {
	type state struct {
		object map[string]any
		pinned plan
		// kept is what repairs demanded of values, so that the next ones do not undo it.
		kept  plan
		depth int
		// errors is how many errors the object had that was repaired.
		errors int
	}
	var queue []state
	seen := map[string]bool{}
	push := func(object map[string]any, more, kept, pinned plan, depth, errors int) {
		changed, ok := s.apply(object, more.and(kept...).and(pinned...))
		if !ok {
			return
		}
		key := encode(changed)
		if len(pinned.demands()) > 0 { // repairs can do more
			key = "repairable " + key
		}
		if !seen[key] {
			seen[key] = true
			queue = append(queue, state{changed, pinned, more.demands().and(kept...), depth, errors})
		}
	}
	for _, p := range plans {
		push(from, nil, nil, p, 0, 0)
	}
	var common field.ErrorList
	defer func() {
		if len(seen) > 0 {
			s.obstacle = nil
		}
		if len(common) > 0 {
			s.obstacle = common[0]
		}
	}()
	for tries := 0; len(queue) > 0 && tries < writesPerGap && s.writes < writesPerVersion; tries++ {
		next := 0 // the first of those that had the fewest errors
		for i := range queue {
			if queue[i].errors < queue[next].errors {
				next = i
			}
		}
		at := queue[next]
		queue = slices.Delete(queue, next, next+1)
		result := s.write(s.accept, at.object, true)
		if tries == 0 {
			common = slices.Clone(result.Errors)
		}
		common = slices.DeleteFunc(common, func(err *field.Error) bool { return !hasError(result.Errors, err) })
		switch {
		case s.err != nil || s.ctx.Err() != nil:
			return nil
		case result.Rejection == nil:
			if test(result) {
				return &result
			}
		case at.depth < maxRepairs:
			for _, repair := range s.repairs(at.object, result.Errors) {
				push(at.object, repair, at.kept, at.pinned, at.depth+1, len(result.Errors))
				push(at.object, repair, nil, at.pinned, at.depth+1, len(result.Errors))
			}
		}
	}
	return nil
}

// hasError reports whether some errors have one of the same kind at the same field.
func hasError(errs field.ErrorList, like *field.Error) bool {
	return slices.ContainsFunc(errs, func(err *field.Error) bool {
		return err.Type == like.Type && err.Field == like.Field
	})
}

// maxRepairs is how often an object is repaired.
const maxRepairs = 8

// repairs are plans that may fix the first errors of a server about an object: all of them, or one that may be the cause
// of the others.
func (s *search) repairs(object map[string]any, errs field.ErrorList) []plan {
	var each [][]plan
	for _, err := range errs[:min(len(errs), 3)] {
		if more := s.repair(object, err); len(more) > 0 {
			each = append(each, more)
		}
	}
	out := all(each)
	if len(each) > 1 {
		for _, alone := range each {
			out = mixed(out, alone)
		}
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
		node := schemaAt(s.root, at[:above])
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
		if node.MinProperties != nil {
			out = s.fields(node, at[:above])
		}
		if err.Type == field.ErrorTypeTooMany && slices.Contains(typesOf(node), objectType) {
			out = append(out, plan{{at: at[:above], value: map[string]any{}}}) // with what the other plans demand
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
	return locate(s.root, object, text)
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
		out = mixed(out, all(parts))
	}
	return out
}

// saysRule reports whether an error is that of a rule without a messageExpression: it ends with the message or the rule.
func saysRule(err *field.Error, r *schema.Rule) bool {
	if message := strings.TrimSpace(r.Message.V); message != "" {
		return strings.HasSuffix(err.Detail, message)
	}
	return strings.HasSuffix(err.Detail, strings.TrimSpace(r.Rule.V))
}

// isAbout reports whether a rejection is about a gap.
func (s *search) isAbout(g *gap, result written) bool {
	if len(result.Errors) == 0 {
		return true
	}
	if g.rule != nil {
		return slices.ContainsFunc(result.Errors, func(err *field.Error) bool {
			return err.Origin == server.OriginRule &&
				(g.rule.source.MessageExpression.V != "" || saysRule(err, g.rule.source))
		})
	}
	return slices.ContainsFunc(result.Errors, func(err *field.Error) bool {
		// Paths of the subresource scale begin with a dot. Some errors have their field in the text only.
		at, ok := locate(s.root, result.object, strings.TrimPrefix(err.Field, "."))
		if len(at) == 0 && ok {
			return strings.Contains(err.Detail, g.node.at.String())
		}
		if !ok {
			return strings.HasPrefix(err.Field, g.node.at.String())
		}
		return len(at) >= len(g.node.at) && at[:len(g.node.at)].String() == g.node.at.String()
	})
}
