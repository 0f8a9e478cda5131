package cost

import (
	"sync"

	latercel "cel.dev/cel-go/cel"
	latercost "cel.dev/cel-go/common/cost"
	latertypes "cel.dev/cel-go/common/types"
	laterext "cel.dev/cel-go/ext"
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
)

// Servers from kube.CostModel on estimate with a cel-go that has another module path than that of the linked library.
// It estimates what the linked one has compiled, and asks the same estimator.

// laterModel is the environment whose libraries have the costs of those servers (apiserver 0.38, base.go of
// pkg/cel/environment).
var laterModel = sync.OnceValue(func() *latercel.Env {
	env, err := latercel.NewEnv(
		latercel.CostModelVersion(0),
		latercel.CostEstimatorOptions(latercost.PresenceTestHasCost(false)),
		latercel.OptionalTypes(latercel.OptionalTypesVersion(2)),
		laterext.Strings(laterext.StringsVersion(2)), laterext.Sets(), laterext.TwoVarComprehensions(),
		laterext.Lists(laterext.ListsVersion(3)),
	)
	if err != nil {
		panic(err) // the libraries are cel-go's
	}
	return env
})

// laterCost estimates an expression as those servers do. An expression without an estimate costs 0.
func laterCost(compiled *cel.Ast, s *server) uint64 {
	proto, err := cel.AstToCheckedExpr(compiled)
	if err != nil {
		return 0
	}
	l := later{server: s, exprs: map[int64]ast.Expr{}}
	ast.PostOrderVisit(compiled.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) { l.exprs[e.ID()] = e }))
	estimate, err := laterModel().EstimateCost(latercel.CheckedExprToAst(proto), &l)
	if err != nil {
		return 0
	}
	return estimate.Max
}

// A later asks a server for the later cel-go.
type later struct {
	server *server
	// exprs are the expressions that the server knows, by id.
	exprs map[int64]ast.Expr
}

// EstimateSize implements the later cost.Estimator.
func (l *later) EstimateSize(element latercost.AstNode) *latercost.SizeEstimate {
	return laterSize(l.server.EstimateSize(l.node(element)))
}

// EstimateCallCost implements the later cost.Estimator.
func (l *later) EstimateCallCost(
	function, id string, target *latercost.AstNode, args []latercost.AstNode,
) *latercost.CallEstimate {
	var node *checker.AstNode
	if target != nil {
		converted := l.node(*target)
		node = &converted
	}
	nodes := make([]checker.AstNode, len(args))
	for i, arg := range args {
		nodes[i] = l.node(arg)
	}
	estimate := l.server.EstimateCallCost(function, id, node, nodes)
	if estimate == nil {
		return nil
	}
	return &latercost.CallEstimate{
		CostEstimate: latercost.Estimate{Min: estimate.Min, Max: estimate.Max},
		ResultSize:   laterSize(estimate.ResultSize),
	}
}

func laterSize(size *checker.SizeEstimate) *latercost.SizeEstimate {
	if size == nil {
		return nil
	}
	return &latercost.SizeEstimate{Min: size.Min, Max: size.Max}
}

// node returns an expression of the later cel-go as one of the linked cel-go.
func (l *later) node(n latercost.AstNode) checker.AstNode {
	out := &classicNode{path: n.Path()}
	if n.Expr() != nil {
		out.expr = l.exprs[n.Expr().ID()]
	}
	if out.expr != nil { // the server's library compares types of Kubernetes by identity
		out.t = l.server.ast.NativeRep().GetType(out.expr.ID())
	} else {
		out.t = typeOfLater(n.Type())
	}
	if size := n.ComputedSize(); size != nil {
		out.size = &checker.SizeEstimate{Min: size.Min, Max: size.Max}
	}
	return out
}

// typeOfLater returns a type of the later cel-go as one of the linked cel-go. A type that has no other form is not
// known.
func typeOfLater(t *latertypes.Type) *types.Type {
	if t == nil {
		return types.DynType
	}
	proto, err := latertypes.TypeToProto(t)
	if err != nil {
		return types.DynType
	}
	out, err := types.ProtoAsType(proto)
	if err != nil {
		return types.DynType
	}
	return out
}
