package symbolic

import (
	"slices"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	apicel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	celmodel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/cel/common"

	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/schema"
)

// A server evaluates objects with the code of the API server.
type server struct {
	structure *structural.Structural
	rules     []expr.Rule
	validator validation.SchemaValidator
	programs  map[*cel.Ast]cel.Program
	// demandsTrue is set if no rule may fail.
	demandsTrue bool
}

func newServer(structure *structural.Structural, rules []expr.Rule) *server {
	return &server{structure: structure, rules: rules, programs: map[*cel.Ast]cel.Program{}}
}

// confirms reports whether a value has the property of a question, in an object that is one of all: the schema accepts
// it, and no rule is false. It sets the defaults of the object.
func (s *server) confirms(o *Object, q question) bool {
	for _, object := range []map[string]any{o.Object, o.Old} {
		if object != nil && !s.accepts(object) {
			return false
		}
	}
	for i := range s.rules {
		r := &s.rules[i]
		for _, v := range s.values(o, r.Place) {
			if outcome, ok := s.evaluate(r, v); !ok || outcome == False || outcome == Fails && s.demandsTrue {
				return false
			}
		}
		if o.Old == nil || r.UsesOldSelf {
			continue
		}
		for _, v := range s.values(&Object{Object: o.Old}, r.Place) {
			if outcome, _ := s.evaluate(r, v); outcome != True {
				return false
			}
		}
	}
	return slices.ContainsFunc(s.values(o, q.at), q.holds)
}

// holds reports whether claims hold for a value.
func (s *server) holds(claims []Claim, v evaluated) bool {
	return !slices.ContainsFunc(claims, func(c Claim) bool {
		outcome, ok := s.evaluate(c.Rule, v)
		return !ok || outcome&c.Outcomes == 0
	})
}

// accepts sets the defaults of an object, and reports whether the schema accepts it.
func (s *server) accepts(object map[string]any) bool {
	if s.validator == nil { // few questions come to objects
		s.validator = validation.NewSchemaValidatorFromOpenAPI(s.structure.ToKubeOpenAPI())
	}
	defaulting.PruneNonNullableNullsWithoutDefaults(object, s.structure)
	defaulting.Default(object, s.structure)
	return len(validation.ValidateCustomResource(nil, object, s.validator)) == 0 &&
		len(listtype.ValidateListSetsAndMaps(nil, s.structure, object)) == 0
}

// evaluated is a value in an object that rules are evaluated for.
type evaluated struct {
	self, oldSelf any
	// hasOld is set if there is an old value, isMatched unless the value is in an item whose old one is not looked for.
	hasOld, isMatched bool
	structure         *structural.Structural
}

// values returns the values at a place of an object.
func (s *server) values(o *Object, p *schema.Place) (out []evaluated) {
	if p.Above == nil {
		root := celmodel.WithTypeAndObjectMeta(s.structure)
		return []evaluated{{o.Object, o.Old, o.Old != nil, true, root}}
	}
	for _, v := range s.values(o, p.Above) {
		out = append(out, v.below(p)...)
	}
	return slices.DeleteFunc(out, func(v evaluated) bool { return v.self == nil })
}

// below returns the values one step below.
func (v evaluated) below(p *schema.Place) (out []evaluated) {
	add := func(self, old any, isMatched bool, structure *structural.Structural) {
		if structure.XEmbeddedResource {
			structure = celmodel.WithTypeAndObjectMeta(structure)
		}
		out = append(out, evaluated{self, old, old != nil, isMatched, structure})
	}
	fields, _ := v.self.(map[string]any)
	old, _ := v.oldSelf.(map[string]any)
	switch p.Step {
	case schema.InProperty:
		property := v.structure.Properties[p.Name]
		add(fields[p.Name], old[p.Name], v.isMatched, &property)
	case schema.InValues:
		for name, value := range fields {
			add(value, old[name], v.isMatched, v.structure.AdditionalProperties.Structural)
		}
	case schema.InItems:
		items, _ := v.self.([]any)
		before := v.itemsBefore()
		for _, item := range items {
			if before == nil {
				add(item, nil, false, v.structure.Items)
				continue
			}
			add(item, before.Get(item), v.isMatched, v.structure.Items)
		}
	}
	return out
}

// itemsBefore returns the old items of a list of type map, by their keys; nil for other lists.
func (v evaluated) itemsBefore() common.MapList {
	if v.structure.XListType == nil || *v.structure.XListType != "map" {
		return nil
	}
	old, _ := v.oldSelf.([]any)
	return common.MakeMapList(&celmodel.Structural{Structural: v.structure}, old)
}

// Write returns what an API server stores of an object: with defaults, without nulls that it drops. If old is not nil,
// it is an update of that. The rules are those that reject the object; ok is unset if its schema does, or if the result
// of a rule is not known.
func (o *Objects) Write(object, old map[string]any) (stored map[string]any, rejecting []*expr.Rule, ok bool) {
	stored = runtime.DeepCopyJSON(object)
	if !o.server.accepts(stored) {
		return nil, nil, false
	}
	for i := range o.rules {
		r := &o.rules[i]
		for _, v := range o.server.values(&Object{Object: stored, Old: old}, r.Place) {
			outcome, known := o.server.evaluate(r, v)
			if !known {
				return nil, nil, false
			}
			if outcome&(False|Fails) != 0 {
				rejecting = append(rejecting, r)
				break
			}
		}
	}
	return stored, rejecting, true
}

// evaluate returns what a rule does with a value; 0 if it is not evaluated, and ok is unset if that is not known.
func (s *server) evaluate(r *expr.Rule, v evaluated) (outcome Outcomes, ok bool) {
	switch result, err, ok := s.run(r, v); {
	case err != nil:
		return Fails, true
	case result == types.True:
		return True, true
	case result == types.False:
		return False, true
	default:
		return 0, ok
	}
}

// run returns the result of a rule for a value, nil if it is not evaluated; ok is unset if that is not known. The error
// is that of the evaluation.
func (s *server) run(r *expr.Rule, v evaluated) (result ref.Val, err error, ok bool) {
	if r.Checked == nil || r.Unreached {
		return nil, nil, true
	}
	in := map[string]any{"self": apicel.UnstructuredToVal(v.self, v.structure)}
	if r.UsesOldSelf {
		var old ref.Val = types.OptionalNone
		if v.hasOld {
			old = apicel.UnstructuredToVal(v.oldSelf, v.structure)
		}
		switch {
		case !v.isMatched:
			return nil, nil, false
		case isOptional(r) && v.hasOld:
			old = types.OptionalOf(old)
		case !isOptional(r) && !v.hasOld:
			return nil, nil, true
		}
		in["oldSelf"] = old
	}
	program, known := s.programs[r.Checked]
	if !known {
		program, err = r.Env.Program(r.Checked)
		if err != nil {
			return nil, nil, false
		}
		s.programs[r.Checked] = program
	}
	result, _, err = program.Eval(in)
	return result, err, false
}
