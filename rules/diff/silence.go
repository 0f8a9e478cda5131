package diff

import (
	"slices"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/read"
	"github.com/crdproof/crdproof/generator/schema"
)

// A Silence is an entry of a file that silences changes.
type Silence struct {
	at diag.Span
	// crd and path are the name of the CRD and the field of the change; keyword is optional.
	crd, path, keyword string
	used               bool
}

// The keys of an entry.
const (
	keyCRD     = "crd"
	keyPath    = "path"
	keyKeyword = "keyword"
	keyReason  = "reason"
)

// Silences reads a file: a list with a crd, a path, an optional keyword and a reason in each item.
func Silences(src *diag.Source) (out []*Silence, found []diag.Diagnostic) {
	trees, found := read.Trees(src)
	if diag.HasErrors(found) {
		return nil, found
	}
	const help = "write a list of entries with crd, path and reason, such as\n- crd: widgets.example.com\n  " +
		"path: spec.size\n  reason: no object has the field yet"
	for _, tree := range trees {
		if tree.Root.Kind != schema.Array {
			found = append(found, diag.Errorf(tree.Root.At, silence, "expected a list").Help(help))
			continue
		}
		for i := range tree.Root.Items {
			s, problems := silenceOf(&tree.Root.Items[i])
			if found = append(found, problems...); len(problems) == 0 {
				out = append(out, s)
			}
		}
	}
	return out, found
}

func silenceOf(v *schema.Value) (*Silence, []diag.Diagnostic) {
	s := &Silence{at: v.At}
	if v.Kind != schema.Object {
		return nil, []diag.Diagnostic{diag.Errorf(v.At, silence, "expected a mapping with crd, path and reason")}
	}
	var found []diag.Diagnostic
	known := []string{keyCRD, keyPath, keyKeyword, keyReason}
	for i := range v.Members {
		m := &v.Members[i]
		if !slices.Contains(known, m.Key) {
			found = append(found, diag.Errorf(m.KeyAt, silence, "unknown key %q: expected %s", m.Key, diag.Or(known)).
				Help("%s", diag.DidYouMean(m.Key, known)))
		} else if m.Value.Kind != schema.String || m.Value.Text == "" && m.Key != keyPath {
			found = append(found, diag.Errorf(m.Value.At, silence, "expected a text for %s", m.Key))
		}
	}
	text := func(key string, isRequired bool) string {
		value := v.Find(key)
		if value == nil {
			if isRequired {
				found = append(found, diag.Errorf(v.At, silence, "the entry has no %s", key))
			}
			return ""
		}
		return value.Text
	}
	s.crd, s.path, s.keyword = text(keyCRD, true), text(keyPath, true), text(keyKeyword, false)
	text(keyReason, true)
	return s, found
}

// Apply drops the changes that are silenced, and reports entries that silence nothing: the change has been released, or
// was taken back.
func (r *Report) Apply(silences []*Silence) (found []diag.Diagnostic) {
	for _, c := range r.Comparisons {
		c.Changes = slices.DeleteFunc(c.Changes, func(change Change) bool {
			is := false
			for _, s := range silences {
				if s.crd == c.Name && s.path == change.Path && (s.keyword == "" || s.keyword == change.Keyword) {
					is, s.used = true, true
				}
			}
			return is
		})
	}
	for _, s := range silences {
		if !s.used {
			found = append(found, diag.Warningf(s.at, silence,
				"no change of %s at %q is left to silence", s.crd, s.path).
				Help("remove the entry"))
		}
	}
	return found
}
