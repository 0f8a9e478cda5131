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

// Findings returns the rejections of the CRDs, which are errors for the new one and warnings for the old one, and the
// changes of a comparison that are not silenced: errors up to a class, and warnings about all others. Unknown answers
// are errors if the class is ClassStrict.
func (c *Comparison) Findings(fail Class) []diag.Diagnostic {
	out := slices.Concat(c.OldRejected, c.Rejected)
	for i := range c.Changes {
		if change := &c.Changes[i]; change.Silenced == "" {
			out = append(out, change.finding(c.Name, fail))
		}
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

func (c *Change) finding(name string, fail Class) diag.Diagnostic {
	out := c.base()
	out.Message = c.text(name)
	if c.Class() > fail {
		out.Severity = diag.Warning
	}
	var shown map[string]any
	for _, f := range c.Findings {
		out.Notes = append(out.Notes, f.notes(shown)...)
		if f.Witness != nil {
			shown = f.Witness.Object
		}
	}
	if c.Old.IsValid() && c.New.IsValid() && c.Old != c.New {
		out = out.See(c.Old, "the old CRD")
	}
	if c.Help != "" {
		out = out.Help("%s", c.Help)
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
