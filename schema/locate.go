package schema

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/diag"
)

// A Location is the target of a field path.
type Location struct {
	// Key is the position of the field's name, invalid for the root and the items of lists. Value is the position of
	// its value, which is elsewhere for a YAML alias, and empty for a null that is not written.
	Key, Value diag.Span
	// Missing is the end of the path that does not exist, "" if all of it exists. Otherwise the location is that of the
	// nearest existing field.
	Missing string
	// Way leads from the root to the value.
	Way Path
	// Node is the value.
	Node *Value
}

// Locate follows a path in the API server's notation, such as spec.ports[0].name, metadata.labels[example.com/x] or,
// as pruning writes it, metadata.labels.example.com/x. Quotes in brackets are allowed; "" and <nil> are the root. If
// dots are ambiguous, the reading that leads furthest counts.
func (v *Value) Locate(path string) Location {
	f := follower{seen: map[state]bool{}}
	out := Location{Value: v.At, Node: v}
	if path == "<nil>" {
		return out
	}
	f.follow(state{v, strings.TrimPrefix(path, ".")}, true)
	out.Missing = f.rest
	for _, s := range f.way {
		out.Way = append(out.Way, s.PathStep)
		out.Key, out.Value, out.Node = s.key, s.value.At, s.value
	}
	return out
}

// A follower tries all readings of a path.
type follower struct {
	// current is the way from the root, way the longest so far, and rest the part of the path after it.
	current, way []waypoint
	rest         string
	reached      bool
	// seen are the states that were tried, since values may be shared.
	seen map[state]bool
}

// A state is a value, and the rest of the path below it.
type state struct {
	n    *Value
	rest string
}

type waypoint struct {
	PathStep
	key   diag.Span
	value *Value
}

// follow reports whether the path leads to a value. At the root it starts without a dot.
func (f *follower) follow(s state, isRoot bool) bool {
	if !f.reached || len(s.rest) < len(f.rest) {
		f.way, f.rest, f.reached = slices.Clone(f.current), s.rest, true
	}
	if s.rest == "" {
		return true
	}
	if f.seen[s] {
		return false
	}
	f.seen[s] = true
	for _, next := range steps(s, isRoot) {
		f.current = append(f.current, next.waypoint)
		if f.follow(state{next.value, next.rest}, false) {
			return true
		}
		f.current = f.current[:len(f.current)-1]
	}
	return false
}

type nextStep struct {
	waypoint
	rest string
}

// steps returns the possible next steps: a key in quotes first, then shorter keys before longer ones.
func steps(s state, isRoot bool) (out []nextStep) {
	if s.n.Kind == Array {
		number, rest, ok := strings.Cut(strings.TrimPrefix(s.rest, "["), "]")
		i, err := strconv.Atoi(number)
		if ok && s.rest[0] == '[' && err == nil && i >= 0 && i < len(s.n.Items) && isBoundary(rest) {
			out = append(out, nextStep{waypoint{Item(i), diag.Span{}, &s.n.Items[i]}, rest})
		}
		return out
	}
	quoted, behind, isQuoted := quotedKey(s.rest)
	for i := range s.n.Members {
		m := &s.n.Members[i]
		at := waypoint{Key(m.Key), m.KeyAt, &m.Value}
		if isQuoted && m.Key == quoted {
			return []nextStep{{at, behind}}
		}
		dotted := "." + m.Key
		if isRoot {
			dotted = m.Key
		}
		for _, own := range []string{dotted, "[" + m.Key + "]"} {
			if rest, ok := strings.CutPrefix(s.rest, own); ok && own != "" && isBoundary(rest) {
				out = append(out, nextStep{at, rest})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b nextStep) int { return cmp.Compare(len(a.Name), len(b.Name)) })
	return out
}

// isBoundary reports whether a step may end before the rest of a path.
func isBoundary(rest string) bool { return rest == "" || rest[0] == '.' || rest[0] == '[' }

// quotedKey reads a step such as ["a.b"] or ['a.b'].
func quotedKey(path string) (key, rest string, ok bool) {
	if text, single := strings.CutPrefix(path, "['"); single {
		key, rest, ok = strings.Cut(text, "']")
		return key, rest, ok && isBoundary(rest)
	}
	if !strings.HasPrefix(path, `["`) {
		return "", "", false
	}
	dec := json.NewDecoder(strings.NewReader(path[1:]))
	if dec.Decode(&key) != nil {
		return "", "", false
	}
	rest, ok = strings.CutPrefix(path[1+dec.InputOffset():], "]")
	return key, rest, ok && isBoundary(rest)
}
