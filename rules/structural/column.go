package structural

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource/tableconvertor"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/internal/regular"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// columnRows returns the checks of printer columns.
func columnRows() []session.Row {
	return []session.Row{
		explained(diag.Check{ID: "column-invalid"},
			reason{"spec.versions[].additionalPrinterColumns[].*", "", "", explainColumn}),
		{Check: diag.Check{ID: "column-path", Severity: diag.Warning},
			Needs: session.EachVersion, Run: checkColumnPaths},
		{Check: diag.Check{ID: "column-type", Severity: diag.Warning},
			Needs: session.EachVersion, Run: checkColumnTypes},
	}
}

func explainColumn(r *rejection) {
	c := r.Version.Columns[r.Rejection.Index]
	switch key := r.lastField(); {
	case key == "type" && c.Type.V == "":
		r.errorf(r.At(c.Type.At, c.At), "missing type of column %q", c.Name.V).
			Help("use one of boolean, date, integer, number, string")
	case key == "type":
		r.unknown("column type", c.Type, r.supported(), c.At)
	case key == "format":
		r.unknown("column format", c.Format, r.supported(), c.At)
	case key == "JSONPath" && c.JSONPath.V != "":
		r.errorf(r.At(c.JSONPath.At, c.At), "path %q does not start with a dot", c.JSONPath.V).
			Help("write .%s", strings.TrimPrefix(strings.Trim(c.JSONPath.V, "{}"), "."))
	default:
		r.errorf(c.At, "missing %s of a column", key).
			Help("add %s", r.Write().Choose(key+"=", strings.Replace(key, "JSON", "json", 1)+": ")+
				map[string]string{"name": "Replicas", "JSONPath": ".spec.replicas"}[key])
	}
}

func columnKey(p *session.Pass, i int, key string) string {
	return p.Key(fmt.Sprintf("additionalPrinterColumns[%d].%s", i, key))
}

func checkColumnPaths(p *session.Pass) {
	for i, c := range p.Version.Columns {
		if c.JSONPath.V == "" || c.JSONPath.V[0] != '.' {
			continue
		}
		key := columnKey(p, i, "JSONPath")
		if !isReadable(c.JSONPath.V) {
			p.Reportf(p.At(c.JSONPath.At, c.At), key,
				"the API server cannot parse the path %q, and then shows none of the columns", c.JSONPath.V).
				Help("write a JSONPath such as .status.conditions[?(@.type==\"Ready\")].status or " +
					".metadata.labels['a.b']")
		} else if _, f := readColumn(p.Version.Schema, c.JSONPath.V); f != nil {
			help := f.help
			if f.missing != "" {
				help = near(f.missing, f.candidates, cmp.Or(help, elsewhere(p.Version.Schema, c.JSONPath.V)))
			}
			p.Reportf(p.At(c.JSONPath.Range(f.start, f.end), c.At), key, "column %q stays empty: %s", c.Name.V, f.why).
				Help("%s", help)
		}
	}
}

// isReadable asks the API server's code whether it can parse a column's path.
func isReadable(path string) bool {
	_, err := tableconvertor.New([]apiext.CustomResourceColumnDefinition{{Name: "x", Type: "string", JSONPath: path}})
	return err == nil
}

// checkColumnTypes follows cellForJSONValue of the table convertor.
func checkColumnTypes(p *session.Pass) {
	for i, c := range p.Version.Columns {
		if !strings.HasPrefix(c.JSONPath.V, ".") {
			continue
		}
		s, _ := readColumn(p.Version.Schema, c.JSONPath.V)
		if s == nil || s.Type.V == "" || s.IntOrString.True() {
			continue
		}
		shown, says := []string{c.Type.V}, typePhrase(s.Type.V)
		shows := "stays empty"
		switch c.Type.V {
		case "integer", "number":
			shown = []string{"integer", "number"}
		case "date":
			shown = []string{"string"}
			if text := notATime(p, s); s.Type.V == "string" && text != "" {
				shown, says, shows = nil, text, "shows <invalid>"
			}
		case "boolean":
		default:
			continue
		}
		if !slices.Contains(shown, s.Type.V) {
			p.Reportf(p.At(c.Type.At, c.At), columnKey(p, i, "type"),
				"column %q %s: its type is %s, but the field is %s", c.Name.V, shows, c.Type.V, says).
				Help("write string").
				See(s.At, "the field")
		}
	}
}

// notATime says what a text is that is never a time in RFC 3339; "" if it may be one.
func notATime(p *session.Pass, s *schema.Schema) string {
	pattern := regexp.MustCompile(schema.TimePattern)
	isTime := func(v schema.Value) bool { return v.Kind == schema.String && pattern.MatchString(v.Text) }
	format, isFormat := kube.FormatOf(s.Format.V)
	switch {
	case s.Origin == schema.Duration, s.Pattern.V == schema.DurationPattern, s.Format.V == "duration":
		return "a duration"
	case isFormat && format.Name != "date-time":
		return "a text of format " + s.Format.V
	case len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, isTime):
		return "one of several words"
	case s.Pattern.V != "" && !canMatchBoth(p, s.Pattern.V, schema.TimePattern):
		return "a text of another pattern"
	}
	return ""
}

// canMatchBoth reports whether some text matches two patterns, or whether that is not known.
func canMatchBoth(p *session.Pass, patterns ...string) bool {
	budget := p.Budget(effort.SymbolicText)
	q := regular.Query{MaxLength: -1}
	for _, text := range patterns {
		pattern, err := regular.Compile(text, budget)
		if err != nil {
			return true
		}
		q.Match = append(q.Match, pattern)
	}
	_, answer := regular.Find(q, effort.SymbolicText.N(), budget)
	return answer != regular.None
}
