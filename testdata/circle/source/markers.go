package source

import (
	"fmt"
	"strings"
)

// markers returns lines of markers above a field, and a tag that tells the filler which values they permit.
func (g *gen) markers(t *typ, options string) (lines, tag string) {
	write := func(markers ...string) {
		for _, m := range markers {
			lines += "\t// +" + m + "\n"
		}
	}
	has := func(option string) bool { return strings.Contains(options, ","+option) }
	isRequired := !has("omitempty") && !has("omitzero")
	switch n := g.IntN(10); {
	case n < 3:
		write(pick(g, "optional", "optional", "kubebuilder:validation:Optional"))
		isRequired = false
	case n < 4:
		write(pick(g, "required", "kubebuilder:validation:Required"))
		isRequired = true
	}
	if g.chance(8) && (!t.isDeaf || g.risks > 0) {
		write("nullable")
		if t.isDeaf {
			g.risks--
			t.shape = Shape{t.shape.Name + " nullable", May, "type-one-way"}
		}
	}
	var know []string
	if t.meta && g.chance(40) {
		value := pick(g, "", "=true", "=false")
		write("crdproof:embeddedObjectMeta" + value)
		if value == "=false" {
			know = append(know, "nometa")
		}
	}
	write(t.markers...)
	if t.tag != "" {
		know = append(know, t.tag)
	}
	isBounded := t.values != nil
	if !has("string") && len(t.markers) == 0 {
		limits := g.limits(*t)
		write(limits.markers...)
		know = append(know, limits.tags...)
		isBounded = isBounded || limits.isBounded
		if limits.hasDefault {
			isRequired = false
		}
	}
	if mustSet(*t, has, isRequired, isBounded) {
		know = append(know, "set")
	}
	if len(know) > 0 {
		tag = fmt.Sprintf("circle:%q", strings.Join(know, ","))
	}
	return lines, tag
}

// mustSet reports whether it is the author's mistake, of which nobody warns, to leave a field unset: where it is
// required, and the unset value is omitted though it is no value of the schema, or is written though bounds exclude it.
// A null that is written, and a permitted value that is omitted, crdproof has to announce, and that an optional value
// is rejected; but not if the JSON that Go writes is unknown.
func mustSet(t typ, has func(option string) bool, isRequired, isBounded bool) bool {
	isOmitted := has("omitzero") || has("omitempty") && !t.hasParts()
	isEmptied := has("omitempty") && (t.class == list || t.class == mapping) && !t.pointer && !isBounded
	switch {
	case t.pointer && !isOmitted:
		return false
	case !isRequired:
		return t.opaque && t.hasParts() && !isOmitted
	case t.null:
		return isOmitted && !isEmptied
	}
	return t.opaque || isBounded || t.hasParts()
}

// limits are markers that say which values a field has.
type limits struct {
	markers, tags []string
	// isBounded is whether they may exclude the zero value.
	isBounded, hasDefault bool
}

// limits returns such as suit the type, or none.
func (g *gen) limits(t typ) limits {
	var l limits
	add := func(format string, args ...any) { l.markers = append(l.markers, fmt.Sprintf(format, args...)) }
	low := g.IntN(4)
	if t.class == integer && !t.unsigned {
		low -= 2
	}
	if t.values == nil && g.chance(25) {
		switch {
		case t.class == integer:
			add("kubebuilder:validation:Minimum=%d", low)
			add("kubebuilder:validation:Maximum=%d", low+9)
			l.tags, l.isBounded = []string{fmt.Sprintf("min=%d,max=%d", low, low+9)}, true
		case t.class == text:
			l.size(add, "Length", low, low+9)
		case t.class == list && !t.pointer:
			l.size(add, "Items", low, low+2)
		case t.class == mapping && !t.fewKeys && !t.pointer:
			l.size(add, "Properties", low, low+2)
		}
	}
	switch {
	case t.class == list && !t.pointer && g.chance(20):
		kind := "atomic"
		if t.scalars && !l.isBounded && g.chance(60) {
			kind = "set"
			l.tags = append(l.tags, "unique")
		}
		add("listType=%s", kind)
	case t.class == mapping && !t.pointer && g.chance(10):
		add("mapType=%s", pick(g, "atomic", "granular"))
	case t.class == aggregate && !t.pointer && g.chance(5):
		add("structType=%s", pick(g, "atomic", "granular"))
	}
	if value := g.defaultOf(t, low, l.isBounded); value != "" && g.chance(15) {
		marker := pick(g, "kubebuilder:default", "kubebuilder:default", "default")
		if marker == "default" && t.class == list {
			value = "[]" // as JSON has it
		}
		add("%s=%s", marker, value)
		l.hasDefault = true
	}
	return l
}

func (l *limits) size(add func(string, ...any), of string, low, high int) {
	add("kubebuilder:validation:Min%s=%d", of, low)
	add("kubebuilder:validation:Max%s=%d", of, high)
	l.tags, l.isBounded = []string{fmt.Sprintf("minlen=%d,maxlen=%d", low, high)}, true
}

// defaultOf returns a legal value as a marker writes it, "" if none is sure to be one.
func (g *gen) defaultOf(t typ, low int, isBounded bool) string {
	switch {
	case t.pointer && (t.class == list || t.class == mapping):
	case len(t.values) > 0:
		return t.values[len(t.values)-1]
	case t.class == boolean:
		return pick(g, "true", "false")
	case t.class == integer && isBounded:
		return fmt.Sprint(low + 1)
	case t.class == integer:
		return pick(g, "0", "1", "7")
	case t.class == text:
		return fmt.Sprintf("%q", "default"[:3+max(low, 0)])
	case (t.class == list || t.class == mapping) && !isBounded:
		return "{}"
	}
	return ""
}
