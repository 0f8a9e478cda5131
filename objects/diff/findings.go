package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/internal/witness"
	"github.com/crdproof/crdproof/rules/kube"
)

// Detail says how much findings say.
type Detail struct {
	// Objects adds the witnesses, where the old CRD is, and what to do.
	Objects bool
	// Places lists all places of equal changes, not only the first of them.
	Places bool
}

// Findings returns the rejections of the CRDs, which are errors for the new one and warnings for the old one, and the
// changes that a policy reports. Equal changes are one finding.
func (r *Report) Findings(policy *Policy, detail Detail) (out []diag.Diagnostic) {
	for _, c := range r.Comparisons {
		out = slices.Concat(out, c.OldRejected, c.Rejected)
	}
	for _, g := range groupsOf(r.Comparisons, policy) {
		out = append(out, g.finding(detail))
	}
	return out
}

// Class returns the most severe class of the change.
func (c *Change) Class() Class { return c.worst().Class }

func (c *Change) worst() *Finding {
	return slices.MinFunc(pointers(c.Findings), func(a, b *Finding) int { return cmp.Compare(a.Class, b.Class) })
}

func pointers[T any](list []T) (out []*T) {
	for i := range list {
		out = append(out, &list[i])
	}
	return out
}

// base returns the finding about the change, without explanations and severity.
func (c *Change) base() diag.Diagnostic {
	return diag.Errorf(diag.Nearest(c.New, c.Old), checks[c.worst().Question], "%s", c.Message)
}

// finding returns the finding about the changes of the group.
func (g *group) finding(detail Detail) diag.Diagnostic {
	first := g.places[0]
	out := first.base()
	out.Message, out.Severity = g.text(), g.severity
	if detail.Objects {
		var shown map[string]any
		for _, f := range first.Findings {
			out.Notes = append(out.Notes, f.notes(shown)...)
			if f.Witness != nil {
				shown = f.Witness.Object
			}
		}
		if first.Old.IsValid() && first.New.IsValid() && first.Old != first.New {
			out = out.See(first.Old, "the old CRD")
		}
		if first.Help != "" {
			out = out.Help("%s", first.Help)
		}
	} else {
		out.Notes = append(out.Notes, strings.Join(append([]string{first.answers()}, g.reasons()...), "; "))
		if first.worst().Question == Definition && first.Help != "" { // there is no object to show
			out = out.Help("%s", first.Help)
		}
	}
	if len(g.places) > 1 {
		out.Notes = append(out.Notes, "also at "+g.others(detail.Places))
	}
	return out
}

// servers says which servers answer that, unless all do.
func (f *Finding) servers() string {
	if f.Servers == (kube.Range{}) {
		return ""
	}
	return " on Kubernetes " + kube.Ranges([]kube.Range{f.Servers})
}

// notes explain a finding, line by line. The object that has just been shown is not shown again.
func (f *Finding) notes(shown map[string]any) (out []string) {
	answer := f.Answer.String() + f.servers()
	if f.Reason != "" {
		answer += ": " + f.Reason
	}
	out = append(out, fmt.Sprintf("%s: %s", f.Question, answer))
	if f.Witness != nil {
		out = append(out, f.Witness.lines(shown)...)
	}
	return out
}

// lines returns the witness in YAML, and the answers.
func (w *Witness) lines(shown map[string]any) (out []string) {
	add := func(object map[string]any) {
		for _, line := range strings.Split(strings.TrimRight(objectYAML(object), "\n"), "\n") {
			out = append(out, "  "+line)
		}
	}
	isShown := shown != nil && w.Update != nil && witness.JSON(shown) == witness.JSON(w.Object)
	if !isShown {
		add(w.Object)
	}
	switch {
	case w.Update == nil:
	case w.isRead:
		out = append(out, "read, and written back")
	case objectYAML(w.Update) == objectYAML(w.Object):
		out = append(out, "updated without a change")
	default:
		out = append(out, "updated to:")
		add(w.Update)
	}
	return append(out, "old CRD: "+w.Old, "new CRD: "+w.New)
}

// objectYAML returns an object without what servers fill in.
func objectYAML(object map[string]any) string {
	out := runtime.DeepCopyJSON(object)
	if meta, ok := out["metadata"].(map[string]any); ok {
		for _, name := range []string{"creationTimestamp", "generation", "resourceVersion", "uid", "managedFields"} {
			delete(meta, name)
		}
		if meta["namespace"] == "default" {
			delete(meta, "namespace")
		}
	}
	data, err := yaml.Marshal(out)
	if err != nil {
		panic(err) // all objects are JSON
	}
	return string(data)
}
