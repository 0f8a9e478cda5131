package structural

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// defaultRows returns the checks of defaults. The API server's code decides whether a value is valid; rules are left to
// the checks of CEL.
func defaultRows() []session.Row {
	return []session.Row{
		explained(diag.Check{ID: "default-forbidden"},
			reason{"default", forbidden, "must not be set*", explainDefaultForbidden}),
		{Check: diag.Check{ID: "default-invalid", Verdict: true}, Needs: session.EachVersion, Run: checkDefaults},
		{Check: diag.Check{ID: "default-in-map", Accepted: true},
			Needs: session.EachVersion, Run: checkDefaultsInMaps},
		{Check: diag.Check{ID: "default-duplicates", Accepted: true},
			Needs: session.EachSchema, Run: checkDefaultDuplicates},
		{Check: diag.Check{ID: "value-undecodable", Severity: diag.Warning},
			Needs: session.EachSchema, Run: checkDecodable},
	}
}

func explainDefaultForbidden(r *rejection) {
	help := "remove " + r.Write().Name("default")
	name, isTop := strings.CutPrefix(r.says(), "must not be set in top-level ")
	if meta := metaAbove(r.Place); !isTop {
		name, isTop = meta.Name, isRoot(meta.Above)
	}
	if isTop {
		r.errorf(r.Schema.Default.At, "defaults are not allowed in %s of an object", name).Help("%s", help)
		return
	}
	r.errorf(r.Schema.Default.At, "defaults are not allowed in map values of %s", name).Help("%s", help)
}

// checkDefaults explains no rejections: the API server validates defaults only if the structure is valid.
func checkDefaults(p *session.Pass) {
	d := defaultsOf(p)
	if s := d.structural(); s != nil {
		reportDefaults(p, badDefaults(p, &schema.Place{Schema: d.root}, s), "")
	}
}

func checkDefaultsInMaps(p *session.Pass) {
	d := defaultsOf(p)
	schema.Walk(d.root, func(place *schema.Place) {
		if place.Step != schema.InValues || place.Nested || d.structural() == nil {
			return
		}
		reportDefaults(p, badDefaults(p, place, kube.Below(d.structural(), place)),
			"; the API server applies it unchecked and then rejects the object")
	})
}

// reportDefaults reports the first bad defaults.
func reportDefaults(p *session.Pass, list []*badDefault, consequence string) {
	for _, b := range list {
		if !p.Budget(effort.Rejections).Spend(1) {
			p.Undecided(effort.Rejections, "what else is wrong with the defaults")
			return
		}
		b.report(consequence)
	}
}

// defaults is the part of a version's schema that leads to defaults, with everything below them: the rest does not
// matter for whether they are valid, and converting it for the API server's code would take time.
type defaults struct {
	root *schema.Schema
	// structural returns the root as the API server's code sees it, nil if there are no defaults, or if the schema is
	// not structural.
	structural func() *structural.Structural
}

func defaultsOf(p *session.Pass) defaults {
	return session.Memo(p.Session, ofVersion{p.Version}, func() defaults {
		d := defaults{root: onlyDefaults(p.Version.Schema)}
		d.structural = sync.OnceValue(func() *structural.Structural {
			if d.root == nil {
				return nil
			}
			s, _ := kube.Structural(d.root) // the verdict says why there is none
			return s
		})
		return d
	})
}

// ofVersion is the key under which the defaults of a version are kept.
type ofVersion struct{ *session.Version }

// onlyDefaults returns the part of a schema that leads to defaults, nil if there are no defaults.
func onlyDefaults(s *schema.Schema) *schema.Schema {
	if s == nil || s.Default != nil {
		return s
	}
	items, additional := onlyDefaults(s.Items), onlyDefaults(s.AdditionalProperties)
	var properties []schema.Property
	for _, p := range s.Properties {
		if p.Schema = onlyDefaults(p.Schema); p.Schema != nil {
			properties = append(properties, p)
		}
	}
	if items == nil && additional == nil && properties == nil {
		return nil
	}
	return &schema.Schema{
		At: s.At, Type: s.Type, EmbeddedResource: s.EmbeddedResource,
		Items: items, AdditionalProperties: additional, Properties: properties,
	}
}

// A badDefault is one error that the API server's code reports about a default, at the default itself or inside it.
type badDefault struct {
	*schema.Place
	pass *session.Pass
	err  *field.Error
	// inside is the path from the default to the value that the error is about: "" or ".a[0].b".
	inside string
	// also are the paths of further errors about the same mistake.
	also []string
}

// badDefaults runs the API server's check of all defaults from a schema downwards, which ignores the values of maps.
func badDefaults(p *session.Pass, from *schema.Place, s *structural.Structural) []*badDefault {
	root := p.Key("schema.openAPIV3Schema")
	at := map[string]*schema.Place{}
	visitDefaults(from, func(place *schema.Place) {
		if place.Schema.Default != nil {
			at[root+place.Path()+".default"] = place
		}
	})
	var out []*badDefault
	for _, err := range kube.ByText(kube.Defaults(context.Background(), root+from.Path(), s, isRoot(from))) {
		place, inside := owner(at, err.Field)
		if place == nil || strings.HasPrefix(err.Detail, kube.NotCompiled) {
			continue
		}
		b := &badDefault{Place: place, pass: p, err: err, inside: inside}
		if _, in, _ := strings.Cut(err.Detail, " in "); strings.HasPrefix(err.Detail, numberError) && in != "" {
			b.inside += "." + in
		}
		if first := sameTypeError(out, b); first != nil {
			first.also = append(first.also, err.Field)
			continue
		}
		out = append(out, b)
	}
	return out
}

// numberError begins the API server's message about a number that does not fit its type and format; the message ends
// with the path inside the default (k8s.io/kube-openapi/pkg/validation/validate).
const numberError = "Checked value must be of type "

// isTypeError reports whether the error is about a type.
func (b *badDefault) isTypeError() bool {
	return b.err.Type == field.ErrorTypeTypeInvalid || strings.HasPrefix(b.err.Detail, numberError)
}

// sameTypeError finds an earlier error about the type, or the form, of the same value.
func sameTypeError(earlier []*badDefault, b *badDefault) *badDefault {
	for i := range earlier {
		if s := earlier[i]; s.Place == b.Place && s.inside == b.inside &&
			(s.isTypeError() && b.isTypeError() || s.textForm() != nil && b.textForm() != nil) {
			return s
		}
		if list := b.textList(); list != nil && earlier[i].textList() == list {
			return earlier[i]
		}
	}
	return nil
}

// failedRule begins the API server's message about a rule without a message (pkg/apiserver/schema/cel/validation.go).
const failedRule = "failed rule: "

// failedRule finds the rule that the error is about by its fieldPath and its message. It returns nil if the error is of
// another kind.
func (b *badDefault) failedRule() *schema.Rule {
	for end := len(b.inside); end >= 0; end = strings.LastIndexAny(b.inside[:end], ".[") {
		s := follow(b.Schema, b.inside[:end]).s
		if s == nil {
			continue
		}
		for i := range s.Rules {
			if r := &s.Rules[i]; b.inside == b.inside[:end]+r.FieldPath.V && says(r, b.err.Detail) {
				return r
			}
		}
	}
	return nil
}

// hasUnknownFields is the API server's message about a default with fields that it would prune.
const hasUnknownFields = "must not have unknown fields"

// says reports whether the message may be that of a rule that fails.
func says(r *schema.Rule, detail string) bool {
	if rule, ok := strings.CutPrefix(detail, failedRule); ok {
		return rule == strings.TrimSpace(r.Rule.V)
	}
	if r.MessageExpression.V == "" {
		return r.Message.V != "" && detail == strings.TrimSpace(r.Message.V)
	}
	return !strings.HasPrefix(detail, kube.NotCompiled) && !strings.Contains(detail, " in body ") &&
		detail != hasUnknownFields
}

// visitDefaults visits the places from one downwards whose defaults the API server looks at together.
func visitDefaults(p *schema.Place, visit func(*schema.Place)) {
	visit(p)
	for _, child := range p.Children() {
		if child.Step == schema.InProperty || child.Step == schema.InItems {
			visitDefaults(child, visit)
		}
	}
}

// owner finds the default that an error is about by the prefix of the error's path.
func owner(at map[string]*schema.Place, path string) (p *schema.Place, inside string) {
	for end := len(path); end > 0; end = strings.LastIndexAny(path[:end], ".[") {
		if p := at[path[:end]]; p != nil {
			return p, path[end:]
		}
	}
	return nil, ""
}

// belowDefaults returns the schema of a place that has a default as the API server's code sees it, or nil.
func belowDefaults(p *session.Pass, place *schema.Place) *structural.Structural {
	if root := defaultsOf(p).structural(); root != nil {
		return kube.Below(root, place)
	}
	return nil
}

// hasUnique reports whether the items of a list in the schema must differ.
func hasUnique(s *schema.Schema) bool {
	return s.ContainsFunc(func(s *schema.Schema) bool { return s.ListType.V == "set" || s.ListType.V == "map" })
}

func checkDefaultDuplicates(p *session.Pass) {
	d := p.Schema.Default
	if p.Nested || d == nil || d.Kind != schema.Array && d.Kind != schema.Object || !hasUnique(p.Schema) {
		return
	}
	s := belowDefaults(p, p.Place)
	if s == nil {
		return
	}
	value := runtime.DeepCopyJSONValue(s.Default.Object)
	defaulting.Default(value, s)
	whole := &structural.Structural{Properties: map[string]structural.Structural{"default": *s}}
	for _, err := range listtype.ValidateListSetsAndMaps(field.NewPath(p.Key("")), whole,
		map[string]any{"default": value}) {
		twice, _ := json.Marshal(err.BadValue) // it was JSON
		p.Reportf(p.At(d.At), err.Field,
			"the default has a duplicate item %s: the API server rejects objects that omit %s", twice, what(p.Place)).
			Help("remove the duplicate from the default")
	}
}
