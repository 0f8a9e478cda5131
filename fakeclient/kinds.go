package fakeclient

import (
	"errors"
	"fmt"
	"maps"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/rest"
)

// Helpers are the helpers of a kind for JSON: what the function Kinds of a generated package lists.
type Helpers interface {
	GroupVersionKind() schema.GroupVersionKind
	// Resource returns the plural name, and whether the objects are in namespaces.
	Resource() (plural string, isNamespaced bool)
	HasStatus() bool
	HasRules() bool
	// Prune removes unknown fields and returns their paths.
	Prune(obj map[string]any) []string
	// Default drops nulls that are not allowed and sets defaults.
	Default(obj map[string]any)
	Validate(obj map[string]any) field.ErrorList
	ValidateUpdate(old, obj map[string]any) (field.ErrorList, []string)
	ValidateStatusUpdate(old, obj map[string]any) (field.ErrorList, []string)
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
func WithKinds[K Helpers](kinds []K) Option {
	var out []Kind
	for _, k := range kinds {
		out = append(out, kindOf(k))
	}
	return With(out...)
}

// kindOf returns a kind of generated helpers. A patch may change the kind and the version of an object: what is of
// another kind is neither pruned nor defaulted, and is invalid.
func kindOf(h Helpers) Kind {
	kind := h.GroupVersionKind()
	isOf := func(obj map[string]any) bool {
		u := unstructured.Unstructured{Object: obj}
		return u.GroupVersionKind() == kind
	}
	unless := func(update func(old, obj map[string]any) (field.ErrorList, []string)) func(obj, old map[string]any) (
		field.ErrorList, []string) {
		return func(obj, old map[string]any) (field.ErrorList, []string) {
			if !isOf(obj) {
				return ofKind(kind, obj), nil
			}
			return update(old, obj)
		}
	}
	plural, isNamespaced := h.Resource()
	return Kind{
		GVK: kind, Resource: plural, Namespaced: isNamespaced, HasStatus: h.HasStatus(), HasRules: h.HasRules(),
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
		Validate: h.Validate, ValidateUpdate: unless(h.ValidateUpdate),
		ValidateStatus: unless(func(old, obj map[string]any) (field.ErrorList, []string) {
			// An apply may leave a null. A server compares it with the old status, and finds no change without one.
			if status, ok := obj["status"]; ok && status == nil && old["status"] == nil {
				obj = maps.Clone(obj)
				delete(obj, "status")
			}
			return h.ValidateStatusUpdate(old, obj)
		}),
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
