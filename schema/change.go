package schema

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/crdproof/crdproof/diag"
)

// A Change is a keyword whose values in two trees of schemas differ at a place. A property, the items of a list or the
// values of a map that only one tree has are a change too.
type Change struct {
	// Place is in the second tree, or in the first one if only that has it.
	Place *Place
	// Keyword is the name of the keyword, "" if only one tree has the place.
	Keyword string
	// Before and After are the values as compact text, "none" for no value. Each rule and each schema of a junctor is a
	// change of its own. Of two other lists these are the items that only one of them has.
	Before, After string
	// At are the positions of what differs, those in the second tree first.
	At []diag.Span
}

// none is the text of an absent value.
const none = "none"

// Changes returns the changes from one tree to another, in the order of the second tree.
func Changes(before, after *Schema) []Change {
	var out []Change
	compareTrees(&Place{Schema: before}, &Place{Schema: after}, &out)
	return out
}

func compareTrees(before, after *Place, out *[]Change) {
	if before.Schema == after.Schema {
		return
	}
	compareKeywords(before, after, out)
	old := before.structure()
	for _, child := range after.structure() {
		i := slices.IndexFunc(old, func(p *Place) bool { return p.Step == child.Step && p.Name == child.Name })
		if i >= 0 {
			compareTrees(old[i], child, out)
			old = slices.Delete(old, i, i+1)
			continue
		}
		*out = append(*out, Change{Place: child, Before: none, After: child.Schema.Compact(),
			At: []diag.Span{child.Schema.At}})
	}
	for _, child := range old {
		*out = append(*out, Change{Place: child, Before: child.Schema.Compact(), After: none,
			At: []diag.Span{child.Schema.At}})
	}
}

// structure returns the places one step below that describe a part of the value.
func (p *Place) structure() []*Place {
	return slices.DeleteFunc(p.Children(), func(child *Place) bool { return child.Step >= InAllOf })
}

// compareKeywords adds the changes of keywords that are about the value itself.
func compareKeywords(before, after *Place, out *[]Change) {
	a, b := before.Schema.leaf(), after.Schema.leaf()
	if Same(&a, &b) {
		return
	}
	for i := range keywords {
		k := &keywords[i]
		var onlyA, onlyB Schema
		k.Copy(&onlyA, &a)
		k.Copy(&onlyB, &b)
		if Same(&onlyA, &onlyB) || k.IsSet(&a) == k.IsSet(&b) && !k.IsSet(&a) {
			continue
		}
		*out = append(*out, k.changes(after, &a, &b)...)
	}
}

// changes returns those of one keyword.
func (k *Keyword) changes(place *Place, before, after *Schema) []Change {
	was, now := k.Compact(before), k.Compact(after)
	had, has := k.items(before), k.items(after)
	gone, added := without(had, has), without(has, had)
	switch k.Field.(type) {
	case Many[Rule], Many[*Schema]:
		if len(gone)+len(added) == 0 {
			break // the order
		}
		var out []Change
		for _, item := range gone {
			out = append(out, Change{Place: place, Keyword: k.Name, Before: item, After: none,
				At: k.spans(before, slices.Index(had, item))})
		}
		for _, item := range added {
			out = append(out, Change{Place: place, Keyword: k.Name, Before: none, After: item,
				At: k.spans(after, slices.Index(has, item))})
		}
		return out
	}
	if len(had) > 0 && len(has) > 0 && len(gone)+len(added) > 0 {
		was, now = listText(gone), listText(added)
	}
	if was == now {
		return nil
	}
	return []Change{{Place: place, Keyword: k.Name, Before: was, After: now,
		At: append(k.spans(after, everyItem), k.spans(before, everyItem)...)}}
}

// everyItem is the index for all items of a list.
const everyItem = -1

// Spans returns the positions of the value of a keyword, those of all items of a list.
func (k *Keyword) Spans(s *Schema) []diag.Span { return k.spans(s, everyItem) }

// spans returns the positions of the value of a keyword, or of an item of it.
func (k *Keyword) spans(s *Schema, index int) []diag.Span {
	if !k.IsSet(s) {
		return nil
	}
	var out []diag.Span
	for i := range max(1, len(k.items(s))) {
		if index == everyItem || index == i {
			out = append(out, k.ItemAt(s, i))
		}
	}
	if nested, ok := k.Field.(Many[*Schema]); ok {
		for i, n := range *nested(s) {
			if index == everyItem || index == i {
				Walk(n, func(p *Place) { out = append(out, p.Schema.spans()...) })
			}
		}
	}
	return out
}

// spans returns the positions of a schema and of its keywords.
func (s *Schema) spans() []diag.Span {
	out := []diag.Span{s.At}
	for i := range keywords {
		if k := &keywords[i]; !k.HoldsSchemas() {
			out = append(out, k.At(s))
		}
	}
	return out
}

// Around returns the positions of what is around the change: the schema that has the keyword, and those above it.
func (c *Change) Around() []diag.Span {
	out := c.Place.Schema.spans()
	for p := c.Place.Above; p != nil; p = p.Above {
		out = append(out, p.Schema.At)
	}
	return out
}

// leaf returns a schema without the schemas of the parts of its value.
func (s *Schema) leaf() Schema {
	out := *s
	out.Properties, out.Items, out.AdditionalProperties = nil, nil, nil
	return out
}

func without(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(other, s) })
}

// Compact returns a schema on one line: "string", or {type: string, maxLength: 5}.
func (s *Schema) Compact() string {
	var parts []string
	for i := range keywords {
		k := &keywords[i]
		if text := k.Compact(s); text != none && k.Name != "description" {
			parts = append(parts, k.Name+": "+text)
		}
	}
	if len(parts) == 1 && s.Type.V != "" {
		return s.Type.V
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// Compact returns the value of a keyword on one line, none if it is absent.
func (k *Keyword) Compact(s *Schema) string {
	if !k.IsSet(s) {
		return none
	}
	switch at := k.Field.(type) {
	case TextField:
		return plainText(at(s).V)
	case One[Flag]:
		return strconv.FormatBool((*at(s)).V)
	case One[Value]:
		return (*at(s)).Compact()
	case One[Schema]:
		return (*at(s)).Compact()
	case One[ExternalDocs]:
		return plainText((*at(s)).URL.V)
	case ItemsField:
		return (*at.One(s)).Compact()
	case ValuesField:
		if values, _ := at(s); *values != nil {
			return (*values).Compact()
		}
		return "true"
	case One[Int], One[Number]:
		return k.Bound(s).V
	}
	return listText(k.items(s))
}

// items returns the values of a keyword with a list, each on one line.
func (k *Keyword) items(s *Schema) []string {
	var out []string
	switch at := k.Field.(type) {
	case Many[Text]:
		for _, t := range *at(s) {
			out = append(out, plainText(t.V))
		}
	case Many[Value]:
		for _, v := range *at(s) {
			out = append(out, v.Compact())
		}
	case Many[*Schema]:
		for _, nested := range *at(s) {
			out = append(out, nested.Compact())
		}
	case Many[Property]:
		for _, p := range *at(s) {
			out = append(out, plainText(p.Name))
		}
	case Many[Rule]:
		for i := range *at(s) {
			out = append(out, (*at(s))[i].Compact())
		}
	}
	return out
}

// Compact returns a rule on one line: its expression, and what else it has.
func (r *Rule) Compact() string {
	out := plainText(r.Rule.V)
	for _, more := range []struct {
		name string
		text Text
	}{{"fieldPath", r.FieldPath}, {"message", r.Message}, {"reason", r.Reason}} {
		if more.text.V != "" {
			out += ", " + more.name + ": " + plainText(more.text.V)
		}
	}
	return out
}

// Compact returns a JSON value on one line.
func (v *Value) Compact() string {
	var parts []string
	switch v.Kind {
	case Null:
		return "null"
	case String:
		return strconv.Quote(v.Text)
	case Array:
		for i := range v.Items {
			parts = append(parts, v.Items[i].Compact())
		}
		return listText(parts)
	case Object:
		for i := range v.Members {
			parts = append(parts, strconv.Quote(v.Members[i].Key)+": "+v.Members[i].Value.Compact())
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return v.Text
}

func listText(items []string) string {
	if len(items) == 0 {
		return none
	}
	return "[" + strings.Join(items, ", ") + "]"
}

// plainText returns a text on one line; it is quoted if a terminal would not show it as it is.
func plainText(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(s)
	}
	return s
}
