// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

import (
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A pathStep leads from a value to a part of it: a named field of an object, a key of a map, or an item of a list.
type pathStep struct {
	name  string
	index int
	kind  pathStepKind
}

type pathStepKind uint8

// The kinds of steps.
const (
	fieldStep pathStepKind = iota
	keyStep
	itemStep
)

// A valuePath is the current position of a walk through an object. It is converted to text only for errors, so a step
// costs only a push and a pop.
type valuePath []pathStep

func (p *valuePath) field(name string) { *p = append(*p, pathStep{name: name}) }

func (p *valuePath) key(name string) { *p = append(*p, pathStep{name: name, kind: keyStep}) }

func (p *valuePath) item(index int) { *p = append(*p, pathStep{index: index, kind: itemStep}) }

func (p *valuePath) leave() { *p = (*p)[:len(*p)-1] }

// fieldPath is the path as field.Path, nil for the root.
func (p valuePath) fieldPath() *field.Path {
	var path *field.Path
	for _, s := range p {
		switch s.kind {
		case fieldStep:
			path = path.Child(s.name)
		case keyStep:
			path = path.Key(s.name)
		case itemStep:
			path = path.Index(s.index)
		}
	}
	return path
}

// appendTo adds the text of the path as field.Path has it.
func (p valuePath) appendTo(out []byte) []byte {
	for i, s := range p {
		switch {
		case s.kind == itemStep:
			out = append(strconv.AppendInt(append(out, '['), int64(s.index), 10), ']')
			continue
		case s.kind == keyStep || s.name == "":
			out = append(append(append(out, '['), s.name...), ']')
			continue
		case i > 0:
			out = append(out, '.')
		}
		out = append(out, s.name...)
	}
	return out
}
