package expressions

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"

	"github.com/google/cel-go/common/types"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	kubecel "k8s.io/apiserver/pkg/cel"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/rules/kube"
)

// A Batch is a CRD with many rules. An API server compiles all of them; their cost is not checked.
type Batch struct {
	CRD []byte
	// Rules is how many there are.
	Rules int
	// Rejected are those that the server does not compile, with its reason.
	Rejected []string
}

// Make makes a batch of about as many rules as are wanted: the same numbers make the same one.
func Make(seed, number uint64, want int) (Batch, error) {
	m := maker{rand.New(rand.NewPCG(seed, number))}
	root := m.schema()
	s, err := structuralOf(root)
	if err != nil {
		return Batch{}, err
	}
	all := places(nil, root, nil, true)
	var b Batch
	wanted := map[int]int{}
	for range want {
		// Rules stand where there is much in scope as often as anywhere else.
		i := m.IntN(len(all))
		if m.one(2) {
			i = m.IntN(min(2, len(all)))
		}
		wanted[i]++
	}
	for i, p := range all {
		if n := wanted[i]; n > 0 {
			if err := b.fill(m, p, s, n); err != nil {
				return b, err
			}
		}
	}
	b.CRD, err = yaml.Marshal(crd(fmt.Sprintf("Batch%d", number), "expressions.example.com", root))
	return b, err
}

// structuralOf converts a schema as the server does.
func structuralOf(schema object) (*structural.Structural, error) {
	data, err := json.Marshal(schema)
	if err != nil {
		return nil, err
	}
	var v1 apiext.JSONSchemaProps
	if err := json.Unmarshal(data, &v1); err != nil {
		return nil, err
	}
	var internal apiextensions.JSONSchemaProps
	if err := apiext.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&v1, &internal, nil); err != nil {
		return nil, err
	}
	return structural.NewStructural(&internal)
}

// below finds a place in the structural schema, with its type in CEL (schema/cel/validation.go, validator). There is
// none for what CEL does not see.
func below(s *structural.Structural, path []string) (*structural.Structural, *kubecel.DeclType) {
	d := model.SchemaDeclType(s, true)
	for _, step := range path {
		switch {
		case d == nil:
			return nil, nil
		case step == "[]":
			s, d = s.Items, d.ElemType
		case step == "[*]":
			s, d = s.AdditionalProperties.Structural, d.ElemType
		default:
			property := s.Properties[step[1:]]
			s = &property
			if escaped, ok := kubecel.Escape(step[1:]); !ok {
				d = model.SchemaDeclType(s, s.XEmbeddedResource)
			} else if f := d.Fields[escaped]; f != nil {
				d = f.Type
			} else {
				return nil, nil
			}
		}
	}
	return s, d
}

// fill makes rules at a place.
func (b *Batch) fill(m maker, p place, root *structural.Structural, n int) error {
	s, d := below(root, p.path)
	if d == nil {
		return nil
	}
	declared := map[string]*kubecel.DeclType{}
	self := d.MaybeAssignTypeName("selfType")
	remember(declared, self)
	functions := calls(kube.Latest().Environment().NewExpressionsEnv())
	node := *s
	for range n {
		g := &generator{maker: m, calls: functions, declared: declared}
		node.XValidations = append(node.XValidations, g.rule(self, p))
	}
	results, err := compile(&node, d)
	if err != nil {
		return err
	}
	var kept []any
	for i, result := range results {
		rule := node.XValidations[i]
		if result.Error != nil {
			b.Rejected = append(b.Rejected, rule.Rule+"\n"+result.Error.Detail)
			continue
		}
		if result.MessageExpressionError != nil {
			rule.MessageExpression = ""
		}
		if !result.UsesOldSelf {
			rule.OptionalOldSelf = nil
		}
		data, err := json.Marshal(rule)
		if err != nil {
			return err
		}
		var o object
		if err := json.Unmarshal(data, &o); err != nil {
			return err
		}
		kept = append(kept, o)
	}
	if len(kept) > 0 {
		p.schema["x-kubernetes-validations"] = kept
		b.Rules += len(kept)
	}
	return nil
}

// compile compiles rules as the server does. If its compiler panics, the expression counts as rejected.
func compile(s *structural.Structural, d *kubecel.DeclType) (results []cel.CompilationResult, err error) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if len(s.XValidations) == 1 {
			results = []cel.CompilationResult{
				{Error: &kubecel.Error{Type: kubecel.ErrorTypeInternal, Detail: fmt.Sprintf("panic: %v", p)}}}
			return
		}
		for i := range s.XValidations {
			one := *s
			one.XValidations = s.XValidations[i : i+1]
			result, oneErr := compile(&one, d)
			if oneErr != nil {
				err = oneErr
				return
			}
			results = append(results, result...)
		}
	}()
	return cel.Compile(s, d, math.MaxUint64, kube.Latest().Environment(), cel.NewExpressionsEnvLoader())
}

// rule makes one rule. Half of them show the value of an expression of any type in their message.
func (g *generator) rule(self *kubecel.DeclType, p place) apiext.ValidationRule {
	var r apiext.ValidationRule
	g.declare("self", self.CelType(), 3, false)
	if p.old && g.one(3) {
		old := self.CelType()
		if g.one(4) {
			yes := true
			r.OptionalOldSelf = &yes
			old = types.NewOptionalType(old)
		}
		g.declare("oldSelf", old, 3, false)
	}
	depth := pick(g.maker, 1, 1, 2, 2, 3, 4)
	for r.Rule == "" {
		if g.one(2) {
			r.Rule = g.expression(types.BoolType, "", depth)
		} else if value := g.expression(g.anyType(), "", depth); value != "" {
			shown := "'%s'.format([dyn(" + value + ")])"
			r.Rule, r.MessageExpression = shown+" == '?'", shown
		}
	}
	if r.MessageExpression == "" && g.one(6) {
		r.MessageExpression = g.expression(types.StringType, "", depth)
	}
	if g.one(5) {
		r.Message = "message of a rule"
	}
	if g.one(10) {
		reason := pick(g.maker, apiext.FieldValueRequired, apiext.FieldValueForbidden, apiext.FieldValueInvalid,
			apiext.FieldValueDuplicate)
		r.Reason = &reason
	}
	if properties, ok := p.schema["properties"].(object); ok && g.one(10) {
		if name := pick(g.maker, sortedKeys(properties)...); plainName.MatchString(name) {
			r.FieldPath = "." + name
		}
	}
	r.Rule, r.MessageExpression = strings.TrimSpace(r.Rule), strings.TrimSpace(r.MessageExpression)
	return r
}

var plainName = regexp.MustCompile(`^[a-zA-Z]+$`)
