package diff

import (
	"cmp"
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

// A Silence silences changes with a reason: an entry of a file, or a marker in Go.
type Silence struct {
	reason string
	covers func(*Comparison, *Change) bool
	used   bool
	// unused is reported if it silences nothing: the change has been released, or was taken back.
	unused diag.Diagnostic
}

// Markers returns the silences among those of Go packages: of the checks of changes. A marker covers the changes that
// are reported at its declaration under the id of the check.
func Markers(list []check.Silence) (out []*Silence) {
	for _, s := range list {
		if check.Table(checks[:]).Of(s.Check) == nil {
			continue
		}
		out = append(out, &Silence{reason: s.Reason,
			covers: func(_ *Comparison, change *Change) bool { return s.Covers(change.base()) },
			unused: diag.Warningf(s.At, silence, "no change with %s is left here to silence", s.Check).
				Help("remove the marker")})
	}
	return out
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
	crd, path, keyword := text(keyCRD, true), text(keyPath, true), text(keyKeyword, false)
	return &Silence{
		reason: text(keyReason, true),
		covers: func(c *Comparison, change *Change) bool {
			return crd == c.Name && path == change.Path && (keyword == "" || keyword == change.Keyword)
		},
		unused: diag.Warningf(v.At, silence, "no change of %s at %q is left to silence", crd, path).
			Help("remove the entry"),
	}, found
}

// Apply marks the changes that are silenced, and reports silences that cover no change, unless some changes have not
// been looked for.
func (r *Report) Apply(silences []*Silence) (found []diag.Diagnostic) {
	for _, c := range r.Comparisons {
		for i := range c.Changes {
			for _, s := range silences {
				if change := &c.Changes[i]; s.covers(c, change) {
					change.Silenced, s.used = cmp.Or(change.Silenced, s.reason), true
				}
			}
		}
	}
	isRejected := func(c *Comparison) bool { return len(c.Rejected) > 0 }
	if slices.ContainsFunc(r.Comparisons, isRejected) {
		return nil
	}
	for _, s := range silences {
		if !s.used {
			found = append(found, s.unused)
		}
	}
	return found
}
