// Package options says what is built, and in which ways CRDs may differ from controller-gen's.
package options

import (
	"slices"

	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/rules/check"
)

// Options change what is built.
type Options struct {
	// MaxDescLen limits descriptions to that many bytes, cut at a sentence or word; 0 drops them; nil keeps all.
	MaxDescLen *int
	// AllowDangerousTypes permits floating-point numbers.
	AllowDangerousTypes bool
	// IgnoreUnexportedFields skips unexported fields.
	IgnoreUnexportedFields bool
	// GenerateEmbeddedObjectMeta describes embedded ObjectMeta by its properties.
	GenerateEmbeddedObjectMeta bool
	// PreserveUnknownFields is spec.preserveUnknownFields if not nil.
	PreserveUnknownFields *bool
	// Compat builds what controller-gen would, without any deviation. It does not report warnings about the Go types.
	Compat bool
	// Without names the deviations that are switched off.
	Without []string
	// Declarative enforces the tags of declarative validation in imported types too, and those that are alpha or beta.
	Declarative bool
	// Tolerate reports mistakes that controller-gen accepts as warnings, and changes nothing else.
	Tolerate bool
	// Policy decides which findings are ignored or raised.
	Policy check.Policy
	// Deviations asks for the list of deviations.
	Deviations bool
}

// OwnMarkers returns the table of markers that have an effect in the user's own packages.
func (o *Options) OwnMarkers() *markers.Table { return o.Markers(true) }

// Markers returns the markers that have an effect, in the user's own packages or in those that are imported.
func (o *Options) Markers(own bool) *markers.Table {
	return markers.With(markers.Extras{
		Own: o.With(OwnMarkers), Tags: o.EnforcesTags() && (own || o.Declarative),
		Enum: o.With(ConstantsAll), ObjectMeta: o.With(ObjectMeta), Ignore: !o.Compat,
	})
}

// With reports whether CRDs may differ from controller-gen's in the way that a deviation names.
func (o *Options) With(deviation string) bool {
	return !o.Compat && !slices.Contains(o.Without, deviation)
}

// EnforcesTags reports whether the tags of declarative validation mean what they mean in Kubernetes.
func (o *Options) EnforcesTags() bool { return o.With(DeclarativeTags) }

// DropsRules reports whether rules of imported types that no API server accepts are dropped.
func (o *Options) DropsRules() bool { return o.With(TransitionsLost) }
