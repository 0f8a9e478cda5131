package apply

import (
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/report"
	"github.com/crdproof/crdproof/markers"
)

// stepNoun names what a step leads to.
func stepNoun(kind markers.StepKind) string {
	switch kind {
	case markers.Items, markers.Item:
		return "the items of a list"
	case markers.Values:
		return "the values of a map"
	case markers.Keys:
		return "the keys of a map"
	case markers.Each:
		return "the items of a list or the values of a map"
	}
	return "a field of a struct"
}

// noElements reports a step to the elements of a value without elements.
func (ap Applier) noElements(step *markers.Step, want string, s *spot, on node.Target) diag.Diagnostic {
	got := "a key"
	if s.n != nil {
		got = report.TypePhrase(s.n.JSONType())
		if s.n.JSONType() == "object" {
			got = "a struct"
			if want == "array" && s.n.ValuesOf() != nil {
				got = "a map"
			}
		}
	}
	name := strings.TrimSuffix(step.At.Text(), ":")
	prefix := name // what the marker is to lose
	if own, shorthand := strings.CutPrefix(name, "kubebuilder:validation:items:"); shorthand && own != "" {
		prefix = "items:"
	}
	d := diag.Errorf(step.At, checks.MarkerStep, "%s leads to %s; this value is %s", name, stepNoun(step.Kind), got)
	switch {
	case got == "an array" && step.InPath:
		d = d.Help("write [] for the items")
	case got == "a map" && step.InPath:
		d = d.Help("write {} for the values")
	case got == "an array" && step.Kind != markers.Item:
		d = d.Help("use items: or +k8s:eachVal= for the items")
	case got == "a map":
		d = d.Help("use values: or +k8s:eachVal= for the values")
	default:
		d = d.Help("remove %q to apply the marker to %s itself", prefix, on.What())
	}
	return ap.Reached(d)
}

// noMember reports a step to a field that does not exist.
func (ap Applier) noMember(step *markers.Step, name *markers.Value, s *spot, on node.Target) diag.Diagnostic {
	if step.InPath && s.n.ItemsOf() != nil {
		return ap.Reached(diag.Errorf(step.At, checks.MarkerField, "a list has no fields").
			Help("write [] before it, for the items of the list"))
	}
	if s.n == nil || s.n.JSONType() != "object" || s.n.ValuesOf() != nil {
		return ap.Reached(diag.Errorf(step.At, checks.MarkerField, "%s has no fields: it is not a struct", on.What()).
			Help("put the marker on a field whose type is a struct"))
	}
	if s.n.IsObjectMeta() {
		return ap.Reached(diag.Errorf(name.At, checks.MarkerField,
			"unknown field %q: the schema of metadata has no fields here", name.Text).
			Help("add +crdproof:embeddedObjectMeta to the field"))
	}
	names, _ := s.n.AllNames()
	return ap.Reached(diag.Errorf(name.At, checks.MarkerField, "unknown field %q", name.Text).
		Help("%s", oneOfNames(name.Text, names)))
}

// oneOfNames suggests the nearest name, or lists all; it is "" if there are no names.
func oneOfNames(name string, names []string) string {
	if len(names) == 0 {
		return ""
	}
	return report.OneOfThese(name, names)
}

func stepMisplaced(step *markers.Step, m *markers.Marker) diag.Diagnostic {
	return diag.Errorf(step.At, checks.MarkerStep, "%s cannot be used with %s", step.At.Text(), m.Def.Name).
		Help("put the marker on the field itself")
}

// notItemKeys reports a step to an item that does not name the keys of its list.
func notItemKeys(step *markers.Step, keys []string) diag.Diagnostic {
	at, help := step.At, "name each key once"
	for _, arg := range step.Args {
		if near := diag.Near(arg.Name, keys); near != "" && near != arg.Name {
			at, help = arg.NameAt, diag.Meant(near)
		}
	}
	if len(keys) == 0 {
		return diag.Errorf(at, checks.MarkerStep, "k8s:item needs a list with keys").
			Help("make the list a map: add +k8s:listType=map, and +k8s:listMapKey for each key")
	}
	return diag.Errorf(at, checks.MarkerStep, "k8s:item must name all keys of the list: %s", strings.Join(keys, ", ")).
		Help("%s", help)
}
