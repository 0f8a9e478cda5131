package server

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/warning"
)

// The server iterates over maps, so the order of its errors differs between runs. Here the errors of each step are
// sorted by path, so that answers are always the same. Which rules the server evaluates before the cost budget is spent
// remains random.

// byField sorts the errors of a step by field. Errors of one field keep their order, which is that of the schema.
func byField(errs field.ErrorList) field.ErrorList {
	slices.SortStableFunc(errs, func(a, b *field.Error) int { return natural(a.Field, b.Field) })
	return errs
}

// byText sorts the errors of a step that iterates over maps within a field, too.
func byText(errs field.ErrorList) field.ErrorList {
	slices.SortStableFunc(errs, func(a, b *field.Error) int { return natural(a.Error(), b.Error()) })
	return errs
}

// metadataByText sorts the errors of the object's own metadata, wherever they are in the list.
func metadataByText(errs field.ErrorList) {
	for start := 0; start < len(errs); {
		end := start
		for end < len(errs) && strings.HasPrefix(errs[end].Field, "metadata.") {
			end++
		}
		byText(errs[start:end])
		start = max(end, start+1)
	}
}

// sortWarnings calls do, and sorts its warnings.
func sortWarnings(ctx context.Context, do func(context.Context)) {
	var warnings collector
	do(warning.WithWarningRecorder(ctx, &warnings))
	slices.SortFunc(warnings, natural)
	for _, text := range warnings {
		warning.AddWarning(ctx, "", text)
	}
}

type collector []string

// AddWarning keeps a warning.
func (c *collector) AddWarning(_, text string) { *c = append(*c, text) }

// natural compares strings, and numbers in them as numbers.
func natural(a, b string) int {
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
