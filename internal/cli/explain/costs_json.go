package explain

import (
	"io"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/cost"
)

// The types below are the format of explain --json: fields may be added, but not renamed or removed. Costs are in CEL's
// units; a cost that is too large for a number is 18446744073709551615.
type (
	jsonCosts struct {
		RuleBudget    uint64         `json:"ruleBudget"`
		VersionBudget uint64         `json:"versionBudget"`
		CRDs          []jsonCRDCosts `json:"crds"`
	}
	jsonCRDCosts struct {
		Name     string             `json:"name"`
		Kind     string             `json:"kind"`
		Versions []jsonVersionCosts `json:"versions"`
	}
	jsonVersionCosts struct {
		Version string `json:"version"`
		// Cost is the sum of the costs of all rules, Left what is left of versionBudget.
		Cost uint64 `json:"cost"`
		Left uint64 `json:"left"`
		// Broken is how many rules do not compile; they are not among the rules.
		Broken int            `json:"broken,omitempty"`
		Rules  []jsonRuleCost `json:"rules"`
	}
	jsonRuleCost struct {
		// Field is the field as an author of objects knows it, "" for the object; Path is that of the expression in the
		// CRD.
		Field string `json:"field"`
		Path  string `json:"path"`
		// Part is "rule" or "messageExpression".
		Part       string `json:"part"`
		Expression string `json:"expression"`
		jsonAt
		// Estimate is the cost for one value, Values how many there can be, and Cost their product. Bounded reports
		// that bounds limit the values, and not only the size of a request.
		Estimate uint64 `json:"estimate"`
		Values   uint64 `json:"values"`
		Bounded  bool   `json:"bounded"`
		Cost     uint64 `json:"cost"`
		// Room is what a rule on the field may cost for one value.
		Room uint64 `json:"room"`
		// DominatedBy is the size that matters most.
		DominatedBy *jsonSize `json:"dominatedBy,omitempty"`
	}
	jsonSize struct {
		Field string `json:"field"`
		// Keyword bounds the size, and Bound is absent if the keyword is.
		Keyword string `json:"keyword"`
		Bound   *int64 `json:"bound,omitempty"`
		jsonAt
	}
	jsonAt struct {
		File   string `json:"file,omitempty"`
		Line   int    `json:"line,omitempty"`
		Column int    `json:"column,omitempty"`
	}
)

// WriteCostsJSON writes costs for a program. Paths below dir are relative to it.
func WriteCostsJSON(w io.Writer, crds []CRD, dir string) error {
	report := jsonCosts{RuleBudget: cost.RuleBudget, VersionBudget: cost.VersionBudget, CRDs: []jsonCRDCosts{}}
	for _, c := range crds {
		entry := jsonCRDCosts{Name: c.Name, Kind: c.Kind, Versions: []jsonVersionCosts{}}
		for i := range c.Versions {
			entry.Versions = append(entry.Versions, versionJSON(&c.Versions[i], dir))
		}
		report.CRDs = append(report.CRDs, entry)
	}
	return diag.WriteJSON(w, report)
}

func versionJSON(r *cost.Report, dir string) jsonVersionCosts {
	out := jsonVersionCosts{Version: r.Version, Cost: r.Cost, Left: r.Left(), Broken: r.Broken, Rules: []jsonRuleCost{}}
	for i := range r.Entries {
		e := &r.Entries[i]
		rule := jsonRuleCost{
			Field: strings.Join(e.Way, "."), Path: e.Path, Part: e.Part, Expression: e.Expression,
			jsonAt:   atJSON(e.At, dir),
			Estimate: e.Each, Values: e.Cardinality, Bounded: !e.Unbounded, Cost: e.Cost, Room: e.Room(),
		}
		if s := e.Dominant; s != nil {
			rule.DominatedBy = &jsonSize{Field: s.Field, Keyword: s.Keyword, Bound: s.Bound, jsonAt: atJSON(s.At, dir)}
		}
		out.Rules = append(out.Rules, rule)
	}
	return out
}

// atJSON returns a position, with the file relative to dir if it is below it.
func atJSON(s diag.Span, dir string) jsonAt {
	if !s.IsValid() {
		return jsonAt{}
	}
	at := jsonAt{File: diag.Relative(s.Source.Path, dir)}
	at.Line, at.Column = s.Source.Position(int(s.Start))
	return at
}
