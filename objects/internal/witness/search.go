package witness

import (
	"maps"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// A Side is a CRD at one version, to which objects are written.
type Side struct {
	CRD     crds.CRD
	Version *schema.Version
	// isAlone is set if the version is taken for the only one: a webhook converts the objects of one of the sides, or
	// the new side cannot read what the old one stores.
	IsAlone bool
	// minor is the version of Kubernetes.
	Minor kube.Minor
	// resource is set when the first object is written.
	resource *write.Resource
}

// At returns the side as API servers of a minor treat it, with the schema as they read it.
func (s *Side) At(minor kube.Minor, read *schema.Schema) *Side {
	out, version := *s, *s.Version
	version.Schema = read
	out.Version, out.Minor, out.resource = &version, minor, nil
	return &out
}

// HasStatus reports whether the status of objects is written through a subresource.
func (s *Side) HasStatus() bool {
	return s.Version.Subresources != nil && s.Version.Subresources.Status != nil
}

// apiVersion returns the apiVersion of the objects of the version.
func (s *Side) apiVersion() string { return s.CRD.Object.Spec.Group + "/" + s.Version.Name.V }

// TypeMeta returns schemas of what all objects of the version have.
func (s *Side) TypeMeta() map[string]*schema.Schema {
	only := func(text string) *schema.Schema {
		return &schema.Schema{Type: schema.Text{V: StringType}, Enum: []schema.Value{{Kind: schema.String, Text: text}}}
	}
	return map[string]*schema.Schema{"apiVersion": only(s.apiVersion()), "kind": only(s.CRD.Object.Spec.Names.Kind)}
}

// serve serves the CRD of a side.
func (s *Side) serve() (*write.Resource, error) {
	object := s.CRD.Object
	if s.IsAlone {
		object = write.OnlyVersion(object, s.Version.Name.V)
	}
	out, err := write.Accepted(object)
	if err != nil {
		return nil, err
	}
	return out.For(s.Minor), nil
}

// ready serves the CRD if it is not served yet.
func (s *Side) ready() (err error) {
	if s.resource == nil {
		s.resource, err = s.serve()
	}
	return err
}

// A Search looks for objects that a side accepts. Its work is bounded by the number of writes, so that answers do not
// depend on the machine.
type Search struct {
	Accept *Side
	*Builder
	// base is the smallest object that was found, nil before the first search, and empty if none was found.
	base map[string]any
	// around has the valid object that enclosing found for a path, one with a value there; nil if it found none.
	around map[string]map[string]any
	// obstacle is the error of all objects in the last call of find; nil if they do not share one.
	Obstacle *field.Error
	Writes   *effort.Budget
	Err      error
}

// NewSearch returns a search for objects that a side accepts; the schema of the builder is that of the side.
func NewSearch(accept *Side, b *Builder) *Search {
	return &Search{Accept: accept, Builder: b, Writes: effort.New(b.Context, effort.DiffWrites)}
}

// CanWrite reports whether another object may be tried.
func (s *Search) CanWrite() bool {
	return s.Err == nil && !s.Writes.Ended() && !s.Steps.Writes.Ended()
}

// Written is an object with the answer of the server.
type Written struct {
	Sent map[string]any
	write.Answer
	IsStatus bool
}

// Write creates an object as clients do: the status follows through its subresource. The error of a server that cannot
// answer ends the search.
func (s *Search) Write(to *Side, object map[string]any, strict bool) (out Written) {
	out.Sent = object
	body := object
	status, hasStatus := object["status"]
	if hasStatus = hasStatus && to.HasStatus(); hasStatus {
		body = Without(object, "status")
	}
	if out.Answer = s.Send(to, body, write.Request{Validation: validation(strict)}); out.Rejection != nil {
		return out
	}
	if hasStatus {
		out.IsStatus = true
		body = s.copy(out.Object).(map[string]any)
		body["status"] = status
		out.Answer = s.Send(to, body, write.Request{Old: out.Stored, Status: true, Validation: validation(strict)})
	}
	return out
}

func validation(strict bool) string {
	if strict {
		return "Strict"
	}
	return "Warn"
}

// Without returns a copy of an object without one of its fields.
func Without(object map[string]any, name string) map[string]any {
	out := maps.Clone(object)
	delete(out, name)
	return out
}

// Send sends a request with an object to the version of a side.
func (s *Search) Send(to *Side, object map[string]any, req write.Request) (answer write.Answer) {
	s.Writes.Spend(1)
	body := maps.Clone(object)
	body["apiVersion"] = to.apiVersion()
	req.Object = []byte(JSON(body))
	if s.Err = to.ready(); s.Err != nil {
		return write.Answer{}
	}
	req.Version = to.Version.Name.V
	s.Steps.Writes.Spend(len(req.Object) + s.SizeOf(to.Version.Schema).Checks)
	if req.Old != nil {
		s.Steps.Writes.Spend(s.ratcheting(to.Version.Schema, object))
	}
	answer, err := to.resource.Write(s.Context, req)
	if err != nil {
		s.Err = err
	}
	s.Steps.Writes.Spend(len(JSON(answer.Object)))
	answer.Errors = answer.Errors[:min(len(answer.Errors), effort.DiffErrors.N())]
	if req.Status && !to.Minor.Has(kube.StatusPaths) {
		for _, e := range answer.Errors {
			if _, ok := s.Locate(s.Root, object, e.Field); !ok {
				e.Field = "status." + e.Field
			}
		}
	}
	return answer
}

// Read returns a stored object as a side reads it, nil if it cannot.
func (s *Search) Read(from *Side, stored map[string]any) map[string]any {
	s.Writes.Spend(1)
	s.Steps.Writes.Spend(len(JSON(stored)))
	if s.Err = from.ready(); s.Err != nil {
		return nil
	}
	out, err := from.resource.Read(stored, from.Version.Name.V)
	if err != nil {
		return nil // only a webhook could convert it, or the metadata have the wrong type
	}
	return out
}

// propertiesPerByte is how many properties take as long to look at as a byte to write and read.
const propertiesPerByte = 8

// ratcheting returns what the validation of an update takes in addition: for each field of an object, the API server
// looks at all properties of its schema (apiserver/schema/cel/model/adaptor.go, Properties).
func (s *Search) ratcheting(object *schema.Schema, value any) (out int) {
	switch value := value.(type) {
	case map[string]any:
		if object != nil {
			out = len(value) * len(object.Properties) / propertiesPerByte
		}
		for name, inner := range value {
			out += s.ratcheting(s.Child(object, schema.Key(name)), inner)
		}
	case []any:
		for _, item := range value {
			out += s.ratcheting(s.Child(object, schema.Item(0)), item)
		}
	}
	return out
}

// Start returns the object without anything that the schema does not demand.
func (s *Search) Start() map[string]any {
	spec := s.Accept.CRD.Object.Spec
	out := map[string]any{
		"apiVersion": s.Accept.apiVersion(),
		"kind":       spec.Names.Kind,
		"metadata":   map[string]any{"name": s.name()},
	}
	if made, ok := s.Value(s.Root, 0); ok {
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

// name returns a name that the schema of metadata accepts.
func (s *Search) name() string {
	const usual = "example"
	if metadata := s.SchemaAt(s.Root, schema.Path{schema.Key("metadata"), schema.Key("name")}); metadata != nil {
		name := Completed(metadata, MetadataField("name", true))
		list, _ := s.Solver.Solve(name, nil)
		if !s.Accepts(name, usual) && len(list) > 0 {
			if text, ok := list[0].(string); ok {
				return text
			}
		}
	}
	return usual
}

// Minimal returns the smallest valid object that is found, nil without one.
func (s *Search) Minimal() map[string]any {
	if s.base == nil {
		s.base = map[string]any{}
		if object := s.Find(s.Start(), []Plan{{}}, func(Written) bool { return true }); object != nil {
			s.base = object.Sent
		}
	}
	if len(s.base) == 0 {
		return nil
	}
	return s.base
}

// Enclosing returns a valid object that has what is around a path; nil if the smallest one has it, or if none is found.
// It is made step by step, since much may have to be repaired for each value that is added.
func (s *Search) Enclosing(at schema.Path) map[string]any {
	smallest := s.Minimal()
	object := smallest
	for i := 1; i < len(at) && object != nil; i++ {
		to := at[:i]
		if _, has := to.In(object); has {
			continue
		}
		key := to.String()
		if _, known := s.around[key]; !known {
			if s.around == nil {
				s.around = map[string]map[string]any{}
			}
			s.around[key] = nil
			added := []Plan{{{At: to, IsAny: true}}}
			if found := s.Find(object, added, func(Written) bool { return true }); found != nil {
				s.around[key] = found.Sent
			}
		}
		object = s.around[key]
	}
	if object == nil || JSON(object) == JSON(smallest) {
		return nil
	}
	return object
}

// SaysRule reports whether an error is about a rule without a messageExpression: the error ends with the message or the
// rule.
func SaysRule(err *field.Error, r *schema.Rule) bool {
	if message := strings.TrimSpace(r.Message.V); message != "" {
		return strings.HasSuffix(err.Detail, message)
	}
	return strings.HasSuffix(err.Detail, strings.TrimSpace(r.Rule.V))
}
