// Package subject binds Go kinds to the validators that validation-gen writes for them.
package subject

import (
	"context"
	"path"
	"reflect"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A Kind is a Go kind with its validator. Values of it are pointers.
type Kind struct {
	Name, APIVersion string
	// New returns a pointer to a zero value.
	New func() any
	// Create is what the generated Go says against a new object, Update what it says against one that takes the place
	// of an old one.
	Create func(object any) (field.ErrorList, error)
	Update func(object, old any) (field.ErrorList, error)
}

// Validator is the type of the functions that validation-gen writes.
type Validator[T any] = func(ctx context.Context, op operation.Operation, path *field.Path, object,
	old *T) field.ErrorList

// Of makes a kind of its validator. Its group is named for the package.
func Of[T any](validate Validator[T]) Kind {
	t := reflect.TypeFor[T]()
	return Kind{
		Name: t.Name(), APIVersion: path.Base(t.PkgPath()) + ".declarative.example.com/v1",
		New: func() any { return new(T) },
		Create: func(object any) (field.ErrorList, error) {
			op := operation.Operation{Type: operation.Create}
			return validate(context.Background(), op, nil, object.(*T), nil), nil
		},
		Update: func(object, old any) (field.ErrorList, error) {
			op := operation.Operation{Type: operation.Update}
			return validate(context.Background(), op, nil, object.(*T), old.(*T)), nil
		},
	}
}
