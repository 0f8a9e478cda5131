package fakeclient

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/rest"
)

// A KindHelpers is the type KindHelpers of any generated package: each package declares its own.
type KindHelpers interface{ ~helpers }

// helpers is the underlying type of every KindHelpers.
type helpers = struct {
	GVK            schema.GroupVersionKind
	Resource       string
	Namespaced     bool
	Stored         bool
	HasStatus      bool
	HasScale       bool
	Prune          func(obj map[string]any) []string
	Default        func(obj map[string]any)
	Validate       func(obj map[string]any) field.ErrorList
	ValidateUpdate func(obj, old map[string]any) (field.ErrorList, []string)
	Admit          func(raw, old []byte) (obj map[string]any, errs field.ErrorList, warnings []string, err error)
}

// A Kind is one version of a kind with its rules. The functions do not keep the objects that they get. Objects are
// JSON whose integers are int64.
type Kind struct {
	GVK schema.GroupVersionKind
	// Resource is the plural name.
	Resource              string
	Namespaced, HasStatus bool
	// HasRules is set if the schema has rules (CEL).
	HasRules bool
	// Warning is the text that a server adds to each answer for a deprecated version; it may be empty.
	Warning string
	// Prune removes unknown fields and returns their paths. The error says that the object cannot be read.
	Prune func(obj map[string]any) ([]string, error)
	// Default drops nulls that are not allowed and sets defaults.
	Default func(obj map[string]any) error
	// Validate returns the errors of a new object, except those of its metadata.
	Validate func(obj map[string]any) field.ErrorList
	// ValidateUpdate and ValidateStatus return the errors and the warnings of an object that replaces old, and of one
	// whose status replaces that of old.
	ValidateUpdate, ValidateStatus func(obj, old map[string]any) (field.ErrorList, []string)
	// Types know the lists of the schema, for server-side apply; nil deduces types from values: every list is atomic.
	Types managedfields.TypeConverter
}

// An Option configures a client.
type Option func(*client) error

// WithKinds enforces the rules of generated helpers: fakeclient.WithKinds(v1.Kinds()).
func WithKinds[K KindHelpers](kinds []K) Option {
	var out []Kind
	for _, k := range kinds {
		out = append(out, kindOf(helpers(k)))
	}
	return With(out...)
}

// kindOf returns a kind of generated helpers. A patch may change the kind and the version of an object: what is of
// another kind is neither pruned nor defaulted, and is invalid.
func kindOf(h helpers) Kind {
	isOf := func(obj map[string]any) bool {
		u := unstructured.Unstructured{Object: obj}
		return u.GroupVersionKind() == h.GVK
	}
	update := func(obj, old map[string]any) (field.ErrorList, []string) {
		if !isOf(obj) {
			return ofKind(h.GVK, obj), nil
		}
		return h.ValidateUpdate(obj, old)
	}
	return Kind{
		GVK: h.GVK, Resource: h.Resource, Namespaced: h.Namespaced, HasStatus: h.HasStatus, HasRules: hasRules(h),
		Prune: func(obj map[string]any) ([]string, error) {
			if !isOf(obj) {
				return nil, nil
			}
			return h.Prune(obj), nil
		},
		Default: func(obj map[string]any) error {
			if isOf(obj) {
				h.Default(obj)
			}
			return nil
		},
		Validate: h.Validate, ValidateUpdate: update,
		ValidateStatus: func(obj, old map[string]any) (field.ErrorList, []string) {
			// An apply may leave a null. A server compares it with the old status, and finds no change without one.
			if status, ok := obj["status"]; ok && status == nil && old["status"] == nil {
				obj = maps.Clone(obj)
				delete(obj, "status")
			}
			errs, warnings := update(obj, old)
			return ofStatus(errs), warnings
		},
	}
}

// ofKind returns the errors of an object that is of another kind or version.
func ofKind(kind schema.GroupVersionKind, obj map[string]any) (errs field.ErrorList) {
	u := unstructured.Unstructured{Object: obj}
	if u.GetKind() != kind.Kind {
		errs = append(errs, field.Invalid(field.NewPath("kind"), u.GetKind(), fmt.Sprintf("must be %v", kind.Kind)))
	}
	if want := kind.GroupVersion().String(); u.GetAPIVersion() != want {
		errs = append(errs, field.Invalid(field.NewPath("apiVersion"), u.GetAPIVersion(),
			fmt.Sprintf("must be %v", want)))
	}
	return errs
}

// hasRules reports whether there are rules: errors that are certain to be in an object without a spec prevent their
// evaluation, and say so.
func hasRules(h helpers) bool {
	errs := h.Validate(map[string]any{"apiVersion": h.GVK.GroupVersion().String(), "kind": h.GVK.Kind})
	return slices.ContainsFunc(errs, func(e *field.Error) bool { return e.Detail == blocked })
}

// ofStatus words errors as a server does that validates a status alone: the texts name fields of the status.
func ofStatus(errs field.ErrorList) field.ErrorList {
	for _, e := range errs {
		if rest, ok := strings.CutPrefix(e.Detail, "status"); ok && strings.HasPrefix(e.Detail, e.Field+" in body") {
			e.Detail = strings.TrimPrefix(rest, ".")
		}
	}
	return errs
}

// With enforces the rules of kinds that are made at run time.
func With(kinds ...Kind) Option {
	return func(c *client) error {
		if len(kinds) == 0 {
			return errors.New("no kinds to enforce: the package of helpers has none")
		}
		for _, k := range kinds {
			if _, ok := c.kinds[k.GVK]; ok {
				return fmt.Errorf("the rules of %s, kind %s, are given twice: name each CRD or package of helpers once",
					k.GVK.GroupVersion(), k.GVK.Kind)
			}
			c.kinds[k.GVK] = &kind{Kind: k}
		}
		return nil
	}
}

// Invalid returns the option of a package that cannot make kinds: New returns the error.
func Invalid(err error) Option { return func(*client) error { return err } }

// WithTypeConverter makes server-side apply merge the lists of a kind as its schema says. Helpers do not have the
// schema. NewTypeConverter of generated apply configurations returns a converter. CRDs that are read at run time need
// none.
func WithTypeConverter(types managedfields.TypeConverter) Option {
	return func(c *client) error {
		c.types = append(c.types, types)
		return nil
	}
}

// WithWarningHandler passes the server's warnings on, as the WarningHandler of rest.Config does for other clients.
// Without it they are dropped.
func WithWarningHandler(h rest.WarningHandler) Option {
	return func(c *client) error {
		c.warnings = h
		return nil
	}
}
