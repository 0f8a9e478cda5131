package suite

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// An editor changes values in the text of a suite and retains every other byte.
type editor struct {
	data  []byte
	edits []edit
	// newline ends each line of the file.
	newline string
}

// An edit replaces the bytes between two offsets.
type edit struct {
	start, end int
	text       string
}

func newEditor(src *diag.Source) *editor {
	e := &editor{data: src.Data, newline: "\n"}
	if bytes.Contains(src.Data, []byte("\r\n")) {
		e.newline = "\r\n"
	}
	return e
}

// text returns the text with all edits.
func (e *editor) text() []byte {
	slices.SortStableFunc(e.edits, func(a, b edit) int { return cmp.Compare(a.start, b.start) })
	var out []byte
	done := 0
	for _, edit := range e.edits {
		out = append(append(out, e.data[done:max(done, edit.start)]...), edit.text...)
		done = max(done, edit.end)
	}
	return append(out, e.data[done:]...)
}

// expect writes what a case should expect.
func (e *editor) expect(c *Case, want expectation) {
	now := c.says()
	object := ""
	if want.object != nil {
		object = toYAML(want.object)
	}
	if object != "" || c.Expected != nil {
		e.set(c, keyExpected, object, object == toYAML(now.object))
	}
	e.set(c, keyExpectedError, want.failure, want.failure == now.failure)
	e.set(c, keyStatusError, want.statusFailure, want.statusFailure == now.statusFailure)
}

// set gives a key of a case a value, or removes the key if the value is "".
func (e *editor) set(c *Case, key, value string, same bool) {
	m := c.node.Member(key)
	switch isOwn := m != nil && c.node.At.Contains(m.KeyAt); {
	case same:
	case isOwn && value != "":
		e.replace(c, m, value)
	case isOwn:
		e.remove(c, m)
	case value != "":
		e.insert(c, key, value)
	}
}

// isFlow reports whether the case is written with braces.
func (e *editor) isFlow(c *Case) bool { return e.data[c.node.At.Start] == '{' }

// value returns where the value of a key is written: the value itself, or its alias. The range is empty if nothing is
// written.
func (e *editor) value(m *schema.Member) (start, end int) {
	start = int(m.KeyAt.End)
	start += len(e.data[start:]) - len(bytes.TrimLeft(e.data[start:], " \t"))
	if start < len(e.data) && e.data[start] == ':' {
		start++
	}
	blanks := len(e.data[start:]) - len(bytes.TrimLeft(e.data[start:], " \t"))
	if at := start + blanks; at < len(e.data) && e.data[at] == '*' {
		end = at + 1
		for end < len(e.data) && bytes.IndexByte([]byte(" \t\r\n,]}"), e.data[end]) < 0 {
			end++
		}
		return at, end
	}
	if v := m.Value.At; int(v.Start) >= start && v.Start < v.End {
		return int(v.Start), int(v.End)
	}
	return start, start
}

// lineEnd returns the offset of the next line break after an offset, or of the end of the text.
func (e *editor) lineEnd(offset int) int {
	n := bytes.IndexByte(e.data[offset:], '\n')
	if n < 0 {
		return len(e.data)
	}
	return offset + len(bytes.TrimSuffix(e.data[offset:offset+n], []byte("\r")))
}

// lineStart returns the offset of the line's first byte.
func (e *editor) lineStart(offset int) int { return bytes.LastIndexByte(e.data[:offset], '\n') + 1 }

// behind returns the offset after a line break.
func (e *editor) behind(lineEnd int) int {
	rest := e.data[lineEnd:]
	return len(e.data) - len(bytes.TrimPrefix(bytes.TrimPrefix(rest, []byte("\r")), []byte("\n")))
}

func (e *editor) replace(c *Case, m *schema.Member, value string) {
	start, end := e.value(m)
	text, isBlock := e.scalar(c, m.Key, value)
	space := ""
	if start == end {
		space = " "
	}
	if isBlock {
		// The rest of the line, such as a comment, moves behind the indicator of the block.
		lineEnd := e.lineEnd(end)
		text, end = "|"+e.headerComment(start, end)+string(e.data[end:lineEnd])+text[len("|"):], lineEnd
	}
	text = space + text
	e.edits = append(e.edits, edit{start, end, text})
}

// headerComment returns the comment after the indicator of a block, with the space before it.
func (e *editor) headerComment(start, end int) string {
	header := e.data[start:min(end, e.lineEnd(start))]
	i := bytes.IndexByte(header, '#')
	if i < 0 || header[0] != '|' && header[0] != '>' {
		return ""
	}
	return string(header[len(bytes.TrimRight(header[:i], " \t")):])
}

// insert adds a key after the object that is sent, or after the name if the object is written elsewhere.
func (e *editor) insert(c *Case, key, value string) {
	m := c.node.Member(keyInitial)
	if c.OnUpdate {
		m = c.node.Member(keyUpdated)
	}
	if m == nil || !c.node.At.Contains(m.KeyAt) {
		m = c.node.Member(keyName)
	}
	_, end := e.value(m)
	text, _ := e.scalar(c, key, value)
	if e.isFlow(c) {
		e.edits = append(e.edits, edit{end, end, fmt.Sprintf(", %s: %s", key, text)})
		return
	}
	end = e.lineEnd(end)
	e.edits = append(e.edits, edit{end, end, e.newline + strings.Repeat(" ", e.column(c)) + key + ": " + text})
}

// remove removes a key with its line.
func (e *editor) remove(c *Case, m *schema.Member) {
	_, end := e.value(m)
	start := int(m.KeyAt.Start)
	next, previous := -1, -1
	for i := range c.node.Members {
		other := &c.node.Members[i]
		switch {
		case !c.node.At.Contains(other.KeyAt):
		case other.KeyAt.Start > m.KeyAt.Start && (next < 0 || int(other.KeyAt.Start) < next):
			next = int(other.KeyAt.Start)
		case other.KeyAt.Start < m.KeyAt.Start:
			_, before := e.value(other)
			previous = max(previous, before)
		}
	}
	lineStart, lineEnd := e.lineStart(start), e.lineEnd(end)
	switch {
	case e.isFlow(c) && previous >= 0:
		start = previous
	case next >= 0 && (e.isFlow(c) || previous < 0):
		end = next // the next key takes the place of the first one
	case e.behind(lineEnd) > lineEnd:
		start, end = lineStart, e.behind(lineEnd)
	default:
		start, end = len(bytes.TrimRight(e.data[:lineStart], "\r\n")), lineEnd
	}
	e.edits = append(e.edits, edit{start, end, ""})
}

// column returns the indentation of the keys of a case.
func (e *editor) column(c *Case) int {
	start := int(c.node.Member(keyName).KeyAt.Start)
	for _, m := range c.node.Members {
		if c.node.At.Contains(m.KeyAt) {
			start = int(m.KeyAt.Start)
			break
		}
	}
	return len([]rune(string(e.data[e.lineStart(start):start])))
}

// scalar formats the value of a key: an object as a block, a sentence in quotes.
func (e *editor) scalar(c *Case, key, value string) (text string, isBlock bool) {
	if key != keyExpected || e.isFlow(c) {
		return quote(value), false
	}
	indent := strings.Repeat(" ", e.indent(c))
	var out strings.Builder
	out.WriteByte('|')
	for line := range strings.Lines(value) {
		line = strings.TrimSuffix(line, "\n")
		out.WriteString(e.newline)
		if line != "" {
			out.WriteString(indent + line)
		}
	}
	return out.String(), true
}

// indent returns the indentation of the lines of blocks in a case: that of its existing blocks, if there are any.
func (e *editor) indent(c *Case) int {
	column := e.column(c)
	for _, key := range []string{keyExpected, keyUpdated, keyInitial} {
		m := c.node.Member(key)
		if m == nil || !c.node.At.Contains(m.Value.At) {
			continue
		}
		if text := m.Value.At.Text(); strings.HasPrefix(text, "|") {
			_, body, _ := strings.Cut(text, "\n")
			first, _, _ := strings.Cut(body, "\n")
			if n := len(first) - len(strings.TrimLeft(first, " ")); n > column {
				return n
			}
		}
	}
	return column + 2
}

// Characters that must be escaped in double quotes: those that are not printable in YAML, and its line breaks. JSON
// does not escape some of them.
var (
	escaped    = regexp.MustCompile("[\x00-\x1f\x7f-\u009f\u2028\u2029\ufeff]")
	leftByJSON = regexp.MustCompile("[\x7f-\u009f\ufeff]")
)

// quote writes a text as a scalar: in single quotes if they save escapes, otherwise in double quotes.
func quote(text string) string {
	if strings.ContainsAny(text, `"\`) && !strings.Contains(text, "'") && !escaped.MatchString(text) {
		return "'" + text + "'"
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		panic(err) // a string always has JSON
	}
	return leftByJSON.ReplaceAllStringFunc(strings.TrimSuffix(out.String(), "\n"),
		func(c string) string { return fmt.Sprintf(`\u%04x`, []rune(c)[0]) })
}
