package markers

import (
	"cmp"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
)

// Revived completes a finding about a comment that has no effect now, and whose help makes it a marker: the help then
// says what that changes for objects, and another help keeps what API servers do now. That one comes first if the
// comment is perhaps not meant for CRDs, and would change the CRD itself, such as its name or its versions.
func (t *Table) Revived(d diag.Diagnostic, marker string, c Comment) diag.Diagnostic {
	p := split(marker)
	def := cmp.Or(t.find(p, Field), t.elsewhere(p))
	if def == nil {
		return d
	}
	effect := def.effect(p, c.Tag)
	switch {
	case effect.Kind == diag.NoEffect:
		return d
	case effect.Kind == diag.OtherBytes:
		return d.Changes(effect.Kind, "")
	case d.Severity == diag.Warning && (def.OfKind || def.Targets == Package) && effect.Kind == diag.AcceptsOther:
		help := d.Helps()[0]
		help.Effect = effect
		d = d.Help("remove the marker").Do(diag.RemoveMarker, "")
		d.Alternatives = []diag.Help{help}
		return d
	}
	return d.Changes(effect.Kind, "%s", effect.Detail).Or("remove the marker").Do(diag.RemoveMarker, "")
}

// effect says what changes for objects if a declaration gets a marker. The tag is what the tag of a field says about
// its presence.
func (d *Definition) effect(p parts, tag Presence) diag.Effect {
	switch {
	case d.Presence == tag && tag != Unsaid:
		return diag.Effect{}
	case d.Presence != Unsaid && tag == Unsaid:
		return diag.Effect{Kind: diag.AcceptsOther, Detail: "whether the field is required may change"}
	case d.Presence == MayBe:
		return diag.Effect{Kind: diag.AcceptsMore, Detail: "those without the field"}
	case d.Presence == MustBe:
		return diag.Effect{Kind: diag.AcceptsLess, Detail: "only those with the field"}
	case d.Name == "kubebuilder:resource":
		return diag.Effect{Kind: diag.AcceptsOther, Detail: "the " + resourcePart(p) + " of the CRD may change"}
	case d.Effect == Informs:
		return diag.Effect{Kind: diag.OtherBytes}
	case d.Targets == Package, d.OfKind && !d.Ours():
		doc, _, _ := strings.Cut(strings.TrimSuffix(d.Doc, "."), ";")
		return diag.Effect{Kind: diag.AcceptsOther, Detail: "it " + strings.ToLower(doc[:1]) + doc[1:]}
	case d.Effect == Nothing:
		return diag.Effect{}
	case d.Name == "nullable":
		return diag.Effect{Kind: diag.AcceptsMore, Detail: "those with null"}
	case strings.HasSuffix(d.Name, "default"):
		return diag.Effect{Kind: diag.AcceptsOther, Detail: "API servers set the value"}
	case strings.HasSuffix(d.Name, "listType") && p.rest != "atomic":
		return diag.Effect{Kind: diag.AcceptsLess, Detail: "only lists without duplicates"}
	case d.Effect == Shapes:
		return diag.Effect{Kind: diag.AcceptsOther}
	}
	return diag.Effect{Kind: diag.AcceptsLess}
}

// resourcePart names what an argument of kubebuilder:resource sets. Another plural makes another CRD.
func resourcePart(p parts) string {
	switch arg := p.whole[strings.LastIndexByte(p.whole, ':')+1:]; arg {
	case "resource":
		return "names and scope"
	case "path":
		return "name and plural"
	default:
		return arg
	}
}

// readable writes the value of a marker as its grammar reads it: in backticks if its quotes would not be read, or would
// be part of the value, and lists with semicolons. isRead is false if no way to write it is known.
func (t *Table) readable(c Comment, marker string, target Target) (written string, isRead bool) {
	def := t.find(split(marker), target)
	if def == nil || len(def.Params) == 0 || !def.anonymous() || def.Grammar == Tag {
		return marker, true
	}
	name, value, _ := strings.Cut(marker, "=")
	inner := strings.TrimSpace(value)
	var ways []string
	isGroup := strings.HasSuffix(def.Name, "OneOf")
	if list := rewrittenList(inner); list != "" && def.Params[0].Shape.Kind == List {
		ways = []string{name + "=" + list}
		if isGroup && len(c.Fields) > 0 {
			ways = []string{name + "=" + fieldsNamed(strings.Split(list, ";"), c.Fields)}
		}
	}
	if !isGroup {
		ways = append([]string{marker}, ways...)
	}
	if n := len(inner); n >= 2 && inner[0] == inner[n-1] && (inner[0] == '"' || inner[0] == '\'') &&
		!strings.Contains(value, "`") {
		ways = append(ways, name+"=`"+inner[1:n-1]+"`")
	}
	for _, text := range ways {
		at := diag.At(&diag.Source{Data: []byte(text)}, 0, len(text))
		if _, ok, problems := t.Parse(Comment{Text: text, At: at}, target); ok && len(problems) == 0 {
			return text, true
		}
	}
	return marker, false
}

// fieldsNamed returns a list of the names in JSON of fields that are named with other letter case, as in Go; "" if one
// is not known.
func fieldsNamed(names, fields []string) string {
	for i, name := range names {
		at := slices.IndexFunc(fields, func(field string) bool { return strings.EqualFold(field, name) })
		if at < 0 {
			return ""
		}
		names[i] = fields[at]
	}
	return strings.Join(names, ";")
}
