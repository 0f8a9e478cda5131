package diff

import (
	"maps"
	"slices"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/objects/internal/witness"
	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/schema"
)

// minimal returns a finding whose witness has no part that can be left out. Each smaller object is written to both
// sides. That has budgets of its own, so that answers do not depend on it: beyond them, the witness stays as it is. So
// it does for changes with the text of an earlier one, which reports show as further places of that.
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
	// Many parts at once, then fewer of them: most parts can be left out together.
	for size := len(s.spare(g, f.Witness.Object)); size > 0; {
		isSmaller := false
		for some := range slices.Chunk(s.spare(g, f.Witness.Object), size) {
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

// spare returns the paths of the parts of an object that no schema demands, and that do not lead to a gap. Whole values
// come before their parts, and the last items of lists first.
func (s *trial) spare(g *gap, object map[string]any) (out []schema.Path) {
	var visit func(value any, n *schema.Schema, at schema.Path)
	visit = func(value any, n *schema.Schema, at schema.Path) {
		below := func(to schema.PathStep, inner any, isDemanded bool) {
			path := at.Then(to)
			if !isDemanded && !g.node.at.IsIn(path) {
				out = append(out, path)
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

// without returns a finding whose witness lacks parts of the object of another one, and of its update. It has no
// witness if that does not answer the question with no.
func (s *trial) without(g *gap, f Finding, parts []schema.Path) (out Finding) {
	object, update := f.Witness.Object, f.Witness.Update
	for _, at := range parts {
		value, isThere := at.In(object)
		if !isThere {
			continue // with what is around it
		}
		object = witness.Removed(object, at)
		if now, has := at.In(update); has && witness.JSON(now) == witness.JSON(value) {
			update = witness.Removed(update, at)
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
