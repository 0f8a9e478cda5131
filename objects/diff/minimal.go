package diff

import (
	"maps"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/objects/internal/witness"
	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/schema"
)

// A reduction leaves out a part of an object, or sets it to a smaller value.
type reduction struct {
	at schema.Path
	to any // nil if it is left out
}

// apply returns a copy of an object with the reduction.
func (r reduction) apply(object map[string]any) map[string]any {
	if r.to == nil {
		return witness.Removed(object, r.at)
	}
	return witness.Replaced(object, r.at, r.to)
}

// minimal returns a finding whose witness has no part that can be left out, and no long text that can be halved. Each
// smaller object is written to both sides. That has budgets of its own, so that answers do not depend on it: beyond
// them, the witness stays as it is. So it does for changes with the text of an earlier one, which reports show as
// further places of that.
func (s *trial) minimal(g *gap, f Finding) Finding {
	key := [3]string{f.Question.String(), g.keyword, g.text}
	if f.Witness == nil || s.minimized[key] {
		return f
	}
	if s.minimized == nil {
		s.minimized, s.smaller = map[[3]string]bool{}, effort.New(s.Context, effort.DiffMinimal)
	}
	s.minimized[key] = true
	writes, written := s.Writes, s.Steps.Writes
	s.Writes, s.Steps.Writes = s.smaller, effort.New(s.Context, effort.DiffWritten)
	defer func() { s.Writes, s.Steps.Writes = writes, written }()
	f = s.reduced(g, f, func(object map[string]any) []reduction { return s.spare(g, object) })
	return s.reduced(g, f, func(object map[string]any) []reduction { return halved(nil, object, nil) })
}

// reduced returns a finding with as many reductions of its witness as possible: many at once, then fewer of them. Most
// parts can be left out together.
func (s *trial) reduced(g *gap, f Finding, reductions func(object map[string]any) []reduction) Finding {
	for size := len(reductions(f.Witness.Object)); size > 0; {
		isSmaller := false
		for some := range slices.Chunk(reductions(f.Witness.Object), size) {
			if !s.CanWrite() {
				return f
			}
			if smaller := s.without(g, f, some); smaller.Witness != nil {
				f, isSmaller = smaller, true
			}
		}
		if size > 1 || !isSmaller {
			size /= 2
		}
	}
	return f
}

// longText is the number of letters from which on texts are halved that are one letter, many times.
const longText = 8

// halved appends reductions of the long texts of a value.
func halved(out []reduction, value any, at schema.Path) []reduction {
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			out = halved(out, value[name], at.Then(schema.Key(name)))
		}
	case []any:
		for i, item := range value {
			out = halved(out, item, at.Then(schema.Item(i)))
		}
	case string:
		if n := len(value); n >= longText && value == strings.Repeat(value[:1], n) {
			out = append(out, reduction{at, value[:n/2]})
		}
	}
	return out
}

// spare returns the paths of the parts of an object that no schema demands, and that do not lead to a gap. Whole values
// come before their parts, and the last items of lists first.
func (s *trial) spare(g *gap, object map[string]any) (out []reduction) {
	var visit func(value any, n *schema.Schema, at schema.Path)
	visit = func(value any, n *schema.Schema, at schema.Path) {
		below := func(to schema.PathStep, inner any, isDemanded bool) {
			path := at.Then(to)
			if !isDemanded && !g.node.at.IsIn(path) {
				out = append(out, reduction{at: path})
			}
			visit(inner, s.Child(n, to), path)
		}
		switch value := value.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(value)) {
				isMeta := len(at) == 0 && slices.Contains(metaFields, name) ||
					len(at) == 1 && at[0].Name == "metadata" && slices.Contains([]string{"name", "generateName"}, name)
				below(schema.Key(name), value[name], isMeta || n != nil && s.IsRequired(n, name))
			}
		case []any:
			for i := range slices.Backward(value) {
				below(schema.Item(i), value[i], false)
			}
		}
	}
	visit(object, s.Root, nil)
	return out
}

// without returns a finding whose witness has reductions of the object of another one, and of its update. It has no
// witness if that does not answer the question with no.
func (s *trial) without(g *gap, f Finding, some []reduction) (out Finding) {
	object, update := f.Witness.Object, f.Witness.Update
	for _, r := range some {
		value, isThere := r.at.In(object)
		if !isThere {
			continue // with what is around it
		}
		object = r.apply(object)
		if now, has := r.at.In(update); has && witness.JSON(now) == witness.JSON(value) {
			update = r.apply(update)
		}
	}
	created := s.Write(s.Accept, object, true)
	if created.Rejection != nil || s.Err != nil {
		return Finding{}
	}
	if f.Witness.isRead {
		return s.journey(g, f.Question, &created)
	}
	if f.Witness.Update == nil {
		out = s.compare(g, created, f.Question)
		was, now := f.Witness, out.Witness
		if out.Answer != No || was.isAlone && !now.isAlone || now.errors > was.errors ||
			was.Stored != nil && now.Stored == nil {
			return Finding{}
		}
		out.Reason = f.Reason
		return out
	}
	if !g.isTransition() && s.compare(g, created, Create).Answer != No { // the update would bring in what is rejected
		return Finding{}
	}
	req := write.Request{Old: created.Stored, Status: f.Witness.Status}
	if s.Send(s.Accept, update, req).Rejection != nil || s.Err != nil {
		return Finding{}
	}
	answer := s.Send(s.reject, update, req)
	if answer.Rejection == nil || s.Err != nil || !s.isAbout(g, witness.Written{Sent: update, Answer: answer}) {
		return Finding{}
	}
	out = f
	out.Witness = s.rejected(&created, update, req, answer)
	return out
}
