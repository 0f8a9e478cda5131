package gocode

import (
	"strings"

	"github.com/dave/jennifer/jen"
)

// A celType is the type of a CEL value at compile time: the Go type in emit/support that represents it.
type celType string

// The types. A value of a type without a Go type is dynamic.
const (
	celDyn         celType = ""
	celBool        celType = "bool"
	celInt         celType = "int64"
	celUint        celType = "uint64"
	celDouble      celType = "float64"
	celString      celType = "string"
	celBytes       celType = "[]byte"
	celTimestamp   celType = "time.Time"
	celDuration    celType = "time.Duration"
	celURL         celType = "crdURL"
	celIP          celType = "crdIP"
	celCIDR        celType = "crdCIDR"
	celQuantity    celType = "crdQuantity"
	celSemver      celType = "crdSemver"
	celNamedFormat celType = "crdNamedFormat"
	// A celList is a crdList, whatever its items are.
	celList celType = "crdList"
)

// code is the Go type.
func (t celType) code() jen.Code {
	if t == celDyn {
		return jen.Any()
	}
	if name, ok := strings.CutPrefix(string(t), "time."); ok {
		return jen.Qual("time", name)
	}
	return jen.Id(string(t))
}
