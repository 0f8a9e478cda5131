package describe

import (
	"cmp"
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit/crd"
	"github.com/crdproof/crdproof/rules/size"
	"github.com/crdproof/crdproof/schema"
)

// A candidate is a description that may be dropped to keep a budget.
type candidate struct {
	index, depth int
	// own is set for descriptions from the user's packages, and for the description of the kind.
	own  bool
	path string
	// file and json are its bytes, including the key.
	file, json int
}

// fit drops as few descriptions as possible until a CRD is within its budget: first those of imported types, the
// deepest first, and the longest first at the same depth.
func fit(c *schema.CRD, budget Budget, src Source) (*schema.CRD, []diag.Diagnostic) {
	whole := src.Measure(c)
	if budget.fits(whole) {
		return c, nil
	}
	order := candidates(c, src.Owns)
	rank := make([]int, len(order))
	for i, each := range order {
		rank[each.index] = i
	}
	reduced := func(n int) (*schema.CRD, size.Sizes) {
		out := without(c, func(d *description) bool { return rank[d.index] < n })
		return out, src.Measure(out)
	}
	// The number is predicted from the bytes of each, and then checked, since a schema without keys is written as {}.
	n := budget.predicted(whole, order)
	out, sizes := reduced(n)
	for ; n < len(order) && !budget.fits(sizes); out, sizes = reduced(n) {
		n++
	}
	if !budget.fits(sizes) {
		return out, []diag.Diagnostic{aboveBudget(out, budget, sizes)}
	}
	for n > 1 {
		more, sizes := reduced(n - 1)
		if !budget.fits(sizes) {
			break
		}
		out, n = more, n-1
	}
	return out, []diag.Diagnostic{leftOut(c, budget, order, n)}
}

// fits reports whether a CRD is within the budget.
func (b Budget) fits(s size.Sizes) bool {
	return (b.File == 0 || s.File <= b.File) && (b.Annotations == 0 || s.Annotations <= b.Annotations)
}

// predicted returns how many of the candidates must be dropped, judging by their own bytes.
func (b Budget) predicted(s size.Sizes, order []candidate) int {
	for n, each := range order {
		if b.fits(s) {
			return n
		}
		s.File -= each.file
		s.Annotations -= each.json
	}
	return len(order)
}

// candidates returns all descriptions of a CRD in the order in which they are dropped.
func candidates(c *schema.CRD, owns func(diag.Span) bool) []candidate {
	var out []candidate
	without(c, func(d *description) bool {
		text := d.text.V
		out = append(out, candidate{
			index: d.index, depth: d.depth, own: owns(d.text.At) || d.depth == 0, path: d.text.At.Package(),
			file: crd.DescriptionLen(text, d.depth, d.wrapped), json: size.DescriptionLen(text),
		})
		return false
	})
	slices.SortStableFunc(out, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(last(a.own), last(b.own)), cmp.Compare(b.depth, a.depth), cmp.Compare(b.json, a.json))
	})
	return out
}

// last returns 1 for what is dropped last.
func last(isLast bool) int {
	if isLast {
		return 1
	}
	return 0
}

// aboveBudget reports by how much a CRD exceeds its budget. All its descriptions are dropped.
func aboveBudget(c *schema.CRD, budget Budget, s size.Sizes) diag.Diagnostic {
	what, has, limit := "the file", s.File, budget.File
	if over := s.Annotations - budget.Annotations; budget.Annotations > 0 && (limit == 0 || over > has-limit) {
		what, has, limit = "annotations after kubectl apply", s.Annotations, budget.Annotations
	}
	d := diag.Errorf(c.At, tooSmall,
		"option maxSize: %s would have %s bytes even without descriptions, %s more than the budget of %s",
		what, size.Amount(has), size.Amount(has-limit), size.Amount(limit)).
		Help("raise the budget, or describe less: put +kubebuilder:pruning:PreserveUnknownFields and " +
			"+kubebuilder:validation:Schemaless on a part that another component validates")
	spread := size.NewWeights().SpreadOf(c, 20)
	for _, f := range spread.Largest(1) {
		d = d.Note("the largest field is %s of %s, with %s bytes", f.Name, f.Version, size.Amount(f.Bytes))
	}
	return d
}

// leftOut reports which descriptions were dropped to keep a budget: the first n of all.
func leftOut(c *schema.CRD, budget Budget, all []candidate, n int) diag.Diagnostic {
	limit := "the annotations of kubectl apply within " + size.Amount(budget.Annotations)
	if budget.File > 0 {
		limit = "the CRD within " + size.Amount(budget.File)
	}
	d := diag.Notef(c.At, tooSmall, "%s of %s descriptions are dropped, to keep %s bytes",
		size.Amount(n), size.Amount(len(all)), limit)
	type tally struct {
		path               string
		cut, from, deepest int
	}
	var tallies []tally
	for i, each := range all {
		at := slices.IndexFunc(tallies, func(t tally) bool { return t.path == each.path })
		if at < 0 {
			at = len(tallies)
			tallies = append(tallies, tally{path: each.path, deepest: each.depth})
		}
		t := &tallies[at]
		t.from++
		if i < n {
			t.cut++
			t.deepest = min(t.deepest, each.depth)
		}
	}
	for _, t := range tallies {
		if t.cut > 0 {
			d = d.Note("%s: %s of %s, from level %d on", t.path, size.Amount(t.cut), size.Amount(t.from), t.deepest)
		}
	}
	return d
}
