package markers

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/crdproof/crdproof/diag"
)

// Unknown says what is wrong with a comment for which Lookup finds no definition on the target. It returns nil for
// another tool's marker and for prose. It reports a comment only if a marker was probably meant: the name is known on
// another target, starts with kubebuilder:, or differs from a known name by one typo.
func (t *Table) Unknown(c Comment, target Target) *diag.Diagnostic {
	p := split(c.Text)
	if t.find(p, target) != nil {
		return nil
	}
	u := unknown{Table: t, c: c, target: target, parts: p, name: strings.TrimRight(p.whole, " \t:"), end: len(p.whole)}
	if t.isTag(p.tag) {
		u.name, u.end = p.tag, len(p.tag)
	} else if i := strings.IndexByte(p.whole, '('); t.tags && i > 0 && !strings.ContainsAny(p.whole[:i], " \t") {
		u.name, u.end = p.whole[:i], i
	}
	for _, step := range []func() (*diag.Diagnostic, bool){
		u.otherGenerator, u.otherTool, u.spaceFirst, u.elsewhere, u.otherForm, u.textAfter,
	} {
		if d, done := step(); done {
			return d
		}
	}
	return u.misspelled()
}

// unknown is a comment for which the table has no definition. Each of its steps returns what is wrong with the comment,
// and whether this answers for the following steps too.
type unknown struct {
	*Table
	c      Comment
	target Target
	parts  parts
	// name is what was probably meant as the marker's name; end is where it ends, without the +.
	name string
	end  int
}

// nameSpan returns the place of the name.
func (u *unknown) nameSpan() diag.Span { return u.c.At.Sub(1, 1+u.end) }

// problem returns a finding that answers for the following steps.
func problem(d diag.Diagnostic) (*diag.Diagnostic, bool) { return &d, true }

// otherGenerator finds a misspelled marker of another generator.
func (u *unknown) otherGenerator() (*diag.Diagnostic, bool) {
	near, end := nearForeign(u.parts.whole)
	if near == "" {
		return nil, false
	}
	return problem(diag.Errorf(u.c.At.Sub(1, 1+end), UnknownMarker, "unknown marker %s", quoted(u.parts.whole[:end])).
		Help("did you mean +%s?", near))
}

// otherTool leaves the markers of other tools to them.
func (u *unknown) otherTool() (*diag.Diagnostic, bool) {
	if u.isOfDialect() {
		return nil, false
	}
	return nil, Foreign(u.name) || u.startsBare(u.name)
}

// isOfDialect reports whether the name has a prefix of OpenShift's markers that the run reads.
func (u *unknown) isOfDialect() bool {
	first, rest, _ := strings.Cut(u.name, ":")
	return u.dialects && first == "openshift" &&
		(strings.HasPrefix(rest, "enable:") || strings.HasPrefix(rest, "validation:"))
}

// spaceFirst finds a known marker with a space after its +; all else with such a space is prose.
func (u *unknown) spaceFirst() (*diag.Diagnostic, bool) {
	plain := strings.TrimLeft(u.parts.whole, " \t")
	if plain == u.parts.whole {
		return nil, false
	}
	marker := "+" + strings.TrimLeft(u.c.Text[1:], " \t")
	name, _, _ := strings.Cut(plain, "(")
	if strings.ContainsAny(name, " \t") {
		return nil, true
	}
	isForeign := (strings.Contains(name, ":") || name == "genclient") && Foreign(name)
	if u.Table.elsewhere(split(marker)) == nil && !isForeign {
		return nil, true
	}
	d := diag.Errorf(u.c.At, UnknownMarker, "unexpected space after +; the marker is not recognized").
		Write(marker)
	if isForeign {
		d.Severity = diag.Warning
	}
	return problem(u.Revived(d, marker, u.c))
}

// elsewhere finds a marker that only other targets have.
func (u *unknown) elsewhere() (*diag.Diagnostic, bool) {
	def := u.Table.elsewhere(u.parts)
	if def == nil {
		return nil, false
	}
	if sharedName(def, u.target) {
		return nil, true
	}
	var right Target
	for _, other := range targets(anywhere) {
		if row := u.index[key{other, def.Name}]; row != nil && row.Forbidden == "" {
			right |= other
		}
	}
	_, written := u.parts.steps(u.c, def)
	d := u.Revived(wrongTarget(u.c.At.Sub(1, 1+len(written)), written, right, u.target), "+"+written, Comment{})
	if def := u.index[key{Field, written}]; u.target == Type && def != nil && def.Presence == MayBe {
		d.Severity = diag.Warning // whether a value of the type is optional is up to its fields
		d = d.Hurting(diag.Unlikely)
	}
	return problem(d)
}

// otherForm finds a known marker whose value does not follow an equals sign.
func (u *unknown) otherForm() (*diag.Diagnostic, bool) {
	def, head, marker := u.rewritten(u.c, u.target)
	if def == nil {
		return nil, false
	}
	d := diag.Errorf(u.nameSpan(), UnknownMarker, "expected = after %s, got :", head)
	if i := strings.IndexAny(u.parts.whole, " \t"); i == len(head) {
		d = diag.Errorf(u.c.At.Sub(1+i, len(u.c.Text)), UnknownMarker,
			"unexpected space after %s; the marker is not recognized", quoted(head))
	}
	if len(def.Params) == 0 {
		d.Message = head + " takes no value; the marker is not recognized"
	}
	marker, _ = u.readable(u.c, marker, u.target)
	d = d.Write(marker)
	if def.Instead != "" && marker == "+"+def.Instead {
		d = d.Help("%s", instead(def, u.c.Type))
	}
	return problem(u.Revived(d, marker, u.c))
}

// textAfter finds a known marker that is followed by a remark.
func (u *unknown) textAfter() (*diag.Diagnostic, bool) {
	i := strings.IndexAny(u.parts.whole, " \t")
	if i <= 0 {
		return nil, false
	}
	word, rest := u.parts.whole[:i], strings.TrimSpace(u.parts.whole[i:])
	// +optional followed by words may be prose; +optional # with words is not.
	remark := rest != "" && strings.IndexByte("#/(-", rest[0]) >= 0
	if u.Table.elsewhere(split("+"+word)) == nil || !ours(word) && !remark {
		return nil, false
	}
	return problem(u.Revived(diag.Errorf(u.c.At.Sub(1+i, len(u.c.Text)), UnknownMarker,
		"unexpected text after %s; the marker is not recognized", quoted(word)).
		Help("put +%s on its own line", word), "+"+word, u.c))
}

// misspelled finds a name that resembles a known one.
func (u *unknown) misspelled() *diag.Diagnostic {
	var meant []string
	near := cmp.Or(u.respaced(u.parts, u.name), u.mistyped(u.parts, u.name, u.target))
	isOurs := near != "" && ours(u.name)
	if !isOurs {
		meant, isOurs = u.meant(u.parts, u.name, u.target)
	}
	if near == "" && len(meant) == 0 {
		near = u.shortened(u.c, u.parts, u.name, u.target)
	}
	if near != "" {
		meant = []string{near}
	}
	if !isOurs && near == "" && !u.isOfDialect() {
		return nil
	}
	d := diag.Errorf(u.nameSpan(), UnknownMarker, "unknown marker %s", quoted(u.name)).
		Help("remove the marker").Do(diag.RemoveMarker, "")
	if !isOurs {
		d.Severity = diag.Warning // many other tools read comments
	}
	isAlternative := strings.HasSuffix(u.name, ":OneOf") && u.target == Field && u.parts.rest == ""
	marker := ""
	switch {
	case isAlternative:
		marker = "+" + validationPrefix + "ExactlyOneOf"
		d = d.Help("%s", ofFields(marker[1:], nil))
	case len(meant) == 1 && u.rejectsTrue(meant[0], u.target) != nil && u.parts.rest == "true":
		def := u.rejectsTrue(meant[0], u.target)
		marker = "+" + def.Instead
		d = d.Help("%s", instead(def, u.c.Type))
	case len(meant) == 1 && strings.HasSuffix(meant[0], "OneOf") && requiredNames(u.c.Text) != nil:
		marker = "+" + meant[0]
		d = d.Help("%s", ofFields(meant[0], requiredNames(u.c.Text)))
	case len(meant) > 0:
		for i := range meant {
			meant[i] = "+" + meant[i]
		}
		if marker = meant[0]; u.parts.given && !strings.Contains(marker, "=") {
			marker += "=" + u.parts.rest
		}
		readable, isRead := u.readable(u.c, marker, u.target)
		switch {
		case !isRead:
			def := u.find(split(marker), u.target)
			d = d.Help("give %s a value that it takes, as in %s", meant[0], example(def))
		case readable != marker:
			d = d.Help("did you mean %s?", readable).Do(diag.ReplaceMarker, readable)
		case len(meant) == 1:
			d = d.Help("did you mean %s?", meant[0]).Do(diag.Replace, meant[0][1:])
		default:
			d = d.Help("did you mean %s?", diag.Or(meant))
		}
	}
	d = u.Revived(d, marker, u.c)
	return &d
}

// rejectsTrue returns the definition of a marker whose value true API servers reject, nil for all others.
func (t *Table) rejectsTrue(name string, target Target) *Definition {
	if def := t.index[key{target, name}]; def != nil && def.Instead != "" {
		return def
	}
	return nil
}

// wrongTarget says where a marker belongs; right are all targets that know its name.
func wrongTarget(at diag.Span, name string, right, target Target) diag.Diagnostic {
	d := diag.Errorf(at, WrongTarget, "%s applies to %s, not to %s", name, diag.And(right.plurals()),
		diag.Or(target.plurals()))
	switch {
	case target == Package:
		return d.Note("a marker belongs to the declaration directly below its comment").
			Help("move it directly above the %s", targets(right)[0].noun())
	case right&Type != 0:
		return d.Help("move it to the type's declaration")
	case right&Field != 0 && target == Type:
		return d.Help("move it to the fields of this type")
	case right&Field != 0:
		return d.Help("move it to a field")
	case right&Constant != 0:
		return d.Help("move it to a constant")
	}
	return d.Help("move it to the comment above the package clause, for example in doc.go")
}

// meant returns the names that an unknown name was perhaps meant to be; isOurs is false if it is probably not a marker
// for CRDs at all.
func (t *Table) meant(p parts, name string, target Target) (names []string, isOurs bool) {
	head, tail, hasColon := strings.Cut(name, ":")
	all := t.names(anywhere, func(name string) bool { return strings.HasPrefix(name, ownPrefix) })
	switch {
	case t.isTag(name):
		if near := t.nearTag(name); near != "" {
			return []string{near}, true
		}
		return nil, false
	case ours(name):
		return t.suggest(p, target), true
	case len(all) > 0 && underOwnPrefix(name):
		return nearOwn(p, all), true
	case hasColon && !p.given && !strings.ContainsAny(tail, " \t:"):
		// +nullable:true has a colon in place of the equals sign.
		if def := t.index[key{target, head}]; def != nil && !strings.Contains(head, "k8s") {
			if len(def.Params) == 0 {
				return []string{head}, true
			}
			return []string{head + "=" + tail}, true
		}
	}
	if slip := t.slip(name, target); slip != "" {
		return []string{slip}, true
	}
	return nil, false
}

// sharedName reports whether another tool reads a known name on a target that has no such marker for CRDs: if the
// table has only some of the k8s: tags, validation-gen reads the others; defaulter-gen reads default on types.
func sharedName(def *Definition, target Target) bool {
	return strings.HasPrefix(def.Name, tagPrefix) && def.Grammar != Tag || def.Name == "default" && target == Type
}

// startsBare reports whether a comment starts with the name of a Bare marker. It is not that marker: something
// follows.
func (t *Table) startsBare(name string) bool {
	word := name[:len(name)-len(strings.TrimLeftFunc(name, unicode.IsLetter))]
	for _, target := range targets(anywhere) {
		if def := t.index[key{target, word}]; def != nil && def.Grammar == Bare {
			return true
		}
	}
	return false
}

// ours reports whether a name has kubebuilder's prefix, with up to two typos.
func ours(name string) bool {
	first, _, found := strings.Cut(name, ":")
	return found && (first == "kubebuilder" || !strings.ContainsAny(first, " \t") &&
		diag.Near(first, []string{"kubebuilder"}) != "" && len(first) >= len("kubebuilder")-2)
}

// ownPrefix is the prefix of crdproof's own markers.
const ownPrefix = "crdproof:"

// underOwnPrefix reports whether a name has crdproof's prefix, with up to two typos.
func underOwnPrefix(name string) bool {
	first, _, found := strings.Cut(name, ":")
	return found && !strings.ContainsAny(first, " \t") && diag.Near(first+":", []string{ownPrefix}) != ""
}

// nearOwn returns the nearest of the names, for a name with or without an argument.
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

// slip returns the known name that a bare or k8s: name equals except for one letter or for upper and lower case.
func (t *Table) slip(name string, target Target) string {
	if strings.ContainsAny(name, " \t") {
		return ""
	}
	name = strings.TrimRight(name, ".,;")
	elsewhere := ""
	for i := range t.defs {
		def := &t.defs[i]
		own := def.Name
		if def.Forbidden != "" {
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

// oneSlip reports whether two names are equal, or become equal if one letter is inserted, deleted, replaced or swapped
// with its neighbor. Names of fewer than six letters must be equal: too many words are near them.
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

// suggest returns the known names that a kubebuilder: name was perhaps meant to be, the likeliest first.
func (t *Table) suggest(p parts, target Target) []string {
	name := strings.TrimRight(p.whole, " \t:")
	if i := strings.LastIndexByte(name, ':'); i >= 0 && !p.given {
		// +kubebuilder:default:foo has a colon in place of the equals sign.
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
	if meant := t.synonym(stemOf(name), target); meant != "" {
		return []string{meant}
	}
	if meant := t.keywordOfCRD(stemOf(name)); meant != "" {
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

// near returns the names on the target whose last part is close to that of a name or else contains it: OneOf is part
// of ExactlyOneOf.
func (t *Table) near(name string, target Target) []string {
	all := t.names(target, func(n string) bool { return underOwnPrefix(name) || !strings.HasPrefix(n, ownPrefix) })
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

// names lists the names on the targets for which keep returns true; deprecated names come last.
func (t *Table) names(set Target, keep func(string) bool) []string {
	var first, last []string
	for i := range t.defs {
		def := &t.defs[i]
		if def.Targets&set == 0 || def.Forbidden != "" || !keep(def.Name) {
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

// byArgument finds the marker that has an argument of this name, such as kubebuilder:resource for categories, which
// was a marker of its own in kubebuilder 1.
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

// stemOf returns a name without the segments that people confuse: kubebuilder, validation, pruning and k8s.
func stemOf(name string) string {
	segments := strings.Split(name, ":")
	keep := segments[:0]
	for i, s := range segments {
		prefixes := []string{"kubebuilder", "validation", "pruning"}
		if i < len(segments)-1 && (s == "k8s" || slices.Contains(prefixes, s) || diag.Near(s, prefixes) != "") {
			continue
		}
		keep = append(keep, s)
	}
	return strings.Join(keep, ":")
}
