package support

import (
	"errors"
	"fmt"
	"maps"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A Resource is one version of a kind. Its methods do with objects as JSON what an API server does with them.
//
// Objects contain the types of unstructured objects: nil, bool, int64, float64, string, []any and map[string]any. Any
// other value, such as an int, has the wrong type if the schema names one.
type Resource struct {
	Group, Version, Kind string
	// Plural is the name in URLs and in the rules of RBAC.
	Plural string
	// Namespaced is set if the objects are in namespaces, and Stored for the version in which they are stored. Status
	// and Scale are set if there are these subresources.
	Namespaced, Stored, Status, Scale bool

	// Types has the structures, and Root names that of the objects.
	Types *Types
	Root  string
	// Rules has the functions of rules, nil if there are none.
	Rules *RuleSet
	// Counter counts what rules cost for an object that is larger than Uncounted; nil if no object exceeds a budget.
	Counter   Counter
	Uncounted int
	// ScalePaths are those of the fields that the scale subresource reads, or nil.
	ScalePaths *ScalePaths
	// EmbeddedWords give the errors of embedded resources the texts of an older server, Words all errors, and
	// StatusWords those of the values of a status.
	EmbeddedWords, Words, StatusWords []func(*field.Error)
	// IsFresh is set for a server that validates an object whether it has changed or not, and IsStatusFresh for one
	// that validates a status so.
	IsFresh, IsStatusFresh bool
	// RulesAfterEnums is set for a server that checks rules in spite of values that are not those of an enum.
	RulesAfterEnums bool

	opts settings
	// inParts is set for new objects that have only the JSON of parts, isDecoded for objects that were decoded.
	inParts, isDecoded bool
	// checks are those of users.
	checks []ownCheck
}

// A Counter counts what the rules of a kind cost.
type Counter interface {
	// budget returns what may be spent for an object, nil if it is not larger than a size.
	budget(v *Validation, most int) spender
	// isLight reports whether Go values together are not larger than a size. They may be nil.
	isLight(most int, values ...any) bool
}

// A spender spends what is left for the rules of an object. It reports an error if that is not enough.
type spender interface {
	isSpent() bool
	// mayEvaluate reports whether the rules of a type are evaluated.
	mayEvaluate(v *Validation, t *Type) bool
	// affords spends the cost of a rule, and reports whether it is evaluated; affordsMessage does the same for its
	// messageExpression.
	affords(v *Validation, rule *Rule, value, old any) bool
	affordsMessage(v *Validation, rule *Rule, value, old any) bool
}

// GroupVersionKind returns the group, the version and the kind of the objects.
func (r *Resource) GroupVersionKind() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: r.Group, Version: r.Version, Kind: r.Kind}
}

// Resource returns the plural name, and whether the objects are in namespaces.
func (r *Resource) Resource() (plural string, isNamespaced bool) { return r.Plural, r.Namespaced }

// HasStatus reports whether there is a status subresource.
func (r *Resource) HasStatus() bool { return r.Status }

// HasRules reports whether there are rules.
func (r *Resource) HasRules() bool { return r.typ().Has&withRules != 0 }

// typ returns the structure of the objects.
func (r *Resource) typ() *Type { return r.Types.Type(r.Root) }

// Prune removes the fields that the schema does not have, and returns their sorted paths. apiVersion, kind and metadata
// stay.
func (r *Resource) Prune(obj map[string]any) []string { return prune(obj, r.typ()) }

// Default sets the defaults. First it drops each null field that is not nullable and has no default.
func (r *Resource) Default(obj map[string]any) { r.typ().setDefaults(obj) }

// Validate returns the errors of a new object, in the words of the API server. It validates values, embedded metadata,
// lists of type set and map, and rules. It does not check TypeMeta and ObjectMeta of the object itself. A server drops
// the status of a new object if there is a status subresource, so the status is not validated. Prune and default the
// object first, as the server does.
func (r *Resource) Validate(obj map[string]any) field.ErrorList {
	errs, _ := r.validate(r.stored(obj, nil), nil, false, warningList{})
	return errs
}

// ValidateUpdate returns the errors and the warnings of an object that replaces old. Values that did not change may
// remain invalid. A warning is a rule that fails for a value that did not change. A server keeps the old status if
// there is a status subresource, so the new one is not validated. If old is nil, the object is new.
func (r *Resource) ValidateUpdate(old, obj map[string]any) (field.ErrorList, []string) {
	return r.validate(r.stored(obj, old), old, false, warningList{})
}

// ValidateStatusUpdate returns the errors and the warnings of an object whose status replaces that of old: a server
// keeps the rest of old. Only a kind with a status subresource has such updates.
func (r *Resource) ValidateStatusUpdate(old, obj map[string]any) (field.ErrorList, []string) {
	if !r.Status {
		return field.ErrorList{field.InternalError(nil, errors.New("the kind has no status subresource"))}, nil
	}
	return r.validateStatus(withStatus(old, obj), old, warningList{})
}

// stored returns an object as a server stores it instead of an old one, which is nil for a new object.
func (r *Resource) stored(obj, old map[string]any) map[string]any {
	if !r.Status {
		return obj
	}
	return withStatus(obj, old)
}

// withStatus returns an object with the status of another one, or without a status. The objects stay as they are.
func withStatus(obj, from map[string]any) map[string]any {
	status, ok := from["status"]
	if _, has := obj["status"]; !ok && !has {
		return obj
	}
	out := maps.Clone(obj)
	switch {
	case !ok:
		delete(out, "status")
	case out == nil:
		out = map[string]any{"status": status}
	default:
		out["status"] = status
	}
	return out
}

// validate validates an object, which replaces old unless that is nil, in the order of the API server
// (apiextensions-apiserver, pkg/registry/customresource/strategy.go). Its values may be known to be valid, and there
// may be warnings already.
func (r *Resource) validate(object, old map[string]any, isValid bool, said warningList) (field.ErrorList, []string) {
	v := r.start(object, old, said)
	v.isFresh = r.IsFresh
	if !isValid {
		v.Check(object, v.typ)
	}
	r.ScalePaths.check(v, object, false)
	r.embedded(v)
	return r.finish(v)
}

// embedded validates embedded resources.
func (r *Resource) embedded(v *Validation) {
	if v.typ.Has&Resources != 0 {
		from := len(v.errs)
		if v.typ.more != nil && v.typ.more.isResource {
			v.CheckResource(v.object, v.typ)
		} else {
			v.checkResources(v.object, v.typ)
		}
		reword(v.errs[from:], r.EmbeddedWords)
	}
}

// validateStatus validates an object that differs from old in its status (status_strategy.go).
func (r *Resource) validateStatus(object, old map[string]any, said warningList) (field.ErrorList, []string) {
	v := r.start(object, old, said)
	v.isFresh = r.IsStatusFresh
	const name = "status"
	if status, ok := object[name]; ok {
		if t := v.typ.field(name); t != nil {
			v.path.field(name)
			v.Check(status, t)
			v.path.leave()
		}
		for _, e := range v.errs { // the texts name fields of the status
			if e.Field == noField {
				e.Field, e.Detail = name, strings.Replace(e.Detail, " in "+name+".", " in ", 1)
			}
			if rest, ok := strings.CutPrefix(e.Detail, name); ok && strings.HasPrefix(e.Detail, e.Field+" in body") {
				e.Detail = strings.TrimPrefix(rest, ".")
			}
		}
		reword(v.errs, r.StatusWords)
	}
	r.ScalePaths.check(v, object, true)
	return r.finish(v)
}

// BelowStatus gives the error of a value of a status the field of a server that leaves out the status.
func BelowStatus(err *field.Error) {
	if err.Field = strings.TrimPrefix(strings.TrimPrefix(err.Field, "status"), "."); err.Field == "" {
		err.Field = noField
	}
}

// start begins a validation.
func (r *Resource) start(object, old map[string]any, said warningList) *Validation {
	const capacity = 16 // the depth up to which a walk does not allocate
	return &Validation{path: make(valuePath, 0, capacity), typ: r.typ(), object: object, old: old, warnings: said,
		rulesAfterEnums: r.RulesAfterEnums, opts: r.opts, inParts: r.inParts, isDecoded: r.isDecoded}
}

// finish validates what is validated for each kind of write.
func (r *Resource) finish(v *Validation) (field.ErrorList, []string) {
	if v.typ.Has&Lists != 0 {
		v.checkNewLists(v.object, v.typ)
	}
	if v.typ.Has&withRules != 0 && v.mayCheckRules() {
		if r.Counter != nil && !v.inParts {
			v.budget = r.Counter.budget(v, r.Uncounted)
		}
		r.Rules.checkObject(v)
	}
	reword(v.errs, r.Words)
	for _, check := range r.checks {
		if !v.isDone() {
			v.own(check)
		}
	}
	return v.answer()
}

// The operations of an AdmissionReview that write an object, and the subresource that has writes of its own.
const (
	operationCreate = "CREATE"
	operationUpdate = "UPDATE"

	statusSubresource = "status"
)

// Admit decodes, prunes, defaults and validates the JSON of an object, as the API server does with the body of a
// request. The operation, CREATE or UPDATE, and the subresource, status or none, are those of an AdmissionReview; an
// update has the JSON of the old object. It returns the object as a server answers. The warnings are about duplicate
// and unknown fields, and those of ValidateUpdate. The error says why the server cannot read the object: it is not
// JSON, its metadata have the wrong type, or it is not of this kind and version.
func (r *Resource) Admit(operation, subresource string, raw, old []byte) (obj map[string]any, errs field.ErrorList,
	warnings []string, err error) {
	isStatus := subresource == statusSubresource
	switch {
	case operation != operationCreate && operation != operationUpdate:
		return nil, nil, nil, fmt.Errorf("operation %q: expected %s or %s", operation, operationCreate, operationUpdate)
	case subresource != "" && !(isStatus && r.Status && operation == operationUpdate):
		return nil, nil, nil, fmt.Errorf("operation %s of subresource %q does not exist", operation, subresource)
	case operation == operationUpdate && old == nil:
		return nil, nil, nil, fmt.Errorf("operation %s: the old object is missing", operation)
	}
	decoded := *r
	decoded.isDecoded = true
	r = &decoded
	obj, isValid, said, err := readRequest(raw, r)
	if err != nil {
		return nil, nil, nil, err
	}
	var before map[string]any
	if operation == operationUpdate {
		if before, err = r.readStored(old); err != nil {
			return nil, nil, nil, err
		}
	}
	t := r.typ()
	if isStatus {
		obj = withStatus(before, obj)
		errs, warnings = r.validateStatus(obj, before, said)
	} else {
		obj = r.stored(obj, before)
		isValid = isValid && (!r.Status || !t.dependsOn("status"))
		errs, warnings = r.validate(obj, before, isValid, said)
		if _, ok := obj["status"]; !ok && r.Status {
			t.setDefaults(obj) // a server sets them again when it has read the stored object
		}
	}
	return obj, errs, warnings, nil
}

// readStored reads the old object of a request.
func (r *Resource) readStored(raw []byte) (map[string]any, error) {
	t := r.typ()
	object, isReady := decode(raw, t, nil, nil)
	if object == nil {
		return nil, decodingError(raw)
	}
	c := coercion{reportPath: func([]byte) {}} // a server warns of fields in new objects only
	if err := c.meta(object); err != nil {
		return nil, err
	}
	if !isReady {
		pruneValue(object, t, true)
		t.setDefaults(object)
	}
	return object, nil
}

// A Kind is one version of a kind with its Go type. Its methods do with the JSON of objects what an API server does
// with the body of a request: the JSON is pruned, and has defaults. An object has no JSON made of it if typed code can
// find out that it is valid. One that cannot be encoded is an internal error.
type Kind[T any] struct {
	// JSON does the same with objects as JSON.
	JSON *Resource

	// Certain reports whether an object with the status of another one, nil for none, is certainly valid if it replaces
	// old, nil for none. isStatusValid reports the same for an update of the status.
	Certain func(x, status, old *T) bool
	// SetDefaults sets the defaults of a type that has some.
	SetDefaults func(*T)
	// Encoder makes the JSON of the objects that typed code is not certain about.
	Encoder *Encoder
	// MayLose is set if the type has fields that the schema does not have.
	MayLose bool

	// checks are those of users.
	checks []func(old, obj *T) field.ErrorList
}

// Validate returns the errors of a new object.
func (k *Kind[T]) Validate(obj *T) field.ErrorList {
	if k.isCertain(obj, nil, nil) && k.passes(nil, obj) {
		return nil
	}
	return k.validateNew(obj)
}

// ValidateUpdate returns the errors and the warnings of an object that replaces old. If old is nil, the object is new.
func (k *Kind[T]) ValidateUpdate(old, obj *T) (field.ErrorList, []string) {
	switch {
	case k.isCertain(obj, old, old) && k.passes(old, obj):
		return nil, nil
	case old == nil:
		return k.validateNew(obj), nil
	}
	return k.onJSON(old, obj, (*Resource).ValidateUpdate)
}

// ValidateStatusUpdate returns the errors and the warnings of an object whose status replaces that of old.
func (k *Kind[T]) ValidateStatusUpdate(old, obj *T) (field.ErrorList, []string) {
	if k.JSON.Status && obj != nil && k.isCertain(old, obj, old) && k.passes(old, obj) {
		return nil, nil
	}
	return k.onJSON(old, obj, (*Resource).ValidateStatusUpdate)
}

// isCertain reports whether typed code finds an object valid.
func (k *Kind[T]) isCertain(obj, status, old *T) bool {
	hasEnded := k.JSON.opts.ctx != nil && k.JSON.opts.ctx.Err() != nil
	return obj != nil && k.Certain != nil && !hasEnded && k.isLight(obj, status, old) && k.Certain(obj, status, old)
}

// isLight reports whether objects are too small to exceed a budget.
func (k *Kind[T]) isLight(obj, status, old *T) bool {
	return k.JSON.Counter == nil || k.JSON.Counter.isLight(k.JSON.Uncounted, obj, status, old)
}

// validateNew validates the JSON of a new object: of the parts that typed code is not certain about, if these suffice.
func (k *Kind[T]) validateNew(obj *T) field.ErrorList {
	if k.Certain != nil && k.isLight(obj, nil, nil) {
		if object, ok := k.Encoder.encodeParts(obj, k.JSON.typ()); ok {
			r := *k.given(nil, obj)
			r.inParts = true
			return r.Validate(object)
		}
	}
	errs, _ := k.onJSON(nil, obj, (*Resource).ValidateUpdate)
	return errs
}

// onJSON validates the JSON of objects.
func (k *Kind[T]) onJSON(old, obj *T, validate func(r *Resource, old, obj map[string]any) (field.ErrorList,
	[]string)) (field.ErrorList, []string) {
	var objects [2]map[string]any
	for i, x := range []*T{old, obj} {
		if i == 0 && x == nil {
			continue
		}
		m, err := k.stored(x)
		if err != nil {
			return field.ErrorList{field.InternalError(nil, err)}, nil
		}
		objects[i] = m
	}
	return validate(k.given(old, obj), objects[0], objects[1])
}

// stored returns the JSON of an object, pruned and with defaults.
func (k *Kind[T]) stored(obj *T) (map[string]any, error) {
	if m, ok := k.Encoder.encode(obj, k.JSON.typ()); ok {
		return m, nil
	}
	m, err := objectOf(obj)
	if err == nil {
		k.JSON.Prune(m)
		k.JSON.Default(m)
	}
	return m, err
}

// Prune returns the sorted paths of the fields that are set in an object although the schema does not have them, so
// that a server drops them. The object stays as it is. The error says that it cannot be encoded.
func (k *Kind[T]) Prune(obj *T) ([]string, error) {
	if !k.MayLose {
		return nil, nil
	}
	m, err := objectOf(obj)
	if err != nil {
		return nil, err
	}
	return k.JSON.Prune(m), nil
}

// Default sets the defaults in the fields of an object that its JSON does not have. These are not all fields with the
// zero value: one whose tag has neither omitempty nor omitzero is always there, unless it is a nil pointer, list or
// map. And a field with omitempty that is not a pointer cannot be zero in JSON, so a zero there becomes the default,
// and a default that is zero does not become visible.
func (k *Kind[T]) Default(obj *T) {
	if k.SetDefaults != nil && obj != nil {
		k.SetDefaults(obj)
	}
}
