package fix

import (
	"regexp"
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/edit"
)

// numbers are what may be different in the message of the same finding.
var numbers = regexp.MustCompile(`[\d.,]*\d`)

// candidates returns the fixes of a round: of each finding that was not tried, the first help, if it has edits and
// either no effect or effects are asked for. Edits that overlap with those of an earlier fix wait for the next round.
// Rewritten rules have a round of their own, because less is known of what they accept.
func (f *fixer) candidates() (out []Fix) {
	var rules []Fix
	resolver := edit.NewResolver()
	for i := range f.now.state.Found {
		d := &f.now.state.Found[i]
		if !f.Covers(d) || f.tried[place(d)] {
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
		if !f.Covers(d) || f.tried[place(d)] {
			continue
		}
		if _, ok := f.fixOf(resolver, d); ok {
			n++
		}
	}
	return n
}

// begin lets fixes have effects, or not. What was left without them may be made then.
func (f *fixer) begin(effects bool) {
	f.effects = effects
	f.tried = map[string]bool{}
	if f.API {
		f.left = nil
	}
}

// leave records a fix that is not made.
func (f *fixer) leave(left Left) {
	f.left = append(f.left, left)
	f.done(left.Fix)
}

// done records that fixes have been tried.
func (f *fixer) done(fixes ...Fix) {
	for _, fix := range fixes {
		for i := range fix.Found {
			f.tried[place(&fix.Found[i])] = true
		}
	}
}

// try makes fixes, if the files are as promised then. Otherwise it tries halves, so that only those at fault are left.
// After the first half, the second one may be for a file that is different: it then waits for the next round.
func (f *fixer) try(fixes []Fix) {
	if f.ctx.Err() != nil || f.failed != nil || f.err != nil {
		return
	}
	overlay := f.after(fixes)
	v := f.judge(fixes, overlay)
	switch {
	case f.err != nil:
	case v.why == "":
		f.now = version{overlay, v.state}
		f.made = append(f.made, fixes...)
		f.done(fixes...)
	case len(fixes) > 1:
		n := len(fixes) / 2
		before := len(f.made)
		f.try(fixes[:n])
		if len(f.made) == before { // the offsets of the second half still hold
			f.try(fixes[n:])
		}
	case v.isBug:
		d := diag.Errorf(fixes[0].Found[0].Span, fixFailed, "the fix does not do what it promises: %s", v.why).
			Note("the fix is: %s", fixes[0].Help)
		f.failed = &d
	default:
		f.leave(Left{Fix: fixes[0], Why: v.why})
	}
}
