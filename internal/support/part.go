package support

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A PartHelpers validates values of a Go type as a part of the objects of a kind, such as their spec. It checks the
// schema and the rules of the part, but no rule on the whole object.
type PartHelpers[P any] struct {
	resource *Resource
}

// Part returns the helpers for the part of objects to which fields lead:
//
//	crd.Part[v1.WidgetSpec](v1.WidgetHelpers.JSON, "spec")
//
// The paths of errors begin at the part, or at that of the option Below.
func Part[P any](of *Resource, fields ...string) *PartHelpers[P] {
	r := *of
	r.opts.part, r.checks = fields, nil
	return &PartHelpers[P]{&r}
}

// With returns the same helpers with options.
func (p *PartHelpers[P]) With(list ...Option) *PartHelpers[P] {
	return &PartHelpers[P]{p.resource.With(list...)}
}

// Validate returns the errors of a part of a new object.
func (p *PartHelpers[P]) Validate(part *P) field.ErrorList {
	errs, _ := p.ValidateUpdate(nil, part)
	return errs
}

// ValidateUpdate returns the errors and the warnings of a part that replaces old. If old is nil, the part is new.
func (p *PartHelpers[P]) ValidateUpdate(old, part *P) (field.ErrorList, []string) {
	var objects [2]map[string]any
	for i, x := range []*P{old, part} {
		if i == 0 && x == nil {
			continue
		}
		value, err := valueOf(x, nil)
		if err != nil {
			return field.ErrorList{field.InternalError(nil, err)}, nil
		}
		for _, name := range slices.Backward(p.resource.opts.part) {
			value = map[string]any{name: value}
		}
		objects[i], _ = value.(map[string]any)
		p.resource.Prune(objects[i])
		p.resource.Default(objects[i])
	}
	return p.resource.validatePart(objects[0], objects[1])
}

// validatePart validates the part of an object that the options name. The object may lack everything else.
func (r *Resource) validatePart(old, object map[string]any) (field.ErrorList, []string) {
	v := r.start(object, old, warningList{})
	value, t := any(object), r.typ()
	for _, name := range r.opts.part {
		if t = t.field(name); t == nil {
			err := fmt.Errorf("the schema of %s has no field %s", r.Kind,
				strings.Join(r.opts.part, "."))
			return field.ErrorList{field.InternalError(nil, err)}, nil
		}
		value = oldField(value, name)
		v.path.field(name)
	}
	v.Check(value, t)
	v.path = v.path[:0]
	r.embedded(v)
	return r.finish(v)
}
