package cost

import (
	"math"

	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/parser"

	"github.com/crdproof/crdproof/rules/kube"
)

// A classic estimates a cost as servers without kube.SizesOfLocals do: with cel-go before 0.23, whose estimator has
// sizes for the variables of macros alone (checker/cost.go).
type classic struct {
	checked *ast.AST
	server  *server
	// paths and sizes are those of expressions, by id. There are sizes of the results of calls and macros only.
	paths map[int64][]string
	sizes map[int64]checker.SizeEstimate
	// ranges are the ranges of the macros around what is looked at, by their variable, innermost last.
	ranges map[string][]ast.Expr
}

func classicCost(checked *ast.AST, server *server) checker.CostEstimate {
	c := classic{checked, server, map[int64][]string{}, map[int64]checker.SizeEstimate{}, map[string][]ast.Expr{}}
	return c.cost(checked.Expr())
}

// exactly returns a cost without a range.
func exactly(cost uint64) checker.CostEstimate { return checker.CostEstimate{Min: cost, Max: cost} }

func (c *classic) cost(e ast.Expr) checker.CostEstimate {
	switch e.Kind() {
	case ast.IdentKind:
		c.paths[e.ID()] = c.pathOf(e.AsIdent())
		return exactly(common.SelectAndIdentCost)
	case ast.SelectKind:
		return c.selection(e)
	case ast.CallKind:
		return c.call(e)
	case ast.ListKind:
		return c.sum(e.AsList().Elements()).Add(exactly(common.ListCreateBaseCost))
	case ast.MapKind:
		cost := exactly(common.MapCreateBaseCost)
		for _, entry := range e.AsMap().Entries() {
			cost = cost.Add(c.sum([]ast.Expr{entry.AsMapEntry().Key(), entry.AsMapEntry().Value()}))
		}
		return cost
	case ast.StructKind:
		cost := exactly(common.StructCreateBaseCost)
		for _, field := range e.AsStruct().Fields() {
			cost = cost.Add(c.cost(field.AsStructField().Value()))
		}
		return cost
	case ast.ComprehensionKind:
		return c.comprehension(e)
	}
	return exactly(common.ConstCost)
}

// sum returns the cost of several expressions.
func (c *classic) sum(list []ast.Expr) (total checker.CostEstimate) {
	for _, e := range list {
		total = total.Add(c.cost(e))
	}
	return total
}

// pathOf returns the path of a variable: that of an item or a key of a macro's range, or the name itself.
func (c *classic) pathOf(name string) []string {
	stack := c.ranges[name]
	if len(stack) == 0 {
		return []string{name}
	}
	innermost := stack[len(stack)-1]
	switch c.checked.GetType(innermost.ID()).Kind() {
	case types.ListKind:
		return c.below(innermost, "@items")
	case types.MapKind:
		return c.below(innermost, "@keys")
	}
	return nil
}

// below returns the path of an expression with one more step.
func (c *classic) below(e ast.Expr, step string) []string {
	path := c.paths[e.ID()]
	return append(path[:len(path):len(path)], step)
}

func (c *classic) selection(e ast.Expr) checker.CostEstimate {
	operand := e.AsSelect().Operand()
	cost := c.cost(operand)
	if e.AsSelect().IsTestOnly() {
		if !c.server.has(kube.FreePresence) {
			cost = cost.Add(exactly(common.SelectAndIdentCost))
		}
		return cost
	}
	switch c.checked.GetType(operand.ID()).Kind() {
	case types.MapKind, types.StructKind, types.TypeParamKind:
		cost = cost.Add(exactly(common.SelectAndIdentCost))
	}
	c.paths[e.ID()] = c.below(operand, e.AsSelect().FieldName())
	return cost
}

// comprehension returns what a macro over a list or a map costs: its step for each item.
func (c *classic) comprehension(e ast.Expr) checker.CostEstimate {
	macro := e.AsComprehension()
	cost := c.sum([]ast.Expr{macro.IterRange(), macro.AccuInit()})
	name := macro.IterVar()
	c.ranges[name] = append(c.ranges[name], macro.IterRange())
	each := c.sum([]ast.Expr{macro.LoopCondition(), macro.LoopStep()})
	c.ranges[name] = c.ranges[name][:len(c.ranges[name])-1]
	cost = cost.Add(c.cost(macro.Result()))
	count := c.size(c.node(macro.IterRange()))
	if c.server.has(kube.SizesOfMacros) {
		c.sizes[e.ID()] = count
	}
	return cost.Add(count.MultiplyByCost(each))
}

func (c *classic) call(e ast.Expr) checker.CostEstimate {
	call, ids := e.AsCall(), c.checked.GetOverloadIDs(e.ID())
	costs := make([]checker.CostEstimate, len(call.Args()))
	args := make([]checker.AstNode, len(call.Args()))
	for i, arg := range call.Args() {
		costs[i] = c.cost(arg)
		args[i] = c.node(arg)
	}
	if len(ids) == 0 {
		return checker.CostEstimate{}
	}
	// Global functions get a pointer too: to no target.
	var before checker.CostEstimate
	var target checker.AstNode
	if call.IsMemberFunction() {
		before = c.cost(call.Target())
		target = c.node(call.Target())
	}
	cost := checker.CostEstimate{Min: math.MaxUint64}
	var size *checker.SizeEstimate
	for _, id := range ids {
		estimate := c.overload(call.FunctionName(), id, &target, args, costs)
		cost = cost.Union(estimate.CostEstimate)
		if s := estimate.ResultSize; s != nil {
			if size != nil {
				union := size.Union(*s)
				s = &union
			}
			size = s
		}
		switch id {
		case overloads.IndexList:
			c.paths[e.ID()] = c.below(call.Args()[0], "@items")
		case overloads.IndexMap:
			c.paths[e.ID()] = c.below(call.Args()[0], "@values")
		}
	}
	if size != nil {
		c.sizes[e.ID()] = *size
	}
	return before.Add(cost)
}

// overload returns what one overload of a function costs, with its arguments.
func (c *classic) overload(
	function, id string, target *checker.AstNode, args []checker.AstNode, costs []checker.CostEstimate,
) checker.CallEstimate {
	var all checker.CostEstimate
	for _, cost := range costs {
		all = all.Add(cost)
	}
	estimate := c.sets(id, args)
	if estimate == nil {
		estimate = c.server.EstimateCallCost(function, id, target, args)
	}
	if estimate == nil {
		switch id {
		case overloads.LogicalOr, overloads.LogicalAnd: // the second operand may not be evaluated
			return checker.CallEstimate{CostEstimate: checker.CostEstimate{Min: costs[0].Min, Max: all.Max}}
		case overloads.Conditional:
			size := c.size(args[1]).Union(c.size(args[2]))
			return checker.CallEstimate{CostEstimate: costs[0].Add(costs[1].Union(costs[2])), ResultSize: &size}
		}
		operands := args
		if *target != nil {
			operands = append([]checker.AstNode{*target}, args...)
		}
		estimate = c.operation(id, operands)
	}
	return checker.CallEstimate{CostEstimate: estimate.Add(all), ResultSize: estimate.ResultSize}
}

// sets returns what a function on two sets costs, nil for other functions (ext/sets.go).
func (c *classic) sets(id string, args []checker.AstNode) *checker.CallEstimate {
	factor := 1.0
	switch id {
	default:
		return nil
	case "list_sets_equivalent_list":
		factor = 2
	case "list_sets_contains_list", "list_sets_intersects_list":
	}
	cost := c.unscaled(args[0]).Multiply(c.unscaled(args[1])).MultiplyByCostFactor(factor)
	return &checker.CallEstimate{CostEstimate: cost.Add(exactly(1))}
}

// unscaled returns the size of an operand as a cost, without the knowledge that numbers have a size of one.
func (c *classic) unscaled(n checker.AstNode) checker.CostEstimate {
	size := checker.SizeEstimate{Max: math.MaxUint64}
	if known := n.ComputedSize(); known != nil {
		size = *known
	} else if known := c.server.EstimateSize(n); known != nil {
		size = *known
	}
	return checker.CostEstimate(size)
}

// operation returns what a function of CEL costs; its target is the first operand.
func (c *classic) operation(id string, operands []checker.AstNode) *checker.CallEstimate {
	read := func(size checker.SizeEstimate) checker.CostEstimate {
		return size.MultiplyByCostFactor(common.StringTraversalCostFactor)
	}
	resized := func(size checker.SizeEstimate, least, most uint64) *checker.CallEstimate {
		return &checker.CallEstimate{
			CostEstimate: read(size), ResultSize: &checker.SizeEstimate{Min: least, Max: most},
		}
	}
	first := func() checker.SizeEstimate { return c.size(operands[0]) }
	second := func() checker.SizeEstimate { return c.size(operands[1]) }
	switch id {
	case overloads.ExtFormatString:
		return &checker.CallEstimate{CostEstimate: read(first())}
	case overloads.StringToBytes: // each character may have four bytes
		size := first()
		return resized(size, size.Min, size.Max*4)
	case overloads.BytesToString:
		size := first()
		return resized(size, size.Min/4, size.Max)
	case overloads.ExtQuoteString: // each character may be escaped
		size := first()
		return resized(size, size.Min+2, size.Max*2+2)
	case overloads.StartsWithString, overloads.EndsWithString:
		return &checker.CallEstimate{CostEstimate: read(second())}
	case overloads.InList:
		return &checker.CallEstimate{CostEstimate: second().MultiplyByCostFactor(1)}
	case overloads.MatchesString:
		text := first().Add(checker.SizeEstimate{Min: 1, Max: 1})
		pattern := second().MultiplyByCostFactor(common.RegexStringLengthCostFactor)
		return &checker.CallEstimate{CostEstimate: read(text).Multiply(pattern)}
	case overloads.ContainsString:
		return &checker.CallEstimate{CostEstimate: read(first()).Multiply(read(second()))}
	case overloads.AddString, overloads.AddBytes:
		size := first().Add(second())
		return &checker.CallEstimate{CostEstimate: read(size), ResultSize: &size}
	case overloads.AddList:
		size := first().Add(second())
		return &checker.CallEstimate{CostEstimate: exactly(1), ResultSize: &size}
	case overloads.LessString, overloads.GreaterString, overloads.LessEqualsString, overloads.GreaterEqualsString,
		overloads.LessBytes, overloads.GreaterBytes, overloads.LessEqualsBytes, overloads.GreaterEqualsBytes,
		overloads.Equals, overloads.NotEquals: // up to the end of the shorter one
		shorter := checker.SizeEstimate{Max: min(first().Max, second().Max)}
		shorter.Min = min(1, shorter.Max)
		return &checker.CallEstimate{CostEstimate: read(shorter)}
	}
	return &checker.CallEstimate{CostEstimate: exactly(1)}
}

// size returns that of a value. Nothing is known of some.
func (c *classic) size(n checker.AstNode) checker.SizeEstimate {
	if known := n.ComputedSize(); known != nil {
		return *known
	}
	if known := c.server.EstimateSize(n); known != nil {
		return *known
	}
	switch n.Type().Kind() {
	case types.BoolKind, types.DoubleKind, types.DurationKind, types.IntKind, types.TimestampKind, types.UintKind:
		return checker.SizeEstimate{Min: 1, Max: 1}
	}
	return checker.SizeEstimate{Max: math.MaxUint64}
}

// A classicNode is an expression as estimators see it.
type classicNode struct {
	expr ast.Expr
	t    *types.Type
	path []string
	size *checker.SizeEstimate
}

// Path implements checker.AstNode.
func (n *classicNode) Path() []string { return n.path }

// Type implements checker.AstNode.
func (n *classicNode) Type() *types.Type { return n.t }

// Expr implements checker.AstNode.
func (n *classicNode) Expr() ast.Expr { return n.expr }

// ComputedSize implements checker.AstNode.
func (n *classicNode) ComputedSize() *checker.SizeEstimate { return n.size }

// node returns an expression that has been looked at.
func (c *classic) node(e ast.Expr) *classicNode {
	n := classicNode{expr: e, t: c.checked.GetType(e.ID()), path: c.paths[e.ID()]}
	if len(n.path) > 0 && (n.path[0] == parser.AccumulatorName || n.path[0] == parser.HiddenAccumulatorName) {
		n.path = nil // the result of a macro so far is not what it is called
	}
	if size, ok := c.sizes[e.ID()]; ok {
		n.size = &size
	} else if length, ok := literalSize(e); ok {
		n.size = &checker.SizeEstimate{Min: length, Max: length}
	}
	return &n
}

// literalSize returns the size of what is written in the rule.
func literalSize(e ast.Expr) (size uint64, ok bool) {
	switch e.Kind() {
	case ast.ListKind:
		return uint64(e.AsList().Size()), true
	case ast.MapKind:
		return uint64(e.AsMap().Size()), true
	case ast.LiteralKind:
		switch value := e.AsLiteral().(type) {
		case types.String:
			return uint64(len([]rune(string(value)))), true
		case types.Bytes:
			return uint64(len(value)), true
		case types.Bool, types.Double, types.Duration, types.Int, types.Timestamp, types.Uint, types.Null:
			return 1, true
		}
	}
	return 0, false
}
