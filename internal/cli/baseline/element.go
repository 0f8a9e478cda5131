package baseline

import (
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

// A yamlFile has the elements of a file, in its order.
type yamlFile struct{ elements []element }

// An element is a key or a value.
type element struct {
	start int32
	// name has the name of the object and the path, text the expression or value in a list, which has no name.
	name, text string
}

// yamlFile returns the elements of a file. One that cannot be parsed has none.
func (n *Namer) yamlFile(src *diag.Source) *yamlFile {
	if f := n.yamls[src]; f != nil {
		return f
	}
	f := &yamlFile{}
	n.yamls[src] = f
	trees, _ := read.Trees(src) // mistakes are reported where the file is read
	for _, tree := range trees {
		object := "-"
		if name := nameOf(tree.Root); name != "" {
			object = name
		}
		f.value(tree.Root, object, "")
	}
	slices.SortStableFunc(f.elements, func(a, b element) int { return int(a.start - b.start) })
	return f
}

// at returns the name of the innermost element at an offset, which is the last that begins before it, and its text.
func (f *yamlFile) at(offset int) (name, text string) {
	name = "-"
	for _, e := range f.elements {
		if int(e.start) > offset {
			break
		}
		name, text = e.name, e.text
	}
	return name, text
}

// value adds a value and what is in it.
func (f *yamlFile) value(v *schema.Value, path, text string) {
	if at := v.Start(); at.IsValid() {
		f.elements = append(f.elements, element{at.Start, path, text})
	}
	for i := range v.Members {
		m := &v.Members[i]
		inner := path
		if !slices.Contains([]string{"schema", "openAPIV3Schema", "properties"}, m.Key) { // which schemas are full of
			inner += "." + m.Key
		}
		if m.KeyAt.IsValid() {
			f.elements = append(f.elements, element{m.KeyAt.Start, inner, text})
		}
		f.value(&m.Value, inner, text)
	}
	for i := range v.Items {
		item := &v.Items[i]
		if name := nameOf(item); name != "" {
			f.value(item, path+"["+name+"]", text)
		} else {
			f.value(item, path+"[]", textOf(item))
		}
	}
}

// nameOf returns the name by which an object, or an item of a list, is known, such as a version of a CRD.
func nameOf(v *schema.Value) string {
	meta := v.Find("metadata")
	for _, holder := range []*schema.Value{meta, v} {
		if holder == nil {
			continue
		}
		if name := holder.Find("name"); name != nil && name.Kind == schema.String {
			return oneLine(name.Text)
		}
	}
	return ""
}

// textOf returns what tells an item from others: a scalar itself, a rule by its expression, and other mappings by their
// scalars.
func textOf(v *schema.Value) string {
	if rule := v.Find("rule"); rule != nil {
		return rule.Text
	}
	var parts []string
	for i := range v.Members {
		if m := &v.Members[i]; m.Value.Text != "" {
			parts = append(parts, m.Key+": "+m.Value.Text)
		}
	}
	if v.Text != "" {
		parts = append(parts, v.Text)
	}
	return strings.Join(parts, ", ")
}
