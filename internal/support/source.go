package support

import (
	"embed"
	"io/fs"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

//go:embed *.go
var sources embed.FS

// Sources are the Go files of this package, tests included.
func Sources() fs.FS { return sources }

// A Subject is what an error is about.
type Subject uint8

// The parts of an object.
const (
	Metadata Subject = 1 << iota
	// EmbeddedMetadata is the metadata of embedded resources.
	EmbeddedMetadata
	Values
	Rules
	EveryPart = Metadata | EmbeddedMetadata | Values | Rules
)

// A Wording is how API servers before a minor of Kubernetes 1, or since one, report an error that the linked library
// reports otherwise.
type Wording struct {
	Before, Since int // one of them is 0
	Parts         Subject
	// Name is the declaration in this package.
	Name   string
	Change func(*field.Error)
}

// Of reports whether API servers of a minor have the wording.
func (w Wording) Of(minor int) bool { return minor < w.Before || w.Since > 0 && minor >= w.Since }

// Blocked returns the error that replaces those of rules if errors of an object prevent the evaluation of rules, or
// nil. Those of enums may not.
func Blocked(errs field.ErrorList, afterEnums bool) *field.Error {
	v := Validation{errs: slices.Clone(errs), rulesAfterEnums: afterEnums}
	if v.mayCheckRules() {
		return nil
	}
	return v.errs[len(errs)]
}

// Wordings are sorted by minor, the newest first: each changes what the one before it left. The files are those of
// k8s.io/apimachinery and k8s.io/apiextensions-apiserver.
func Wordings() []Wording {
	before := func(minor int, parts Subject, name string, change func(*field.Error)) Wording {
		return Wording{Before: minor, Parts: parts, Name: name, Change: change}
	}
	return []Wording{
		// kubeOpenAPIResultToFieldErrors of pkg/apiserver/validation/validation.go
		{Since: 38, Parts: EveryPart, Name: "TooFew", Change: TooFew},
		// Validate_ObjectMeta of pkg/apis/meta/v1/validation replaces errors of pkg/api/validation/objectmeta.go
		{Since: 38, Parts: EmbeddedMetadata, Name: "MetaMissing", Change: MetaMissing},
		// validateOwnerReference of pkg/api/validation/objectmeta.go
		before(37, Metadata|EmbeddedMetadata, "OwnerWithoutIndex", OwnerWithoutIndex),
		// MaxLenError of pkg/api/validate/content/errors.go, and of pkg/util/validation/validation.go before
		before(35, Metadata|EmbeddedMetadata, "InCharacters", InCharacters),
		// IsLabelKey of pkg/api/validate/content/kube.go, IsQualifiedName of pkg/util/validation/validation.go before
		before(35, Metadata|EmbeddedMetadata, "QualifiedName", QualifiedName),
		// ErrorBody, TooLong and TooMany of pkg/util/validation/field/errors.go
		before(34, EveryPart, "ValueInGo", ValueInGo),
		before(34, EveryPart, "Plural", Plural),
		// validateOwnerReference
		before(34, Metadata|EmbeddedMetadata, "OwnerNamed", OwnerNamed),
		// validateEmbeddedResource of pkg/apiserver/schema/objectmeta/validation.go
		before(34, EmbeddedMetadata, "EmbeddedEmpty", EmbeddedEmpty),
		// TooLong and TooLongMaxLength
		before(32, EveryPart, "LongerThan", LongerThan),
	}
}

// A WarningRecorder collects warnings as an API server does.
type WarningRecorder struct{ warnings warningList }

// AddWarning adds a warning.
func (r *WarningRecorder) AddWarning(_, text string) { r.warnings.add(text) }

// Sent returns the warnings that a client gets.
func (r *WarningRecorder) Sent() []string { return r.warnings.sent }
