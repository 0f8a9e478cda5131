package typed

import (
	"go/types"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/emit/gocode/internal/object"
)

// This file lists the functions that answer for all values of a Go type, wherever these are in an object. The runtime
// validates with them only the parts of an object that are invalid.

// A partKind is what a function of typed code answers about a value.
type partKind struct {
	// runtime is the function of the runtime that takes it.
	runtime string
	// ofRules is set if it answers for the rules of the value itself.
	ofRules bool
}

var (
	structPart    = partKind{runtime: "StructPart"}
	newStructPart = partKind{runtime: "NewStructPart"}
	rulesOfStruct = partKind{runtime: "RulesOfStruct", ofRules: true}
	rulesOfItems  = partKind{runtime: "RulesOfItems", ofRules: true}
)

// A partKey identifies what is asked about values of a Go type.
type partKey struct {
	typ     string
	ofRules bool
}

// parts are the functions for Go types, in the order in which they were found.
type parts struct {
	keys []partKey
	// found are the functions, with "" for a type whose values no single function answers for.
	found map[partKey]part
	// excluded are the types whose values are validated as JSON in one place.
	excluded map[string]bool
}

type part struct {
	kind partKind
	name string
}

// add notes the function for the values of a type in one place, "" for none.
func (p *parts) add(typ types.Type, kind partKind, name string) {
	key := partKey{types.TypeString(typ, nil), kind.ofRules}
	if p.found == nil {
		p.found = map[partKey]part{}
	}
	switch known, ok := p.found[key]; {
	case !ok:
		p.keys = append(p.keys, key)
		p.found[key] = part{kind, name}
	case known.name != name:
		p.found[key] = part{}
	}
}

// exclude notes that no function answers for the values of a type and of all types in it: they are validated as JSON.
func (p *parts) exclude(typ types.Type) {
	for isPointer(typ) {
		typ = elemOf(typ)
	}
	name := types.TypeString(typ, nil)
	if p.excluded[name] {
		return // it may contain itself
	}
	if p.excluded == nil {
		p.excluded = map[string]bool{}
	}
	p.excluded[name] = true
	switch shapeOf(typ) {
	case structShape:
		for _, f := range fieldsOf(typ) {
			p.exclude(f.Type())
		}
	case mapShape, listShape:
		p.exclude(elemOf(typ))
	}
}

// code returns the function that lists the parts; nil if there are none.
func (p *parts) code() jen.Code {
	const longestRow = 100
	var rows, row []jen.Code
	width := 0
	for _, key := range p.keys {
		found := p.found[key]
		if found.name == "" || p.excluded[key.typ] {
			continue
		}
		code := object.Runtime(found.kind.runtime).Call(jen.Id(found.name))
		if width += len(object.Source(code)); width > longestRow && len(row) > 0 {
			rows, row, width = append(rows, jen.List(row...)), nil, len(object.Source(code))
		}
		row = append(row, code)
	}
	if len(row) == 0 {
		return nil
	}
	list := jen.Index().Add(object.Runtime("TypedPart"))
	return jen.Func().Params().Add(list).Block(jen.Return(jen.Add(list).Custom(object.MultiLine,
		append(rows, jen.List(row...))...)))
}
