package markers

import (
	"slices"
	"strings"
	"unicode"

	"github.com/crdproof/crdproof/generator/diag"
)

// Unknown says what is wrong with a comment to which Lookup finds no definition on the target, or returns nil where the
// comment is none of ours: another tool's marker, or prose. It never alarms without a reason to believe that a marker
// was meant: the name is known on another target, it begins with kubebuilder:, or it is a name of ours but for one
// slip.
func (t *Table) Unknown(c Comment, target Target) *diag.Diagnostic {
	p := split(c.Text)
	if t.find(p, target) != nil {
		return nil
	}
	name, end := strings.TrimRight(p.whole, " \t:"), len(p.whole)
	if t.isTag(p.tag) {
		name, end = p.tag, len(p.tag)
	}
	if Foreign(name) || t.startsBare(name) {
		return nil
	}
	at := c.At.Sub(1, 1+end)
	if bare := strings.TrimLeft(p.whole, " \t"); bare != p.whole {
		if def := t.elsewhere(split("+" + strings.TrimLeft(c.Text[1:], " \t"))); def != nil &&
			!strings.ContainsAny(bare, " \t") {
			d := diag.Errorf(c.At, UnknownMarker, "a space after the + hides the marker").
				Help("write +%s", clip(strings.TrimLeft(c.Text[1:], " \t")))
			return &d
		}
		return nil
	}
	if def := t.elsewhere(p); def != nil {
		if sharedName(def, target) {
			return nil
		}
		var right Target
		for _, other := range targets(anywhere) {
			if row := t.index[key{other, def.Name}]; row != nil && row.Refused == "" {
				right |= other
			}
		}
		_, written := p.steps(c, def)
		d := wrongTarget(c.At.Sub(1, 1+len(written)), written, right, target)
		return &d
	}
	if i := strings.IndexAny(p.whole, " \t"); i > 0 {
		word, rest := p.whole[:i], strings.TrimSpace(p.whole[i:])
		// +optional words of prose may be just that; +optional # words are not.
		remark := rest != "" && strings.IndexByte("#/(-", rest[0]) >= 0
		if t.elsewhere(split("+"+word)) != nil && (ours(word) || remark) {
			at := c.At.Sub(1+i, len(c.Text))
			d := diag.Errorf(at, UnknownMarker, "text after %s on the same line hides the marker", quoted(word)).
				Help("write +%s on a line of its own", word)
			return &d
		}
	}
	if meant, told := t.meant(p, name, target); told {
		d := diag.Errorf(at, UnknownMarker, "no marker is called %s", quoted(name)).Help("remove it: no tool reads it")
		for i := range meant {
			meant[i] = "+" + meant[i]
		}
		if len(meant) > 0 {
			d = d.Help("did you mean %s?", either(meant, "or"))
		}
		return &d
	}
	return nil
}

// wrongTarget says where a marker belongs; right are all targets that know its name.
func wrongTarget(at diag.Span, name string, right, target Target) diag.Diagnostic {
	d := diag.Errorf(at, WrongTarget, "%s stands on %s; it belongs on %s", name, target.a(), right.a())
	switch {
	case target == Package:
		return d.Note("a marker binds to the declaration that its comment stands directly above").
			Help("move it directly above the %s that it is for", targets(right)[0].noun())
	case right&Type != 0:
		return d.Help("move it to the declaration of the type")
	case right&Field != 0 && target == Type:
		return d.Help("move it to the fields that have this type")
	case right&Field != 0:
		return d.Help("move it to a field")
	case right&Constant != 0:
		return d.Help("move it to the constants that it is for")
	}
	return d.Help("move it into the comment of the package clause, for example in doc.go")
}

// meant returns what an unknown name was perhaps meant to be; told is false where nothing says that it was meant for
// us.
func (t *Table) meant(p parts, name string, target Target) (names []string, told bool) {
	head, tail, hasColon := strings.Cut(name, ":")
	all := t.names(anywhere, func(name string) bool { return strings.HasPrefix(name, ownPrefix) })
	switch {
	case t.isTag(name):
		near := t.nearTag(name)
		return []string{near}, near != ""
	case ours(name):
		return t.suggest(p, target), true
	case len(all) > 0 && underOwnPrefix(name):
		return nearOwn(p, all), true
	case hasColon && !p.given && !strings.ContainsAny(tail, " \t:"):
		// +nullable:true has a colon for the equals sign.
		if def := t.index[key{target, head}]; def != nil && !strings.Contains(head, "k8s") {
			if len(def.Params) == 0 {
				return []string{head}, true
			}
			return []string{head + "=" + tail}, true
		}
	}
	slip := t.slip(name, target)
	return []string{slip}, slip != ""
}

// sharedName reports whether a known name means something to another tool on a target where it means nothing to CRDs:
// where the table has but some of the k8s: tags, validation-gen reads them on types as well; defaulter-gen reads
// default there.
func sharedName(def *Definition, target Target) bool {
	return strings.HasPrefix(def.Name, tagPrefix) && def.Grammar != Tag || def.Name == "default" && target == Type
}

// startsBare reports whether a comment starts with the name of a Bare marker, which it then is not: something follows.
func (t *Table) startsBare(name string) bool {
	word := name[:len(name)-len(strings.TrimLeftFunc(name, unicode.IsLetter))]
	for _, target := range targets(anywhere) {
		if def := t.index[key{target, word}]; def != nil && def.Grammar == Bare {
			return true
		}
	}
	return false
}

const tagPrefix = "k8s:"

// isTag reports whether a name is one of the tags of which the table has all.
func (t *Table) isTag(name string) bool {
	return t.tags && strings.HasPrefix(name, tagPrefix)
}

// nearTag returns the tag that a name was perhaps meant to be, or "".
func (t *Table) nearTag(name string) string {
	var tags []string
	for _, tag := range t.names(anywhere, func(name string) bool { return strings.HasPrefix(name, tagPrefix) }) {
		tags = append(tags, strings.TrimPrefix(tag, tagPrefix))
	}
	if meant := diag.Near(strings.TrimPrefix(name, tagPrefix), tags); meant != "" {
		return tagPrefix + meant
	}
	return ""
}

// ours reports whether a name stands under the prefix that only kubebuilder's markers have, with up to two slips.
func ours(name string) bool {
	first, _, found := strings.Cut(name, ":")
	return found && (first == "kubebuilder" || !strings.ContainsAny(first, " \t") &&
		diag.Near(first, []string{"kubebuilder"}) != "" && len(first) >= len("kubebuilder")-2)
}

// ownPrefix is that of crdproof's own markers.
const ownPrefix = "crdproof:"

// underOwnPrefix reports whether a name stands under crdproof's own prefix, with up to two slips.
func underOwnPrefix(name string) bool {
	first, _, found := strings.Cut(name, ":")
	return found && !strings.ContainsAny(first, " \t") && diag.Near(first+":", []string{ownPrefix}) != ""
}

// nearOwn returns the one of the names that was perhaps meant, with or without the name of an argument behind it.
func nearOwn(p parts, all []string) []string {
	name := p.whole
	if strings.Count(name, ":") > 1 {
		name = p.stem
	}
	if meant := diag.Near(name, all); meant != "" {
		return []string{meant}
	}
	return nil
}

// slip returns the name of ours that a bare or k8s: name is but for one letter, or for upper and lower case.
func (t *Table) slip(name string, target Target) string {
	if strings.ContainsAny(name, " \t") {
		return ""
	}
	name = strings.TrimRight(name, ".,;")
	elsewhere := ""
	for i := range t.defs {
		def := &t.defs[i]
		own := def.Name
		if def.Refused != "" {
			continue
		}
		if ours(own) {
			// +validation:Enum=a;b has lost its prefix.
			own = strings.TrimPrefix(own, "kubebuilder:")
			if !strings.Contains(own, ":") || !strings.EqualFold(name, own) {
				continue
			}
		} else if !oneSlip(strings.ToLower(name), strings.ToLower(own)) {
			continue
		}
		if def.Targets&target != 0 {
			return def.Name
		}
		if elsewhere == "" {
			elsewhere = def.Name
		}
	}
	return elsewhere
}

// oneSlip reports whether one letter inserted, left out, replaced or swapped with its neighbour makes b of a, or none.
// Names of fewer than six letters must be equal: too many words are near them.
func oneSlip(a, b string) bool {
	if a == b {
		return true
	}
	if len(b) < 6 {
		return false
	}
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	a, b = a[n:], b[n:]
	switch {
	case len(a) == len(b)+1:
		return a[1:] == b
	case len(b) == len(a)+1:
		return b[1:] == a
	case len(a) != len(b):
		return false
	}
	return a[1:] == b[1:] || len(a) >= 2 && a[0] == b[1] && a[1] == b[0] && a[2:] == b[2:]
}

// suggest returns the names that a kubebuilder: name was perhaps meant to be, the likeliest first.
func (t *Table) suggest(p parts, target Target) []string {
	name := strings.TrimRight(p.whole, " \t:")
	if i := strings.LastIndexByte(name, ':'); i >= 0 && !p.given {
		// +kubebuilder:default:foo is meant to be +kubebuilder:default=foo.
		head, tail := name[:i], name[i+1:]
		if def := t.index[key{target, head}]; def != nil && len(def.Params) > 0 {
			if def.anonymous() {
				return []string{head + "=" + tail}
			}
			return []string{strings.TrimPrefix(example(def), "+")}
		}
	}
	if meant := strings.TrimRight(name, ":=") + ":" + p.rest; p.given && t.elsewhere(split("+"+meant)) != nil {
		return []string{meant} // +kubebuilder:validation:=Required
	}
	if meant := t.nearNested(name, target); meant != "" {
		return []string{meant}
	}
	for _, set := range []Target{target, Package | Type | Field} {
		for _, pick := range []func(name, candidate string) bool{
			strings.EqualFold,
			func(name, candidate string) bool { return strings.EqualFold(stemOf(name), stemOf(candidate)) },
		} {
			if found := t.names(set, func(candidate string) bool { return pick(name, candidate) }); len(found) > 0 {
				return found[:1]
			}
		}
	}
	if found := t.byArgument(stemOf(name), target); found != "" {
		return []string{found}
	}
	if found := t.near(name, target); len(found) > 0 {
		return found
	}
	return t.near(name, Package|Type|Field)
}

// near returns the names on the target whose last part is close to that of a name or else contains it: OneOf is part of
// ExactlyOneOf.
func (t *Table) near(name string, target Target) []string {
	all := t.names(target, func(string) bool { return true })
	stems := make([]string, len(all))
	for i, n := range all {
		stems[i] = stemOf(n)
	}
	stem := stemOf(name)
	if found := diag.Near(stem, stems); found != "" {
		return []string{all[slices.Index(stems, found)]}
	}
	var list []string
	for i, s := range stems {
		if len(stem) >= 4 && !t.isTag(all[i]) && strings.Contains(strings.ToLower(s), strings.ToLower(stem)) {
			list = append(list, all[i])
		}
	}
	return list[:min(len(list), 4)]
}

// names lists the names on the targets for which keep returns true; kubebuilder's own first, deprecated ones last.
func (t *Table) names(set Target, keep func(string) bool) []string {
	var first, last []string
	for i := range t.defs {
		def := &t.defs[i]
		if def.Targets&set == 0 || def.Refused != "" || !keep(def.Name) {
			continue
		}
		if def.Deprecated != "" {
			last = append(last, def.Name)
		} else {
			first = append(first, def.Name)
		}
	}
	return append(first, last...)
}

// byArgument finds the marker that has an argument of this name, such as kubebuilder:resource for categories, which was
// a marker of its own in kubebuilder 1.
func (t *Table) byArgument(name string, target Target) string {
	for i := range t.defs {
		for _, p := range t.defs[i].Params {
			if p.Name != "" && strings.EqualFold(p.Name, name) && t.defs[i].Targets&target != 0 {
				return t.defs[i].Name + ":" + p.Name
			}
		}
	}
	return ""
}

// stemOf returns what is left of a name without the segments in which kubebuilder's names differ without need.
func stemOf(name string) string {
	segments := strings.Split(name, ":")
	keep := segments[:0]
	for i, s := range segments {
		prefix := diag.Near(s, []string{"kubebuilder", "validation", "pruning"})
		if i < len(segments)-1 && (prefix != "" || s == "k8s") {
			continue
		}
		keep = append(keep, s)
	}
	return strings.Join(keep, ":")
}
