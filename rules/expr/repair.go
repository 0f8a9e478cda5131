package expr

import (
	"cmp"
	"slices"
	"strings"

	"github.com/google/cel-go/common"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/rules/internal/slips"
)

// maxShown is the maximum length of an expression that is shown as a whole.
const maxShown = 300

// A repair is what an expression that does not compile may mean.
type repair struct {
	// text compiles, "" if it is not known.
	text string
	// applied are the edits, the first ones to the original text.
	applied []slips.Edit
	// known are all edits of the original text.
	known []slips.Edit
}

// repaired looks for edits after which the expression compiles. Each must bring it nearer to that, and the first ones
// of the table that do are taken.
func (e *expression) repaired(r result) repair {
	out := repair{known: slips.Edits(e.text.V)}
	at := e.attemptOf(e.text.V, r.issues)
	left := effort.ExpressionRepairs.N()
	for left > 0 && at.stage != compiles {
		next := e.nearer(at, &left)
		if next == nil {
			return out
		}
		out.applied = append(out.applied, next.edit)
		at = *next
	}
	isSlip := func(edit slips.Edit) bool { return edit.Words != "" } // others are typos, which have helps of their own
	if at.stage == compiles && slices.ContainsFunc(out.applied, isSlip) {
		out.text = strings.TrimSpace(at.text)
	}
	return out
}

// An attempt is a text in place of an expression.
type attempt struct {
	text   string
	edit   slips.Edit
	stage  stage
	issues []*common.Error
	// left is what is wrong: the bytes from the first syntax error on, or the number of errors.
	left int
}

// stage is how far the compiler comes.
type stage int

const (
	parses stage = iota
	checks
	returns
	compiles
)

// attemptOf returns how far the compiler comes with a text.
func (e *expression) attemptOf(text string, issues []*common.Error) attempt {
	out := attempt{text: text, issues: issues, stage: checks, left: len(issues)}
	if len(issues) == 0 {
		out.stage = returns
	} else if _, syntax := e.envs.envFor(e.versions.Last, e.optional).Parse(text); syntax.Err() != nil {
		out.stage, out.left = parses, len(text)-offset(text, issues[0].Location)
	}
	return out
}

// try compiles a text in place of the expression.
func (e *expression) try(edit slips.Edit) attempt {
	other := *e
	other.text.V, other.done, other.trace = edit.Text, nil, nil
	r := other.compiledIn(e.versions.Last)
	out := e.attemptOf(edit.Text, r.issues)
	out.edit = edit
	if out.stage == returns {
		if r := other.rejected(); r.issues == nil && r.checked.OutputType() == e.want {
			out.stage = compiles
		}
	}
	return out
}

// nearer returns the best attempt after one more edit, nil if none is nearer. It spends what is left of the budget.
func (e *expression) nearer(at attempt, left *int) *attempt {
	var best *attempt
	tried := map[string]bool{at.text: true}
	edits, there := e.edits(at)
	for i, edit := range edits {
		if i == there && best != nil {
			break
		}
		if edit.Text == "" || tried[edit.Text] || *left <= 0 {
			continue
		}
		tried[edit.Text] = true
		*left -= len(edit.Text)
		next := e.try(edit)
		if next.stage == compiles {
			return &next
		}
		isBetter := func(than attempt) bool {
			return next.stage > than.stage || next.stage == than.stage && next.left < than.left
		}
		if isBetter(at) && (best == nil || isBetter(*best)) {
			best = &next
		}
	}
	return best
}

// edits are those of a text, first those that are there, at its first error.
func (e *expression) edits(at attempt) (out []slips.Edit, there int) {
	out = slips.Edits(at.text)
	switch at.stage {
	case parses:
		out = append(out, textEdits(at)...)
		return out, len(out)
	case returns:
		return append(out, e.typedEdits(at)...), 0
	}
	start := offset(at.text, at.issues[0].Location)
	out = append(out, e.typedEdits(at)...)
	isUndeclared := strings.HasPrefix(at.issues[0].Message, "undeclared reference")
	away := func(edit slips.Edit) int {
		if isUndeclared && edit.Start <= start && start < edit.Last { // a later word of the slip, as in x.y != nil
			return 0
		}
		return distance(edit, start)
	}
	slices.SortStableFunc(out, func(x, y slips.Edit) int { return cmp.Compare(away(x), away(y)) })
	for there < len(out) && away(out[there]) == 0 {
		there++
	}
	return out, there
}

// distance is 0 for an edit at a byte or just before it.
func distance(edit slips.Edit, at int) int {
	for _, start := range append([]int{edit.Start}, edit.Also...) {
		if start-2 <= at && at <= start+edit.End-edit.Start+1 {
			return 0
		}
	}
	return 1
}

// explainTo adds what is known of a slip to the diagnostic about an issue.
func (p *repair) explainTo(e *expression, d *diag.Diagnostic, issue *common.Error) {
	isSyntax := strings.HasPrefix(issue.Message, "Syntax error")
	start := offset(e.text.V, issue.Location)
	edits := p.known
	if p.text != "" {
		edits = append(p.applied[:1:1], edits...)
	}
	for _, edit := range edits {
		isApplied := slices.ContainsFunc(p.applied, func(a slips.Edit) bool { return a.Slip == edit.Slip })
		isMeant := isApplied || len(edit.Become) == 0
		isAlone := isApplied && len(p.applied) == 1 && p.text != ""
		if edit.Words == "" || !isMeant || distance(edit, start) > 0 && !isAlone && !(isSyntax && isApplied) {
			continue
		}
		d.Message, d.Span = edit.Words, e.text.Range(edit.Start, edit.End)
		if len(edit.Become) == 0 || p.text != "" {
			d.HelpText, d.Steps = "", nil
		}
		return
	}
}

// help says what the expression becomes: the whole, or what is different if it is too long.
func (p *repair) help(e *expression, d *diag.Diagnostic) {
	if p.text == "" {
		return
	}
	help := "change the " + e.part + " to " + p.text
	if len(p.text) > maxShown {
		before, after := different(strings.TrimSpace(e.text.V), p.text)
		if help = "write " + after + " instead of " + before; len(help) > maxShown {
			return
		}
	}
	if d.Check == tooNew.ID {
		d.Alternatives = append([]diag.Help{{Text: d.HelpText, Steps: d.Steps}}, d.Alternatives...)
	}
	d.HelpText, d.Steps = help, []diag.Step{{Action: diag.Rewrite, At: e.text.At, Text: p.text}}
}

// different cuts off what two texts begin and end with, but for parts of words, and for what makes it clear which place
// is meant.
func different(before, after string) (x, y string) {
	start, end := 0, 0
	for start < min(len(before), len(after)) && before[start] == after[start] {
		start++
	}
	for end < min(len(before), len(after))-start && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	for end > 0 && before[len(before)-end] != ' ' {
		end--
	}
	for start > 0 && (before[start-1] != ' ' || strings.Count(before, before[start:len(before)-end]) > 1) {
		start--
	}
	return before[start : len(before)-end], after[start : len(after)-end]
}
