package gotype

import (
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/read"
	"github.com/crdproof/crdproof/generator/lower/internal/report"
	"github.com/crdproof/crdproof/markers"
)

// checkInline reports fields that cannot be part of the struct around them: those that are not objects, and those that
// a marker makes required. It returns false for the former.
func (d Describer) checkInline(f *node.Field, child *node.Node, required bool) bool {
	if t := child.JSONType(); t != "" && t != "object" {
		d.Report(d.Reached(diag.Errorf(f.At, checks.FieldInline,
			"a field without a name in its json tag must be a struct; this one is %s", report.TypePhrase(t)).
			Help("write `json:%q`", jsonName(f)+",omitempty")))
		return false
	}
	if required {
		at, help := f.At, "make the fields of the embedded struct required instead"
		for _, name := range []string{read.MarkKBRequired, "required", "k8s:required"} {
			if m := read.Find(f.Marks, name); m != nil {
				at, help = m.At, "remove the marker, or make the fields of the embedded struct required"
			}
		}
		d.Mistake(diag.Errorf(at, markers.WrongTarget,
			"an embedded struct cannot be required: its fields are part of the struct around it").
			Help("%s", help))
	}
	return true
}

// checkOneOf reports OneOf markers on types without fields, and members that are not fields of the type.
func (d Describer) checkOneOf(t *node.Type, marks []markers.Marker) {
	var names []string
	var complete bool
	known := map[string]bool{}
	for i := range marks {
		if !d.ap.IsOneOf(&marks[i]) {
			continue
		}
		if t.Node.JSONType() != "object" {
			d.Mistake(d.applier().WrongType("object", t.Node, &marks[i], node.Target{Decl: t.Decl}))
			continue
		}
		if len(names) == 0 {
			names, complete = t.Node.FieldNames()
			for _, name := range names {
				known[name] = true
			}
		}
		for _, item := range marks[i].Arg("").Items {
			switch name := d.MeantField(item.Text); {
			case strings.Contains(item.Text, "."):
			case complete && !known[name]:
				unknown := diag.Errorf(item.At, checks.OneOfUnknown, "%s has no field %q", t.Name, item.Text).
					Help("use the JSON names of fields")
				if 0 < len(names) && len(names) <= maxShownFields {
					unknown = unknown.Note("its fields are %s", strings.Join(names, ", "))
				}
				if near := diag.Near(item.Text, names); near != "" {
					unknown = unknown.Help("%s", diag.Meant(near))
				}
				d.Mistake(unknown)
			}
		}
	}
}

// maxShownFields is how many fields of a type are listed in a message.
const maxShownFields = 200
