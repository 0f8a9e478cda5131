package lower

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/schema"
)

// A flattened node is a finished schema, with the number of schemas in it.
type flattened struct {
	schema *schema.Schema
	nodes  int64
}

// add adds a nested schema, and returns it.
func (f *flattened) add(nested *flattened) *schema.Schema {
	f.nodes += nested.nodes
	return nested.schema
}

// A flattener makes the finished schemas of nodes, and checks them.
type flattener struct {
	reporter
	*flatMemo
}

// A flatMemo holds what has been flattened for the CRD that is being made. It is dropped for the next one: it takes
// several times the memory of the syntax.
type flatMemo struct {
	flat map[*node]*flattened
	// zeros are the zero values of structs and arrays.
	zeros map[*node]*schema.Value
	// root is the node of the kind that is being flattened.
	root *node
	// rootDropsStatus reports that API servers do not store the kind's status with the object: it is a subresource, or
	// the version is skipped.
	rootDropsStatus bool
}

// newFlattener returns a flattener for one CRD.
func newFlattener(r reporter) flattener {
	return flattener{r, &flatMemo{flat: map[*node]*flattened{}, zeros: map[*node]*schema.Value{}}}
}

// at returns the flattener at the place of another stage.
func (fl flattener) at(r reporter) flattener {
	fl.reporter = r
	return fl
}

// within returns the flattener for a part of the current type.
func (fl flattener) within(part string, at diag.Span) flattener {
	return fl.at(fl.reporter.within(part, at))
}

// flattenRoot is flatten for the node of a kind.
func (fl flattener) flattenRoot(n *node, dropsStatus bool) *schema.Schema {
	fl.root, fl.rootDropsStatus = n, dropsStatus
	return fl.schemaOf(n)
}

// schemaOf returns the finished schema of a node.
func (fl flattener) schemaOf(n *node) *schema.Schema { return fl.flatten(n).schema }

// flatten makes the schema of a node: the keywords of its type, of embedded structs and its own, on one
// schema if possible. All places that use the node share the result.
func (fl flattener) flatten(n *node) *flattened {
	if f := fl.flat[n]; f != nil {
		return f
	}
	merged := n
	if n.ref != nil || len(n.parts) > 0 {
		merged = fl.merged(n)
	}
	out := merged.s
	f := &flattened{schema: &out, nodes: 1}
	out.At = n.s.At
	out.Description.V = fl.truncate(out.Description.V)
	out.Properties = nil
	for _, p := range merged.properties {
		if p.hidden {
			continue
		}
		child := fl.within(p.name, p.node.s.At).flatten(p.node)
		out.Properties = append(out.Properties, schema.Property{Name: p.name, Schema: f.add(child)})
	}
	if merged.items != nil {
		out.Items = f.add(fl.within("[]", merged.items.s.At).flatten(merged.items))
	}
	if merged.additional != nil {
		out.AdditionalProperties = f.add(fl.within("{}", merged.additional.s.At).flatten(merged.additional))
	}
	out.AllOf = nil
	for _, part := range merged.parts {
		out.AllOf = append(out.AllOf, f.add(fl.flatten(part)))
	}
	out.AllOf = append(out.AllOf, merged.s.AllOf...)
	if merged.unknown != nil {
		fl.checkUnknown(merged.unknown, &out)
	}
	if !fl.opts.Compat {
		fl.finish(n, merged, &out)
	}
	fl.checkBounds(&out)
	fl.deviateIn(&out)
	fl.checkSize(n, f)
	fl.flat[n] = f
	return f
}

// checkSize reports a schema that is too large, and drops its parts.
func (fl flattener) checkSize(n *node, f *flattened) {
	if effort.New(fl.ctx, effort.SchemaNodes).Spend(int(f.nodes)) {
		return
	}
	name := "this value"
	if n.ref != nil {
		name = "type " + n.ref.name
	}
	fl.report(fl.reached(effort.SchemaNodes.Rejected(n.s.At, fmt.Sprintf("the schema of %s has %d schemas", name,
		f.nodes)).
		Help("add %s to a field of it, or change the type of the field to apiextensionsv1.JSON", undescribed)))
	f.schema.Properties, f.schema.Items, f.schema.AdditionalProperties, f.schema.AllOf = nil, nil, nil, nil
	f.nodes = 1
}

// finish adds what follows from the Go type, and checks fields whose unset value the API server rejects.
func (fl flattener) finish(n, merged *node, out *schema.Schema) {
	for _, p := range merged.properties {
		if p.required.V != "" && !p.hidden {
			out.Required = append(out.Required, p.required)
		}
	}
	out.Required = sortedTexts(out.Required)
	if fl.opts.With(boundsFolded) {
		out.AllOf = typesFirst(out.AllOf)
	}
	if fl.opts.With(goFields) {
		fl.finishRules(merged, out)
	}
	fl.finishInts(merged.ints, out)
	fl.finishLength(merged.length, out)
	fl.finishElements(out)
	if d := out.Default; merged.quoted && d != nil && d.Kind != schema.String {
		fl.mistake(diag.Errorf(d.At, fieldString, "the tag option string makes this field a string, but its default "+
			"is not: %s", d.Text).
			Help("write %q", d.Text))
	}
	if merged.deviation != "" {
		fl.deviate(merged.deviation, out.At)
	}
	children := make(map[string]*schema.Schema, len(out.Properties))
	for _, p := range out.Properties {
		children[p.Name] = p.Schema
	}
	for _, p := range merged.properties {
		// The API server handles the metadata of a kind, and drops a status that is a subresource.
		dropped := n == fl.root && (p.name == "metadata" || p.name == "status" && fl.rootDropsStatus)
		if child := children[p.name]; child != nil && !p.hidden && !dropped {
			fl.checkAbsence(p, child)
		}
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
func (fl flattener) finishRules(merged *node, out *schema.Schema) {
	kept := out.Rules[:0:0]
	for _, r := range out.Rules {
		isThere := func(p property) bool { return !p.hidden && p.field != nil && p.field.at == r.Of }
		if !r.Of.IsValid() || slices.ContainsFunc(merged.properties, isThere) {
			kept = append(kept, r)
		}
		for _, name := range r.Group {
			if i := merged.indexProperty(fl.member(name.V)); i >= 0 && merged.properties[i].hidden {
				fl.mistake(diag.Errorf(name.At, oneOfUnknown, "two fields have the key %q, so Go encodes neither",
					name.V).
					Help("rename one of them in its json tag").See(merged.properties[i].node.s.At, "one of them"))
			}
		}
	}
	out.Rules = kept
}

// merged returns a copy of the node with its type and its parts merged into it; parts that could not be merged remain.
func (fl flattener) merged(n *node) *node {
	out, in := &node{}, fl.merging()
	if n.ref != nil {
		out.s = n.documentation()
		fl.merge(out, n, in)
	} else {
		*out = *n
		out.parts = nil
		fl.mergeParts(out, n.parts, in)
	}
	if in.budget.Exceeded() {
		fl.report(in.budget.Rejected(n.s.At, "the structs that are embedded here").
			Help("embed each struct once"))
	}
	return out
}

// merging is the start of a merge.
func (fl flattener) merging() embedding {
	return embedding{budget: effort.New(fl.ctx, effort.EmbeddedStructs)}
}

// truncate cuts a description to the allowed number of bytes: after a sentence if there is one, otherwise after a word.
func (fl flattener) truncate(text string) string {
	if fl.opts.MaxDescLen == nil || *fl.opts.MaxDescLen < 0 || len(text) <= *fl.opts.MaxDescLen {
		return text
	}
	if *fl.opts.MaxDescLen == 0 {
		return ""
	}
	text = text[:*fl.opts.MaxDescLen]
	if i := strings.LastIndexFunc(text, func(r rune) bool { return unicode.Is(unicode.STerm, r) }); i > 0 {
		_, size := utf8.DecodeRuneInString(text[i:])
		if size > 1 {
			// controller-gen keeps one byte of the sentence's last character.
			size = 1
		}
		return validUTF8(text[:i+size])
	}
	if i := strings.LastIndexFunc(text, func(r rune) bool { return unicode.Is(unicode.White_Space, r) }); i > 0 {
		return validUTF8(text[:i] + "...")
	}
	return validUTF8(text + "...")
}

// validUTF8 replaces each byte of a character that was cut in two, as encoding/json does.
func validUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var out strings.Builder
	for _, r := range s {
		out.WriteRune(r) // an invalid byte is U+FFFD
	}
	return out.String()
}
