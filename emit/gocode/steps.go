package gocode

import (
	"slices"

	"github.com/dave/jennifer/jen"
)

// A step is a part of the body of a function of typed code. It is a condition under which a value is valid, or
// statements that return false unless it is.
type step struct {
	condition
	statements []jen.Code
}

// valid are steps that are conditions.
func valid(conditions ...condition) (out steps) {
	for _, c := range conditions {
		if !c.isAlways() {
			out = append(out, step{condition: c})
		}
	}
	return out
}

// steps are the parts of a body. Without any, every value is valid.
type steps []step

// condition is the condition that all steps are; false if one has statements.
func (s steps) condition() (condition, bool) {
	var all []condition
	for _, step := range s {
		if step.statements != nil {
			return condition{}, false
		}
		all = append(all, step.condition)
	}
	return allOf(all...), true
}

// areNever reports whether no value is valid.
func (s steps) areNever() bool {
	return slices.ContainsFunc(s, func(s step) bool { return s.statements == nil && s.isNever() })
}

// unless are steps for a value that is valid under a condition anyway. The steps are only evaluated otherwise.
func (s steps) unless(c condition) steps {
	switch all, ok := s.condition(); {
	case len(s) == 0 || c.isAlways():
		return nil
	case c.isNever():
		return s
	case ok:
		return valid(anyOf(c, all))
	}
	return steps{{statements: []jen.Code{jen.If(c.opposite().code()).Block(s.within()...)}}}
}

// within are the statements of steps inside of a body: they return false or go on.
func (s steps) within() (out []jen.Code) {
	var before []condition
	flush := func() {
		switch all := allOf(before...); {
		case all.isNever():
			out = append(out, jen.Return(jen.False()))
		case !all.isAlways():
			out = append(out, jen.If(all.opposite().code()).Block(jen.Return(jen.False())))
		}
		before = nil
	}
	for _, step := range s {
		if step.statements == nil {
			before = append(before, step.condition)
			continue
		}
		flush()
		out = append(out, step.statements...)
	}
	flush()
	return out
}

// body are the statements of a function with these steps.
func (s steps) body() []jen.Code {
	if s.areNever() {
		return []jen.Code{jen.Return(jen.False())}
	}
	last := len(s)
	for last > 0 && s[last-1].statements == nil {
		last--
	}
	all, _ := s[last:].condition()
	return append(s[:last].within(), jen.Return(all.lines()))
}
