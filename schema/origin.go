package schema

// An Origin is a type of Kubernetes' libraries that reads more of its values than their schema says.
type Origin uint8

// The origins.
const (
	NoOrigin Origin = iota
	// Quantity is resource.Quantity, IntOrString is intstr.IntOrString. The others are those of metav1, and Time is
	// also time.Time.
	Quantity
	IntOrString
	Duration
	Time
	MicroTime
)

// String returns the name of the type in Go.
func (o Origin) String() string {
	return [...]string{"", "resource.Quantity", "intstr.IntOrString", "metav1.Duration", "metav1.Time",
		"metav1.MicroTime"}[o]
}

// Patterns of what the decoders of the origins accept. A file that has one shows its origin by it.
const (
	// QuantityPattern is what resource.ParseQuantity accepts (k8s.io/apimachinery/pkg/api/resource/quantity.go).
	QuantityPattern = `^` + decimalText + `(([KMGTPE]i)|[numkMGTPE]|([eE]` + decimalText + `))?$`
	decimalText     = `(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))`
	// TimePattern is what Go decodes as RFC 3339 and encodes again. The API server's date-time stops reading at a
	// second T, and accepts offsets of 24 hours, commas and lowercase letters (k8s.io/kube-openapi,
	// pkg/validation/strfmt, IsDateTime).
	TimePattern = secondsText + `(\.[0-9]+)?` + zoneText
	// MicroTimePattern is metav1.RFC3339Micro, which has exactly six digits after the seconds.
	MicroTimePattern = secondsText + `\.[0-9]{6}` + zoneText
	secondsText      = `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}`
	zoneText         = `(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$`
	// DurationPattern is what time.ParseDuration accepts, and durations of more than 292 years.
	DurationPattern = `^[+-]?(0|(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$`
)
