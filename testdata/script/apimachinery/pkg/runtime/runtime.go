// Package runtime replaces the package of the same path in scripts: what a scaffold of kubebuilder refers to.
package runtime

// Object is any object.
type Object any

// A Scheme knows types.
type Scheme struct{ known []Object }

// AddKnownTypes adds types of a group and version.
func (s *Scheme) AddKnownTypes(_ any, types ...Object) { s.known = append(s.known, types...) }

// A SchemeBuilder collects functions that add types to a scheme.
type SchemeBuilder []func(*Scheme) error

// NewSchemeBuilder returns a builder with functions.
func NewSchemeBuilder(functions ...func(*Scheme) error) SchemeBuilder { return functions }

// Register adds functions.
func (b *SchemeBuilder) Register(functions ...func(*Scheme) error) { *b = append(*b, functions...) }

// AddToScheme calls all functions.
func (b *SchemeBuilder) AddToScheme(s *Scheme) error {
	for _, f := range *b {
		if err := f(s); err != nil {
			return err
		}
	}
	return nil
}
