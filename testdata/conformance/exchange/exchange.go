// Package exchange defines the questions to a program of helpers, and its answers. The program contains a copy of this
// package, because it is a separate module, which does not depend on crdproof.
package exchange

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A Request asks for all answers of a kind's helpers about an object.
type Request struct {
	// Kind is the key of the helpers.
	Kind string
	// Object is the object as a client sends it. Old is the one that it replaces, absent where it is created.
	Object, Old json.RawMessage `json:",omitempty"`
	// Body is that of a request, instead of an object: any bytes. Replaced is the object that is replaced, nil where
	// one is created.
	Body, Replaced []byte `json:",omitempty"`
}

// An Answer is what is made of a request, be it by helpers or by the API server's library.
type Answer struct {
	Object, Old Read
	Errors      []Error
	Warnings    []string
	// Phases counts the errors of each phase of a validation, in their order. Only the library tells.
	Phases []int
	// Changed says that the validation changed an object.
	Changed bool
	// Rejection says why a body cannot be read. Admitted is the object that was read from one.
	Rejection string
	Admitted  json.RawMessage `json:",omitempty"`
	// Panic is what the code broke off with.
	Panic string
}

// Read is what becomes of an object before it is validated.
type Read struct {
	// Unknown are the paths of the fields that were pruned.
	Unknown []string
	// Pruned is the object then, Defaulted once nulls are dropped and defaults filled in.
	Pruned, Defaulted json.RawMessage `json:",omitempty"`
}

// An Error is a field.Error as text, in one and in its parts.
type Error struct {
	Text, Type, Field, Detail string
	// Value is the bad value with its Go type.
	Value string
}

// Errors takes errors apart.
func Errors(list field.ErrorList) []Error {
	var out []Error
	for _, e := range list {
		out = append(out, Error{
			Text: e.Error(), Type: string(e.Type), Field: e.Field, Detail: e.Detail, Value: valueText(e.BadValue),
		})
	}
	return out
}
