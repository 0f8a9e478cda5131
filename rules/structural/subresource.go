package structural

import (
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// subresourceRows returns the checks of the parts of a version other than its schema.
func subresourceRows() []session.Row {
	return []session.Row{
		explained(diag.Check{ID: "scale-path"},
			reason{"spec.versions[].subresources.scale.*", "", "", explainScalePath}),
		{Check: diag.Check{ID: "scale-field", Severity: diag.Warning},
			Needs: session.EachVersion, Run: checkScaleFields},
		{Check: diag.Check{ID: "selectable-field", Verdict: true},
			Needs: session.EachVersion, Run: checkSelectableFields},
	}
}

// A scalePath is one of the paths of the scale subresource.
type scalePath struct {
	schema.Text
	key, argument string
	// below are the prefixes that the path may have.
	below      []string
	isRequired bool
}

func scalePaths(v *session.Version) []scalePath {
	if v.Subresources == nil || v.Subresources.Scale == nil {
		return nil
	}
	s := v.Subresources.Scale
	out := []scalePath{
		{s.SpecReplicasPath, "specReplicasPath", "specpath", []string{".spec."}, true},
		{s.StatusReplicasPath, "statusReplicasPath", "statuspath", []string{".status."}, true},
	}
	if s.LabelSelectorPath != nil {
		out = append(out, scalePath{*s.LabelSelectorPath, "labelSelectorPath", "selectorpath",
			[]string{".spec.", ".status."}, false})
	}
	return out
}

func explainScalePath(r *rejection) {
	for _, p := range scalePaths(r.Version) {
		if p.key != r.lastField() {
			continue
		}
		at := r.At(p.At, r.Version.Subresources.Scale.At)
		switch {
		case p.V == "":
			r.errorf(at, "missing %s of the scale subresource", p.key).
				Help("add %sreplicas", r.Write().Choose(p.argument+"="+p.below[0], p.key+": "+p.below[0]))
		case len(p.below) > 1:
			r.errorf(at, "%s %q is not below .spec or .status", p.key, p.V).
				Help("write a path such as .status.selector")
		default:
			r.errorf(at, "%s %q is not below %s", p.key, p.V, strings.TrimSuffix(p.below[0], ".")).
				Help("write a path such as %sreplicas", p.below[0])
		}
	}
}

// isAccepted reports whether an API server accepts the path.
func (s *scalePath) isAccepted() bool {
	return slices.ContainsFunc(s.below, func(prefix string) bool { return strings.HasPrefix(s.V, prefix) })
}

func checkScaleFields(p *session.Pass) {
	for _, path := range scalePaths(p.Version) {
		if !path.isAccepted() || p.Version.Schema == nil {
			continue
		}
		key, scale := p.Key("subresources.scale."+path.key), p.Version.Subresources.Scale.At
		t := followNames(p.Version.Schema, path.V)
		want := "an integer"
		if !path.isRequired {
			want = "a string"
		}
		switch {
		case t.missing != nil:
			f := p.Reportf(p.At(path.Range(t.missing.Start, t.missing.End), scale), key, "invalid %s: %s", path.key,
				nowhere(t, "the object"))
			f.Help("%s", scaleHelp(t, p.Version.Schema, path.V))
			if !path.isRequired { // autoscalers find no pods with it, and none without it
				f.Or("remove %s", p.Write().Choose(path.argument+"="+path.V, path.key))
			}
		case t.s != nil && t.s.Type.V != "" && typePhrase(t.s.Type.V) != want:
			p.Reportf(p.At(path.At, scale), key, "%s must lead to %s, got %s", path.key, want,
				typePhrase(t.s.Type.V)).
				Help("use the path of %s, or change the type of the field", want).See(t.s.At, "the field")
		}
	}
}

// scaleHelp says what to write for a path of the scale subresource that leads nowhere.
func scaleHelp(t target, root *schema.Schema, path string) string {
	if strings.ContainsAny(t.missing.Name, "[]") {
		return "name a field outside of lists and maps, because brackets are read as a part of the name"
	}
	return near(t.missing.Name, t.in.PropertyNames(), elsewhere(root, path))
}

// elsewhere suggests the path of a field of the same name below another field of the root, such as .spec for .status.
func elsewhere(root *schema.Schema, path string) string {
	steps, isWhole := schema.ReadPath(path)
	for _, name := range root.PropertyNames() {
		if !isWhole || len(steps) < 2 {
			break
		}
		other := "." + name + path[steps[0].End:]
		if _, f := readColumn(root, other); f == nil && follow(root, other).s != nil {
			return diag.Meant(other)
		}
	}
	return "name a field of the schema"
}

// nowhere explains at which field a path ends. The value that it starts with is called root.
func nowhere(t target, root string) string {
	in := t.field
	if in == "" {
		in = root
	}
	switch {
	case t.missing.IsItem() && t.in.Type.V != "":
		return in + " is " + typePhrase(t.in.Type.V) + " and has no items"
	case t.in.Type.V != "object":
		return in + " is " + typePhrase(t.in.Type.V) + " and has no field " + strconv.Quote(t.missing.Name)
	}
	return in + " has no field " + strconv.Quote(t.missing.Name)
}

// typePhrase names a JSON type in a sentence.
func typePhrase(jsonType string) string {
	switch jsonType {
	case "":
		return "untyped"
	case "array", "object", "integer", beyond:
		return "an " + jsonType
	}
	return "a " + jsonType
}
