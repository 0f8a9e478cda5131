package apply

import (
	"math"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower/internal/cel"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/options"
	"github.com/crdproof/crdproof/generator/lower/internal/pattern"
	"github.com/crdproof/crdproof/generator/lower/internal/read"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// setEqual adds the rule that allows one value.
func (ap Applier) setEqual(n *node.Node, m *markers.Marker, on node.Target) {
	s := &spot{n: n, base: n, value: cel.Self()}
	if c, ok := ap.equal(s, m, on); ok {
		ap.addSpotRule(s, m, c)
	}
}

// setNotEqual adds the rule that forbids a value.
func (ap Applier) setNotEqual(n *node.Node, m *markers.Marker, on node.Target) {
	s := &spot{n: n, base: n, value: cel.Self()}
	if c, ok := ap.notEqual(s, m, on); ok {
		ap.addSpotRule(s, m, c)
	}
}

// setForbidden adds the rule of a value that must be absent or its zero value. It is on the value itself, so that other
// fields of an old object with the value can still be changed.
func (ap Applier) setForbidden(n *node.Node, m *markers.Marker, on node.Target) {
	ap.Deviate(options.DeclarativeTags, m.At)
	name := "the field"
	if on.Field != nil && on.Field.Name != "" && len(m.Steps) == 0 {
		name = on.Field.Name
	}
	rule := cel.Ident("false")
	if differs := ap.notZero(n, cel.Self()); !differs.IsNone() {
		rule = cel.Not(differs)
	}
	n.Own.Rules = append(n.Own.Rules, tagRule(m, rule, detail(m, name+" may not be specified"),
		"FieldValueForbidden", ""))
}

// setChange adds the rule of how a value may change.
func (ap Applier) setChange(n *node.Node, m *markers.Marker, on node.Target) {
	if c, ok := ap.meaning(m).change(ap, n, m, cel.Self(), cel.OldSelf(), on); ok && !c.cel.IsNone() {
		n.Own.Rules = append(n.Own.Rules, tagRule(m, c.cel, c.message, c.reason, ""))
	}
}

// deviateBy records that controller-gen does not know a marker, or reads less in it.
func (ap Applier) deviateBy(m *markers.Marker) {
	if m.Def.IsTag() && (m.Def.Presence != markers.Unsaid || m.Def.Name == read.MarkOpaque) {
		return // which may change nothing: see required
	}
	if !ap.Opts.Deviations {
		return // reading the text takes time
	}
	wrapped := !strings.HasPrefix(m.At.Text(), "+"+m.Def.Name)
	switch {
	case m.Def.IsTag() && (m.Def.Own || wrapped), wrapped && strings.HasPrefix(m.At.Text(), "+k8s:"):
		ap.Deviate(options.DeclarativeTags, m.At)
	case len(m.Steps) > 0:
		ap.Deviate(options.OwnMarkers, m.At)
	}
}

// setMaxBytes bounds a string's length in UTF-8. A character has at least one byte, so the number bounds the characters
// too, which keeps the rule cheap.
func (ap Applier) setMaxBytes(n *node.Node, m *markers.Marker, on node.Target) {
	v := m.Arg("")
	limit, _ := v.Int64()
	longest := limit
	if n.IsBytes() {
		longest = min(limit, math.MaxInt64/4-3)
		longest = (longest + 2) / 3 * 4 // base64 writes four characters for each three bytes
	}
	ap.require(n, m, &schema.Schema{MaxLength: &schema.Int{V: longest, At: v.At}})
	if pattern.IsASCII(n.Own.Pattern.V) && !n.IsBytes() || n.IsBytes() && limit%3 == 0 {
		return // a character is a byte, or so many characters are no more bytes
	}
	c, _ := ap.maxBytes(&spot{value: cel.Self()}, m, on)
	n.Own.Rules = append(n.Own.Rules, tagRule(m, c.cel, c.message, "", ""))
}

// finishList adds the rule of k8s:unique to a list, once its keys are known.
func (ap Applier) finishList(n *node.Node) {
	if m := n.CustomUnique; m != nil {
		if t := n.ListType(); t == "map" || t == "set" {
			ap.WrongTag(diag.Errorf(m.At, checks.TagInexpressible,
				"k8s:customUnique has no effect on a list of type %s: the API server requires its items to be unique",
				t).
				Help("remove the marker, or change the list type to atomic"))
			return
		}
		n.Unique, n.UniqueBy = "", nil
	}
	m := n.UniqueBy
	if m == nil {
		return
	}
	if t := n.ListType(); t == "map" || t == "set" {
		ap.WrongTag(diag.Errorf(m.At, checks.TagUnique, "the items of a list of type %s are already unique", t).
			Help("remove the marker, or change the list type to atomic"))
		return
	}
	same := ap.identity(n)
	if same == nil {
		ap.WrongTag(diag.Errorf(m.At, checks.TagUnique, "k8s:unique=map needs the fields that identify an item").
			Help("add +k8s:listMapKey for each of these fields, as in +k8s:listMapKey=name"))
		return
	}
	rule := cel.Self().All("v", cel.Self().Call("exists_one", cel.Ident("w"), same(cel.Ident("v"), cel.Ident("w"))))
	message := "items must be unique"
	if n.Unique == "map" {
		message = "items must have unique keys"
	}
	n.Own.Rules = append(n.Own.Rules, tagRule(m, rule, message, "FieldValueDuplicate", ""))
}

// CheckEmbeddedTags reports tags for fields on an embedded struct, whose fields are part of the struct around it.
func (ap Applier) CheckEmbeddedTags(f *node.Field) {
	for i := range f.Marks {
		m := &f.Marks[i]
		mayStand := m.Def.Presence == markers.MayBe || m.Def.Presence == markers.MustBe ||
			m.Def.Name == read.MarkOpaque
		if ap.Enforces(f.Decl.Pkg) && len(m.Steps) == 0 && m.Def.IsTag() && !mayStand {
			ap.WrongTag(diag.Errorf(m.At, markers.WrongTarget,
				"%s applies to fields; an embedded struct is not a field in JSON", m.Def.Name).
				Help("put the marker on a field of the embedded struct, use +k8s:subfield, or name the embedded " +
					"struct in its json tag"))
		}
	}
}
