// Package flatten turns nodes into finished schemas: it merges references and embedded structs, adds what follows from
// Go types, and reports schemas that reject what Go encodes.
package flatten

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/describe"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/options"
	"github.com/crdproof/crdproof/generator/lower/internal/report"
	"github.com/crdproof/crdproof/internal/effort"
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
				limit).Help("remove the marker").Do(diag.RemoveMarker, "")
			if s.Type.V == "integer" || s.Type.V == "number" {
				d = d.Or("add +kubebuilder:validation:%s=%s to the field", limit,
					map[string]string{"Minimum": "0", "Maximum": "100"}[limit]).Changes(diag.AcceptsLess, "")
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
			Help("add +kubebuilder:pruning:PreserveUnknownFields to the type or to the field").
			Changes(diag.AcceptsOther, "API servers keep its fields"))
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

// A flattened node is a finished schema, with the number of schemas in it.
type flattened struct {
	schema *schema.Schema
	nodes  int64
}

// addNested adds a nested schema, and returns it.
func (f *flattened) addNested(nested *flattened) *schema.Schema {
	f.nodes += nested.nodes
	return nested.schema
}

// A Flattener makes the finished schemas of nodes, and checks them.
type Flattener struct {
	report.Reporter
	*flatMemo
}

// A flatMemo holds what has been flattened for the CRD that is being made. It is dropped for the next one: it takes
// several times the memory of the syntax.
type flatMemo struct {
	flat map[*node.Node]*flattened
	// incomplete is set once a schema is.
	incomplete bool
	// zeros are the zero values of structs and arrays.
	zeros map[*node.Node]*schema.Value
	// root is the node of the kind that is being flattened.
	root *node.Node
	// rootDropsStatus reports that API servers do not store the kind's status with the object: it is a subresource, or
	// the version is skipped.
	rootDropsStatus bool
}

// New returns a flattener for one CRD.
func New(r report.Reporter) Flattener {
	return Flattener{r, &flatMemo{flat: map[*node.Node]*flattened{}, zeros: map[*node.Node]*schema.Value{}}}
}

// At returns the flattener at the place of another stage.
func (fl Flattener) At(r report.Reporter) Flattener {
	fl.Reporter = r
	return fl
}

// within returns the flattener for a part of the current type.
func (fl Flattener) within(part string, at diag.Span) Flattener {
	return fl.At(fl.Reporter.Within(part, at))
}

// Root does what flatten does for the node of a kind.
func (fl Flattener) Root(n *node.Node, dropsStatus bool) *schema.Schema {
	fl.root, fl.rootDropsStatus = n, dropsStatus
	return fl.Schema(n)
}

// Schema returns the finished schema of a node.
func (fl Flattener) Schema(n *node.Node) *schema.Schema { return fl.flatten(n).schema }

// IsIncomplete reports whether a schema that was made lacks something because of errors in declarations.
func (fl Flattener) IsIncomplete() bool { return fl.incomplete }

// flatten makes the schema of a node: the keywords of its type, of embedded structs and its own, on one
// schema if possible. All places that use the node share the result.
func (fl Flattener) flatten(n *node.Node) *flattened {
	f := fl.flat[n]
	if f == nil {
		doubt := fl.Apart(func() { f = fl.flattened(n) })
		f.schema.Incomplete |= doubt
		fl.incomplete = fl.incomplete || f.schema.Incomplete != 0
		fl.flat[n] = f
	}
	return f
}

// flattened makes the schema of a node and reports mistakes in it.
func (fl Flattener) flattened(n *node.Node) *flattened {
	merged := n
	if n.Ref != nil || len(n.Parts) > 0 {
		merged = fl.merged(n)
	}
	fl.Doubt(merged.Own.Incomplete)
	out := merged.Own
	f := &flattened{schema: &out, nodes: 1}
	out.At, out.GoType = n.Own.At, n.GoType()
	if most := fl.Opts.MaxDescLen; most != nil {
		out.Description.V = describe.Shorten(out.Description.V, *most)
	}
	out.Properties = nil
	for _, p := range merged.Properties {
		if p.Hidden {
			continue
		}
		child := fl.within(p.Name, p.Node.Own.At).flatten(p.Node)
		child.schema.Unmarked = p.Field != nil && !isMeantOptional(p.Field)
		out.Properties = append(out.Properties, schema.Property{Name: p.Name, Schema: f.addNested(child)})
	}
	if merged.Items != nil {
		out.Items = f.addNested(fl.within("[]", merged.Items.Own.At).flatten(merged.Items))
	}
	if merged.Additional != nil {
		out.AdditionalProperties = f.addNested(fl.within("{}", merged.Additional.Own.At).flatten(merged.Additional))
	}
	out.AllOf = nil
	for _, part := range merged.Parts {
		out.AllOf = append(out.AllOf, f.addNested(fl.flatten(part)))
	}
	out.AllOf = append(out.AllOf, merged.Own.AllOf...)
	if merged.Unknown != nil {
		fl.checkUnknown(merged.Unknown, &out)
	}
	if !fl.Opts.Compat {
		fl.finish(n, merged, &out)
	}
	fl.CheckBounds(&out)
	fl.DeviateIn(&out)
	fl.checkSize(n, f)
	return f
}

// checkSize reports a schema that is too large, and drops its parts.
func (fl Flattener) checkSize(n *node.Node, f *flattened) {
	if effort.New(fl.Ctx, effort.SchemaNodes).Spend(int(f.nodes)) {
		return
	}
	name := "this value"
	if n.Ref != nil {
		name = "type " + n.Ref.Name
	}
	fl.Report(fl.Reached(effort.SchemaNodes.Rejected(n.Own.At, fmt.Sprintf("the schema of %s has %d schemas", name,
		f.nodes)).
		Help("add %s to a field of it, or change the type of the field to apiextensionsv1.JSON", report.Undescribed)))
	f.schema.Properties, f.schema.Items, f.schema.AdditionalProperties, f.schema.AllOf = nil, nil, nil, nil
	f.nodes = 1
}

// finish adds what follows from the Go type, and checks fields whose unset value the API server rejects.
func (fl Flattener) finish(n, merged *node.Node, out *schema.Schema) {
	for _, p := range merged.Properties {
		if p.Required.V != "" && !p.Hidden {
			out.Required = append(out.Required, p.Required)
		}
	}
	out.Required = sortedTexts(out.Required)
	if fl.Opts.With(options.BoundsFolded) {
		out.AllOf = typesFirst(out.AllOf)
	}
	if fl.Opts.With(options.GoFields) {
		fl.finishRules(merged, out)
	}
	fl.finishInts(merged.Ints, out)
	fl.finishLength(merged.Length, out)
	fl.finishElements(out)
	if d := out.Default; merged.Quoted && d != nil && d.Kind != schema.String {
		fl.Mistake(diag.Errorf(d.At, checks.FieldString, "the tag option string makes this field a string, but its "+
			"default is not: %s", d.Text).
			Write(strconv.Quote(d.Text)))
	}
	if merged.Deviation != "" {
		fl.Deviate(merged.Deviation, out.At)
	}
	children := make(map[string]*schema.Schema, len(out.Properties))
	for _, p := range out.Properties {
		children[p.Name] = p.Schema
	}
	for _, p := range merged.Properties {
		// The API server handles the metadata of a kind, and drops a status that is a subresource.
		dropped := n == fl.root && (p.Name == "metadata" || p.Name == "status" && fl.rootDropsStatus)
		child := children[p.Name]
		if child == nil || p.Hidden || dropped {
			continue
		}
		fl.Apart(func() { // whatever the struct itself says
			fl.checkAbsence(p, child, n == fl.root)
			fl.checkParent(p, child)
			fl.checkTime(p)
			fl.checkPatchTag(p, child)
		})
	}
}

// typesFirst moves the schema with the types of an IntOrString to the beginning of an allOf. That and anyOf of the
// value itself are the only places where the API server accepts types in a junctor (KEP-2335, rule 4).
func typesFirst(allOf []*schema.Schema) []*schema.Schema {
	isTyped := func(s *schema.Schema) bool { return len(s.AnyOf) > 0 && s.AnyOf[0].Type.V != "" }
	i := slices.IndexFunc(allOf, isTyped)
	if i <= 0 {
		return allOf
	}
	return slices.Insert(slices.Delete(slices.Clone(allOf), i, i+1), 0, allOf[i])
}

// finishRules drops the rules of fields that other fields hide, and reports groups with such a field.
func (fl Flattener) finishRules(merged *node.Node, out *schema.Schema) {
	if len(out.Rules) == 0 {
		return
	}
	shown := map[diag.Span]bool{}
	for _, p := range merged.Properties {
		if !p.Hidden && p.Field != nil {
			shown[p.Field.At] = true
		}
	}
	kept := out.Rules[:0:0]
	for _, r := range out.Rules {
		if !r.Of.IsValid() || shown[r.Of] {
			kept = append(kept, r)
		}
		for _, name := range r.Group {
			if i := merged.IndexProperty(fl.MeantField(name.V)); i >= 0 && merged.Properties[i].Hidden {
				fl.Mistake(diag.Errorf(name.At, checks.OneOfUnknown,
					"two fields have the key %q, so Go encodes neither", name.V).
					Help("rename one of them in its json tag").See(merged.Properties[i].Node.Own.At, "one of them"))
			}
		}
	}
	out.Rules = kept
}

// merged returns a copy of the node with its type and its parts merged into it; parts that could not be merged remain.
func (fl Flattener) merged(n *node.Node) *node.Node {
	out, in := &node.Node{}, fl.merging()
	if n.Ref != nil {
		out.Own = n.Documentation()
		fl.merge(out, n, in)
	} else {
		out = n.Copy()
		out.Parts = nil
		fl.mergeParts(out, n.Parts, in)
	}
	if in.Budget.Exceeded() {
		fl.Report(in.Budget.Rejected(n.Own.At, "the structs that are embedded here").
			Help("embed each struct once"))
	}
	return out
}

// merging returns the start of a merge.
func (fl Flattener) merging() node.Embedding {
	return node.Embedding{Budget: effort.New(fl.Ctx, effort.EmbeddedStructs)}
}
