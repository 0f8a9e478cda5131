package baseline

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/check"
)

// A File is a baseline file.
type File struct {
	Source *diag.Source
	// Entries are sorted, each key once.
	Entries []Entry
}

// Read reads a file. If a finding is an error, entries are missing. checks are those that it may name.
func Read(src *diag.Source, checks check.Table) (*File, []diag.Diagnostic) {
	r := &reader{file: &File{Source: src}, checks: checks}
	src.Syntax = diag.YAML // of its comments, too
	start := 0
	for line := range strings.Lines(string(src.Data)) {
		text := strings.TrimRight(line, "\r\n")
		indent := len(text) - len(strings.TrimLeft(strings.TrimPrefix(text, "\ufeff"), " \t"))
		if text = strings.TrimRight(text[indent:], " \t"); text != "" && text[0] != '#' {
			r.line(text, start+indent)
		}
		start += len(line)
	}
	entries := r.file.Entries
	slices.SortStableFunc(entries, func(a, b Entry) int {
		return cmp.Or(compareKeys(a.Key, b.Key), cmp.Compare(b.Count, a.Count))
	})
	for i := 1; i < len(entries); i++ {
		if entries[i].Key == entries[i-1].Key {
			r.found = append(r.found, diag.Warningf(entries[i].At, Mistake, "duplicate line; the larger count is used").
				See(entries[i-1].At, "the other one").Help("remove one of the lines"))
		}
	}
	r.file.Entries = slices.CompactFunc(entries, func(a, b Entry) bool { return a.Key == b.Key })
	return r.file, diag.Sort(r.found)
}

// A reader reads one file.
type reader struct {
	file   *File
	checks check.Table
	found  []diag.Diagnostic
}

// syntax describes a line.
const syntax = "<check> <package or file> <declaration> [for <package> <declaration>] [x<count>] [// <text>]"

// regenerate is the help for lines that cannot be understood.
const regenerate = "remove the line, and run crdproof with --baseline=write"

// Conflict reports whether a finding is about the lines of a merge that is not finished.
func Conflict(d diag.Diagnostic) bool { return d.Check == Mistake.ID && d.Message == inConflict }

const inConflict = "this line is of a merge conflict"

// line reads a line, which begins at an offset.
func (r *reader) line(text string, start int) {
	src := r.file.Source
	at := diag.At(src, start, start+len(text))
	for _, sign := range []string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"} {
		if strings.HasPrefix(text, sign) {
			r.found = append(r.found, diag.Errorf(at, Mistake, inConflict).
				Help("remove the lines with %s, and keep the entries of both sides", sign))
			return
		}
	}
	e, bad, message := parse(text)
	if message != "" {
		r.found = append(r.found, diag.Errorf(diag.At(src, start+bad, start+len(text)), Mistake, "%s", message).
			Note("a line is %s", syntax).Help(regenerate))
		return
	}
	if problem := r.unusable(e.Check, at.Sub(0, len(e.Check))); problem != nil {
		r.found = append(r.found, *problem)
		return
	}
	e.At = at
	r.file.Entries = append(r.file.Entries, e)
}

// unusable reports a check whose findings are never known. The line has no effect.
func (r *reader) unusable(id string, at diag.Span) *diag.Diagnostic {
	c := r.checks.Of(id)
	const remove = "remove the line, or run crdproof with --baseline=prune"
	switch {
	case c == nil:
		var ids []string
		for _, c := range r.checks {
			ids = append(ids, c.ID)
		}
		d := diag.Warningf(at, Mistake, "unknown check %q: the line has no effect", id).Help(remove)
		if near := diag.Near(id, ids); near != "" {
			d = d.Help("%s", diag.Meant(near))
		}
		return &d
	case c.Verdict || !c.CanWarn():
		return new(diag.Warningf(at, Mistake, "findings of check %s are always reported: the line has no effect", id).
			Help(remove))
	}
	return nil
}

// parse parses a line. message says what is wrong from an offset on, "" if nothing is.
func parse(text string) (e Entry, bad int, message string) {
	rest := text
	position := func() int { return len(text) - len(rest) }
	e.Count = 1
	for _, field := range []struct {
		called string
		value  *string
	}{
		{"the id of a check", &e.Check}, {"a package or a file", &e.Place.Unit}, {"a declaration", &e.Place.Name},
	} {
		if message = nextWord(&rest, field.value, field.called); message != "" {
			return e, position(), message
		}
	}
	if after, ok := strings.CutPrefix(rest, "for "); ok {
		rest = strings.TrimLeft(after, " \t")
		if message = nextWord(&rest, &e.For.Unit, "a package"); message == "" {
			message = nextWord(&rest, &e.For.Name, "a declaration")
		}
		if message != "" {
			return e, position(), message
		}
	}
	if strings.HasPrefix(rest, "x") {
		at := position()
		var word string
		_ = nextWord(&rest, &word, "") // there is one
		n, err := strconv.ParseUint(word[1:], 10, 31)
		if err != nil || n == 0 {
			return e, at, "expected a count such as x2, got " + strconv.Quote(word)
		}
		e.Count = int(n)
	}
	if rest == "" {
		return e, 0, ""
	}
	comment, ok := strings.CutPrefix(rest, "//")
	if !ok {
		return e, position(), "expected a count such as x2, or // and a text, got " + strconv.Quote(rest)
	}
	e.Text = oneLine(comment)
	return e, 0, ""
}

// nextWord takes the next word from a text: up to a space, or in quotes. Without a word, it returns what was expected.
func nextWord(rest, word *string, called string) string {
	text := *rest
	if text == "" || strings.HasPrefix(text, "//") {
		return "expected " + called + " here"
	}
	end := strings.IndexAny(text, " \t")
	if end < 0 {
		end = len(text)
	}
	*word = text[:end]
	if text[0] == '"' {
		quoted, err := strconv.QuotedPrefix(text)
		if err == nil {
			end = len(quoted)
			*word, err = strconv.Unquote(quoted)
		}
		if err != nil || *word == "" || end < len(text) && text[end] != ' ' && text[end] != '\t' {
			return "expected " + called + " in quotes"
		}
	}
	*rest = strings.TrimLeft(text[end:], " \t")
	return ""
}
