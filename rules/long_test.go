package rules_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

const longRule = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties: {size: {type: integer}}
            x-kubernetes-validations:
            - {rule: "%s", message: wrong}
`

// TestLongRules bounds the work for long rules: how often they are compiled, how many of their errors are reported, and
// how long a help may be.
func TestLongRules(t *testing.T) {
	for _, c := range []struct {
		name, term, operator string
		terms, values        int
		compilations, found  int
	}{
		{"undefined fields", "self.x%d == 1", " && ", 500, 500, 3, 20},
		{"types that do not fit", "self.size == '%d'", " && ", 500, 500, 3, 20},
		{"reads that may fail", "self.size>%d", "||", 1000, 10, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			var terms []string
			for i := range c.terms {
				terms = append(terms, fmt.Sprintf(c.term, i%c.values))
			}
			text := fmt.Sprintf(longRule, strings.Join(terms, c.operator))
			docs, problems := read.Documents(&diag.Source{Path: "widget.yaml", Data: []byte(text)})
			if len(docs) != 1 || len(problems) > 0 {
				t.Fatal(problems)
			}
			compilations := 0
			s := session.New(docs[0].CRD, nil, session.Options{
				Trace: func(*schema.CRD, expr.Compilation) { compilations++ },
			})
			found := rules.Check(context.Background(), s)
			if compilations > c.compilations || len(found) != c.found {
				t.Errorf("%d compilations and %d findings, not %d and %d", compilations, len(found), c.compilations,
					c.found)
			}
			for _, d := range found {
				if len(d.HelpText) > 1000 {
					t.Errorf("a help of %d bytes: %.100s", len(d.HelpText), d.HelpText)
				}
			}
		})
	}
}
