// Package expr compiles the CEL rules of a CRD as the API servers of a range of versions do. It reports a mistake at
// its position inside the expression.
//
// The package carries no promise, and may change in any release: see docs/stability.md.
package expr

import (
	"fmt"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	apicel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	kubecel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// A Rule is an entry of x-kubernetes-validations at one place of a version's schema, compiled.
type Rule struct {
	Place *schema.Place
	// Version and Index are the positions in the CRD's versions and in the place's rules.
	Version, Index int
	Source         *schema.Rule
	// Self is the schema of self, in both of the forms that the API server's code works on.
	Self *structural.Structural
	Decl *kubecel.DeclType
	// Kube are the versions that the rule was compiled for, and Env the environment of the newest one, in which Checked
	// was compiled.
	Kube kube.Range
	Env  *cel.Env
	// Checked and Message are the compiled rule and messageExpression; nil if there is none, or if it does not
	// compile.
	Checked, Message *cel.Ast
	// UsesOldSelf is set for transition rules.
	UsesOldSelf bool
	compiled    *compiled
	// Unreached is set if an API server compiles a rule when the CRD is created, but never evaluates it: CEL cannot
	// access a value around it.
	Unreached bool
}

// HasOptionalOldSelf reports whether oldSelf is an optional value: a server that drops optionalOldSelf reads the old
// value itself.
func (r *Rule) HasOptionalOldSelf() bool {
	return r.Source.OptionalOldSelf.True() && r.Kube.Last.Has(kube.OptionalOldSelf)
}

// isIdle reports whether the rule sets optionalOldSelf without using oldSelf. Servers that drop the field accept it.
func (r *Rule) isIdle() bool {
	return !r.UsesOldSelf && r.Source.OptionalOldSelf != nil && r.Kube.Last.Has(kube.OptionalOldSelf)
}

// Path returns the rule's entry in the API server's notation.
func (r *Rule) Path() string { return rulePath(r.Version, r.Place, r.Index) }

func rulePath(version int, p *schema.Place, index int) string {
	const format = "spec.versions[%d].schema.openAPIV3Schema%s.x-kubernetes-validations[%d]"
	return fmt.Sprintf(format, version, p.Path(), index)
}

// Options say what rules are compiled for.
type Options struct {
	// Kube are the versions of Kubernetes whose servers must compile the rules.
	Kube kube.Range
	// Before are the compiled rules of a schema from which this one was made by leaving out rules or descriptions. An
	// expression that has been compiled at the same place is not compiled again.
	Before []Rule
	// Nodes keep what is compiled for one version of a CRD for the others; nil keeps nothing. Versions that share a
	// schema, as those of one Go type do, share its compiled rules.
	Nodes Nodes
	// Trace, if not nil, is called before an expression is compiled.
	Trace func(Compilation)
}

// Nodes are the compiled rules of schemas, wherever they are.
type Nodes map[nodeKey]*compiledNode

// A Compilation is that of one expression in one environment.
type Compilation struct {
	// Path is the expression's field in the API server's notation: of the first place, if several share one schema.
	Path string
	// Kube is the version whose environment it is, Text the expression.
	Kube kube.Minor
	Text string
}

// Compile compiles all rules of a version's schema, whose structural form is given, and reports those that a server of
// the range would not compile.
func Compile(v int, root *schema.Schema, structure *structural.Structural, opts Options) ([]Rule, []diag.Diagnostic) {
	c := compiler{
		version: v, opts: opts, structure: structure, known: overloads(opts.Kube.First),
		nodes: opts.Nodes, reaches: map[*schema.Place]reach{}, before: map[identity]*Rule{},
	}
	if c.nodes == nil {
		c.nodes = Nodes{}
	}
	for i := range opts.Before {
		r := &opts.Before[i]
		c.before[identityOf(r.Place, r.Source)] = r
	}
	schema.Walk(root, c.place)
	return c.rules, c.diagnostics
}

// UsesOldSelf reports whether an expression refers to the old value.
func UsesOldSelf(checked *cel.Ast) bool {
	for _, ref := range checked.NativeRep().ReferenceMap() {
		if ref.Name == apicel.OldScopedVarName {
			return true
		}
	}
	return false
}

// compiler is the working state of one Compile.
type compiler struct {
	version     int
	opts        Options
	before      map[identity]*Rule
	known       map[string]bool // the functions of the oldest version
	structure   *structural.Structural
	nodes       Nodes
	reaches     map[*schema.Place]reach
	rules       []Rule
	diagnostics []diag.Diagnostic
}

// A nodeKey is a schema with rules. Whether it is a resource's root decides on the type of self, and so does the
// resource above it if it is what every resource has.
type nodeKey struct {
	schema     *schema.Schema
	isResource bool
	ofEvery    *schema.Schema
}

// A compiledNode is what all places of one schema have in common.
type compiledNode struct {
	self     *structural.Structural
	decl     *kubecel.DeclType
	compiled []compiled
}

// An identity is what a compiled rule depends on in a schema that differs from another in rules and descriptions alone:
// where it is, and what it says.
type identity struct {
	path, rule        string
	optional, ofEvery bool
}

func identityOf(p *schema.Place, r *schema.Rule) identity {
	return identity{p.Path(), r.Rule.V, r.OptionalOldSelf.True(), resourceOf(p) != nil}
}

// compiled is one rule of a node.
type compiled struct {
	env              *cel.Env
	checked, message *cel.Ast
	usesOldSelf      bool
	// plan is whether the API server can make programs of both; nil before it is asked.
	plan *bool
	// faults are the mistakes in the rule, messageFaults those in its messageExpression, for any of their places.
	faults, messageFaults []diag.Diagnostic
}

// plans reports whether the API server can make programs of what it has compiled, which is part of compiling
// (schema/cel/compilation.go, compileRule): it computes what is constant, such as int('x').
func (c *compiled) plans() bool {
	if c.plan == nil {
		ok := planned(c.env, c.checked) && (c.message == nil || planned(c.env, c.message))
		c.plan = &ok
	}
	return *c.plan
}

// IsCertain reports whether a server of the newest version surely accepts the expressions and the field path of the
// rule at its place, whatever they cost.
func (r *Rule) IsCertain() bool {
	c, hasMessage := r.compiled, r.Source.MessageExpression.V != ""
	if c.checked == nil || hasMessage && c.message == nil || len(c.faults)+len(c.messageFaults) > 0 ||
		resourceOf(r.Place) != nil {
		return false
	}
	if path := r.Source.FieldPath.V; path != "" {
		if _, err := kube.FieldPath(r.Self, path, true); err != nil {
			return false
		}
	}
	isUncorrelated := r.UsesOldSelf && Uncorrelated(r.Place) != nil
	return !r.isIdle() && !isUncorrelated && c.plans()
}

// hiddenFrom reports a rule on a value that CEL cannot access.
func hiddenFrom(p *schema.Place, r *schema.Rule) diag.Diagnostic {
	at := r.Rule.At
	if r.Made {
		what, help := "a value without a type", "remove the marker, or set a type"
		if p.Schema.AdditionalProperties != nil {
			what, help = "a map whose values have no type", "remove the marker, or use values of a type with a schema"
		}
		return diag.Errorf(at, hidden, "the marker needs a rule, but CEL cannot access %s", what).Help("%s", help).
			See(p.Schema.At, "the value is described here")
	}
	return diag.Errorf(at, hidden, "CEL cannot access a value without a type, so it cannot have rules").
		Help("set the type, for example with %s, or move the rule to a field above that has a type",
			check.In(at).Set("type", "object"))
}

// place compiles the rules of one place.
func (c *compiler) place(p *schema.Place) {
	if len(p.Schema.Rules) == 0 || p.Nested {
		return // the API server rejects rules in junctors without compiling them
	}
	n := c.node(p)
	found := c.reached(p).ok
	for i := range p.Schema.Rules {
		r := Rule{
			Place: p, Version: c.version, Index: i, Source: &p.Schema.Rules[i],
			Self: n.self, Decl: n.decl, Kube: c.opts.Kube, Unreached: !found,
		}
		path := r.Path()
		if i >= len(n.compiled) { // self has no type, which the API server reports once for all rules
			c.report(hiddenFrom(p, r.Source), path[:strings.LastIndexByte(path, '[')])
			break
		}
		done := &n.compiled[i]
		r.Env, r.Checked, r.Message = done.env, done.checked, done.message
		r.UsesOldSelf, r.compiled = done.usesOldSelf, done
		for _, d := range done.faults {
			if r.isIdle() {
				// The API server sees no oldSelf in a rule that does not compile.
				d.AlsoPaths = []string{path + ".optionalOldSelf"}
			}
			c.report(d, path+"."+partRule)
		}
		for _, d := range done.messageFaults {
			c.report(d, path+"."+partMessage)
		}
		c.rules = append(c.rules, r)
		c.transition(&r)
	}
}

func (c *compiler) report(d diag.Diagnostic, path string) {
	d.Path = path
	c.diagnostics = append(c.diagnostics, d)
}

// node compiles the rules of a schema, once.
func (c *compiler) node(p *schema.Place) *compiledNode {
	key := nodeKey{schema: p.Schema, isResource: isResource(p)}
	if resource := resourceOf(p); resource != nil {
		key.ofEvery = resource.Schema
	}
	if n := c.nodes[key]; n != nil {
		return n
	}
	n := &compiledNode{self: kube.Below(c.structure, p)}
	c.nodes[key] = n
	if n.self == nil {
		return n
	}
	if n.decl = declOf(c.structure, n.self, p); n.decl == nil {
		return n
	}
	envs := environments{decl: n.decl.MaybeAssignTypeName(selfType), extended: map[envKey]*cel.Env{}}
	for i := range p.Schema.Rules {
		n.compiled = append(n.compiled, c.compile(rulePath(c.version, p, i), p, &p.Schema.Rules[i], &envs))
	}
	return n
}

// selfType is the name of self's type. The API server's differs from run to run, so that no rule can depend on it.
const selfType = "selfType"

// compile compiles one rule and its messageExpression.
func (c *compiler) compile(path string, p *schema.Place, r *schema.Rule, envs *environments) compiled {
	var out compiled
	optional := r.OptionalOldSelf.True()
	if strings.TrimSpace(r.Rule.V) == "" {
		return out // reported as a text
	}
	hasMessage := strings.TrimSpace(r.MessageExpression.V) != ""
	b := c.before[identityOf(p, r)]
	if b != nil && (!hasMessage || b.Source.MessageExpression.V == r.MessageExpression.V) {
		out = *b.compiled
		if !hasMessage {
			out.message, out.messageFaults = nil, nil
		}
		return out
	}
	e := expression{
		text: r.Rule, part: partRule, path: path, want: cel.BoolType, versions: c.opts.Kube, known: c.known,
		optional: optional, envs: envs, trace: c.opts.Trace,
	}
	out.env, out.checked, out.faults = e.compile()
	if out.checked == nil {
		return out // the API server does not look at the messageExpression then
	}
	out.usesOldSelf = UsesOldSelf(out.checked)
	if hasMessage {
		e.text, e.part, e.want, e.done = r.MessageExpression, partMessage, cel.StringType, nil
		_, out.message, out.messageFaults = e.compile()
	}
	return out
}

// environments are those that the rules of one node are compiled in.
type environments struct {
	decl     *kubecel.DeclType
	extended map[envKey]*cel.Env
}

type envKey struct {
	minor    kube.Minor
	optional bool
}

// envFor returns the environment in which a server of that version compiles new rules (schema/cel/compilation.go,
// prepareEnvSet): self and oldSelf are of the node's type, oldSelf being optional if the rule asks for it.
// EnvSet.Extend would also extend the environment of stored rules, which is not needed here.
// It cannot fail: no environment of a server declares self, oldSelf or their type.
func (e *environments) envFor(minor kube.Minor, optional bool) *cel.Env {
	key := envKey{minor, optional}
	if env := e.extended[key]; env != nil {
		return env
	}
	old := e.decl.CelType()
	if optional {
		old = types.NewOptionalType(old)
	}
	base := minor.NewRules()
	provider := kubecel.NewDeclTypeProvider(e.decl)
	provider.SetRecognizeKeywordAsFieldName(minor.Has(kube.KeywordFields))
	opts, err := provider.EnvOptions(base.CELTypeProvider())
	if err != nil {
		panic(err)
	}
	e.extended[key], err = base.Extend(append(opts, cel.Variable(apicel.ScopedVarName, e.decl.CelType()),
		cel.Variable(apicel.OldScopedVarName, old))...)
	if err != nil {
		panic(err)
	}
	return e.extended[key]
}

// transition reports a rule on oldSelf that could never run, since old and new values cannot be matched
// (apis/apiextensions/validation, withForbidOldSelfValidations), and optionalOldSelf without oldSelf.
func (c *compiler) transition(r *Rule) {
	switch {
	case r.Checked == nil:
	case r.isIdle():
		const message = "optionalOldSelf is not allowed here: the rule does not use oldSelf"
		c.report(diag.Errorf(r.Source.OptionalOldSelf.At, idleOptional, message).Help("remove it").Do(diag.Remove, ""),
			r.Path()+".optionalOldSelf")
	case r.UsesOldSelf:
		list := Uncorrelated(r.Place)
		if list == nil {
			return
		}
		text, field := r.Source.Rule, list.Field()
		write := check.In(text.At)
		const message = "oldSelf cannot be used below the list %s, whose old and new items cannot be matched"
		c.report(diag.Errorf(text.Range(oldSelfIn(r)), uncorrelated, message, field).
			Help("make it a list of type map, with %s and %s on %s, "+
				"or move the rule to the list, where self has all items",
				write.Set("x-kubernetes-list-type", "map"), write.Name("x-kubernetes-list-map-keys"), lastName(field)).
			See(list.At(), "the list"), r.Path()+".rule")
	}
}

// Uncorrelated returns the outermost list above a place whose old and new items the API server cannot match, or nil.
// The server names the outermost one.
func Uncorrelated(p *schema.Place) (list *schema.Place) {
	for ; p.Above != nil; p = p.Above {
		if p.Step == schema.InItems && p.Above.Schema.ListType.V != "map" {
			list = p.Above
		}
	}
	return list
}

// oldSelfIn returns where oldSelf is first used in a transition rule.
func oldSelfIn(r *Rule) (start, end int) {
	checked, text := r.Checked.NativeRep(), r.Source.Rule.V
	start = len(text)
	ast.PreOrderVisit(checked.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() == ast.IdentKind && e.AsIdent() == apicel.OldScopedVarName {
			start = min(start, offset(text, checked.SourceInfo().GetStartLocation(e.ID())))
		}
	}))
	return start, min(start+len(apicel.OldScopedVarName), len(text))
}
