package structural

import (
	"strings"

	"github.com/crdproof/crdproof/schema"
)

// A target is the schema that a path leads to.
type target struct {
	// s is the schema at the end, nil if it is unknown, or if the path has not been read to its end.
	s *schema.Schema
	// missing is the step that leads nowhere, in the schema in, which is that of the field whose path is given.
	missing *schema.WrittenStep
	in      *schema.Schema
	field   string
}

// follow goes along a path from the root of a version's schema.
func follow(root *schema.Schema, path string) target {
	steps, isWhole := schema.ReadPath(path)
	return followSteps(root, steps, isWhole)
}

// followNames goes along a path whose dots separate names of fields, and in which brackets have no meaning: so API
// servers read the paths of the scale subresource (splitReplicasPath in pkg/registry/customresource/etcd.go).
func followNames(root *schema.Schema, path string) target {
	var steps []schema.WrittenStep
	start := 1
	for name := range strings.SplitSeq(strings.TrimPrefix(path, "."), ".") {
		end := start + len(name)
		steps = append(steps, schema.WrittenStep{PathStep: schema.Key(name), Start: start, End: end})
		start = end + 1
	}
	return followSteps(root, steps, true)
}

// followSteps goes along steps. Fields that the schema leaves open may exist, and the fields that every object has do.
func followSteps(root *schema.Schema, steps []schema.WrittenStep, isWhole bool) target {
	at := target{s: root}
	if root == nil {
		return at
	}
	for i := range steps {
		step := &steps[i]
		s := at.s
		at.s = s.Below(step.PathStep)
		switch {
		case i == 0 && schema.IsMetaField(step.Name), s.EmbeddedResource.True() && schema.IsMetaField(step.Name):
			return target{}
		case at.s != nil:
		case isOpen(s), s.AdditionalAllowed && !step.IsItem():
			return target{}
		default:
			return target{missing: step, in: s, field: at.field}
		}
		at.field = join(at.field, step.Name)
	}
	if !isWhole {
		at.s = nil
	}
	return at
}

// isOpen reports whether a value may have parts that its schema does not name.
func isOpen(s *schema.Schema) bool {
	return s.PreserveUnknownFields != nil || s.IntOrString.True() || s.Type.V == ""
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

// lastName returns the name behind the last dot of a path.
func lastName(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }
