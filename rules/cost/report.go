package cost

import (
	"context"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/schema"
)

// A Report has the costs of the rules of a version.
type Report struct {
	// Version is the version's name.
	Version string
	// Cost is the sum, to compare with VersionBudget.
	Cost uint64
	// Entries are in the order of the schema.
	Entries []Entry
	// Broken is how many rules do not compile, and are not counted.
	Broken int
}

// Left returns what can be added before the budget of the version is used up.
func (r *Report) Left() uint64 { return VersionBudget - min(r.Cost, VersionBudget) }

// An Entry is the cost of a rule or a messageExpression at one place.
type Entry struct {
	// Way are the names of the fields from the root, with [] after those whose items, and [*] after those whose values
	// are meant. It is empty for the object.
	Way []string
	// Path is the field in the notation of the API server.
	Path string
	// Part is "rule" or "messageExpression", and Expression its CEL, which was written at At.
	Part, Expression string
	At               diag.Span
	// Each is the cost for one value, Cardinality how many values there can be, and Cost the product, to compare with
	// RuleBudget.
	Each, Cardinality, Cost uint64
	// Unbounded is set if only the size of a request limits the cardinality.
	Unbounded bool
	// Dominant is the size that matters most, nil if the cost does not depend on any.
	Dominant *Size
}

// Room returns what a single rule at the place may cost for one value.
func (e *Entry) Room() uint64 {
	if e.Cardinality == 0 {
		return unlimited // it is never evaluated
	}
	return RuleBudget / e.Cardinality
}

// A Size is that of a list, a map or a string.
type Size struct {
	// Field is the list, the map or the string.
	Field string
	// Keyword bounds it: maxItems, maxProperties or maxLength.
	Keyword string
	// Bound is the bound, or nil.
	Bound *int64
	// At is where the field was written.
	At diag.Span
}

// Explain reports the costs of the compiled rules of a version, whose estimates are given.
func Explain(ctx context.Context, version string, rules []expr.Rule, list []Estimate) Report {
	out := Report{Version: version, Cost: Total(list)}
	for i := range rules {
		r := &rules[i]
		if r.Checked == nil || r.Message == nil && strings.TrimSpace(r.Source.MessageExpression.V) != "" {
			out.Broken++
		}
	}
	a := newAnalysis(nil, effort.New(ctx, effort.CostSteps))
	for i := range list {
		e := &list[i]
		text := e.text()
		entry := Entry{
			Way: wayOf(e.Rule.Place), Path: e.Path(), Part: e.Part, Expression: text.V, At: text.At,
			Each: e.Each, Cardinality: e.Cardinality, Cost: e.Cost, Unbounded: e.Unbounded,
		}
		if causes := a.causes(e, 1); len(causes) > 0 {
			l := causes[0].limit
			entry.Dominant = &Size{Field: l.name(), Keyword: l.keyword, At: l.place.At()}
			if l.now >= 0 {
				entry.Dominant.Bound = &l.now
			}
		}
		out.Entries = append(out.Entries, entry)
	}
	return out
}

// wayOf returns the names of the fields that lead to a place.
func wayOf(p *schema.Place) []string {
	if p.Above == nil {
		return nil
	}
	way, suffix := wayOf(p.Above), ""
	switch p.Step {
	case schema.InProperty:
		return append(way, p.Name)
	case schema.InItems:
		suffix = "[]"
	case schema.InValues:
		suffix = "[*]"
	}
	if len(way) == 0 {
		return []string{suffix}
	}
	way[len(way)-1] += suffix
	return way
}
