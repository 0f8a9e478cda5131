package typed

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/emit/gocode/internal/object"
)

// A step is a part of the body of a function of typed code. It is a condition under which a value is valid, or
// statements that return false unless it is.
type step struct {
	object.Condition
	statements []jen.Code
}

// valid are steps that are conditions.
func valid(conditions ...object.Condition) (out steps) {
	for _, c := range conditions {
		if !c.IsAlways() {
			out = append(out, step{Condition: c})
		}
	}
	return out
}

// steps are the parts of a body. Without any, every value is valid.
type steps []step

// condition returns the condition that all steps are; false if one has statements.
func (s steps) condition() (object.Condition, bool) {
	var all []object.Condition
	for _, step := range s {
		if step.statements != nil {
			return object.Condition{}, false
		}
		all = append(all, step.Condition)
	}
	return object.AllOf(all...), true
}

// areNever reports whether no value is valid.
func (s steps) areNever() bool {
	return slices.ContainsFunc(s, func(s step) bool { return s.statements == nil && s.IsNever() })
}

// unless are steps for a value that is valid under a condition anyway. The steps are only evaluated otherwise.
func (s steps) unless(c object.Condition) steps {
	switch all, ok := s.condition(); {
	case len(s) == 0 || c.IsAlways():
		return nil
	case c.IsNever():
		return s
	case ok:
		all = all.Given(c.Opposite().All()...)
		if isTextOrEmpty(c, all) {
			return valid(all)
		}
		return valid(object.AnyOf(c, all))
	}
	return steps{{statements: []jen.Code{jen.If(c.Opposite().Code()).Block(s.within()...)}}}
}

// isTextOrEmpty reports whether a condition holds for an empty string too, which the first one recognizes: all empty
// strings are valid UTF-8.
func isTextOrEmpty(isEmpty, cond object.Condition) bool {
	text, ok := strings.CutPrefix(cond.Source(), "utf8.ValidString(")
	x, isEqual := strings.CutSuffix(isEmpty.Source(), ` == ""`)
	return ok && isEqual && (text == x+")" || text == "string("+x+"))")
}

// within returns the statements of steps inside of a body: they return false or go on.
func (s steps) within() (out []jen.Code) {
	var before []object.Condition
	flush := func() {
		switch all := object.AllOf(before...); {
		case all.IsNever():
			out = append(out, jen.Return(jen.False()))
		case !all.IsAlways():
			out = append(out, jen.If(all.Opposite().Code()).Block(jen.Return(jen.False())))
		}
		before = nil
	}
	for _, step := range s {
		if step.statements == nil {
			before = append(before, step.Condition)
			continue
		}
		flush()
		out = append(out, step.statements...)
	}
	flush()
	return out
}

// body returns the statements of a function with these steps.
func (s steps) body() []jen.Code {
	if s.areNever() {
		return []jen.Code{jen.Return(jen.False())}
	}
	last := len(s)
	for last > 0 && s[last-1].statements == nil {
		last--
	}
	all, _ := s[last:].condition()
	return append(s[:last].within(), jen.Return(all.Lines()))
}
