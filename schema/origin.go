package schema

import "slices"

// An Origin is a type of Go that decodes the values of a schema, if it is known.
type Origin uint8

// The origins.
const (
	NoOrigin Origin = iota
	// Quantity is resource.Quantity, IntOrString is intstr.IntOrString. Duration and MicroTime are those of metav1,
	// and Time is also time.Time.
	Quantity
	IntOrString
	Duration
	Time
	MicroTime
	// The others are types of Go itself. An int has 64 bits on every machine that runs controllers.
	GoBool
	GoString
	GoBytes
	GoInt8
	GoInt16
	GoInt32
	GoInt64
	GoInt
	GoUint8
	GoUint16
	GoUint32
	GoUint64
	GoUint
	GoFloat32
	GoFloat64
	GoIP
	GoAddr
	GoAddrPort
	GoPrefix
	// OtherOrigin is a type that decodes itself in a way that is not known.
	OtherOrigin
)

// String returns the name of the type in Go.
func (o Origin) String() string {
	return [...]string{"", "resource.Quantity", "intstr.IntOrString", "metav1.Duration", "metav1.Time",
		"metav1.MicroTime", "bool", "string", "[]byte", "int8", "int16", "int32", "int64", "int", "uint8", "uint16",
		"uint32", "uint64", "uint", "float32", "float64", "net.IP", "netip.Addr", "netip.AddrPort", "netip.Prefix",
		"another type"}[o]
}

// OriginOf returns the origin with a name, NoOrigin for an unknown one.
func OriginOf(name string) Origin {
	for o := NoOrigin + 1; o <= GoPrefix; o++ {
		if o.String() == name {
			return o
		}
	}
	return NoOrigin
}

// A GoType is a named Go type. All schemas of the type share it.
type GoType struct {
	// Package is the import path, Name the name without type arguments. Both are "" for a struct type without a name,
	// which embeds others.
	Package, Name string
	// Under are the types that it is declared as, and those that it embeds: their fields are fields of it.
	Under []*GoType
}

// String returns the name with the import path.
func (t *GoType) String() string { return t.Package + "." + t.Name }

// Is reports whether the type, or one under it, has a name.
func (t *GoType) Is(pkg, name string) bool {
	return t != nil && (t.Package == pkg && t.Name == name ||
		slices.ContainsFunc(t.Under, func(u *GoType) bool { return u.Is(pkg, name) }))
}

// Patterns of what the decoders of the origins accept. A file that has one shows its origin by it.
const (
	// QuantityPattern is the pattern that controller-gen writes. resource.ParseQuantity accepts only whole exponents
	// (k8s.io/apimachinery/pkg/api/resource/suffix.go).
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
