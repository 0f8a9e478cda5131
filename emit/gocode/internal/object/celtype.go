package object

import (
	"go/ast"
	"strings"

	"github.com/dave/jennifer/jen"
)

// A Type is the type of a CEL value at compile time: the Go type in internal/support that represents it.
type Type string

// The types. A value of a type without a Go type is dynamic.
const (
	DynType        Type = ""
	BoolType       Type = "bool"
	IntType        Type = "int64"
	celUint        Type = "uint64"
	DoubleType     Type = "float64"
	StringType     Type = "string"
	celBytes       Type = "[]byte"
	celTimestamp   Type = "time.Time"
	celDuration    Type = "time.Duration"
	celURL         Type = "URL"
	celIP          Type = "IP"
	celCIDR        Type = "CIDR"
	celQuantity    Type = "Quantity"
	celSemver      Type = "Semver"
	celNamedFormat Type = "NamedFormat"
	// ListType is a List, whatever its items are.
	ListType Type = "List"
)

// Code returns the Go type.
func (t Type) Code() jen.Code {
	if t == DynType {
		return jen.Any()
	}
	if name, ok := strings.CutPrefix(string(t), "time."); ok {
		return jen.Qual("time", name)
	}
	if ast.IsExported(string(t)) {
		return Runtime(string(t))
	}
	return jen.Id(string(t))
}
