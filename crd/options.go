// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// This file has the options of helpers. A copy of the runtime in a package does not export them, so it has no method
// With.

// An Option changes how helpers validate. It is an argument of the methods With.
type Option func(*settings)

// settings are the options of a validation.
type settings struct {
	// below is the path of the object; "" is that of the object itself.
	below string
	// part are the fields that lead to the part which is validated.
	part []string
	// isFirst is set if only the first error is wanted.
	isFirst bool
	// ctx may end the validation; nil never does.
	ctx context.Context
}

// Below reports errors as those of an object at a path: field.NewPath("spec", "template"). The texts have the path too.
func Below(path *field.Path) Option { return func(s *settings) { s.below = path.String() } }

// StopAtFirst reports only the first error, and checks nothing after it. Warnings of what was not checked are missing.
func StopAtFirst() Option { return func(s *settings) { s.isFirst = true } }

// Context ends a validation with an internal error when the context ends. Each rule and each item of a list looks at
// it.
func Context(ctx context.Context) Option { return func(s *settings) { s.ctx = ctx } }

// With returns the same helpers with options. The original helpers stay as they are.
func (r *Resource) With(list ...Option) *Resource {
	out := *r
	for _, option := range list {
		option(&out.opts)
	}
	return &out
}

// With returns the same helpers with options, also in their field JSON. The original helpers stay as they are.
func (k *Kind[T]) With(list ...Option) *Kind[T] {
	out := *k
	out.JSON = k.JSON.With(list...)
	return &out
}

// isDone reports whether nothing more is to be checked: the first error is enough, or the context has ended.
func (v *Validation) isDone() bool {
	if v.opts.ctx != nil && v.ended == nil {
		v.ended = v.opts.ctx.Err()
	}
	return v.ended != nil || v.opts.isFirst && len(v.errs) > 0 || v.judges && v.failures > 0
}

// answer returns the errors and the warnings as the options want them.
func (v *Validation) answer() (field.ErrorList, []string) {
	errs := v.allErrors()
	if v.isDone() {
		if v.opts.isFirst && len(errs) > 0 {
			errs = errs[:1]
		}
		if v.ended != nil {
			errs = append(errs, field.InternalError(nil, fmt.Errorf("the validation was stopped: %w", v.ended)))
		}
	}
	for _, err := range errs {
		v.opts.place(err)
	}
	return errs, v.warnings.sent
}

// place sets the path of an error, in its text too, to that which the options want.
func (s *settings) place(err *field.Error) {
	if s.below == "" && len(s.part) == 0 || err.Type == field.ErrorTypeInternal {
		return
	}
	path := strings.TrimPrefix(err.Field, noField)
	if rest, ok := strings.CutPrefix(err.Detail, path); ok && strings.HasPrefix(rest, " in body ") ||
		strings.HasSuffix(rest, " in body is a forbidden property") {
		err.Detail = s.placed(path) + rest
	}
	if quoted, _ := strconv.QuotedPrefix(err.Detail); path == "" && quoted != "" { // of allOf, anyOf, oneOf or not
		if at, wrong := strconv.Unquote(quoted); wrong == nil {
			err.Detail = strconv.Quote(s.placed(at)) + err.Detail[len(quoted):]
		}
	}
	err.Field = valueField(s.placed(path))
}

// placed returns a path from the object as one from the part, below another path.
func (s *settings) placed(path string) string {
	if len(s.part) > 0 {
		path = strings.TrimPrefix(strings.TrimPrefix(path, strings.Join(s.part, ".")), ".")
	}
	if s.below == "" || path == "" || path[0] == '[' {
		return s.below + path
	}
	return s.below + "." + path
}
