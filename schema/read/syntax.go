package read

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	clientyaml "sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/diag"
)

// isYAML reports whether kubectl can read a document as YAML.
func isYAML(data []byte) bool {
	_, err := clientyaml.YAMLToJSON(data)
	return err == nil
}

// isTemplate reports whether a document that cannot be read is a template that was not rendered: one that has control
// structures, or that can be read with a word in place of each placeholder, up to a line with a placeholder. Another
// one has a mistake.
func (r *reader) isTemplate(c chunk) bool {
	if r.placeholder(c) < 0 {
		return false
	}
	text := r.src.Data[c.start:c.end]
	_, err := clientyaml.YAMLToJSON(action.ReplaceAll(actionLine.ReplaceAll(text, nil), []byte("x")))
	if err == nil || control.Match(text) {
		return true
	}
	line, _ := yamlProblem(err)
	return bytes.Contains(plainPart([]byte(r.line(c, line).Text())), []byte("{{"))
}

// What templates of Go have between lines of YAML, and in them.
var (
	control = regexp.MustCompile(`(?m)^\s*\{\{-?\s*(if|else|end|range|with|define|block|include|template|` +
		`toYaml|\.|/\*|\$)`)
	actionLine = regexp.MustCompile(`(?m)^[ \t]*\{\{[^{}]*\}\}[ \t]*$`)
	action     = regexp.MustCompile(`\{\{[^{}]*\}\}`)
)

// placeholder returns the offset of the first placeholder of a template, -1 without one. Those in comments and in
// quotes are text to YAML.
func (r *reader) placeholder(c chunk) int {
	at := c.start
	for line := range bytes.Lines(r.src.Data[c.start:c.end]) {
		if i := bytes.Index(plainPart(line), []byte("{{")); i >= 0 {
			return at + i
		}
		at += len(line)
	}
	return -1
}

// plainPart returns a line of YAML up to its comment, or to a quote that begins a text.
func plainPart(line []byte) []byte {
	for i, b := range line {
		begins := i == 0 || bytes.IndexByte([]byte(" \t[{,:"), line[i-1]) >= 0
		if begins && (b == '#' || b == '"' || b == '\'') {
			return line[:i]
		}
	}
	return line
}

// template returns the position of the first placeholder of a template.
func (r *reader) template(c chunk) diag.Span {
	start := r.placeholder(c)
	line, _, _ := bytes.Cut(r.src.Data[start:c.end], []byte("\n"))
	if i := bytes.Index(line, []byte("}}")); i >= 0 {
		line = line[:i+len("}}")]
	}
	return diag.At(r.src, start, start+len(line))
}

// yamlSyntax says why a document cannot be read. The first error is that of the library that kubectl uses; the second
// is that of the library for positions, which names the line where the broken part begins.
func (r *reader) yamlSyntax(c chunk, err, begin error) diag.Diagnostic {
	if r.isTemplate(c) {
		return r.notRendered(c)
	}
	line, problem := yamlProblem(err)
	if begin != nil && (problem == "could not find expected ':'" || problem == "found unexpected end of stream") {
		line, _ = yamlProblem(begin)
	}
	at := r.line(c, line)
	text := at.Text()
	switch {
	case problem == "control characters are not allowed", strings.Contains(problem, "UTF-8"),
		strings.Contains(problem, "Unicode character"):
		at = r.unreadable(c)
	case problem == "mapping values are not allowed in this context":
		if i := strings.LastIndex(text+" ", ": "); i >= 0 {
			at = at.Sub(i, i+1)
		}
	case problem == "found character that cannot start any token":
		if i := strings.IndexAny(text, "\t@`%"); i >= 0 {
			at = at.Sub(i, i+1)
		}
	case strings.HasPrefix(problem, "unknown anchor '"):
		alias := "*" + strings.Split(problem, "'")[1]
		if i := bytes.Index(r.src.Data[c.start:c.end], []byte(alias)); i >= 0 {
			at = diag.At(r.src, c.start+i, c.start+i+len(alias))
		}
	}
	return notYAML(at, problem)
}

// yamlProblem splits an error of a YAML library into line and problem. Lines count from 1. The libraries count from 0
// in errors of their parser, unlike those of their scanner, and omit the first line.
func yamlProblem(err error) (line int, problem string) {
	problem = strings.TrimPrefix(err.Error(), "yaml: ")
	line = 1
	if rest, ok := strings.CutPrefix(problem, "line "); ok {
		number, after, _ := strings.Cut(rest, ": ")
		if n, err := strconv.Atoi(number); err == nil {
			line, problem = n, after
			if isOfParser(problem) {
				line++
			}
		}
	}
	return line, problem
}

// isOfParser reports whether a problem is about the order of tokens.
func isOfParser(problem string) bool {
	return regexp.MustCompile(`^(did not find expected (<|node content$|key$|'|',')|` +
		`found (undefined|duplicate|incompatible) )`).MatchString(problem)
}

// line returns the text on a line of the chunk, counted from 1, or on the last line before it that is not blank.
func (r *reader) line(c chunk, n int) diag.Span {
	start, at := c.start, diag.At(r.src, c.start, c.start)
	for ; n > 0 && start < c.end; n-- {
		line, _, _ := bytes.Cut(r.src.Data[start:c.end], []byte("\n"))
		if part := r.part(start, start+len(line)); part.Start < part.End || n == 1 && !at.IsValid() {
			at = part
			at.Start -= int32(leadingTabs(r.src.Data[start:at.Start]))
		}
		start += len(line) + 1
	}
	return at
}

// leadingTabs returns the length of an indentation from its first tab on.
func leadingTabs(indentation []byte) int {
	if i := bytes.IndexByte(indentation, '\t'); i >= 0 {
		return len(indentation) - i
	}
	return 0
}

// unreadable finds the first byte that is not allowed in YAML.
func (r *reader) unreadable(c chunk) diag.Span {
	for i := c.start; i < c.end; {
		char, size := utf8.DecodeRune(r.src.Data[i:c.end])
		isControl := char < ' ' && char != '\t' && char != '\n' && char != '\r' ||
			0x7F <= char && char < 0xA0 && char != 0x85
		if isControl || char == utf8.RuneError && size == 1 || char == 0xFFFE || char == 0xFFFF {
			return diag.At(r.src, i, i+size)
		}
		i += size
	}
	return r.line(c, 1)
}

// notYAML reports a text that is not valid YAML.
func notYAML(at diag.Span, problem string) diag.Diagnostic {
	helps := []struct{ problem, help string }{
		{"mapping values are not allowed",
			"put a text with a colon and a space in quotes, and each key on its own line, indented as those beside it"},
		{"found character that cannot start", "put a text that starts with this character in quotes"},
		{"found a tab character", "indent with spaces"},
		{"did not find expected key",
			"indent all keys of a mapping equally, and remove text after a quoted value"},
		{"did not find expected '-' indicator", "indent all items of a list equally"},
		{"could not find expected ':'",
			"write a colon and a space after the key, or indent the continued text more than its key"},
		{"found unexpected end of stream", "add the closing quote of the text that starts here"},
		{"found unknown escape character",
			"double the backslash, or use single quotes"},
		{"did not find expected alphabetic", "put a text that begins with * or & in quotes"},
		{"UTF-8", "save the file as UTF-8"},
		{"unknown anchor", "define the anchor (&name) in the same document, before its aliases (*name)"},
	}
	if at.Text() == "\t" {
		problem = "found a tab character where spaces are expected"
	}
	d := diag.Errorf(at, syntax, "invalid YAML: %s", problem)
	for _, c := range helps {
		if strings.Contains(problem, c.problem) {
			return d.Help("%s", c.help)
		}
	}
	return d
}

// notRendered reports a document that is a template.
func (r *reader) notRendered(c chunk) diag.Diagnostic {
	d := diag.Errorf(r.template(c), template, "this is a template, not YAML")
	if r.skipsTemplates() {
		d = diag.Warningf(r.template(c), templateSkipped, "this template of a CRD is skipped: it is not YAML")
	}
	return d.Help("render it first: helm template --include-crds . | crdproof check -")
}

// skipsTemplates reports whether templates are skipped: a file that the user names is expected to be read.
func (r *reader) skipsTemplates() bool { return r.skips && r.src.IsFound }

// skipsTemplate counts a document that cannot be read if it is a template that is not reported: that of another object
// than a CRD.
func (r *reader) skipsTemplate(c chunk) bool {
	if !r.skipsTemplates() || !r.isTemplate(c) {
		return false
	}
	r.skipped.Templates++
	return !bytes.Contains(r.src.Data[c.start:c.end], []byte(crdKind))
}
