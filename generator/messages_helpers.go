package generator

import (
	"fmt"

	"github.com/crdproof/crdproof/emit/gocode"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
)

// idHelpers is the id of what keeps helpers from being written.
const idHelpers = "helpers"

func noStructure(v helperVersion, err error) diag.Diagnostic {
	return diag.Diagnostic{Span: v.version().At, Check: idHelpers, Message: fmt.Sprintf(
		"no helpers can be written for version %s of %s: %v", v.version().Name.V, v.CRD.ObjectName(), err)}
}

func nestedRule(r *schema.Rule) diag.Diagnostic {
	return diag.Diagnostic{
		Span: r.Rule.At, Check: idHelpers, Message: "no API server knows rules inside allOf, anyOf, oneOf and not, and there are no helpers for them",
		HelpText: "write the rule on the value itself",
	}
}

func sameKind(k, other *gocode.Kind) diag.Diagnostic {
	return diag.Diagnostic{
		Span: k.CRD.At, Check: idHelpers,
		Message:  fmt.Sprintf("the helpers of %s and of %s would have the same names in one package", k.CRD.ObjectName(), other.CRD.ObjectName()),
		HelpText: "write them into packages of their own: one run for each, with output:helpers:dir=<directory>",
		SeeAlso:  []diag.Related{{Span: other.CRD.At, Message: "the other " + k.Name}},
	}
}

func sameCRD(k, other *gocode.Kind) diag.Diagnostic {
	return diag.Diagnostic{
		Span: k.CRD.At, Check: idHelpers, Message: fmt.Sprintf("the CRD %s is here twice", k.CRD.ObjectName()), HelpText: "name one of its files",
		SeeAlso: []diag.Related{{Span: other.CRD.At, Message: "the other one"}},
	}
}

func nameTaken(at diag.Span, name string) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Check: idHelpers, Message: fmt.Sprintf("the helpers declare %s as well", name),
		HelpText: "rename it, or write the helpers into a package of their own with output:helpers:dir=<directory>",
	}
}
