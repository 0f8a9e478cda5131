package markers

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/crdproof/crdproof/diag"
)

// A tagReader reads the tags of Kubernetes' declarative validation. A test compares it with their own parser
// (k8s.io/gengo/v2/codetags). It accepts more:
//
//   - white space in parentheses and after =, so that a tag can be written over several lines;
//   - := for =, and fractions if the row takes any number, as controller-gen does;
//   - payloads in the grammar of other markers.
//
// And it rejects what does not mean what it seems to:
//
//   - an argument's name without a value, which codetags drops, and an = after parentheses without a value;
//   - integers with leading zeros, which are octal to codetags and decimal to controller-gen;
//   - duplicate arguments.
type tagReader struct {
	*reader
	pos int
}

// parseTag reads a chain of tags that starts with one of the table's. If it is not ok, the marker's definition is that
// of the first tag.
func (t *Table) parseTag(c Comment, def *Definition, target Target) (Marker, bool, []diag.Diagnostic) {
	r := &tagReader{reader: &reader{def: def, comment: c, text: c.Text, swallowed: -1}}
	m := Marker{At: c.At}
	for start := 0; ; {
		m.Def, m.Name = r.def, r.span(start+1, start+1+len(r.def.Name))
		r.pos = start + 1 + len(r.def.Name)
		var args []Arg
		if r.def.Step == Place {
			m.Steps = append(m.Steps, r.path()...)
		} else {
			args = r.arguments()
		}
		if r.broken {
			break
		}
		if r.def.Step == NoStep || r.def.IsCondition() && len(args) == 0 && !r.hasPayload() {
			m.Args = append(args, r.argument()...)
			break
		}
		if r.def.Step != Place {
			m.Steps = append(m.Steps, Step{Kind: r.def.Step, At: r.span(start, r.pos), Args: args})
		}
		payload, next, on := t.payload(r, target)
		if r.broken {
			break
		}
		if next.Grammar != Tag {
			inner, ok, diags := t.Parse(payload, on)
			m.Def, m.Name, m.Args, m.Steps = inner.Def, inner.Name, inner.Args, append(m.Steps, inner.Steps...)
			r.diags, r.rejected = append(r.diags, diags...), r.rejected || !ok
			break
		}
		start, r.def = r.pos, next
	}
	if r.rejected {
		m.Def = def
	}
	if m.Def.tag != nil {
		m.Def = m.Def.tag
	}
	return m, !r.rejected, r.diags
}

// hasPayload reports whether a marker follows an equals sign.
func (r *tagReader) hasPayload() bool {
	rest, found := strings.CutPrefix(strings.TrimPrefix(r.text[r.pos:], ":"), "=")
	return found && strings.HasPrefix(strings.TrimSpace(rest), "+")
}

// payload finds the marker after a tag's equals sign, and the target that its row is for.
func (t *Table) payload(r *tagReader, target Target) (c Comment, def *Definition, on Target) {
	if !r.equals() || r.pos == len(r.text) {
		at := r.span(r.pos, len(r.text))
		if r.rest() == "" {
			at = r.comment.At
		}
		d := diag.Errorf(at, BadPayload, "missing marker after %s=", r.def.Name).Help("%s", exampleHelp(r.def))
		if r.def.IsCondition() {
			d = d.Help("write a marker after %s=, or %s if the whole declaration belongs to it",
				strings.TrimRight(r.text[:r.pos], "= "), r.def.Example)
		}
		r.fail(d)
		return c, nil, 0
	}
	if r.text[r.pos] != '+' {
		at, text := r.span(r.pos, len(r.text)), r.text[r.pos:]
		d := diag.Errorf(at, BadPayload, "expected a marker after %s=, got %s", r.def.Name, quoted(text)).
			Help("%s", exampleHelp(r.def))
		if t.Lookup("+"+text, Field) != nil || t.Lookup("+"+text, Type) != nil {
			d = d.Help("write %s+%s", r.text[:r.pos], text)
		}
		r.fail(d)
		return c, nil, 0
	}
	c = r.comment
	c.Text, c.At = r.text[r.pos:], r.span(r.pos, len(r.text))
	for _, on := range []Target{target, Field, Type} {
		if def := t.Lookup(c.Text, on); def != nil && def.Forbidden == "" && on != Package {
			return c, def, on
		}
	}
	r.fail(t.unknownPayload(c))
	return c, nil, 0
}

// unknownPayload reports a payload that is not a marker for fields or types.
func (t *Table) unknownPayload(c Comment) diag.Diagnostic {
	for _, target := range []Target{Field, Type} {
		if d := t.Unknown(c, target); d != nil {
			d.Check = BadPayload.ID
			return *d
		}
	}
	name := tagName(c.Text[1:])
	if name == "" {
		return diag.Errorf(c.At, BadPayload, "expected a marker, got %s", quoted(c.Text)).
			Help("write the name of a marker directly after +")
	}
	return diag.Errorf(c.At.Sub(1, 1+len(name)), BadPayload, "unknown marker %s for fields or types", quoted(name)).
		Help("write a marker that applies to fields or types")
}

// tagName returns the name that a text without its plus sign starts with in the grammar of tags.
func tagName(text string) string {
	if end := strings.IndexFunc(text, func(c rune) bool { return !inWord(c) && c != ':' }); end >= 0 {
		text = text[:end]
	}
	return strings.TrimRight(text, ":")
}

const tagPrefix = "k8s:"

// isTag reports whether a name has a prefix of tags and the table has all tags.
func (t *Table) isTag(name string) bool { return t.tags && t.prefixOf(name) != "" }

// prefixOf returns the prefix of tags that a name has, or "".
func (t *Table) prefixOf(name string) string {
	for _, prefix := range []string{tagPrefix, t.prefix} {
		if prefix != "" && strings.HasPrefix(name, prefix) {
			return prefix
		}
	}
	return ""
}

// nearTag returns the tag nearest to a name, or "".
func (t *Table) nearTag(name string) string {
	prefix := t.prefixOf(name)
	var tags []string
	for _, tag := range t.names(anywhere, func(name string) bool { return strings.HasPrefix(name, prefix) }) {
		tags = append(tags, strings.TrimPrefix(tag, prefix))
	}
	if meant := diag.Near(strings.TrimPrefix(name, prefix), tags); meant != "" {
		return prefix + meant
	}
	return ""
}

// inWord reports whether a word may have a character, other than as its first.
func inWord(c rune) bool {
	return unicode.IsLetter(c) || unicode.IsDigit(c) || c == '_' || c == '.' || c == '-'
}

// Continues reports whether a comment is a tag that continues in the next comment line that is not empty: its
// parentheses are open, or it ends with an equals sign and the next line has a value or a payload.
func (t *Table) Continues(text, next string) bool {
	for {
		name := tagName(text[1:])
		def := t.elsewhere(parts{tag: name})
		if def == nil || def.Grammar != Tag {
			return false
		}
		isMarker := len(next) > 1 && next[0] == '+' && unicode.IsLetter(rune(next[1]))
		rest := text[1+len(name):]
		if strings.HasPrefix(rest, "(") {
			end, open := closingParenthesis(rest)
			if end < 0 {
				return open && !isMarker && next != ""
			}
			rest = rest[end:]
		}
		rest, found := strings.CutPrefix(strings.TrimPrefix(rest, ":"), "=")
		if rest = strings.TrimSpace(rest); !found {
			return false
		}
		if rest == "" {
			return isMarker == (def.Step != NoStep) && next != ""
		}
		if rest[0] != '+' {
			return false
		}
		text = rest
	}
}

// closingParenthesis returns the offset after the parenthesis that closes the one at the start of a text, or -1; open
// then says that the text ends outside of a string.
func closingParenthesis(text string) (end int, open bool) {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case ')':
			return i + 1, false
		case '"', '`':
			n := closingQuote(text[i:])
			if n < 0 {
				return -1, false
			}
			i += n - 1
		}
	}
	return -1, true
}

// comesNext reports whether a character comes next.
func (r *tagReader) comesNext(c byte) bool { return r.pos < len(r.text) && r.text[r.pos] == c }

// skip skips white space.
func (r *tagReader) skip() {
	r.pos = len(r.text) - len(strings.TrimLeftFunc(r.text[r.pos:], unicode.IsSpace))
}

// until returns the end of the following characters that are not white space and not in a set.
func (r *tagReader) until(chars string) int {
	ends := func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune(chars, c) }
	if i := strings.IndexFunc(r.text[r.pos:], ends); i >= 0 {
		return r.pos + i
	}
	return len(r.text)
}

// equals reads an equals sign and the space after it.
func (r *tagReader) equals() bool {
	if strings.HasPrefix(r.text[r.pos:], ":=") {
		r.pos++
	}
	if !r.comesNext('=') {
		return false
	}
	r.pos++
	r.skip()
	return true
}

// arguments reads the arguments in parentheses, if any.
func (r *tagReader) arguments() []Arg {
	var args []Arg
	if r.comesNext('(') {
		open := r.pos
		r.pos++
		for r.skip(); !r.comesNext(')'); r.skip() {
			if r.pos == len(r.text) {
				r.fail(diag.Errorf(r.span(open, open+1), BadSyntax, "missing ) for this (").
					Help("write ) after the last argument"))
				return nil
			}
			args = append(args, r.inParentheses())
			if r.skip(); !r.broken && !r.comesNext(',') && !r.comesNext(')') && r.pos < len(r.text) {
				end := max(r.until(",()=#"), min(r.pos+width(r.text, r.pos), len(r.text)))
				r.fail(diag.Errorf(r.span(r.pos, end), BadSyntax, "expected , or ) after an argument, got %s",
					quoted(r.text[r.pos:end])).
					Help("put the whole value in quotes if this is part of it"))
			}
			if r.broken {
				return nil
			}
			if r.comesNext(',') {
				r.pos++
			}
		}
		r.pos++
	}
	r.check(args)
	return args
}

// inParentheses reads one argument: a value, or a name and a value.
func (r *tagReader) inParentheses() Arg {
	start := r.pos
	word := r.text[start : len(r.text)-len(strings.TrimLeftFunc(r.text[start:], inWord))]
	arg := Arg{NameAt: r.span(start, start)}
	if word != "" && isWordStart(word) {
		r.pos += len(word)
		if r.skip(); r.comesNext('=') && r.def.param("", true) != nil {
			r.fail(diag.Errorf(r.span(r.pos, r.pos+1), BadSyntax, "missing ) after %s", quoted(word)).
				Help("write ) before ="))
			return arg
		}
		if r.comesNext('=') {
			r.fail(diag.Errorf(r.span(r.pos, r.pos+1), BadSyntax, "expected : after the name of an argument, got =").
				Help("write :"))
			return arg
		}
		if r.comesNext(':') {
			arg.Name, arg.NameAt = word, r.span(start, start+len(word))
			r.pos++
			r.skip()
			start = r.pos
		}
	}
	r.pos = start
	if r.pos == len(r.text) || r.comesNext(',') || r.comesNext(')') {
		if arg.Name == "" {
			r.fail(diag.Errorf(r.span(r.pos, min(r.pos+1, len(r.text))), BadSyntax, "expected an argument").
				Help("%s", exampleHelp(r.def)))
		} else {
			r.fail(diag.Errorf(arg.NameAt, BadSyntax, "missing value for argument %s", quoted(arg.Name)).
				Help("write the value after %s:", arg.Name))
		}
		return arg
	}
	arg.Value = r.literal(r.kindOf(arg.Name))
	return arg
}

func isWordStart(word string) bool {
	for _, c := range word {
		return unicode.IsLetter(c) || c == '_'
	}
	return false
}

// kindOf returns the kind of an argument in parentheses, Any if it is unknown.
func (r *tagReader) kindOf(name string) Kind {
	if p := r.def.param(name, true); p != nil {
		return p.Shape.Kind
	}
	return Any
}

// param finds a parameter of a tag: one in parentheses, or the value after the equals sign.
func (d *Definition) param(name string, inParentheses bool) *Param {
	for i, p := range d.Params {
		if p.Name == name && inParentheses == (p.Positional || p.Name != "") {
			return &d.Params[i]
		}
	}
	return nil
}

// check compares the arguments in parentheses with the definition.
func (r *tagReader) check(args []Arg) {
	if i := slices.IndexFunc(args, func(a Arg) bool { return a.Name == "" }); i >= 0 && len(args) > 1 {
		d := diag.Errorf(args[i].Value.At, BadArgument, "an argument without a name must be the only one").
			Help("%s", exampleHelp(r.def))
		if names := argumentNames(r.def); len(names) > 0 {
			d = d.Note("the arguments of %s are %s", r.def.Name, diag.And(names))
		}
		r.reject(d)
		return
	}
	var guesses []string
	for i, a := range args {
		p := r.def.param(a.Name, true)
		switch {
		case r.def.Step == Item && a.Name != "":
			// These are the keys of the list, which the type of the list decides.
		case p == nil:
			d, guess := unknownTagArgument(a, r.def)
			r.reject(d)
			guesses = append(guesses, guess)
		default:
			r.permit(a.Value, p)
		}
		if j := slices.IndexFunc(args, func(b Arg) bool { return b.Name == a.Name }); j < i {
			r.reject(diag.Errorf(a.NameAt, BadArgument, "duplicate argument %s", quoted(a.Name)).
				Help("remove one of them").See(args[j].NameAt, "first given here"))
		}
	}
	if len(args) > 0 && len(guesses) > 0 {
		return
	}
	for i := range r.def.Params {
		if p := &r.def.Params[i]; p.Positional && !p.Optional && len(args) == 0 {
			r.reject(diag.Errorf(r.span(0, r.pos), MissingArgument, "missing argument of %s in parentheses",
				r.def.Name).
				Help("%s", exampleHelp(r.def)))
		}
	}
	named := func(name string) bool { return slices.ContainsFunc(args, func(a Arg) bool { return a.Name == name }) }
	what := ""
	switch {
	case r.def.Step == Item && len(args) == 0:
		what = "keys of the item"
	case r.def.Step == Mode && !named("") && !named("mode"):
		what = "argument"
	}
	if what != "" {
		r.reject(diag.Errorf(r.span(0, r.pos), MissingArgument, "missing %s of %s in parentheses", what, r.def.Name).
			Help("%s", exampleHelp(r.def)))
	}
}

// unknownTagArgument also returns the name of the nearest argument.
func unknownTagArgument(a Arg, def *Definition) (diag.Diagnostic, string) {
	names := argumentNames(def)
	d := diag.Errorf(a.NameAt, BadArgument, "unknown argument %s of %s", quoted(a.Name), def.Name)
	if a.Name == "" {
		d = diag.Errorf(a.Value.At, BadArgument, "%s takes no argument without a name", def.Name)
	}
	at := d.Span
	d = d.Help("%s", exampleHelp(def))
	switch guess := diag.Near(a.Name, names); {
	case guess != "":
		return d.Meant(guess).Note("the arguments are %s", diag.And(names)), guess
	case def.param("", true) != nil && len(names) == 0:
		d = d.Note("the argument has no name")
	case len(names) == 0 && def.Step != Item:
		d = diag.Errorf(at, BadArgument, "%s takes no arguments in parentheses", def.Name).
			Write(written(def))
		if p := def.param("", false); p != nil {
			d = d.Help("%s", exampleHelp(def))
		}
	case len(names) == 1:
		d = d.Note("the argument is %s", names[0])
		if a.Name == "" {
			d = d.Help("write %s: %q", names[0], a.Value.Text)
		}
	case len(names) > 1:
		d = d.Note("the arguments are %s", diag.And(names))
	}
	return d, ""
}

// permit makes sure that a value has its parameter's kind and is allowed.
func (r *tagReader) permit(v Value, p *Param) {
	want := p.Shape.Kind
	switch {
	case v.Kind == want || want == Number && v.Kind == Int || want == Any && v.Kind != Number,
		p.OrText && v.Kind == String && v.At.Text() != v.Text:
		if len(p.Values) > 0 && !slices.Contains(p.Values, v.Text) {
			d := diag.Errorf(v.At, BadValue, "unknown value %s of %s", quoted(v.Text), r.def.Name)
			r.reject(d.Note("the values are %s", diag.And(p.Values)).
				Help("%s", cmp.Or(diag.Meant(diag.Near(v.Text, p.Values)), "write one of these values")))
		}
	case want == String && p.Optional && p.Name == "":
		r.reject(diag.Errorf(v.At, BadValue, "expected a string, got %s", clip(v.At.Text())).
			Help("write %s", written(r.def)))
	case want == String:
		r.reject(diag.Errorf(v.At, BadValue, "expected a string, got %s", clip(v.At.Text())).
			Write(strconv.Quote(v.At.Text())))
	case v.Kind == String && v.At.Text() != v.Text:
		r.reject(wrongValue(v.At, r.def, want, strconv.Quote(v.Text), nil))
	default:
		r.reject(wrongValue(v.At, r.def, want, v.Text, nil))
	}
}

// argument reads the value after the parentheses of a tag without a payload, and a remark.
func (r *tagReader) argument() []Arg {
	p, start := r.def.param("", false), r.pos
	var args []Arg
	switch found := r.equals(); {
	case found && p == nil:
		r.fail(takesNothing(r.span(start, len(r.text)), r.def, r.text[r.pos:]))
	case found && r.pos < len(r.text) && !r.comesNext('#'):
		v := r.literal(p.Shape.Kind)
		if !r.broken {
			r.permit(v, p)
		}
		args = []Arg{{NameAt: r.span(start+1, start+1), Value: v}}
	case p != nil && (found || !p.Optional && r.rest() == ""):
		r.fail(r.noValue())
	}
	if !r.broken && r.rest() != "" {
		r.fail(r.behind())
	}
	return args
}

// behind reports text after a complete tag.
func (r *tagReader) behind() diag.Diagnostic {
	start := len(r.text) - len(strings.TrimLeft(r.text[r.pos:], " \t"))
	text := r.text[start:]
	p := r.def.param("", false)
	inString := p != nil && (p.Shape.Kind == String || p.Shape.Kind == Any)
	help := "write # before a remark"
	switch {
	case strings.HasPrefix(text, "=") || strings.HasPrefix(text, ":="):
		help = "write " + r.text[:r.pos] + "=" + strings.TrimLeft(text, ":= \t")
	case start == r.pos && text[0] == ':' && p != nil && len(text) > 1 && !strings.Contains(text, "="):
		help = "write " + r.text[:r.pos] + "=" + strings.TrimSpace(text[1:])
	case start == r.pos && inString && text[0] != ':':
		help = "put the whole value in quotes if this is part of it"
	case start == r.pos:
		help = "remove it"
	}
	return diag.Errorf(r.span(start, len(r.text)), BadSyntax, "unexpected %s after %s", quoted(text), r.def.Name).
		Help("%s", help)
}

// rest returns the remaining text without a remark.
func (r *tagReader) rest() string {
	rest := strings.TrimSpace(r.text[r.pos:])
	if strings.HasPrefix(rest, "#") {
		return ""
	}
	return rest
}
