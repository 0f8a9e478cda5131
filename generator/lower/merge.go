package lower

import (
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// merge adds src, which may be an embedded part, to dst. If both have a keyword that cannot be combined, both move to
// allOf, as controller-gen has it, or the tightest stays on the node.
func (fl flattener) merge(dst, src *node, in embedding) {
	if src.ref != nil && !src.cut {
		fl.merge(dst, src.ref.node, in)
	}
	if src.unknown != nil {
		dst.unknown = src.unknown
	}
	fl.mergeParts(dst, src.parts, in)
	fl.mergeOwn(dst, src, in)
}

// mergeParts adds embedded structs. One that closes a cycle adds nothing, as in Go.
func (fl flattener) mergeParts(dst *node, parts []*node, in embedding) {
	for _, part := range parts {
		if !in.budget.Spend(1) {
			return
		}
		in := in
		in.depth += part.embedding.depth
		if part.embedding.optional && !in.optional {
			in.optional, in.at = true, part.embedding.at
		}
		if part.cut {
			fl.mergeOwn(dst, part, in)
			continue
		}
		fl.merge(dst, part, in)
	}
}

// mergeOwn adds the keywords that src has itself, except for documentation, which is taken from the place itself.
func (fl flattener) mergeOwn(dst, src *node, in embedding) {
	m := merger{fl: fl, dst: dst, src: src, in: in, fold: fl.opts.With(boundsFolded)}
	if in.optional {
		fl.checkEmbeddedRules(in.at, src)
	}
	m.goForm()
	dst.s.Origin = max(dst.s.Origin, src.s.Origin)
	rows := schema.Keywords()
	for i := range rows {
		m.keyword(&rows[i])
	}
	m.children()
	if m.dstRest != nil {
		dst.parts = append(dst.parts, m.dstRest, m.srcRest)
	}
	if len(src.s.Required) > 0 {
		dst.s.Required = sortedTexts(dst.s.Required)
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
	fl               flattener
	dst, src         *node
	in               embedding
	dstRest, srcRest *node
	// fold keeps bounds on the node, the tightest of the two.
	fold bool
}

// hoist makes the rests that move to allOf.
func (m *merger) hoist() {
	if m.dstRest == nil {
		m.dstRest, m.srcRest = &node{}, &node{}
	}
}

// apart moves a keyword of both nodes to allOf.
func (m *merger) apart(k *schema.Keyword) {
	m.hoist()
	k.Copy(&m.dstRest.s, &m.dst.s)
	k.Copy(&m.srcRest.s, &m.src.s)
	k.Copy(&m.dst.s, &schema.Schema{})
}

// folded records that a keyword stays on the node.
func (m *merger) folded() { m.fl.deviate(boundsFolded, m.src.s.At) }

// keyword merges a keyword of the nodes.
func (m *merger) keyword(k *schema.Keyword) {
	dst, src := &m.dst.s, &m.src.s
	switch {
	case m.fold && k.Name == "minimum":
		m.foldLimit(k, func(s *schema.Schema) **schema.Flag { return &s.ExclusiveMinimum }, +1)
	case m.fold && k.Name == "maximum":
		m.foldLimit(k, func(s *schema.Schema) **schema.Flag { return &s.ExclusiveMaximum }, -1)
	case k.Merge == schema.MergeNot || !k.IsSet(src):
	case k.Merge == schema.MergeBoth:
		m.both(k)
	case !k.IsSet(dst):
		k.Copy(dst, src)
	case k.Merge == schema.MergeEqual:
		m.equal(k)
	case k.Merge == schema.MergeCommon:
		m.common()
	case k.Merge == schema.MergeLast:
		m.last(k)
	default:
		m.bound(k)
	}
}

// equal keeps a keyword that is equal on both nodes. Known types have anyOf and oneOf without a marker.
func (m *merger) equal(k *schema.Keyword) {
	dst, src := &m.dst.s, &m.src.s
	switch at := k.Field.(type) {
	case schema.TextField:
		if at(dst).V == at(src).V {
			return
		}
		if k.Name == "type" {
			conflict := diag.Errorf(src.At, typeConflict, "type %s conflicts with type %s of the same value",
				src.Type.V, dst.Type.V).
				Help("rename one of the fields, or give both the same type")
			if src.Type.At.IsValid() {
				conflict.Span = src.Type.At
				conflict = conflict.Help("remove the marker, or put it on the declaration of the type")
			}
			m.fl.report(conflict)
			return
		}
	case schema.One[schema.Number]:
		if m.fold && (*at(dst)).V == (*at(src)).V {
			m.folded()
			return
		}
	case schema.Many[*schema.Schema]:
		if m.fold && slices.EqualFunc(*at(dst), *at(src), schema.Same) {
			if !(*at(src))[0].At.IsValid() {
				m.folded()
			}
			return
		}
	}
	m.apart(k)
}

// bound keeps the tighter of two bounds. controller-gen compares pointers by identity, so that even equal bounds move
// to allOf; but not those of fields.
func (m *merger) bound(k *schema.Keyword) {
	at, ok := k.Field.(schema.One[schema.Int])
	if !ok {
		m.apart(k)
		return
	}
	a, b := *at(&m.dst.s), *at(&m.src.s)
	switch {
	case k.Of == "object" && a.V == b.V:
	case !m.fold:
		m.apart(k)
	default:
		m.folded()
		if a.V != b.V && (b.V > a.V) == (k.Merge == schema.MergeLargest) {
			*at(&m.dst.s) = b
		}
	}
}

// foldLimit keeps the tighter of two limits together with its exclusiveness; of two equal ones the exclusive. The
// tighter one is the greater of minimums (+1), the smaller of maximums (-1).
func (m *merger) foldLimit(k *schema.Keyword, exclusive schema.One[schema.Flag], tighter int) {
	limit := k.Field.(schema.One[schema.Number])
	dst, dstOpen := limit(&m.dst.s), exclusive(&m.dst.s)
	src, srcOpen := limit(&m.src.s), exclusive(&m.src.s)
	if *src != nil && *dst != nil {
		m.folded()
	}
	switch {
	case *src == nil:
		// An exclusiveness without a limit of its own belongs to the limit of the other.
		if *srcOpen != nil && (*srcOpen).V {
			*dstOpen = *srcOpen
		}
	case *dst == nil:
		*dst = *src
		if *srcOpen != nil && (*srcOpen).V {
			*dstOpen = *srcOpen
		}
	case schema.CompareNumbers((*src).V, (*dst).V) == tighter:
		*dst, *dstOpen = *src, *srcOpen
	case schema.CompareNumbers((*src).V, (*dst).V) == 0 && *srcOpen != nil && (*srcOpen).V:
		*dstOpen = *srcOpen
	}
}

// both keeps the keywords of both nodes.
func (m *merger) both(k *schema.Keyword) {
	dst, src := &m.dst.s, &m.src.s
	switch at := k.Field.(type) {
	case schema.One[schema.Flag]:
		isLimit := k.Of == "number" && m.fold // which foldLimit has merged
		if (*at(src)).V && !isLimit && (*at(dst) == nil || !(*at(dst)).V) {
			*at(dst) = *at(src)
		}
	case schema.Many[schema.Text]:
		*at(dst) = append(slices.Clone(*at(dst)), *at(src)...)
	case schema.Many[*schema.Schema]:
		for _, s := range *at(src) {
			if !slices.ContainsFunc(*at(dst), func(t *schema.Schema) bool { return schema.Same(s, t) }) {
				*at(dst) = append(slices.Clip(*at(dst)), s)
			}
		}
	case schema.One[schema.Schema]:
		*at(dst) = either(*at(dst), *at(src))
	case schema.Many[schema.Rule]:
		*at(dst) = append(slices.Clone(*at(src)), *at(dst)...)
	}
}

// last keeps the keyword of src. Only defaults are compared by identity: apiextensions' own DeepCopy shares them.
func (m *merger) last(k *schema.Keyword) {
	if at, ok := k.Field.(schema.One[schema.Value]); ok {
		if *at(&m.dst.s) == *at(&m.src.s) {
			return
		}
		if !m.fold {
			m.apart(k)
			return
		}
		m.folded()
	}
	k.Copy(&m.dst.s, &m.src.s)
}

// common keeps the values that both enums have; controller-gen keeps those of dst.
func (m *merger) common() {
	if !m.fl.opts.With(enumNarrowed) {
		return
	}
	dst, src := &m.dst.s, &m.src.s
	narrowed := m.narrow(dst.Enum, src.Enum)
	if !slices.EqualFunc(dst.Enum, narrowed, schema.Value.Equal) {
		m.fl.deviate(enumNarrowed, src.Enum[0].At)
	}
	dst.Enum = narrowed
}

// narrow keeps the values of field that typ has too, in the order of field.
func (m *merger) narrow(typ, field []schema.Value) []schema.Value {
	var out []schema.Value
	for _, v := range field {
		if slices.ContainsFunc(typ, v.Equal) {
			out = append(out, v)
		} else {
			d := diag.Errorf(v.At, enumOutside, "enum value %s is not in the enum of the field's type", valueText(v)).
				Help("remove it, or add it to the enum of the type")
			if len(typ) > 0 {
				d = d.See(typ[0].At, "the type's enum")
			}
			m.fl.mistake(d)
		}
	}
	if len(out) == 0 {
		return field
	}
	return out
}

func (m *merger) children() {
	dst, src := m.dst, m.src
	switch {
	case src.items == nil:
	case dst.items == nil:
		dst.items = src.items
	case m.fold:
		dst.items = m.elements(dst.items, src.items)
	default:
		m.hoist()
		m.dstRest.items, m.srcRest.items = dst.items, src.items
		dst.items = nil
	}
	switch {
	case src.additional == nil && !src.s.AdditionalAllowed:
	case dst.additional == nil && !dst.s.AdditionalAllowed:
		dst.additional, dst.s.AdditionalAllowed = src.additional, src.s.AdditionalAllowed
	case src.additional == nil:
	case dst.additional == nil:
		dst.additional, dst.s.AdditionalAllowed = m.fl.combined(&node{}, src.additional), false
	default:
		dst.additional = m.elements(dst.additional, src.additional)
	}
	if len(src.properties) == 0 {
		return
	}
	dst.properties = slices.Clone(dst.properties)
	index := make(map[string]int, len(dst.properties)+len(src.properties))
	for i := range dst.properties {
		index[dst.properties[i].name] = i
	}
	for _, p := range src.properties {
		m.embed(index, p)
	}
}

// elements combines two nodes for the elements of a list or a map. A narrowing node comes last, since the documentation
// is that of the first.
func (m *merger) elements(dst, src *node) *node {
	switch {
	case src.over != nil:
	case dst.over != nil:
		dst, src = src, dst
	case m.fold:
		m.folded()
	}
	return m.fl.combined(dst, src)
}

// embed adds a field of an embedded struct, which is required only if the struct is there.
func (m *merger) embed(index map[string]int, p property) {
	p.depth += m.in.depth
	if m.in.optional && p.required.V != "" {
		m.fl.deviate(goFields, p.required.At)
		p.required = schema.Text{}
	}
	m.fl.addProperty(m.dst, index, p)
}

// goForm merges the properties of the Go type. A replaceable pattern gives way to one that is written out.
func (m *merger) goForm() {
	dst, src := m.dst, m.src
	if src.ints != nil {
		dst.ints = src.ints
	}
	if src.length != nil {
		dst.length = src.length
	}
	if src.deviation != "" {
		dst.deviation = src.deviation
	}
	dst.quoted = dst.quoted || src.quoted
	if dst.replaceable && src.s.Pattern.V != "" {
		dst.s.Pattern, dst.replaceable, dst.deviation = schema.Text{}, false, ""
	}
	if src.replaceable && dst.s.Pattern.V == "" {
		dst.replaceable = true
	}
	if format := &dst.s.Format; m.fl.opts.With(numberRanges) && dst.ints != nil && !format.At.IsValid() &&
		src.s.Format.V != "" {
		*format = schema.Text{} // the bounds of the type say as much
	}
}

// combined returns a node with the keywords of both. Those of src are added at once, those of dst's type and embedded
// structs when it is flattened; this order decides what is in allOf, and is controller-gen's.
func (fl flattener) combined(dst, src *node) *node {
	out := *dst
	if dst.ref != nil {
		out = node{parts: []*node{dst}, sort: dst.sort, zeroBehind: dst.zeroBehind, innerNull: dst.innerNull,
			byPointer: dst.byPointer}
		if !fl.opts.Compat {
			out.zero = fl.zeroOf(dst)
		}
		out.s = dst.documentation()
		out.s.At = dst.s.At
	}
	out.parts = slices.Clone(out.parts)
	if src.over != nil && len(out.parts) > 0 {
		out.parts = append(out.parts, src) // what narrows a type comes after what the type says
		return &out
	}
	fl.merge(&out, src, fl.merging())
	return &out
}
