package schema

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Path leads from a value to one in it, or from a schema to the schema of such a value. The empty path leads to the
// value itself.
type Path []PathStep

// A PathStep leads from a value to one in it: to the field or key Name of an object, or to an item of a list.
type PathStep struct {
	Name string
	// Index is that of the item, AnyItem if it is unknown, NoItem for a field.
	Index int
}

// Special values of an index.
const (
	NoItem  = -1
	AnyItem = -2
)

// Key returns the step to a field or a key of an object.
func Key(name string) PathStep { return PathStep{Name: name, Index: NoItem} }

// Item returns the step to an item of a list.
func Item(index int) PathStep { return PathStep{Index: index} }

// IsItem reports whether the step leads to an item of a list.
func (p PathStep) IsItem() bool { return p.Index != NoItem }

// Then returns the path with more steps, in memory of its own.
func (p Path) Then(steps ...PathStep) Path { return slices.Concat(p, steps) }

// IsIn reports whether the path leads to the value at another path, or into it.
func (p Path) IsIn(other Path) bool {
	return len(p) >= len(other) && slices.Equal(p[:len(other)], other)
}

// In returns the value at the path in one that encoding/json decoded; exists is unset if there is none.
func (p Path) In(value any) (found any, exists bool) {
	for _, step := range p {
		switch v := value.(type) {
		case map[string]any:
			value, exists = v[step.Name]
			exists = exists && !step.IsItem()
		case []any:
			if exists = step.Index >= 0 && step.Index < len(v); exists {
				value = v[step.Index]
			}
		default:
			exists = false
		}
		if !exists {
			return nil, false
		}
	}
	return value, true
}

// String returns the path in the API server's notation, "" for the value itself: spec.ports[0].name,
// metadata.labels[example.com/x]. ParsePath is its inverse.
func (p Path) String() string {
	var out strings.Builder
	for _, step := range p {
		out.WriteString(step.text())
	}
	return strings.TrimPrefix(out.String(), ".")
}

// plainKey matches keys that need no brackets.
var plainKey = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// text returns the step with its dot or its brackets.
func (p PathStep) text() string {
	switch {
	case p.Index == AnyItem:
		return "[]"
	case p.IsItem():
		return "[" + strconv.Itoa(p.Index) + "]"
	case plainKey.MatchString(p.Name):
		return "." + p.Name
	case p.Name != "" && !strings.ContainsAny(p.Name, `[]"'`):
		return "[" + p.Name + "]"
	}
	quoted, _ := json.Marshal(p.Name) // a string always has JSON
	return "[" + string(quoted) + "]"
}

// ParsePath reads a path in the API server's notation; "" and <nil> are the root. It returns the steps that it can
// read, and reports whether that is the whole path. The server quotes neither dots nor brackets in keys, so a path into
// a known value is better read by Locate.
func ParsePath(text string) (out Path, isWhole bool) {
	if text == "<nil>" {
		return nil, true
	}
	for rest := text; rest != ""; {
		step, after, ok := cutStep(rest, len(out) == 0)
		if !ok {
			return out, false
		}
		out, rest = append(out, step), after
	}
	return out, true
}

// cutStep takes the first step off a path. At the root, a name may lack its dot.
func cutStep(path string, isRoot bool) (step PathStep, rest string, ok bool) {
	name, hasDot := strings.CutPrefix(path, ".")
	if hasDot || isRoot && path[0] != '[' {
		end := strings.IndexAny(name, ".[")
		if end < 0 {
			end = len(name)
		}
		return Key(name[:end]), name[end:], end > 0
	}
	if key, rest, ok := quotedKey(path); ok {
		return Key(key), rest, true
	}
	for end := 1; end < len(path); end++ {
		if path[end] != ']' || !isBoundary(path[end+1:]) {
			continue
		}
		text, rest := path[1:end], path[end+1:]
		if text == "" {
			return Item(AnyItem), rest, true
		}
		index, err := strconv.ParseUint(text, 10, 31)
		if err != nil {
			return Key(text), rest, true
		}
		return Item(int(index)), rest, true
	}
	return PathStep{}, path, false
}

// Schema returns the schema of the value to which the path leads, nil if it has none.
func (p Path) Schema(root *Schema) *Schema {
	for _, step := range p {
		if root == nil {
			break
		}
		root = root.Below(step)
	}
	return root
}

// Value returns the value to which the path leads, nil if it does not exist.
func (p Path) Value(root *Value) *Value {
	for _, step := range p {
		if root == nil {
			break
		}
		root = root.Below(step)
	}
	return root
}

// Below returns the schema one step down, or nil.
func (s *Schema) Below(step PathStep) *Schema {
	if step.IsItem() {
		return s.Items
	}
	if p := s.Property(step.Name); p != nil {
		return p
	}
	return s.AdditionalProperties
}

// Below returns the value one step down, or nil.
func (v *Value) Below(step PathStep) *Value {
	switch {
	case !step.IsItem():
		return v.Find(step.Name)
	case step.Index >= 0 && step.Index < len(v.Items):
		return &v.Items[step.Index]
	}
	return nil
}

// Fields visits all fields of a value with their paths.
func (v *Value) Fields(visit func(path Path, m *Member)) { v.fields(nil, visit) }

func (v *Value) fields(path Path, visit func(path Path, m *Member)) {
	for i := range v.Items {
		v.Items[i].fields(path.Then(Item(i)), visit)
	}
	for i := range v.Members {
		m := &v.Members[i]
		below := path.Then(Key(m.Key))
		visit(below, m)
		m.Value.fields(below, visit)
	}
}
