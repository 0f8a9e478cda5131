package server

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/warning"
)

// The server goes through maps: what it has against several fields comes in an order that differs from run to run. Here
// each of its steps has one, that of the paths, so that an answer is the same each time. Only which rules it gets to
// before they cost too much stays up to chance.

// byField orders what a step has against fields. What it has against one field keeps its order, which is that of the
// schema.
func byField(errs field.ErrorList) field.ErrorList {
	slices.SortStableFunc(errs, func(a, b *field.Error) int { return natural(a.Field, b.Field) })
	return errs
}

// byText orders what a step has against fields whose parts it goes through as a map as well.
func byText(errs field.ErrorList) field.ErrorList {
	slices.SortStableFunc(errs, func(a, b *field.Error) int { return natural(a.Error(), b.Error()) })
	return errs
}

// metadataByText orders what there is against the object's own metadata, wherever that stands.
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

// sortWarnings calls do, and orders what it warns of.
func sortWarnings(ctx context.Context, do func(context.Context)) {
	var told collector
	do(warning.WithWarningRecorder(ctx, &told))
	slices.SortFunc(told, natural)
	for _, text := range told {
		warning.AddWarning(ctx, "", text)
	}
}

type collector []string

// AddWarning keeps a warning.
func (c *collector) AddWarning(_, text string) { *c = append(*c, text) }

// natural compares texts, and numbers in them as numbers.
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

// digits is how many digits a text begins with.
func digits(text string) int { return len(text) - len(strings.TrimLeft(text, "0123456789")) }
