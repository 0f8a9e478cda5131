package cost

import (
	"math"
	"slices"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/overloads"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/library"

	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/kube"
)

// estimators are the features that estimates depend on.
var estimators = []kube.Feature{
	kube.UnitEquality, kube.SizesOfLocals, kube.IntOrStringLength, kube.GlobalMatches, kube.CappedNames,
	kube.FreePresence, kube.EnumLength, kube.SizesOfMacros, kube.QuantityCosts, kube.SizesOfURLs, kube.CostModel,
}

// generations divides a range into versions that estimate alike, oldest first.
func generations(versions kube.Range) (out []kube.Range) {
	for minor := versions.First; minor <= versions.Last; minor++ {
		begins := func(f kube.Feature) bool { return f.Since() == minor }
		if len(out) == 0 || slices.ContainsFunc(estimators, begins) {
			out = append(out, kube.Range{First: minor})
		}
		out[len(out)-1].Last = minor
	}
	return out
}

// A question is an expression whose cost is to be estimated for one value.
type question struct {
	rule *expr.Rule
	ast  *cel.Ast
	// instead are sizes to use instead of those declared, by way.
	instead map[string]uint64
	// asked, if not nil, records the paths that the estimators ask for, by way.
	asked map[string][]string
	// most is the size that no value exceeds, 0 if only the schema limits sizes.
	most uint64
}

// answers returns what servers estimate, for each of the generations of the rule's range. Where the newest one does
// nothing that older ones do otherwise, they are not asked.
func (q question) answers() []uint64 {
	all := generations(q.rule.Kube)
	out := make([]uint64, len(all))
	var newest server
	for i := len(all) - 1; i >= 0; i-- {
		minor := all[i].Last
		s := server{question: q, minor: minor}
		if i == len(all)-1 {
			out[i] = s.estimate()
			newest = s
		} else if newest.differs(minor) {
			out[i] = s.estimate()
		} else {
			out[i] = out[len(all)-1]
		}
	}
	return out
}

// excess returns the versions whose costs are above a budget, oldest first, given the costs by generation of the range.
func excess(versions kube.Range, costs []uint64, budget uint64) (out []kube.Range) {
	for i, g := range generations(versions) {
		if costs[i] <= budget {
			continue
		}
		if last := len(out) - 1; last >= 0 && out[last].Last+1 == g.First {
			out[last].Last = g.Last
		} else {
			out = append(out, g)
		}
	}
	return out
}

// lacking returns the features without which servers of some versions estimate more than those of the newest in the
// range.
func (q question) lacking(versions []kube.Range) (out []kube.Feature) {
	newest := server{question: q, minor: q.rule.Kube.Last}
	newest.estimate()
	lacks := func(f kube.Feature) bool {
		return newest.minor.Has(f) && slices.ContainsFunc(versions, func(r kube.Range) bool { return !r.Last.Has(f) })
	}
	for _, f := range newest.used {
		if lacks(f) {
			out = append(out, f)
		}
	}
	if len(out) == 0 && lacks(kube.SizesOfLocals) {
		out = append(out, kube.SizesOfLocals)
	}
	return out
}

// worst returns the highest of the answers.
func (q question) worst() uint64 { return slices.Max(q.answers()) }

// A server estimates as the API servers of one version do.
type server struct {
	question
	minor kube.Minor
	// used are the features that the estimate depends on.
	used []kube.Feature
}

// differs reports whether servers of an older version may estimate otherwise.
func (s *server) differs(older kube.Minor) bool {
	lacks := func(f kube.Feature) bool { return !older.Has(f) && s.minor.Has(f) }
	return lacks(kube.SizesOfLocals) || lacks(kube.CostModel) || slices.ContainsFunc(s.used, lacks)
}

// has reports whether the server has a feature that an estimate depends on.
func (s *server) has(f kube.Feature) bool {
	if !slices.Contains(s.used, f) {
		s.used = append(s.used, f)
	}
	return s.minor.Has(f)
}

// estimate returns the cost of the expression. The API server rejects an expression without an estimate, whose cost is
// 0 here.
func (s *server) estimate() uint64 {
	if !s.minor.Has(kube.SizesOfLocals) {
		return classicCost(s.ast.NativeRep(), s).Max
	}
	if s.minor.Has(kube.CostModel) {
		return laterCost(s.ast, s)
	}
	cost, err := s.rule.Env.EstimateCost(s.ast, s)
	if err != nil {
		return 0
	}
	return cost.Max
}

// EstimateSize implements checker.CostEstimator: it says how large the values are that an expression reads, from their
// declared types, as the API server's does (pkg/apiserver/schema/cel, sizeEstimator). The path begins with the
// variable, which is always of self's type.
func (s *server) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	path := element.Path()
	if len(path) == 0 {
		return nil
	}
	decl := s.rule.Decl
	for _, step := range path[1:] {
		if decl = declBelow(decl, step); decl == nil {
			return nil
		}
	}
	size, isInstead := uint64(decl.MaxElements), false
	if s.instead != nil || s.asked != nil {
		key := wayKey(path[1:])
		if s.asked != nil {
			s.asked[key] = path[1:]
		}
		if n, ok := s.instead[key]; ok {
			size, isInstead = n, true
		}
	}
	isIntOrString, isText := decl.TypeName() == "dyn", decl.TypeName() == "string"
	if size < longest && (isIntOrString && !s.has(kube.IntOrStringLength) ||
		s.rule.IsName(path[1:]) && !s.has(kube.CappedNames) ||
		isText && !isInstead && s.rule.IsEnum(path[1:]) && !s.has(kube.EnumLength)) {
		size = longest
	}
	if s.most > 0 {
		size = min(size, s.most)
	}
	return &checker.SizeEstimate{Max: size}
}

// longest is the size of a string without a maximum: what fits into a request, without its quotes.
const longest = uint64(celconfig.MaxRequestSizeBytes - 2)

// EstimateCallCost implements checker.CostEstimator. A function of which the server's own code says nothing has the
// cost that cel-go gives it.
func (s *server) EstimateCallCost(
	function, id string, target *checker.AstNode, args []checker.AstNode,
) *checker.CallEstimate {
	if id == overloads.Matches && !s.has(kube.GlobalMatches) {
		return &checker.CallEstimate{CostEstimate: exactly(1)}
	}
	estimate := (&library.CostEstimator{SizeEstimator: s}).EstimateCallCost(function, id, target, args)
	switch {
	case slices.Contains(partsOfURLs, function) && s.has(kube.SizesOfURLs):
		return partOfURL(function, s.sizeOf(*target))
	case estimate == nil:
	case id == overloads.Equals && !s.has(kube.UnitEquality),
		(function == "quantity" || function == "isQuantity") && !s.has(kube.QuantityCosts):
		return nil
	case function == "url" && !s.has(kube.UnitEquality):
		estimate.ResultSize = nil
	}
	return estimate
}

// partsOfURLs are the functions that return a part of a URL.
var partsOfURLs = []string{"getScheme", "getHostname", "getHost", "getPort", "getEscapedPath", "getQuery"}

// partOfURL estimates a function that returns a part of a URL of a size (apiserver, pkg/cel/library/cost.go, 0.38).
func partOfURL(function string, size checker.SizeEstimate) *checker.CallEstimate {
	if function == "getEscapedPath" {
		size = size.Multiply(checker.SizeEstimate{Min: 1, Max: 3})
	}
	return &checker.CallEstimate{CostEstimate: exactly(1), ResultSize: &size}
}

// sizeOf returns what is known of the size of a value.
func (s *server) sizeOf(n checker.AstNode) checker.SizeEstimate {
	if size := n.ComputedSize(); size != nil {
		return *size
	}
	if size := s.EstimateSize(n); size != nil {
		return *size
	}
	return checker.SizeEstimate{Max: math.MaxUint64}
}
