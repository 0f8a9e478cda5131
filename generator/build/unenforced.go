package build

import (
	"regexp"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/markers"
)

// leftOut is what the type of another package demands, and the CRD does not, at a place of the user's that leads there.
type leftOut struct {
	own  diag.Span
	typ  string
	what []string
	at   diag.Span
}

// unenforced notes that a marker in another package is not enforced.
func (b *builder) unenforced(m *markers.Marker) {
	own, typ := b.ownPlace(m.At)
	if typ == nil {
		return // of a package that no kind leads to
	}
	what := m.At.Text()
	if b.annotated != "" {
		what += " on " + b.annotated
	}
	typ.unenforced = append(typ.unenforced, unenforced{what, m.At})
	b.leaveOut(own, typ.name, what, m.At)
}

// unenforced is one thing that a type demands in vain, and where.
type unenforced struct {
	what string
	at   diag.Span
}

// leaveOut adds to what is not enforced at a place.
func (b *builder) leaveOut(own diag.Span, typ, what string, at diag.Span) {
	if !own.IsValid() {
		return
	}
	for i := range b.leftOut {
		l := &b.leftOut[i]
		if l.own != own {
			continue
		}
		if !slices.Contains(l.what, what) {
			l.what = append(l.what, what)
		}
		return
	}
	b.leftOut = append(b.leftOut, leftOut{own, typ, []string{what}, at})
}

// shownRule names a rule by the tag that it stands for, or by what it says.
func shownRule(r *schema.Rule) string {
	if text := r.At.Text(); isDeclarative(strings.TrimPrefix(text, "+")) {
		return text
	}
	return "the rule " + r.Rule.V
}

// isTransition matches a rule that compares with the value before an update.
var isTransition = regexp.MustCompile(`\boldSelf\b`)

// A correlator leaves out rules that compare with the value before an update where the API server cannot tell which value
// that is, below lists that are not of type map (KEP-2876). It does so for rules of other people's types alone: their
// authors did not know where they would be used. Those of the user's own are refused by the proof, which knows the cure.
type correlator struct {
	b *builder
	// lost are the schemas that stand below such a list, as they are without such rules.
	lost map[*schema.Schema]*schema.Schema
	kept map[*schema.Schema]*schema.Schema
}

// correlated returns the schema without the rules that cannot be evaluated; own is the innermost place of the user's on the
// way to it.
func (c *correlator) correlated(s *schema.Schema, own diag.Span, lost bool) *schema.Schema {
	if s == nil {
		return nil
	}
	if c.b.program.Owns(s.At) {
		own = s.At
	}
	memo := c.kept
	if lost {
		memo = c.lost
	}
	if done, ok := memo[s]; ok {
		return done
	}
	out := *s
	changed := false
	if lost {
		out.Rules = nil
		for i := range s.Rules {
			r := s.Rules[i]
			if c.b.program.Owns(r.At) || !isTransition.MatchString(r.Rule.V) {
				out.Rules = append(out.Rules, r)
				continue
			}
			changed = true
			c.b.leaveOut(own, "of this field", shownRule(&r)+" below a list that is not of type map", r.At)
			c.b.deviate(transitionsLost, r.At)
		}
	}
	child := func(s *schema.Schema, lost bool) *schema.Schema {
		done := c.correlated(s, own, lost)
		changed = changed || done != s
		return done
	}
	out.Items = child(s.Items, lost || s.ListType.V != "map")
	out.AdditionalProperties = child(s.AdditionalProperties, lost)
	out.Properties = slices.Clone(s.Properties)
	for i := range out.Properties {
		out.Properties[i].Schema = child(s.Properties[i].Schema, lost)
	}
	result := s
	if changed {
		result = &out
	}
	memo[s] = result
	return result
}
