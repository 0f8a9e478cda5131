// Package fill is the runtime of a program of generated kinds. It fills values at random and encodes them as JSON, and
// decodes JSON into them. It does not use schemas: only encoding/json decides.
package fill

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
)

// A Kind is a type that can be made.
type Kind struct {
	Name, APIVersion string
	// New returns a pointer to a zero value.
	New func() any
}

// A Request is one line that the program reads.
type Request struct {
	Kind string `json:"kind"`
	// Seed is what a value is made from, where there is no JSON to read.
	Seed uint64 `json:"seed,omitempty"`
	// NilElements permits nil elements in lists and maps of pointers.
	NilElements bool `json:"nilElements,omitempty"`
	// Show asks for a value with something special in it, and all else set.
	Show Show `json:"show,omitzero"`
	// JSON is to be read into the kind, and written again.
	JSON json.RawMessage `json:"json,omitempty"`
}

// A Show says what fields have to look like.
type Show struct {
	// Keys are the JSON keys of the fields.
	Keys []string `json:"keys"`
	As   As       `json:"as"`
}

// As is one way for a field to look.
type As string

const (
	// Unset is a zero value, or a pointer to one.
	Unset As = "unset"
	// Empty is a list or a map without anything in it, but not nil, or with such elements.
	Empty As = "empty"
	// Elements is a list or a map with nil elements.
	Elements As = "elements"
	// Large is the greatest number that the type holds.
	Large As = "large"
	// Set is any value but the zero value.
	Set As = "set"
)

// A Reply is the line that it writes for each.
type Reply struct {
	// JSON is what encoding/json makes of the value.
	JSON json.RawMessage `json:"json,omitempty"`
	// Unset are the keys of the fields that were left at their zero values.
	Unset []string `json:"unset,omitempty"`
	// Error is why it does not.
	Error string `json:"error,omitempty"`
}

// Main answers requests until its input ends. Enums are the constants of types by type.
func Main(kinds []Kind, enums map[reflect.Type][]any) {
	byName := map[string]Kind{}
	for _, k := range kinds {
		byName[k.Name] = k
	}
	in := json.NewDecoder(bufio.NewReaderSize(os.Stdin, 1<<16))
	buffer := bufio.NewWriter(os.Stdout)
	out := json.NewEncoder(buffer)
	out.SetEscapeHTML(false)
	for {
		var request Request
		if err := in.Decode(&request); err != nil {
			return
		}
		if err := out.Encode(answer(byName[request.Kind], request, enums)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		buffer.Flush()
	}
}

// answer makes a value or reads one, and writes it through a pointer, as every client of Kubernetes does.
func answer(kind Kind, request Request, enums map[reflect.Type][]any) (reply Reply) {
	defer func() {
		if r := recover(); r != nil {
			reply = Reply{Error: fmt.Sprint("panic: ", r)}
		}
	}()
	value := kind.New()
	var unset []string
	if request.JSON != nil {
		if err := json.Unmarshal(request.JSON, value); err != nil {
			return Reply{Error: "read: " + err.Error()}
		}
	} else {
		unset = fillKind(value, kind, request, enums)
	}
	data, err := json.Marshal(value)
	if err != nil {
		return Reply{Error: "write: " + err.Error()}
	}
	return Reply{JSON: data, Unset: unset}
}

// Make makes a value of a kind.
func Make(kind Kind, seed uint64, enums map[reflect.Type][]any) any {
	value := kind.New()
	fillKind(value, kind, Request{Seed: seed, NilElements: seed%4 == 0}, enums)
	return value
}
