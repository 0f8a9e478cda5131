package kube

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// The server iterates over maps, so the order of its errors differs between runs. Here they are sorted by path, so that
// answers are always the same. Which rules the server evaluates before the cost budget is spent remains random.

// ByField sorts the errors of a step by field. Errors of one field keep their order, which is that of the schema.
func ByField(errs field.ErrorList) field.ErrorList {
	slices.SortStableFunc(errs, func(a, b *field.Error) int { return Natural(a.Field, b.Field) })
	return errs
}

// ByText sorts the errors of a step that iterates over maps within a field, too.
func ByText(errs field.ErrorList) field.ErrorList {
	slices.SortStableFunc(errs, func(a, b *field.Error) int { return Natural(a.Error(), b.Error()) })
	return errs
}

// Natural compares strings, and numbers in them as numbers.
func Natural(a, b string) int {
	for a != "" && b != "" {
		m, n := digits(a), digits(b)
		if m == 0 || n == 0 {
			if a[0] != b[0] {
				return cmp.Compare(a[0], b[0])
			}
			a, b = a[1:], b[1:]
			continue
		}
		x, y := strings.TrimLeft(a[:m], "0"), strings.TrimLeft(b[:n], "0")
		if c := cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y), cmp.Compare(m, n)); c != 0 {
			return c
		}
		a, b = a[m:], b[n:]
	}
	return cmp.Compare(len(a), len(b))
}

// digits counts the leading digits of a string.
func digits(text string) int { return len(text) - len(strings.TrimLeft(text, "0123456789")) }
