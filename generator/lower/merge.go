package lower

import (
	"slices"
	"strings"

	"github.com/crdproof/crdproof/generator/schema"
)

// merge adds what src says to dst, of which src may be an embedded part. Where both say something of a keyword that
// cannot be combined, both move to allOf (compat), or the tightest stays on the node.
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
	m := merger{fl: fl, dst: dst, src: src, in: in, fold: !fl.opts.Compat}
	if in.optional {
		fl.checkEmbeddedRules(in.at, src)
	}
	m.goForm()
	m.types()
	m.bounds()
	m.scalars()
	m.values()
	m.children()
	m.topology()
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

// A merger is one step of merging; what cannot stay on the node is collected in the two rests, nil as long as there is
// nothing.
type merger struct {
	fl               flattener
	dst, src         *node
	in               embedding
	dstRest, srcRest *node
	// fold keeps bounds on the node, the tightest of the two.
	fold bool
}

// hoist makes room for what moves to allOf.
func (m *merger) hoist() {
	if m.dstRest == nil {
		m.dstRest, m.srcRest = &node{}, &node{}
	}
}

func (m *merger) types() {
	dst, src := &m.dst.s, &m.src.s
	switch {
	case src.Type.V == "":
	case dst.Type.V == "":
		dst.Type = src.Type
	case dst.Type.V != src.Type.V:
		m.fl.refuse(conflictingTypes(m.src, dst.Type, src.Type))
	}
}

// pointer merges a keyword that is a pointer. controller-gen compares such pointers by identity, so that even equal
// values move to allOf, unless same is given.
func pointer[T any](m *merger, get func(*schema.Schema) **T, same func(a, b *T) bool, tighter func(a, b *T) *T) {
	dst, src := get(&m.dst.s), get(&m.src.s)
	switch {
	case *src == nil:
	case *dst == nil:
		*dst = *src
	case same != nil && same(*dst, *src):
	case m.fold && tighter != nil:
		m.folded()
		*dst = tighter(*dst, *src)
	default:
		m.hoist()
		*get(&m.dstRest.s), *get(&m.srcRest.s) = *dst, *src
		*dst = nil
	}
}

// folded notes that something stays on the node.
func (m *merger) folded() { m.fl.deviate(boundsFolded, m.src.s.At) }

// text merges a keyword that is a string.
func (m *merger) text(get func(*schema.Schema) *schema.Text) {
	dst, src := get(&m.dst.s), get(&m.src.s)
	switch {
	case src.V == "" || src.V == dst.V:
	case dst.V == "":
		*dst = *src
	default:
		m.hoist()
		*get(&m.dstRest.s), *get(&m.srcRest.s) = *dst, *src
		*dst = schema.Text{}
	}
}

// flag merges a keyword that is absent or true.
func (m *merger) flag(get func(*schema.Schema) **schema.Flag) {
	dst, src := get(&m.dst.s), get(&m.src.s)
	if *src != nil && (*src).V && (*dst == nil || !(*dst).V) {
		*dst = *src
	}
}

func (m *merger) bounds() {
	if m.fold {
		m.foldLimit(
			func(s *schema.Schema) (**schema.Number, **schema.Flag) { return &s.Minimum, &s.ExclusiveMinimum },
			+1)
		m.foldLimit(
			func(s *schema.Schema) (**schema.Number, **schema.Flag) { return &s.Maximum, &s.ExclusiveMaximum },
			-1)
	} else {
		pointer(m, func(s *schema.Schema) **schema.Number { return &s.Maximum }, nil, nil)
		pointer(m, func(s *schema.Schema) **schema.Number { return &s.Minimum }, nil, nil)
		m.flag(func(s *schema.Schema) **schema.Flag { return &s.ExclusiveMaximum })
		m.flag(func(s *schema.Schema) **schema.Flag { return &s.ExclusiveMinimum })
	}
	largest := func(a, b *schema.Int) *schema.Int {
		if b.V > a.V {
			return b
		}
		return a
	}
	smallest := func(a, b *schema.Int) *schema.Int {
		if b.V < a.V {
			return b
		}
		return a
	}
	same := func(a, b *schema.Int) bool { return a.V == b.V }
	pointer(m, func(s *schema.Schema) **schema.Int { return &s.MaxLength }, nil, smallest)
	pointer(m, func(s *schema.Schema) **schema.Int { return &s.MinLength }, nil, largest)
	pointer(m, func(s *schema.Schema) **schema.Int { return &s.MaxItems }, nil, smallest)
	pointer(m, func(s *schema.Schema) **schema.Int { return &s.MinItems }, nil, largest)
	pointer(m, func(s *schema.Schema) **schema.Int { return &s.MaxProperties }, same, smallest)
	pointer(m, func(s *schema.Schema) **schema.Int { return &s.MinProperties }, same, largest)
	multipleOf := func(s *schema.Schema) **schema.Number { return &s.MultipleOf }
	if dst, src := m.dst.s.MultipleOf, m.src.s.MultipleOf; m.fold && dst != nil && src != nil && dst.V == src.V {
		m.folded()
		return
	}
	pointer(m, multipleOf, nil, nil)
}

// foldLimit keeps the tighter of two limits together with its exclusiveness; of two equal ones the exclusive. The
// tighter one is the greater of minimums (+1), the smaller of maximums (-1).
func (m *merger) foldLimit(get func(*schema.Schema) (**schema.Number, **schema.Flag), tighter int) {
	dst, dstOpen := get(&m.dst.s)
	src, srcOpen := get(&m.src.s)
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

func (m *merger) scalars() {
	m.text(func(s *schema.Schema) *schema.Text { return &s.Format })
	m.text(func(s *schema.Schema) *schema.Text { return &s.Pattern })
	m.flag(func(s *schema.Schema) **schema.Flag { return &s.UniqueItems })
	m.flag(func(s *schema.Schema) **schema.Flag { return &s.Nullable })
	m.flag(func(s *schema.Schema) **schema.Flag { return &s.EmbeddedResource })
	m.flag(func(s *schema.Schema) **schema.Flag { return &s.IntOrString })
	m.flag(func(s *schema.Schema) **schema.Flag { return &s.PreserveUnknownFields })
}

func (m *merger) values() {
	dst, src := &m.dst.s, &m.src.s
	if len(src.Enum) > 0 {
		switch {
		case len(dst.Enum) == 0:
			dst.Enum = src.Enum
		case m.fold:
			narrowed := m.narrow(dst.Enum, src.Enum)
			if !slices.EqualFunc(dst.Enum, narrowed, func(a, b schema.EnumValue) bool { return a.Value.Equal(b.Value) }) {
				m.fl.deviate(enumNarrowed, src.Enum[0].At)
			}
			dst.Enum = narrowed
		}
	}
	last := func(_, b *schema.Literal) *schema.Literal { return b }
	// Defaults alone are compared by where they come from: apiextensions' own DeepCopy shares them.
	origin := func(a, b *schema.Literal) bool { return a == b }
	pointer(m, func(s *schema.Schema) **schema.Literal { return &s.Default }, origin, last)
	m.alternatives(func(s *schema.Schema) *[]*schema.Schema { return &s.AnyOf })
	m.alternatives(func(s *schema.Schema) *[]*schema.Schema { return &s.OneOf })
	for _, s := range src.AllOf {
		if !slices.ContainsFunc(dst.AllOf, func(t *schema.Schema) bool { return schema.Same(s, t) }) {
			dst.AllOf = append(slices.Clip(dst.AllOf), s)
		}
	}
	if src.Not != nil {
		dst.Not = either(dst.Not, src.Not)
	}
	if len(src.Required) > 0 {
		dst.Required = append(slices.Clone(dst.Required), src.Required...)
	}
}

// alternatives merges anyOf or oneOf. Known types have some, which are written nowhere.
func (m *merger) alternatives(get func(*schema.Schema) *[]*schema.Schema) {
	dst, src := get(&m.dst.s), get(&m.src.s)
	switch {
	case len(*src) == 0:
	case len(*dst) == 0:
		*dst = *src
	case m.fold && slices.EqualFunc(*dst, *src, schema.Same):
		if !(*src)[0].At.IsValid() {
			m.folded()
		}
	default:
		m.hoist()
		*get(&m.dstRest.s), *get(&m.srcRest.s) = *dst, *src
		*dst = nil
	}
}

// narrow keeps the values of field that typ permits too, in the order of field.
func (m *merger) narrow(typ, field []schema.EnumValue) []schema.EnumValue {
	var out []schema.EnumValue
	for _, v := range field {
		if slices.ContainsFunc(typ, func(t schema.EnumValue) bool { return t.Value.Equal(v.Value) }) {
			out = append(out, v)
		} else {
			m.fl.mistake(enumOutside(v, typ))
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
	for _, p := range src.properties {
		if !m.fl.opts.Compat {
			m.embed(p)
			continue
		}
		if i := dst.indexProperty(p.name); i >= 0 {
			dst.properties[i].node = m.fl.combined(dst.properties[i].node, p.node)
			continue
		}
		dst.properties = append(dst.properties, p)
	}
}

// elements combines what two nodes say of the elements of a list or a map. What narrows comes last, since the
// documentation is that of the first.
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
func (m *merger) embed(p property) {
	p.depth += m.in.depth
	if m.in.optional && p.required.V != "" {
		m.fl.deviate(goFields, p.required.At)
		p.required = schema.Text{}
	}
	m.fl.addProperty(m.dst, p)
}

// goForm carries along what Go knows of the type. A pattern that yields makes room for one that is written out.
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
	if dst.yields && src.s.Pattern.V != "" {
		dst.s.Pattern, dst.yields, dst.deviation = schema.Text{}, false, ""
	}
	if src.yields && dst.s.Pattern.V == "" {
		dst.yields = true
	}
	if format := &dst.s.Format; dst.ints != nil && !format.At.IsValid() && src.s.Format.V != "" {
		*format = schema.Text{} // the bounds of the type say as much
	}
}

// combined returns a node that says what both say. The keywords of src are added at once, those of dst's type and
// embedded structs when it is flattened; that order decides what is in allOf, and is controller-gen's.
func (fl flattener) combined(dst, src *node) *node {
	out := *dst
	if dst.ref != nil {
		out = node{parts: []*node{dst}, sort: dst.sort, zeroBehind: dst.zeroBehind, innerNull: dst.innerNull, byPointer: dst.byPointer}
		if !fl.opts.Compat {
			out.zero = fl.zeroOf(dst)
		}
		d := dst.documentation()
		out.s = schema.Schema{At: dst.s.At, Description: d.description, Title: d.title, ExternalDocs: d.external, Example: d.example}
	}
	out.parts = slices.Clone(out.parts)
	if src.over != nil && len(out.parts) > 0 {
		out.parts = append(out.parts, src) // what narrows a type comes after what the type says
		return &out
	}
	fl.merge(&out, src, embedding{})
	return &out
}

func (m *merger) topology() {
	dst, src := &m.dst.s, &m.src.s
	if src.ListType.V != "" {
		dst.ListType = src.ListType
	}
	if len(src.ListMapKeys) > 0 {
		dst.ListMapKeys = src.ListMapKeys
	}
	if src.MapType.V != "" {
		dst.MapType = src.MapType
	}
	if len(src.Rules) > 0 {
		dst.Rules = append(slices.Clone(src.Rules), dst.Rules...)
	}
}
