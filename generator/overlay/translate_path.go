package overlay

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/schema"
)

// index finds the places of each Go type.
func (t *translator) index() {
	t.byType = map[string][]*spot{}
	for _, s := range t.spots {
		for _, name := range typeNames(s.before.GoType) {
			t.byType[name] = append(t.byType[name], s)
		}
	}
}

// typeNames returns the names of a Go type and of those under it, which an entry can select.
func typeNames(t *schema.GoType) (out []string) {
	if t == nil {
		return nil
	}
	if t.Package != "" && t.Name != "" {
		out = append(out, t.Package+"."+t.Name)
	}
	for _, under := range t.Under {
		for _, name := range typeNames(under) {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// path returns the steps from the root to a spot.
func (s *spot) path() (out []schema.PatternStep) {
	for ; s.above != nil; s = s.above {
		out = append(out, s.step)
	}
	slices.Reverse(out)
	return out
}

// along returns the spot at the end of a path without wildcards, nil without one.
func (s *spot) along(path []schema.PatternStep) *spot {
	for _, step := range path {
		i := slices.IndexFunc(s.below, func(child *spot) bool { return child.step == step })
		if i < 0 {
			return nil
		}
		s = s.below[i]
	}
	return s
}

// at returns the spot of a version at a path, nil without one.
func (t *translator) at(pair int, version string, path []schema.PatternStep) *spot {
	for _, s := range t.roots {
		if s.pair == pair && s.version == version {
			return s.along(path)
		}
	}
	return nil
}

// match visits the spots that a path with wildcards selects, each once.
func (s *spot) match(path []schema.PatternStep, visit func(*spot)) {
	if len(path) == 0 {
		visit(s)
		return
	}
	if path[0].Kind == schema.AnyDepth {
		s.match(path[1:], visit)
	}
	for _, child := range s.below {
		switch step := path[0]; {
		case step.Kind == schema.AnyDepth:
			child.match(path, visit)
		case child.step == step, step.Kind == schema.AnyField && child.step.Kind == schema.NamedField:
			child.match(path[1:], visit)
		}
	}
}

// isBelow reports whether a spot is at a path or below it.
func (s *spot) isBelow(path []schema.PatternStep) bool {
	own := s.path()
	return len(own) >= len(path) && slices.Equal(own[:len(path)], path)
}

// commonPrefix returns the steps that the paths of all spots begin with.
func commonPrefix(spots []*spot) (out []schema.PatternStep) {
	for i, s := range spots {
		path := s.path()
		if i == 0 {
			out = path
		}
		n := 0
		for n < len(out) && n < len(path) && out[n] == path[n] {
			n++
		}
		out = out[:n]
	}
	return out
}

// generalized returns the paths with wildcards that lead to all spots: with * for each field that differs, and with **
// for all that is between what they have in common.
func generalized(spots []*spot) (out [][]schema.PatternStep) {
	paths := make([][]schema.PatternStep, len(spots))
	shortest, isFlat := len(spots[0].path()), true
	for i, s := range spots {
		paths[i] = s.path()
		isFlat = isFlat && len(paths[i]) == len(paths[0])
		shortest = min(shortest, len(paths[i]))
	}
	if isFlat {
		flat := slices.Clone(paths[0])
		for _, path := range paths {
			for i := range path {
				if flat[i] != path[i] {
					isFlat = isFlat && flat[i].Kind != schema.ItemsOfList && path[i].Kind == schema.NamedField
					flat[i] = schema.PatternStep{Kind: schema.AnyField}
				}
			}
		}
		if isFlat {
			out = append(out, flat)
		}
	}
	if !isDeep(spots) {
		return out
	}
	prefix := commonPrefix(spots)
	last := 0
	for isSame := true; isSame && last < shortest-len(prefix); {
		for _, path := range paths {
			isSame = isSame && path[len(path)-1-last] == paths[0][len(paths[0])-1-last]
		}
		if isSame {
			last++
		}
	}
	deep := append(slices.Clone(prefix), schema.PatternStep{Kind: schema.AnyDepth})
	return append(out, append(deep, paths[0][len(paths[0])-last:]...))
}

// isDeep reports whether ** replaces enough paths of one kind to be read easily.
func isDeep(spots []*spot) bool {
	paths := map[int]map[string]bool{}
	for _, s := range spots {
		if paths[s.pair] == nil {
			paths[s.pair] = map[string]bool{}
		}
		paths[s.pair][pathText(s.path())] = true
		if len(paths[s.pair]) > 2 {
			return true
		}
	}
	return false
}

// pathText returns a path as files have it.
func pathText(path []schema.PatternStep) string {
	var out strings.Builder
	for _, step := range path {
		name := step.Name
		switch step.Kind {
		case schema.ItemsOfList:
			out.WriteString("[]")
			continue
		case schema.ValuesOfMap:
			out.WriteString("{}")
			continue
		case schema.AnyField:
			name = "*"
		case schema.AnyDepth:
			name = "**"
		default:
			if name == "" || name == "*" || name == "**" || strings.ContainsAny(name, ".[]{}\"' ") {
				quoted, _ := json.Marshal(name) // a string always has JSON
				out.WriteString("[" + string(quoted) + "]")
				continue
			}
		}
		if out.Len() > 0 {
			out.WriteByte('.')
		}
		out.WriteString(name)
	}
	return out.String()
}
