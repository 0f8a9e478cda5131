package structural

import (
	"strings"

	"github.com/crdproof/crdproof/generator/schema"
)

// A step is one part of a path such as .spec.ports[0].name: a field, or the items of a list.
type step struct {
	// name is "" for items.
	name string
	// start and end are where it stands in the path, without the dot.
	start, end int
}

// readPath reads the steps of a path from its beginning, as far as they are plain names and brackets, and reports
// whether that is the whole path.
func readPath(path string) (out []step, isWhole bool) {
	for i := 0; i < len(path); {
		switch path[i] {
		case '.':
			end := i + 1
			for end < len(path) && !strings.ContainsRune(".[]{}() \\'\"", rune(path[end])) {
				end++
			}
			if end == i+1 || path[i+1:end] == "*" || end < len(path) && path[end] != '.' && path[end] != '[' {
				return out, false
			}
			out = append(out, step{path[i+1 : end], i + 1, end})
			i = end
		case '[':
			end := closing(path[i:])
			if end < 0 || path[i+1] == '\'' || path[i+1] == '"' {
				return out, false
			}
			out = append(out, step{"", i, i + end})
			i += end
		default:
			return out, false
		}
	}
	return out, true
}

// closing returns the offset behind the bracket that closes the one at the beginning, -1 where there is none.
func closing(text string) int {
	depth, quote := 0, byte(0)
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '[':
			depth++
		case c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// A target is where a path leads.
type target struct {
	// s is the schema at the end, nil where nothing can be said of it, or where the path has not been read to its end.
	s *schema.Schema
	// missing is the step that leads nowhere, in the schema in, which is that of the field whose path is given.
	missing *step
	in      *schema.Schema
	field   string
}

// follow goes along a path from the root of a version's schema. What the schema leaves open may be there, and so are
// the fields that every object has.
func follow(root *schema.Schema, path string) target {
	steps, isWhole := readPath(path)
	at := target{s: root}
	if root == nil {
		return at
	}
	for i := range steps {
		step := &steps[i]
		s := at.s
		at.s = child(s, step)
		switch {
		case i == 0 && isMetaField(step.name), isSet(s.EmbeddedResource) && isMetaField(step.name):
			return target{}
		case at.s != nil:
		case isOpen(s), s.AdditionalAllowed && step.name != "":
			return target{}
		default:
			return target{missing: step, in: s, field: at.field}
		}
		at.field = join(at.field, step.name)
	}
	if !isWhole {
		at.s = nil
	}
	return at
}

// child returns the schema one step below, nil where there is none.
func child(s *schema.Schema, to *step) *schema.Schema {
	if to.name == "" {
		return s.Items
	}
	if p := s.Property(to.name); p != nil {
		return p
	}
	return s.AdditionalProperties
}

// isOpen reports whether a value may have parts that its schema does not name.
func isOpen(s *schema.Schema) bool {
	return s.PreserveUnknownFields != nil || isSet(s.IntOrString) || s.Type.V == ""
}

// isMetaField reports whether every object has the field, whatever its schema says.
func isMetaField(name string) bool {
	return name == "apiVersion" || name == "kind" || name == "metadata"
}

// names lists the properties of a schema.
func names(s *schema.Schema) []string {
	var out []string
	for _, p := range s.Properties {
		out = append(out, p.Name)
	}
	return out
}

func join(field, name string) string {
	switch {
	case name == "":
		return field + "[]"
	case field == "":
		return name
	}
	return field + "." + name
}

// lastName is the name behind the last dot of a path.
func lastName(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }
