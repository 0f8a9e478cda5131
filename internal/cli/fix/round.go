package fix

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/cli/baseline"
	"github.com/crdproof/crdproof/internal/edit"
)

// numbers are what may be different in the message of the same finding.
var numbers = regexp.MustCompile(`[\d.,]*\d`)

// candidates returns the fixes of a round: of each finding that was not tried, the first help, if it has edits and
// either no effect or effects are asked for. Edits that overlap with those of an earlier fix wait for the next round.
// Rewritten rules have a round of their own, because less is known of what they accept. If only is not nil, other
// findings are left out.
func (f *fixer) candidates(only map[place]bool) (out []Fix) {
	var rules []Fix
	resolver := edit.NewResolver()
	for i := range f.now.state.Found {
		d := &f.now.state.Found[i]
		if at := f.now.place(d); !f.Covers(d) || f.tried[at] || only != nil && !only[at] {
			continue
		}
		fix, ok := f.fixOf(resolver, d)
		switch {
		case !ok:
		case rewrites(fix.Help):
			rules = join(rules, fix)
		default:
			out = join(out, fix)
		}
	}
	if len(out) == 0 {
		return rules
	}
	return out
}

// fixOf returns the preferred help of a finding with its edits.
func (f *fixer) fixOf(resolver *edit.Resolver, d *diag.Diagnostic) (Fix, bool) {
	help := Preferred(d)
	if help.Steps == nil || !f.effects && help.HasEffect() {
		return Fix{}, false
	}
	help.Edits = resolver.Edits(d.Span, help.Steps)
	for _, e := range help.Edits {
		if why := f.Keeps(e.Span.Source.Path); why != "" {
			f.leave(Left{Fix: Fix{help, []diag.Diagnostic{*d}}, Why: why, IsKept: true})
			return Fix{}, false
		}
	}
	return Fix{help, []diag.Diagnostic{*d}}, help.Edits != nil
}

// Preferred returns the help that --fix follows: the first one. It may leave a choice, and then has no steps; that
// another one has some does not make it what the author wants.
func Preferred(d *diag.Diagnostic) diag.Help {
	if helps := d.Helps(); len(helps) > 0 {
		return helps[0]
	}
	return diag.Help{}
}

func rewrites(h diag.Help) bool {
	return slices.ContainsFunc(h.Steps, func(s diag.Step) bool { return s.Action == diag.Rewrite })
}

// join adds a fix to others, unless its edits overlap with theirs. A fix with the same edits is for more findings.
func join(list []Fix, fix Fix) []Fix {
	for i := range list {
		if slices.Equal(list[i].Help.Edits, fix.Help.Edits) {
			list[i].Found = append(list[i].Found, fix.Found...)
			list[i].Help.Effect.Kind = both(list[i].Help.Effect.Kind, fix.Help.Effect.Kind)
			return list
		}
	}
	for i := range list {
		for _, a := range list[i].Help.Edits {
			if slices.ContainsFunc(fix.Help.Edits, func(b diag.Edit) bool { return edit.Overlap(a, b) }) {
				return list
			}
		}
	}
	return append(list, fix)
}

// both returns the effect of two edits together.
func both(a, b diag.EffectKind) diag.EffectKind {
	switch {
	case a == b || b <= diag.OtherBytes:
		return a
	case a <= diag.OtherBytes:
		return b
	}
	return diag.AcceptsOther
}

// ofAPI counts the findings that fixes with an effect are for.
func (f *fixer) ofAPI() (n int) {
	resolver := edit.NewResolver()
	for i := range f.now.state.Found {
		d := &f.now.state.Found[i]
		if !f.Covers(d) || f.tried[f.now.place(d)] {
			continue
		}
		if _, ok := f.fixOf(resolver, d); ok {
			n++
		}
	}
	return n
}

// begin lets fixes have effects, or not. What was left before may be made now.
func (f *fixer) begin(effects bool) {
	f.effects, f.tried, f.left = effects, map[place]bool{}, nil
}

// rounds makes edits until nothing is left, or only what was tried in vain after all others were made.
func (f *fixer) rounds() {
	made := len(f.made)
	fixes := f.candidates(nil)
	for n := 0; n < maxRounds && f.failed == nil && f.err == nil; n++ {
		if len(fixes) == 0 && len(f.left) > 0 && len(f.made) > made {
			made = len(f.made)
			f.begin(f.effects)
			fixes = f.candidates(nil)
		}
		if len(fixes) == 0 {
			return
		}
		f.try(fixes)
		fixes = f.candidates(nil)
	}
	for _, fix := range fixes {
		f.leave(Left{Fix: fix, Why: fmt.Sprintf("%d rounds of edits were made before; run --fix again", maxRounds)})
	}
}

// leave records a fix that is not made.
func (f *fixer) leave(left Left) {
	f.left = append(f.left, left)
	maps.Copy(f.tried, f.places([]Fix{left.Fix}))
}

// places returns the places of the findings of fixes.
func (f *fixer) places(fixes []Fix) map[place]bool {
	out := map[place]bool{}
	for _, fix := range fixes {
		for i := range fix.Found {
			out[f.now.place(&fix.Found[i])] = true
		}
	}
	return out
}

// try makes fixes, if the files are as promised then. Otherwise it tries two parts, so that only those at fault are
// left. After the first part, the files may be different: the edits of the second one are then made anew.
func (f *fixer) try(fixes []Fix) {
	if len(fixes) == 0 || f.ctx.Err() != nil || f.failed != nil || f.err != nil {
		return
	}
	overlay := f.after(fixes)
	v := f.judge(fixes, overlay)
	switch {
	case f.err != nil:
	case v.why == "":
		f.now = newVersion(overlay, v.state)
		f.made = append(f.made, fixes...)
	case len(fixes) > 1:
		first, second := f.parts(fixes, v)
		wanted, before := f.places(second), len(f.made)
		f.try(first)
		if len(f.made) > before {
			second = f.candidates(wanted)
		}
		f.try(second)
	case v.isBug:
		d := diag.Errorf(fixes[0].Found[0].Span, fixFailed, "the fix does not do what it promises: %s", v.why).
			Note("the fix is: %s", fixes[0].Help)
		f.failed = &d
	default:
		f.leave(Left{Fix: fixes[0], Why: v.why})
	}
}

// parts divides fixes that are not as promised together: the one at fault is the second part, if it is known, and
// otherwise the second half is.
func (f *fixer) parts(fixes []Fix, v verdict) (first, second []Fix) {
	for i := range fixes {
		if len(v.at) > 0 && slices.ContainsFunc(v.at, func(at baseline.Place) bool { return f.touches(fixes[i], at) }) {
			second = append(second, fixes[i])
		} else {
			first = append(first, fixes[i])
		}
	}
	if len(first) > 0 && len(second) > 0 {
		return first, second
	}
	n := len(fixes) / 2
	return fixes[:n], fixes[n:]
}

// touches reports whether a fix is for a finding at a place.
func (f *fixer) touches(fix Fix, at baseline.Place) bool {
	for p := range f.places([]Fix{fix}) {
		if p.Place == at {
			return true
		}
	}
	return false
}
