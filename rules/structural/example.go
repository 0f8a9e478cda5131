package structural

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// exampleRows returns the check of examples, which an API server does not look at.
func exampleRows() []session.Row {
	return []session.Row{{Check: diag.Check{ID: "example-invalid", Severity: diag.Warning},
		Needs: session.EachSchema, Run: checkExample}}
}

// checkExample looks at examples of scalars.
func checkExample(p *session.Pass) {
	s, v := p.Schema, p.Schema.Example
	if v == nil || p.Nested || s.Type.V == "" || !isScalar(v) {
		return
	}
	kind, why := kindOf(*v), ""
	isNumber := s.Type.V == "number" && (kind == "integer" || kind == beyond)
	switch {
	case kind != s.Type.V && !isNumber:
		why = fmt.Sprintf("it is %s, and %s is %s", typePhrase(kind), what(p.Place), typePhrase(s.Type.V))
	case len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, v.Equal):
		why = "it is not in the enum"
	default:
		alone := *s
		alone.Enum = []schema.Value{*v}
		if rejected := valuesOutOfBounds(&alone); len(rejected) > 0 {
			why = rejected[0].why
		}
	}
	if why == "" {
		return
	}
	help := "write a value that the schema accepts"
	if s.Type.V == "string" && v.Kind != schema.String {
		help = "write it in quotes: " + strconv.Quote(v.Written())
	} else if meant := schema.Meant(v.Text, s.Enum); meant != "" {
		help = meant
	}
	p.Reportf(p.At(v.At), p.Key("example"), "the API server rejects the example %s: %s", valueText(*v), why).
		Help("%s", help).Changes(diag.OtherBytes, "")
}

// isScalar reports whether a value has no parts.
func isScalar(v *schema.Value) bool {
	return v.Kind == schema.String || v.Kind == schema.NumberKind || v.Kind == schema.Bool
}
