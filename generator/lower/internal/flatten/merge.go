package flatten

import (
	"cmp"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/options"
	"github.com/crdproof/crdproof/generator/lower/internal/report"
	"github.com/crdproof/crdproof/schema"
)

// merge adds src, which may be an embedded part, to dst. If both have a keyword that cannot be combined, both move to
// allOf, as controller-gen has it, or the tightest stays on the node.
func (fl Flattener) merge(dst, src *node.Node, in node.Embedding) {
	if src.Ref != nil && !src.Cut {
		fl.merge(dst, src.Ref.Node, in)
	}
	if src.Unknown != nil {
		dst.Unknown = src.Unknown
	}
	dst.ByConstants = dst.ByConstants || src.ByConstants
	fl.mergeParts(dst, src.Parts, in)
	fl.mergeOwn(dst, src, in)
}

// mergeParts adds embedded structs. One that closes a cycle adds nothing, as in Go.
func (fl Flattener) mergeParts(dst *node.Node, parts []*node.Node, in node.Embedding) {
	for _, part := range parts {
		if !in.Budget.Spend(1) {
			return
		}
		in := in
		in.Depth += part.Embedding.Depth
		if part.Embedding.Optional && !in.Optional {
			in.Optional, in.At = true, part.Embedding.At
		}
		if part.Cut {
			fl.mergeOwn(dst, part, in)
			continue
		}
		fl.merge(dst, part, in)
	}
}

// mergeOwn adds the keywords that src has itself, except for documentation, which is taken from the place itself.
func (fl Flattener) mergeOwn(dst, src *node.Node, in node.Embedding) {
	m := merger{fl: fl, dst: dst, src: src, in: in, fold: fl.Opts.With(options.BoundsFolded)}
	if in.Optional {
		fl.checkEmbeddedRules(in.At, src)
	}
	m.mergeGoForm()
	dst.Own.Origin = max(dst.Own.Origin, src.Own.Origin)
	dst.Own.Incomplete |= src.Own.Incomplete
	rows := schema.Keywords()
	for i := range rows {
		m.mergeKeyword(&rows[i])
	}
	m.mergeChildren()
	if m.dstRest != nil {
		dst.Parts = append(dst.Parts, m.dstRest, m.srcRest)
	}
	if len(src.Own.Required) > 0 {
		dst.Own.Required = sortedTexts(dst.Own.Required)
	}
}

// sortedTexts returns the texts sorted, each once.
func sortedTexts(list []schema.Text) []schema.Text {
	out := slices.Clone(list)
	slices.SortStableFunc(out, func(a, b schema.Text) int { return strings.Compare(a.V, b.V) })
	return slices.CompactFunc(out, func(a, b schema.Text) bool { return a.V == b.V })
}

// A merger is one step of merging. Keywords that cannot stay on the node are collected in the two rests, which are nil
// while they are empty.
type merger struct {
	fl               Flattener
	dst, src         *node.Node
	in               node.Embedding
	dstRest, srcRest *node.Node
	// fold keeps bounds on the node, the tightest of the two.
	fold bool
}

// makeRests makes the rests that move to allOf.
func (m *merger) makeRests() {
	if m.dstRest == nil {
		m.dstRest, m.srcRest = &node.Node{}, &node.Node{}
	}
}

// moveApart moves a keyword of both nodes to allOf.
func (m *merger) moveApart(k *schema.Keyword) {
	m.makeRests()
	k.Copy(&m.dstRest.Own, &m.dst.Own)
	k.Copy(&m.srcRest.Own, &m.src.Own)
	k.Copy(&m.dst.Own, &schema.Schema{})
}

// reportFolded records that a keyword stays on the node.
func (m *merger) reportFolded() { m.fl.Deviate(options.BoundsFolded, m.src.Own.At) }

// mergeKeyword merges a keyword of the nodes.
func (m *merger) mergeKeyword(k *schema.Keyword) {
	dst, src := &m.dst.Own, &m.src.Own
	switch {
	case m.fold && k.Of == "number" && k.Merge != schema.MergeEqual:
		if k.Merge != schema.MergeBoth && k.IsSet(src) && k.IsSet(dst) {
			m.reportFolded()
		}
		k.TightenLimit(dst, src)
	case k.Merge == schema.MergeNot || !k.IsSet(src):
	case k.Merge == schema.MergeBoth:
		k.AddBoth(dst, src)
	case !k.IsSet(dst):
		k.Copy(dst, src)
	case k.Merge == schema.MergeEqual:
		m.mergeEqual(k)
	case k.Merge == schema.MergeCommon:
		m.mergeCommon()
	case k.Merge == schema.MergeLast:
		m.mergeLast(k)
	default:
		m.mergeBound(k)
	}
}

// mergeEqual keeps a keyword that is equal on both nodes. Known types have anyOf and oneOf without a marker.
func (m *merger) mergeEqual(k *schema.Keyword) {
	dst, src := &m.dst.Own, &m.src.Own
	switch at := k.Field.(type) {
	case schema.TextField:
		if at(dst).V == at(src).V {
			return
		}
		if k.Name == "type" {
			conflict := diag.Errorf(src.At, checks.TypeConflict, "type %s conflicts with type %s of the same value",
				src.Type.V, dst.Type.V).
				Help("rename one of the fields, or give both the same type")
			if src.Type.At.IsValid() {
				conflict.Span = src.Type.At
				conflict = conflict.Help("remove the marker, or put it on the declaration of the type")
			}
			m.fl.Report(conflict)
			return
		}
	case schema.One[schema.Number]:
		if m.fold && (*at(dst)).V == (*at(src)).V {
			m.reportFolded()
			return
		}
	case schema.Many[*schema.Schema]:
		if m.fold && slices.EqualFunc(*at(dst), *at(src), schema.Same) {
			if !(*at(src))[0].At.IsValid() {
				m.reportFolded()
			}
			return
		}
	}
	m.moveApart(k)
}

// mergeBound keeps the tighter of two bounds. controller-gen compares pointers by identity, so that even equal bounds
// move to allOf; but not those of fields.
func (m *merger) mergeBound(k *schema.Keyword) {
	dst, src := &m.dst.Own, &m.src.Own
	switch {
	case k.Of == "object" && k.SameIn(dst, src):
	case !m.fold:
		m.moveApart(k)
	default:
		m.reportFolded()
		k.TightenSize(dst, src)
	}
}

// mergeLast keeps the keyword of src. Only defaults are compared by identity: apiextensions' own DeepCopy shares them.
func (m *merger) mergeLast(k *schema.Keyword) {
	if at, ok := k.Field.(schema.One[schema.Value]); ok {
		if *at(&m.dst.Own) == *at(&m.src.Own) {
			return
		}
		if !m.fold {
			m.moveApart(k)
			return
		}
		m.reportFolded()
	}
	k.Copy(&m.dst.Own, &m.src.Own)
}

// mergeCommon keeps the values that both enums have; controller-gen keeps those of dst.
func (m *merger) mergeCommon() {
	if !m.fl.Opts.With(options.EnumNarrowed) {
		return
	}
	dst, src := &m.dst.Own, &m.src.Own
	if m.dst.ByConstants {
		m.checkConstants(dst.Enum, src.Enum)
		dst.Enum = src.Enum
		return
	}
	narrowed := m.narrowEnum(dst.Enum, src.Enum)
	if !slices.EqualFunc(dst.Enum, narrowed, schema.Value.Equal) {
		m.fl.Deviate(options.EnumNarrowed, src.Enum[0].At)
	}
	dst.Enum = narrowed
}

// checkConstants warns of values of an Enum marker that are not constants of the field's type.
func (m *merger) checkConstants(constants, field []schema.Value) {
	for _, v := range field {
		if !slices.ContainsFunc(constants, v.Equal) {
			m.fl.Warn(diag.Errorf(v.At, checks.EnumConstants, "enum value %s is not a constant of the field's type",
				report.ValueText(v)).
				Help("declare a constant with this value").
				Or("remove it from the enum").Changes(diag.AcceptsLess, "the value becomes invalid").
				See(constants[0].At, "the constants"))
		}
	}
}

// narrowEnum keeps the values of field that typ has too, in the order of field.
func (m *merger) narrowEnum(typ, field []schema.Value) []schema.Value {
	var out []schema.Value
	for _, v := range field {
		if slices.ContainsFunc(typ, v.Equal) {
			out = append(out, v)
		} else {
			d := diag.Errorf(v.At, checks.EnumOutside, "enum value %s is not in the enum of the field's type",
				report.ValueText(v)).
				Help("remove it").Do(diag.Remove, "").
				Or("add it to the enum of the type").Changes(diag.AcceptsMore, "those with the value")
			if len(typ) > 0 {
				d = d.See(typ[0].At, "the type's enum")
			}
			m.fl.Mistake(d)
		}
	}
	if len(out) == 0 {
		return field
	}
	return out
}

func (m *merger) mergeChildren() {
	dst, src := m.dst, m.src
	switch {
	case src.Items == nil:
	case dst.Items == nil:
		dst.Items = src.Items
	case m.fold:
		dst.Items = m.mergeElements(dst.Items, src.Items)
	default:
		m.makeRests()
		m.dstRest.Items, m.srcRest.Items = dst.Items, src.Items
		dst.Items = nil
	}
	switch {
	case src.Additional == nil && !src.Own.AdditionalAllowed:
	case dst.Additional == nil && !dst.Own.AdditionalAllowed:
		dst.Additional, dst.Own.AdditionalAllowed = src.Additional, src.Own.AdditionalAllowed
	case src.Additional == nil:
	case dst.Additional == nil:
		dst.Additional, dst.Own.AdditionalAllowed = m.fl.combined(&node.Node{}, src.Additional), false
	default:
		dst.Additional = m.mergeElements(dst.Additional, src.Additional)
	}
	if len(src.Properties) == 0 {
		return
	}
	for _, p := range src.Properties {
		m.embedField(p)
	}
}

// mergeElements combines two nodes for the elements of a list or a map. A narrowing node comes last, since the
// documentation is that of the first.
func (m *merger) mergeElements(dst, src *node.Node) *node.Node {
	switch {
	case src.Over != nil:
	case dst.Over != nil:
		dst, src = src, dst
	case m.fold:
		m.reportFolded()
	}
	return m.fl.combined(dst, src)
}

// embedField adds a field of an embedded struct, which is required only if the struct is there.
func (m *merger) embedField(p node.Property) {
	p.Depth += m.in.Depth
	if m.in.Optional && p.Required.V != "" {
		m.fl.Deviate(options.GoFields, p.Required.At)
		p.Required = schema.Text{}
	}
	m.fl.AddProperty(m.dst, p)
}

// mergeGoForm merges the properties of the Go type. A replaceable pattern gives way to one that is written out.
func (m *merger) mergeGoForm() {
	dst, src := m.dst, m.src
	if src.Ints != nil {
		dst.Ints = src.Ints
	}
	if src.Length != nil {
		dst.Length = src.Length
	}
	if src.Deviation != "" {
		dst.Deviation = src.Deviation
	}
	dst.Quoted = dst.Quoted || src.Quoted
	if dst.Replaceable && src.Own.Pattern.V != "" {
		dst.Own.Pattern, dst.Replaceable, dst.Deviation = schema.Text{}, false, ""
	}
	if src.Replaceable && dst.Own.Pattern.V == "" {
		dst.Replaceable = true
	}
	if format := &dst.Own.Format; m.fl.Opts.With(options.NumberRanges) && dst.Ints != nil && !format.At.IsValid() &&
		src.Own.Format.V != "" {
		*format = schema.Text{} // the bounds of the type say as much
	}
}

// combined returns a node with the keywords of both. Those of src are added at once, those of dst's type and embedded
// structs when it is flattened; this order decides what is in allOf, and is controller-gen's.
func (fl Flattener) combined(dst, src *node.Node) *node.Node {
	out := dst.Copy()
	if dst.Ref != nil {
		out = &node.Node{Parts: []*node.Node{dst}, Sort: dst.Sort, ZeroBehind: dst.ZeroBehind,
			InnerNull: dst.InnerNull,
			ByPointer: dst.ByPointer}
		if !fl.Opts.Compat {
			out.Zero = fl.ZeroOf(dst)
		}
		out.Own = dst.Documentation()
		out.Own.At = dst.Own.At
	}
	out.Parts = slices.Clone(out.Parts)
	if src.Over != nil && len(out.Parts) > 0 {
		out.Parts = append(out.Parts, src) // what narrows a type comes after what the type says
		return out
	}
	fl.merge(out, src, fl.merging())
	return out
}

// AddProperty adds a field of a struct, or of one that is embedded in it. The shallowest of several fields with the
// same name counts; of those, the one that is named by its tag; otherwise no field counts. controller-gen merges them.
func (fl Flattener) AddProperty(n *node.Node, p node.Property) {
	i := n.IndexProperty(p.Name)
	if i < 0 {
		n.Properties = append(n.Properties, p)
		return
	}
	old := &n.Properties[i]
	switch {
	case p.Narrows:
		*old = fl.narrowProperty(*old, p)
	case old.Narrows:
		*old = fl.narrowProperty(p, *old)
	case !fl.Opts.With(options.GoFields):
		old.Node = fl.combined(old.Node, p.Node)
		old.Required = cmp.Or(old.Required, p.Required)
	case p.Depth != old.Depth || p.Tagged != old.Tagged:
		if p.Depth < old.Depth || p.Depth == old.Depth && p.Tagged {
			*old = p
		}
		fl.Deviate(options.GoFields, p.Node.Own.At)
	default:
		if !old.Hidden {
			first, later := *old, p
			if first.Node.Own.At == later.Node.Own.At {
				first, later = later, first
			}
			fl.Warn(diag.Errorf(later.Node.Own.At, checks.FieldHidden,
				"two fields have the key %q: Go ignores both, and the schema has no such property", later.Name).
				Help("rename one of them in its json tag, or omit it with `json:\"-\"`").
				Changes(diag.AcceptsOther, "the schema then has both keys, or one of them").
				See(first.Node.Own.At, "the other one"))
			fl.Deviate(options.GoFields, p.Node.Own.At)
		}
		old.Hidden = true
	}
}

// narrowProperty merges what narrows a property into the property.
func (fl Flattener) narrowProperty(p, by node.Property) node.Property {
	p.Node = fl.combined(p.Node, by.Node)
	switch {
	case by.MadeOptional:
		p.Required = schema.Text{}
	case by.Required.V != "":
		p.Required = by.Required
	}
	return p
}
