package object

import (
	"regexp"

	"github.com/google/cel-go/cel"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apicel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	celconfig "k8s.io/apiserver/pkg/apis/cel"

	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/kube"
)

// An API server rejects a CRD with a rule that does not compile, but one that it has stored already stays: the rule
// is then an error of every object (apiextensions-apiserver, pkg/apiserver/schema/cel/validation.go).

// selfTypes are the API server's names for the type of self, which differ from run to run.
var selfTypes = regexp.MustCompile(`\bselfType[0-9]+`)

// fault returns the error of objects for a rule that does not compile; "" for any other rule.
func (w *Writer) fault(r *expr.Rule) string {
	if r.Checked != nil && instantiates(r, r.Checked) {
		return ""
	}
	rule := apiext.ValidationRule{Rule: r.Source.Rule.V}
	if f := r.Source.OptionalOldSelf; f != nil && w.Minor.Has(kube.OptionalOldSelf) {
		rule.OptionalOldSelf = &f.V
	}
	self := *r.Self
	self.XValidations = apiext.ValidationRules{rule}
	// A server evaluates stored rules in an environment with all functions that it knows.
	results, err := apicel.Compile(&self, r.Decl, celconfig.PerCallLimit, (w.Minor + 1).Environment(),
		apicel.NewExpressionsEnvLoader())
	switch {
	case err != nil:
		return "rule compiler initialization error: " + err.Error()
	case results[0].Error != nil:
		return "rule compile error: " + selfTypes.ReplaceAllString(results[0].Error.Error(), "selfType")
	case r.Checked == nil: // an older server compiles it, but not the one that the helpers answer as
		w.Diagnostics = append(w.Diagnostics, celDiagnostic(r.Source.Rule.At, "it does not compile"))
	}
	return ""
}

// instantiates reports whether a compiled expression can be evaluated: for example, a constant regular expression must
// be valid.
func instantiates(r *expr.Rule, compiled *cel.Ast) bool {
	if r.Env == nil {
		return true
	}
	_, err := r.Env.Program(compiled, cel.CostLimit(celconfig.PerCallLimit))
	return err == nil
}
