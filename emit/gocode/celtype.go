package gocode

import "github.com/dave/jennifer/jen"

// A celType is what is known of a CEL value when code is written: which Go type holds it.
type celType uint8

// The types. A value of one that has no Go type of its own is dynamic.
const (
	celDyn celType = iota
	celBool
	celInt
	celUint
	celDouble
	celString
	celBytes
	celTimestamp
	celDuration
	celURL
	celIP
	celCIDR
	celQuantity
	celSemver
	celNamedFormat
	// A celList is a crdList, whatever its items are.
	celList
)

// code is the Go type.
func (t celType) code() jen.Code {
	switch t {
	case celBool:
		return jen.Bool()
	case celInt:
		return jen.Int64()
	case celUint:
		return jen.Uint64()
	case celDouble:
		return jen.Float64()
	case celString:
		return jen.String()
	case celBytes:
		return jen.Index().Byte()
	case celTimestamp:
		return jen.Qual("time", "Time")
	case celDuration:
		return jen.Qual("time", "Duration")
	case celURL:
		return jen.Id("crdURL")
	case celIP:
		return jen.Id("crdIP")
	case celCIDR:
		return jen.Id("crdCIDR")
	case celQuantity:
		return jen.Id("crdQuantity")
	case celSemver:
		return jen.Id("crdSemver")
	case celNamedFormat:
		return jen.Id("crdNamedFormat")
	case celList:
		return jen.Id("crdList")
	}
	return jen.Any()
}

// A celCall is an overload of a CEL function and the Go function that computes it.
type celCall struct {
	// overload is cel-go's id.
	overload string
	// function is one of emit/support or, with the path of its package, of the standard library. It takes the
	// parameters, the receiver first, as plain Go values; the compiler passes errors in arguments by.
	function string
	params   []celType
	result   celType
	// fails is set where the function returns a crdResult of the result's type; one with a dynamic result returns any,
	// which may be a *crdFailure.
	fails bool
	// regexp is the position of a parameter that is a regular expression: a constant one is compiled once, and the
	// function whose name ends in Compiled takes a *regexp.Regexp there, cannot fail and so returns the plain result; 0
	// where there is none (the receiver is never one).
	regexp int
}

// A celDynamicCall is a CEL function on arguments whose types, and so the overload, are only known when the program
// runs. Of those that are not listed the arguments have to be of the types of their one overload, or else crdNoOverload
// is the result.
type celDynamicCall struct {
	// name is that of the CEL function, args the number of its arguments, the receiver among them.
	name string
	args int
	// function takes dynamic values, which may be failures, and returns one.
	function string
	// regexp is as in celCall: the function whose name ends in Compiled takes a *regexp.Regexp there.
	regexp int
}
