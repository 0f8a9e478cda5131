package structural

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/client-go/util/jsonpath"

	"github.com/crdproof/crdproof/schema"
)

// A columnFault is the part of a column's path from which on it leads to no value of any object.
type columnFault struct {
	start, end int
	why        string
	// missing is the name of a field that is not one of the candidates; "" for other faults.
	missing    string
	candidates []string
	// help says what to write, if no candidate is near.
	help string
}

// readColumn follows a column's path from the root of a version's schema, as API servers evaluate it (FindResults in
// k8s.io/client-go/util/jsonpath). It returns the schema that the path leads to, nil if that is not known, and the
// fault of a path that leads to no value.
func readColumn(root *schema.Schema, path string) (*schema.Schema, *columnFault) {
	parser, err := jsonpath.Parse("", "{"+path+"}")
	if err != nil || root == nil || len(parser.Root.Nodes) != 1 {
		return nil, nil
	}
	list, ok := parser.Root.Nodes[0].(*jsonpath.ListNode)
	if !ok {
		return nil, nil
	}
	r := columnReader{path: path}
	found, f := r.follow([]columnValue{{s: root, isRoot: true}}, list.Nodes)
	if f != nil || len(found) != 1 {
		return nil, f
	}
	return found[0].s, nil
}

// A columnValue is what a part of a path leads to: s is nil if it may be anything.
type columnValue struct {
	s     *schema.Schema
	field string
	// isRoot is set for an object with its own apiVersion, kind and metadata.
	isRoot bool
}

func (v columnValue) isKnown() bool { return v.s != nil && !isOpen(v.s) }

func (v columnValue) name() string {
	if v.field == "" {
		return "the object"
	}
	return v.field
}

// below returns the value one step below; ok is unset if there is never one.
func (v columnValue) below(step schema.PathStep) (out columnValue, ok bool) {
	out.field = join(v.field, step.Name)
	switch {
	case !v.isKnown(), v.isRoot && schema.IsMetaField(step.Name):
		return out, true
	case v.s.Below(step) != nil:
		out.s = v.s.Below(step)
		out.isRoot = out.s.EmbeddedResource.True()
		return out, true
	}
	return out, v.s.AdditionalAllowed && !step.IsItem()
}

// children returns all values one step below.
func (v columnValue) children() (out []columnValue) {
	if v.s == nil {
		return nil
	}
	if v.isRoot || isOpen(v.s) || v.s.AdditionalAllowed {
		out = append(out, columnValue{})
	}
	for _, name := range v.s.PropertyNames() {
		below, _ := v.below(schema.Key(name))
		out = append(out, below)
	}
	if v.s.AdditionalProperties != nil {
		out = append(out, columnValue{s: v.s.AdditionalProperties, field: join(v.field, "")})
	}
	if v.s.Items != nil {
		out = append(out, columnValue{s: v.s.Items, field: join(v.field, "")})
	}
	return out
}

// A columnReader follows a path.
type columnReader struct {
	path string
	// at is the offset after what has been read.
	at int
}

// follow returns the values to which some nodes lead from others, or the fault of the first that leads nowhere.
func (r *columnReader) follow(from []columnValue, nodes []jsonpath.Node) ([]columnValue, *columnFault) {
	for _, node := range nodes {
		var f *columnFault
		if from, f = r.step(from, node); f != nil {
			return nil, f
		}
	}
	return from, nil
}

func (r *columnReader) step(from []columnValue, node jsonpath.Node) ([]columnValue, *columnFault) {
	switch node := node.(type) {
	case *jsonpath.FieldNode:
		start, end := r.find(node.Value)
		return r.fields(from, node.Value, start, end)
	case *jsonpath.ArrayNode:
		start, end := r.brackets()
		return r.items(from, start, end, func(list *schema.Schema) string { return emptySlice(node.Params, list) })
	case *jsonpath.FilterNode:
		return r.filter(from, node)
	case *jsonpath.WildcardNode:
		start, end := r.find("*")
		return r.each(from, start, end, func(v columnValue) ([]columnValue, string) {
			if v.isKnown() && v.s.Type.V != "string" && len(v.children()) == 0 { // of a text, it shows a byte
				return nil, v.name() + " is " + typePhrase(v.s.Type.V) + " and has no fields"
			}
			return append(v.children(), columnValue{}), ""
		})
	case *jsonpath.RecursiveNode:
		r.find("..")
		return descendants(from), nil
	case *jsonpath.UnionNode:
		return r.union(from, node)
	case *jsonpath.IdentifierNode:
		start, end := r.find(node.Name)
		return nil, &columnFault{start: start, end: end, why: strconv.Quote(node.Name) + " is not a part of a path",
			help: "put a dot before the name of a field"}
	}
	return []columnValue{{}}, nil // a literal
}

// each applies a step to all values. It is a fault if it leads nowhere from each of them.
func (r *columnReader) each(
	from []columnValue, start, end int, step func(columnValue) ([]columnValue, string),
) (out []columnValue, f *columnFault) {
	for _, v := range from {
		if !v.isKnown() && !v.isRoot {
			out = append(out, columnValue{})
			continue
		}
		below, why := step(v)
		if why != "" && f == nil {
			f = &columnFault{start: start, end: end, why: why, help: "name a field of the schema"}
		}
		out = append(out, below...)
	}
	if len(out) > 0 {
		return out, nil
	}
	return nil, f
}

// fields follows the name of a field.
func (r *columnReader) fields(from []columnValue, name string, start, end int) ([]columnValue, *columnFault) {
	var candidates []string
	out, f := r.each(from, start, end, func(v columnValue) ([]columnValue, string) {
		below, ok := v.below(schema.Key(name))
		if ok {
			return []columnValue{below}, ""
		}
		candidates = append(candidates, v.s.PropertyNames()...)
		return nil, nowhere(target{missing: &schema.WrittenStep{PathStep: schema.Key(name)}, in: v.s, field: v.field},
			"the object")
	})
	if f == nil {
		return out, nil
	}
	f.missing, f.candidates, f.help = name, candidates, ""
	switch {
	case strings.HasSuffix(name, ")"):
		f.why = strconv.Quote(name) + " is read as the name of a field: paths have no functions"
		f.missing, f.help = "", "use a field of the status that has this value"
	case len(from) > 1:
		f.why = "nothing there has a field " + strconv.Quote(name)
	}
	return nil, f
}

// items follows brackets to the items of lists. empty says why the brackets never hold an item of a list.
func (r *columnReader) items(
	from []columnValue, start, end int, empty func(list *schema.Schema) string,
) ([]columnValue, *columnFault) {
	isList := func(v columnValue) bool { return v.isKnown() && v.s.Type.V == "array" }
	out, f := r.each(from, start, end, func(v columnValue) ([]columnValue, string) {
		if !isList(v) {
			return nil, v.name() + " is " + typePhrase(v.s.Type.V) + " and has no items"
		}
		if why := empty(v.s); why != "" {
			return nil, v.name() + " " + why
		}
		below, _ := v.below(schema.Item(schema.AnyItem))
		return []columnValue{below}, ""
	})
	if f != nil && slices.ContainsFunc(from, isList) {
		f.help = "write numbers of items that the list may have, such as [0]"
	}
	return out, f
}

// emptySlice says why brackets with up to three numbers hold no item of a list; "" if they may. As evalArray has it,
// all numbers must be in the list.
func emptySlice(params [3]jsonpath.ParamsEntry, list *schema.Schema) string {
	start, end, step := params[0], params[1], params[2]
	most := int64(-1)
	if list.MaxItems != nil {
		most = list.MaxItems.V
	}
	isPlain := start.Value >= 0 && end.Known && end.Value >= 0 && !end.Derived
	switch {
	case step.Known && step.Value <= 0:
		return "is read in steps that must be above 0"
	case isPlain && start.Value >= end.Value:
		return fmt.Sprintf("has no items from %d to before %d", start.Value, end.Value)
	case most >= 0 && int64(start.Value) >= most:
		return fmt.Sprintf("has at most %d items, and the first has number 0", most)
	case most >= 0 && end.Known && int64(end.Value) > most:
		return fmt.Sprintf("has at most %d items, and the API server shows nothing if the list is shorter than the "+
			"slice", most)
	}
	return ""
}

// union follows brackets with alternatives, one of which is enough.
func (r *columnReader) union(from []columnValue, node *jsonpath.UnionNode) (out []columnValue, first *columnFault) {
	start, end := r.brackets()
	for _, list := range node.Nodes {
		r.at = start
		found, f := r.follow(from, list.Nodes)
		if f != nil && first == nil {
			first = f
		}
		out = append(out, found...)
	}
	if r.at = end; len(out) > 0 {
		return out, nil
	}
	return nil, first
}

// descendants returns values and all values in them that have values in them.
func descendants(from []columnValue) (out []columnValue) {
	seen := map[*schema.Schema]bool{}
	for queue := slices.Clone(from); len(queue) > 0; queue = queue[1:] {
		v := queue[0]
		if v.s != nil && seen[v.s] {
			continue
		}
		seen[v.s] = true
		below := v.children()
		if v.s == nil || len(below) > 0 {
			out = append(out, v)
		}
		queue = append(queue, below...)
	}
	return out
}

// find returns the range of a word in the path, from where it has been read. An author may escape its characters.
func (r *columnReader) find(word string) (start, end int) {
	escaped := ""
	for _, c := range word {
		escaped += `\\?` + regexp.QuoteMeta(string(c))
	}
	at := regexp.MustCompile(escaped).FindStringIndex(r.path[r.at:])
	if at == nil || word == "" {
		return 0, len(r.path)
	}
	start, end = r.at+at[0], r.at+at[1]
	r.at = end
	return start, end
}

// brackets returns the range of the next brackets.
func (r *columnReader) brackets() (start, end int) {
	open := strings.IndexByte(r.path[r.at:], '[')
	if open < 0 {
		return 0, len(r.path)
	}
	start = r.at + open
	length := strings.IndexByte(r.path[start:], ']')
	if length < 0 {
		return 0, len(r.path)
	}
	r.at = start + length + 1
	return start, r.at
}
