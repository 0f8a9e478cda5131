package flatten

import (
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/report"
	"github.com/crdproof/crdproof/schema"
)

// CheckBounds reports bounds on one node that contradict each other.
func (fl Flattener) CheckBounds(s *schema.Schema) {
	for _, m := range schema.Measures() {
		low, high := m.Min.Bound(s), m.Max.Bound(s)
		if low != nil && high != nil && schema.CompareNumbers(low.V, high.V) > 0 {
			fl.Mistake(report.EmptyRange(m.Min.Name, low.V, low.At, m.Max.Name, high.V, high.At))
		}
	}
	if len(s.AllOf) == 0 { // under compat the limit may be in allOf
		fl.checkExclusive(s)
	}
}

// checkExclusive reports an exclusiveness without a limit.
func (fl Flattener) checkExclusive(s *schema.Schema) {
	for _, limit := range []string{"Minimum", "Maximum"} {
		exclusive := schema.KeywordOf("exclusive" + limit)
		if exclusive.IsSet(s) && !schema.KeywordOf(strings.ToLower(limit)).IsSet(s) {
			d := diag.Errorf(exclusive.At(s), checks.Contradictory, "Exclusive%s has no effect without %s", limit,
				limit).Help("remove the marker")
			if s.Type.V == "integer" || s.Type.V == "number" {
				d = d.Help("add +kubebuilder:validation:%s=%s to the field, or remove the marker", limit,
					map[string]string{"Minimum": "0", "Maximum": "100"}[limit])
			}
			fl.Mistake(d)
		}
	}
}

// checkUnknown reports a type with an unknown schema, unless the markers of the field give it a complete one without
// the type.
func (fl Flattener) checkUnknown(unknown *diag.Diagnostic, s *schema.Schema) {
	open := s.PreserveUnknownFields != nil || s.IntOrString != nil
	stated := s.Type.At.IsValid()
	if s.Type.V == "array" || (s.Type.V == "" || s.Type.V == "object" && !stated) && !open {
		fl.Mistake(*unknown)
	} else if s.Type.V == "object" && !open &&
		slices.Contains([]string{"type-marshaler", "type-recursive"}, unknown.Check) {
		fl.Warn(diag.Errorf(s.At, checks.TypeEmpty,
			"this object has no known properties: the API server prunes everything in it").
			Help("add +kubebuilder:pruning:PreserveUnknownFields to the type or to the field"))
	}
}

// jsonKind returns the schema type that a value has.
func jsonKind(v schema.Value) string {
	if v.Kind == schema.Integer || v.Kind == schema.NumberKind && !strings.ContainsAny(v.Text, ".eE") {
		return "integer"
	}
	return [...]string{
		schema.Null: "null", schema.Bool: "boolean", schema.NumberKind: "number", schema.String: "string",
		schema.Array: "array", schema.Object: "object",
	}[v.Kind]
}

// textFormats are the formats of strings that the API server validates
// (k8s.io/apiextensions-apiserver/pkg/apiserver/validation/formats.go).
var textFormats = [...]string{
	"bsonobjectid", "byte", "cidr", "creditcard", "date", "date-time", "datetime", "duration", "email", "hexcolor",
	"hostname", "ipv4", "ipv6", "isbn", "isbn10", "isbn13", "k8s-long-name", "k8s-short-name", "mac", "password",
	"rgbcolor", "ssn", "uri", "uuid", "uuid3", "uuid4", "uuid5",
}

func intText(i *schema.Int) string { return strconv.FormatInt(i.V, 10) }
