package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/internal/stage"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/diff"
)

// A comparer compares two CRDs, or two versions of one. It returns nil if there is nothing to report.
type comparer func() (*diff.Comparison, error)

// compare compares the CRDs of both sides by their names, or the versions of each CRD.
func (set *diffSettings) compare(
	ctx context.Context, lists [][]crds.CRD, progress stage.Progress,
) (*diff.Report, []diag.Diagnostic) {
	var tasks []comparer
	var out diff.Report
	var found []diag.Diagnostic
	if set.between {
		tasks, found = set.versionPairs(ctx, lists[0])
	} else {
		tasks, found = set.crdPairs(ctx, lists[0], lists[1], &out)
	}
	results := make([]*diff.Comparison, len(tasks))
	errs := make([]error, len(tasks))
	stage.Run(ctx, progress, "comparing CRDs", len(tasks), func(i int) { results[i], errs[i] = tasks[i]() })
	for i, c := range results {
		if errs[i] != nil {
			found = append(found, input.Errorf("cannot compare the CRD: %v", errs[i]))
		} else if c != nil {
			out.Comparisons = append(out.Comparisons, c)
		}
	}
	slices.SortStableFunc(out.Comparisons, func(a, b *diff.Comparison) int { return strings.Compare(a.Name, b.Name) })
	return &out, found
}

// versionPairs compares the versions of each CRD that API servers accept.
func (set *diffSettings) versionPairs(ctx context.Context, list []crds.CRD) (
	tasks []comparer, found []diag.Diagnostic,
) {
	for _, c := range list {
		if diff.UsesWebhook(c.IR) {
			found = append(found, diag.Warningf(c.IR.Conversion.Strategy.At, input.Option,
				"the versions of %s are not compared: a webhook converts them", c.Object.Name))
			continue
		}
		if rejected := diff.Introduced(ctx, c, set.versions); rejected != nil {
			tasks = append(tasks, func() (*diff.Comparison, error) { return rejected, nil })
			continue
		}
		pairs := effort.New(ctx, effort.DiffVersions)
		for i := range c.IR.Versions {
			for j := range c.IR.Versions {
				a, b := &c.IR.Versions[i], &c.IR.Versions[j]
				if i != j && a.Served && b.Served && !pairs.Ended() && pairs.Spend(1) {
					tasks = append(tasks, func() (*diff.Comparison, error) {
						return diff.Between(ctx, c, a.Name.V, b.Name.V, set.versions)
					})
				}
			}
		}
		if pairs.Exceeded() {
			found = append(found, pairs.Undecided(c.IR.At, "changes between other versions of "+c.Object.Name))
		}
	}
	return tasks, found
}

// crdPairs compares the CRDs of both sides. It adds CRDs that only one side has to the report.
func (set *diffSettings) crdPairs(ctx context.Context, before, after []crds.CRD, out *diff.Report) (
	tasks []comparer, found []diag.Diagnostic,
) {
	before, after, found = ofSameGroups(before, after)
	oldByName, newByName := byName(before), byName(after)
	for _, c := range before {
		now, ok := newByName[c.Object.Name]
		if !ok {
			out.Comparisons = append(out.Comparisons, diff.Removed(c))
			continue
		}
		tasks = append(tasks, func() (*diff.Comparison, error) { return diff.Compare(ctx, c, now, set.versions) })
	}
	for _, c := range after {
		if _, ok := oldByName[c.Object.Name]; !ok {
			out.Added = append(out.Added, c.Object.Name)
			tasks = append(tasks, func() (*diff.Comparison, error) {
				return diff.Introduced(ctx, c, set.versions), nil
			})
		}
	}
	return tasks, found
}

// ofSameGroups leaves out the CRDs of other operators in a cluster: those whose groups the other side does not have.
func ofSameGroups(before, after []crds.CRD) (old, now []crds.CRD, found []diag.Diagnostic) {
	others := 0
	rest := func(list, other []crds.CRD) []crds.CRD {
		groups := map[string]bool{}
		for _, c := range other {
			groups[c.Object.Spec.Group] = true
		}
		isOther := func(c crds.CRD) bool { return diff.IsFromCluster(c) && !groups[c.Object.Spec.Group] }
		out := slices.DeleteFunc(slices.Clone(list), isOther)
		others += len(list) - len(out)
		return out
	}
	old, now = rest(before, after), rest(after, before)
	if others > 0 {
		found = append(found, diag.Diagnostic{Severity: diag.Note, Message: fmt.Sprintf("skipped %s of a cluster: "+
			"the other side has no CRDs of their groups", diag.Counted(others, "CRD"))})
	}
	return old, now, found
}

// byName returns CRDs by their names. Of several with one name, the first counts.
func byName(list []crds.CRD) map[string]crds.CRD {
	out := make(map[string]crds.CRD, len(list))
	for _, c := range slices.Backward(list) {
		out[c.Object.Name] = c
	}
	return out
}
