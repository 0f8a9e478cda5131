// Package v1 replaces the package of the same path in scripts. It has what API types embed and refer to, under the
// same names and tags, so that scripts need neither a network nor a module cache.
package v1

// TypeMeta names the kind of an object.
type TypeMeta struct {
	// The kind's name.
	// +optional
	Kind string `json:"kind,omitempty"`
	// The group and version.
	// +optional
	APIVersion string `json:"apiVersion,omitempty"`
}

// ObjectMeta is what every object has.
type ObjectMeta struct {
	// The object's name.
	// +optional
	Name string `json:"name,omitempty"`
	// Labels by which objects are selected.
	// +optional
	Labels map[string]string `json:"labels,omitempty"`
}

// ListMeta is what every list has.
type ListMeta struct {
	// Where to go on.
	// +optional
	Continue string `json:"continue,omitempty"`
}

// DeepCopyInto copies in into out.
func (in *ObjectMeta) DeepCopyInto(out *ObjectMeta) { *out = *in }

// DeepCopyInto copies in into out.
func (in *ListMeta) DeepCopyInto(out *ListMeta) { *out = *in }

// Time is a moment.
type Time struct{ seconds int64 }

// DeepCopyInto copies t into out.
func (t *Time) DeepCopyInto(out *Time) { *out = *t }

// MarshalJSON implements json.Marshaler.
func (t Time) MarshalJSON() ([]byte, error) { return nil, nil }

// UnmarshalJSON implements json.Unmarshaler.
func (t *Time) UnmarshalJSON([]byte) error { return nil }
