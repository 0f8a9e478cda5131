package structural

import (
	"context"
	"strconv"
	"strings"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/kube"
)

// defaultRows are the checks of defaults. Whether a value is valid is the API server's code's to say; rules are left to the
// checks of CEL.
func defaultRows() []row {
	return []row{
		{
			Check: diag.Check{
				ID: "default-forbidden", Verdict: true,
				Doc: "The metadata, kind and apiVersion of an object have no defaults, and neither have the values of maps in the metadata " +
					"of an embedded one.",
				Bad:  "spec:\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema: {type: object, properties: {kind: {type: string, default: Widget}}}",
				Good: "spec:\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema: {type: object, properties: {kind: {type: string}}}",
			},
			ofSchema: checkDefaultForbidden,
		},
		{
			Check: diag.Check{
				ID: "default-invalid", Verdict: true,
				Doc: "A default is valid by the schema that it belongs to, with all that the schema requires: the defaults of its " +
					"fields are not filled in before it is looked at.",
				Bad:  "// +kubebuilder:validation:Enum=tcp;udp\n// +kubebuilder:default=http\nProtocol string `json:\"protocol,omitempty\"`",
				Good: "// +kubebuilder:validation:Enum=tcp;udp\n// +kubebuilder:default=tcp\nProtocol string `json:\"protocol,omitempty\"`",
			},
			ofVersion: checkDefaults,
		},
		{
			Check: diag.Check{
				ID: "default-in-map", Accepted: true,
				Doc: "API servers do not look at defaults in the values of maps when a CRD is created, but fill them in all the same: " +
					"where one is not valid, every object that leaves the field out is refused.",
				Bad:  "type: object\nadditionalProperties:\n  type: object\n  properties:\n    mode: {type: string, enum: [a, b], default: c}",
				Good: "type: object\nadditionalProperties:\n  type: object\n  properties:\n    mode: {type: string, enum: [a, b], default: a}",
			},
			ofVersion: checkDefaultsInMaps,
		},
		{
			Check: diag.Check{
				ID: "default-duplicates", Accepted: true,
				Doc: "A default of a set or of a map that has an item twice is accepted, but every object that leaves the field out is " +
					"refused.",
				Bad:  "// +listType=set\n// +kubebuilder:default={a,b,a}\nNames []string `json:\"names,omitempty\"`",
				Good: "// +listType=set\n// +kubebuilder:default={a,b}\nNames []string `json:\"names,omitempty\"`",
			},
			ofSchema: checkDefaultDuplicates,
		},
	}
}

func checkDefaultForbidden(n *node) []finding {
	if n.s.Default == nil {
		return nil
	}
	inMap := false
	for p := n.Place; p != nil; p = p.Above {
		inMap = inMap || p.Step == schema.InValues
		if p.Step != schema.InProperty || !isMetaField(p.Name) {
			continue
		}
		if isRoot := p.Above.Above == nil; isRoot || inMap && isSet(p.Above.Schema.EmbeddedResource) {
			return one(n.forbiddenDefault(p.Name, isRoot))
		}
	}
	return nil
}

// A badDefault is what the API server's code finds wrong with a default: one error, at the default itself or inside of it.
type badDefault struct {
	*node
	err *field.Error
	// inside is the way from the default to what the error is about: "" or ".a[0].b".
	inside string
	// also are the paths of further errors that say the same.
	also []string
}

func checkDefaults(v *version) []finding {
	d := v.defaults()
	if d.structural == nil {
		return nil
	}
	var out []finding
	for _, b := range badDefaults(&node{Place: &schema.Place{Schema: d.root}, s: d.root, in: v}, d.structural) {
		out = append(out, b.finding(""))
	}
	return out
}

func checkDefaultsInMaps(v *version) []finding {
	d := v.defaults()
	if d.structural == nil {
		return nil
	}
	var out []finding
	schema.Walk(d.root, func(p *schema.Place) {
		if p.Step != schema.InValues || p.Nested {
			return
		}
		for _, b := range badDefaults(&node{Place: p, s: p.Schema, in: v}, kube.Below(d.structural, p)) {
			out = append(out, b.finding(inMap))
		}
	})
	return out
}

// defaults is what of a version's schema leads to defaults, and all that is below them: the rest plays no part in whether
// they are valid, and converting it for the API server's code is what would take time.
type defaults struct {
	known bool
	root  *schema.Schema
	// structural is the root as the API server's code sees it, nil where there are no defaults, or no structural schema.
	structural *structural.Structural
}

func (v *version) defaults() *defaults {
	d := &v.known
	if d.known {
		return d
	}
	d.known, d.root = true, onlyDefaults(v.Schema)
	if d.root == nil {
		return d
	}
	s, err := kube.Structural(d.root)
	if err == nil {
		d.structural = s
	}
	return d
}

// onlyDefaults returns what of a schema leads to defaults, nil where there are none.
func onlyDefaults(s *schema.Schema) *schema.Schema {
	if s == nil || s.Default != nil {
		return s
	}
	out := &schema.Schema{
		At: s.At, Type: s.Type, EmbeddedResource: s.EmbeddedResource, Items: onlyDefaults(s.Items), AdditionalProperties: onlyDefaults(s.AdditionalProperties),
	}
	for _, p := range s.Properties {
		if p.Schema = onlyDefaults(p.Schema); p.Schema != nil {
			out.Properties = append(out.Properties, p)
		}
	}
	if out.Items == nil && out.AdditionalProperties == nil && out.Properties == nil {
		return nil
	}
	return out
}

// badDefaults runs the API server's check of all defaults from a schema downwards, which passes over the values of maps.
func badDefaults(from *node, s *structural.Structural) []badDefault {
	at := map[string]*node{}
	visitDefaults(from.Place, func(p *schema.Place) {
		if p.Schema.Default != nil {
			n := &node{Place: p, s: p.Schema, in: from.in}
			at[n.key("default")] = n
		}
	})
	// The error is of defaults that have no place in an object; there are none such.
	errs, _ := defaulting.ValidateDefaults(context.Background(), field.NewPath(from.key("")), s, from.isRoot(), true)
	var out []badDefault
	for _, err := range errs {
		n, inside := owner(at, err.Field)
		if n == nil {
			continue
		}
		b := badDefault{node: n, err: err, inside: inside}
		if _, in, _ := strings.Cut(err.Detail, " in "); strings.HasPrefix(err.Detail, numberError) && in != "" {
			b.inside += "." + in
		}
		if first := sameTypeError(out, &b); first != nil {
			first.also = append(first.also, err.Field)
			continue
		}
		out = append(out, b)
	}
	return out
}

// numberError begins what the API server says of a number that its type and format do not hold; what it says ends with the
// way inside of the default (k8s.io/kube-openapi/pkg/validation/validate).
const numberError = "Checked value must be of type "

// isTypeError reports whether the error is about a type.
func (b *badDefault) isTypeError() bool {
	return b.err.Type == field.ErrorTypeTypeInvalid || strings.HasPrefix(b.err.Detail, numberError)
}

// sameTypeError finds what says already that a value has not the type of its schema.
func sameTypeError(said []badDefault, b *badDefault) *badDefault {
	for i := range said {
		if s := &said[i]; s.node == b.node && s.inside == b.inside && s.isTypeError() && b.isTypeError() {
			return s
		}
	}
	return nil
}

// These begin what the API server says of a rule that it cannot run, and of one without a message
// (pkg/apiserver/schema/cel/validation.go).
const (
	compileError = "rule compile error: "
	failedRule   = "failed rule: "
)

// failedRule finds the rule that the error is about by its fieldPath and its message, nil where the error is of another kind.
func (b *badDefault) failedRule() *schema.Rule {
	for end := len(b.inside); end >= 0; end = strings.LastIndexAny(b.inside[:end], ".[") {
		s := follow(b.s, b.inside[:end]).s
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

// hasUnknownFields is what the API server says of a default with fields that it would prune.
const hasUnknownFields = "must not have unknown fields"

// says reports whether a rule that fails may be told in these words.
func says(r *schema.Rule, detail string) bool {
	if rule, ok := strings.CutPrefix(detail, failedRule); ok {
		return rule == strings.TrimSpace(r.Rule.V)
	}
	if r.MessageExpression.V == "" {
		return r.Message.V != "" && detail == strings.TrimSpace(r.Message.V)
	}
	return !strings.HasPrefix(detail, compileError) && !strings.Contains(detail, " in body ") && detail != hasUnknownFields
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

// owner finds the default that an error is about by the beginning of the error's path.
func owner(at map[string]*node, path string) (n *node, inside string) {
	for end := len(path); end > 0; end = strings.LastIndexAny(path[:end], ".[") {
		if n := at[path[:end]]; n != nil {
			return n, path[end:]
		}
	}
	return nil, ""
}

// belowDefaults is the schema of a place that has a default as the API server's code sees it, nil where there is none.
func (v *version) belowDefaults(p *schema.Place) *structural.Structural {
	if root := v.defaults().structural; root != nil {
		return kube.Below(root, p)
	}
	return nil
}

// unknownFields returns the fields of a default that the API server would prune.
func (b *badDefault) unknownFields() []string {
	s := b.in.belowDefaults(b.Place)
	if s == nil {
		return nil
	}
	value := runtime.DeepCopyJSONValue(s.Default.Object)
	return pruning.PruneWithOptions(value, s, isSet(b.s.EmbeddedResource), structural.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
}

func checkDefaultDuplicates(n *node) []finding {
	if n.Nested || n.s.Default == nil || n.s.Default.Value.Kind != schema.Array && n.s.Default.Value.Kind != schema.Object {
		return nil
	}
	s := n.in.belowDefaults(n.Place)
	if s == nil {
		return nil
	}
	value := runtime.DeepCopyJSONValue(s.Default.Object)
	defaulting.Default(value, s)
	whole := &structural.Structural{Properties: map[string]structural.Structural{"default": *s}}
	var out []finding
	for _, err := range listtype.ValidateListSetsAndMaps(field.NewPath(n.key("")), whole, map[string]any{"default": value}) {
		out = append(out, n.duplicateInDefault(err))
	}
	return out
}

// schemaInside is the schema of the value inside a default that the error is about, nil where that is not known.
func (b *badDefault) schemaInside() *schema.Schema {
	return follow(b.s, strings.ReplaceAll(b.inside, ".[", "[")).s // as some of the API server's paths have it
}

// valueInside is the value inside a default that the error is about, nil where that is not known.
func (b *badDefault) valueInside() *schema.Value {
	path := strings.ReplaceAll(b.inside, ".[", "[")
	steps, isWhole := readPath(path)
	v := &b.s.Default.Value
	for _, to := range steps {
		if v = valueAt(v, to.name, path[to.start:to.end]); v == nil {
			return nil
		}
	}
	if !isWhole {
		return nil
	}
	return v
}

// valueAt is a member of an object, or without a name the item of a list whose index stands in brackets; nil where it is not there.
func valueAt(v *schema.Value, name, brackets string) *schema.Value {
	if name == "" {
		i, err := strconv.Atoi(strings.Trim(brackets, "[]"))
		if err != nil || i < 0 || i >= len(v.Items) {
			return nil
		}
		return &v.Items[i]
	}
	for i := range v.Members {
		if v.Members[i].Key == name {
			return &v.Members[i].Value
		}
	}
	return nil
}
