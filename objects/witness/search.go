package diff

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/server"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
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

// apiVersion is that of the objects of the version.
func (s *side) apiVersion() string { return s.crd.Object.Spec.Group + "/" + s.version.Name.V }

// typeMeta are schemas for what all objects of the version have.
func (s *side) typeMeta() map[string]*schema.Schema {
	only := func(text string) *schema.Schema {
		return &schema.Schema{Type: schema.Text{V: stringType}, Enum: []schema.Value{{Kind: schema.String, Text: text}}}
	}
	return map[string]*schema.Schema{"apiVersion": only(s.apiVersion()), "kind": only(s.crd.Object.Spec.Names.Kind)}
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
	accept, reject *side
	*builder
	// base is the smallest object that was found, nil before the first search, and empty if none was found.
	base map[string]any
	// around has the valid object that enclosing found for a path, one with a value there; nil if it found none.
	around map[string]map[string]any
	// obstacle is the error of all objects in the last call of find; nil if they do not share one.
	obstacle *field.Error
	writes   *effort.Budget
	err      error
}

func newSearch(accept, reject *side, b *builder) *search {
	return &search{accept: accept, reject: reject, builder: b, writes: effort.New(b.ctx, effort.DiffWrites)}
}

// canWrite reports whether another object may be tried.
func (s *search) canWrite() bool {
	return s.err == nil && !s.writes.Ended() && !s.steps.written.Ended()
}

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
		body = s.copy(out.Object).(map[string]any)
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
	s.writes.Spend(1)
	body := maps.Clone(object)
	body["apiVersion"] = to.apiVersion()
	req.Object = []byte(encode(body))
	if to.resource == nil {
		if to.resource, s.err = to.serve(); s.err != nil {
			return server.Answer{}
		}
	}
	req.Version = to.version.Name.V
	s.steps.written.Spend(len(req.Object) + s.sizeOf(to.version.Schema).checks)
	if req.Old != nil {
		s.steps.written.Spend(s.ratcheting(to.version.Schema, object))
	}
	answer, err := to.resource.Write(s.ctx, req)
	if err != nil {
		s.err = err
	}
	s.steps.written.Spend(len(encode(answer.Object)))
	answer.Errors = answer.Errors[:min(len(answer.Errors), effort.DiffErrors.N())]
	if req.Status && !to.minor.Has(kube.StatusPaths) {
		for _, e := range answer.Errors {
			if _, ok := s.locate(s.root, object, e.Field); !ok {
				e.Field = "status." + e.Field
			}
		}
	}
	return answer
}

// propertiesPerByte is how many properties take as long to look at as a byte to write and read.
const propertiesPerByte = 8

// ratcheting is what the validation of an update takes in addition: for each field of an object, the API server looks
// at all properties of its schema (apiserver/schema/cel/model/adaptor.go, Properties).
func (s *search) ratcheting(of *schema.Schema, value any) (out int) {
	switch value := value.(type) {
	case map[string]any:
		if of != nil {
			out = len(value) * len(of.Properties) / propertiesPerByte
		}
		for name, inner := range value {
			out += s.ratcheting(s.child(of, step{name: name}), inner)
		}
	case []any:
		for _, item := range value {
			out += s.ratcheting(s.child(of, step{}), item)
		}
	}
	return out
}

// start is the object without anything that the schema does not demand.
func (s *search) start() map[string]any {
	spec := s.accept.crd.Object.Spec
	out := map[string]any{
		"apiVersion": s.accept.apiVersion(),
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
	if metadata := s.schemaAt(s.root, path{{name: "metadata"}, {name: "name"}}); metadata != nil {
		name := completed(metadata, metadataField("name", true))
		list, _ := s.solver.values(name, nil)
		if !s.holds(name, usual) && len(list) > 0 {
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
			added := []plan{{{at: to, isAny: true}}}
			if found := s.find(object, added, func(written) bool { return true }); found != nil {
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

// saysRule reports whether an error is about a rule without a messageExpression: the error ends with the message or the
// rule.
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
		at, ok := s.locate(s.root, result.object, strings.TrimPrefix(err.Field, "."))
		if len(at) == 0 && ok {
			return strings.Contains(err.Detail, g.node.at.String())
		}
		if !ok {
			return strings.HasPrefix(err.Field, g.node.at.String())
		}
		return len(at) >= len(g.node.at) && at[:len(g.node.at)].String() == g.node.at.String()
	})
}
