package flatten

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/report"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/schema"
)

// ZeroOf returns the JSON form of the zero value of a node's Go type, nil if it is unknown.
func (fl Flattener) ZeroOf(n *node.Node) *schema.Value {
	switch {
	case n.Zero != nil:
		return n.Zero
	case n.Cut:
		return nil
	case n.Ref != nil:
		return fl.ZeroOf(n.Ref.Node)
	case n.Sort != node.ArraySort && n.Sort != node.StructSort:
		return nil
	}
	zero, ok := fl.zeros[n]
	if !ok {
		zero = fl.zeroOfParts(n)
		fl.zeros[n] = zero
	}
	return zero
}

// zeroOfParts returns the zero value of an array or a struct, nil if it is unknown or too large.
func (fl Flattener) zeroOfParts(n *node.Node) *schema.Value {
	budget := effort.New(fl.Ctx, effort.ZeroValues)
	if n.Sort == node.ArraySort {
		return fl.zeroArray(n, budget)
	}
	return fl.zeroStruct(n, budget)
}

func (fl Flattener) zeroArray(n *node.Node, budget *effort.Budget) *schema.Value {
	if n.Length == nil || n.Items == nil {
		return nil
	}
	item := fl.ZeroOf(n.Items)
	if item == nil {
		return nil
	}
	out := &schema.Value{Kind: schema.Array}
	for range *n.Length {
		if !budget.Spend(item.Size()) {
			return nil
		}
		out.Items = append(out.Items, *item)
	}
	return out
}

// zeroStruct has the fields that Go writes for a zero value.
func (fl Flattener) zeroStruct(n *node.Node, budget *effort.Budget) *schema.Value {
	out := &schema.Value{Kind: schema.Object}
	for _, p := range fl.merged(n).Properties {
		if p.Hidden || p.Field == nil || fl.omitsZero(p) || p.Depth > 0 && p.Required.V == "" {
			continue
		}
		v := fl.ZeroOf(p.Node)
		if v == nil || !budget.Spend(v.Size()) {
			return nil
		}
		out.Members = append(out.Members, schema.Member{Key: p.Name, Value: *v})
	}
	slices.SortFunc(out.Members, func(a, b schema.Member) int { return strings.Compare(a.Key, b.Key) })
	return out
}

// omitsZero reports whether Go omits a field that has its zero value.
func (fl Flattener) omitsZero(p node.Property) bool {
	if p.Field.OmitZero {
		return true
	}
	if !p.Field.OmitEmpty || p.Node.Sort == node.StructSort || p.Node.Sort == node.UnreadSort {
		return false
	}
	return p.Node.Sort != node.ArraySort || p.Node.Length != nil && *p.Node.Length == 0
}

// inDoubt is the reason of a rejection that depends on a declaration with an error.
const inDoubt = "?"

// rejection returns the reason why a schema rejects a zero value, "" if it accepts it. CEL rules are not evaluated.
func rejection(s *schema.Schema, v *schema.Value) string {
	switch {
	case s.Incomplete&schema.DoubtContent != 0:
		return inDoubt
	case s.Nullable.True() && v.Kind == schema.Null:
		return ""
	case !hasType(s, v):
		return "expected " + report.TypePhrase(s.Type.V)
	case len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, v.Equal):
		return "it is not an enum value"
	}
	switch v.Kind {
	case schema.NumberKind:
		return rejectNumber(s, v)
	case schema.String:
		return rejectText(s, v)
	case schema.Array:
		return rejectArray(s, v)
	case schema.Object:
		return rejectObject(s, v)
	}
	return ""
}

func hasType(s *schema.Schema, v *schema.Value) bool {
	kind := jsonKind(*v)
	return s.Type.V == "" || s.Type.V == kind || s.Type.V == "number" && kind == "integer"
}

func rejectNumber(s *schema.Schema, v *schema.Value) string {
	value := ratOf(&schema.Number{V: v.Text})
	// compared is -1 for a value on the wrong side of a limit, 0 for the limit itself.
	outside := func(compared int, exclusive *schema.Flag) bool {
		return compared < 0 || compared == 0 && exclusive.True()
	}
	switch {
	case s.Minimum != nil && outside(value.Cmp(ratOf(s.Minimum)), s.ExclusiveMinimum):
		return "the minimum is " + s.Minimum.V
	case s.Maximum != nil && outside(-value.Cmp(ratOf(s.Maximum)), s.ExclusiveMaximum):
		return "the maximum is " + s.Maximum.V
	}
	return ""
}

func rejectText(s *schema.Schema, v *schema.Value) string {
	if n := int64(utf8.RuneCountInString(v.Text)); s.MinLength != nil && n < s.MinLength.V {
		return "the minimum length is " + intText(s.MinLength)
	}
	if re, err := regexp.Compile(s.Pattern.V); err == nil && !re.MatchString(v.Text) {
		return "it does not match the pattern"
	}
	// Of the formats that the API server checks, only password accepts an empty string.
	if v.Text == "" && s.Format.V != "password" && slices.Contains(textFormats[:], s.Format.V) {
		return "it does not have the format " + s.Format.V
	}
	return ""
}

func rejectArray(s *schema.Schema, v *schema.Value) string {
	n := int64(len(v.Items))
	switch {
	case s.MinItems != nil && n < s.MinItems.V:
		return "the minimum number of items is " + intText(s.MinItems)
	case s.MaxItems != nil && n > s.MaxItems.V:
		return "the maximum number of items is " + intText(s.MaxItems)
	case n > 0 && s.Items != nil:
		return rejection(s.Items, &v.Items[0])
	}
	return ""
}

func rejectObject(s *schema.Schema, v *schema.Value) string {
	if n := int64(len(v.Members)); s.MinProperties != nil && n < s.MinProperties.V {
		return "the minimum number of properties is " + intText(s.MinProperties)
	}
	doubt := ""
	for _, m := range v.Members {
		p := s.Property(m.Key)
		if p == nil || m.Value.Kind == schema.Null && !p.Nullable.True() {
			continue // dropped
		}
		switch why := rejection(p, &m.Value); why {
		case "":
		case inDoubt:
			doubt = inDoubt
		default:
			return m.Key + ": " + why
		}
	}
	mayBeMissing := func(p schema.Property) bool {
		return p.Schema.Incomplete&schema.DoubtPresence != 0 && !slices.ContainsFunc(v.Members,
			func(m schema.Member) bool { return m.Key == p.Name && m.Value.Kind != schema.Null })
	}
	if slices.ContainsFunc(s.Properties, mayBeMissing) {
		doubt = inDoubt
	}
	for _, name := range s.Required {
		p := s.Property(name.V)
		i := slices.IndexFunc(v.Members, func(m schema.Member) bool { return m.Key == name.V })
		isThere := i >= 0 && (v.Members[i].Value.Kind != schema.Null || p != nil && p.Nullable.True())
		if !isThere && (p == nil || p.Default == nil) {
			return name.V + " is required"
		}
	}
	return doubt
}
