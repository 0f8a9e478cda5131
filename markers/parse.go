package markers

import (
	"strconv"
	"strings"
	"sync"
	"text/scanner"
	"time"

	"github.com/crdproof/crdproof/diag"
)

// Parse reads a comment that belongs to a declaration of the given target. ok says that the table has the marker for
// that target and that controller-gen accepts its arguments; m then holds the values that controller-gen reads.
// Diagnostics of a check that is Tolerated come with ok. For a name that is unknown on the target Parse returns
// nothing: see Unknown.
//
// The grammar and the resulting values are those of controller-tools' pkg/markers/parse.go; tests compare the two.
// Parse rejects two things that controller-tools' parser accepts:
//
//   - Maximum and Minimum of NaN or an infinity: controller-gen parses them, then fails to write the CRD;
//   - braces nested more than 200 levels deep: controller-gen exhausts its stack.
//
// It reports these as marker-loose or marker-repeated-argument, and returns controller-gen's value:
//
//   - an ignored segment between name and value (+listType:x=map);
//   - a value that starts with a separator, which becomes part of it (Enum=a;;b is "a" and ";b");
//   - a last word that is lost because of a space before the separator (Enum=a ;b is "" and "b");
//   - brackets and single quotes, which become part of the value (Enum=[a;b] is "[a" and "b]");
//   - a duplicate argument or key of a map: the last one is used.
//
// Trailing separators of lists (Enum=a;b; and {a,b,}) are not reported: nothing is lost.
func (t *Table) Parse(c Comment, target Target) (m Marker, ok bool, diags []diag.Diagnostic) {
	if strings.HasPrefix(c.Text, "<") {
		return t.parseAngle(c, target)
	}
	p := split(c.Text)
	def := t.find(p, target)
	if def == nil {
		return Marker{}, false, nil
	}
	steps, name := p.steps(c, def)
	m = Marker{Def: def, At: c.At, Name: c.At.Sub(1, 1+len(name)), Steps: steps}
	if def.Forbidden != "" {
		rejected := diag.Errorf(m.Name, ForbiddenMarker, "%s", def.Forbidden).Help("move it to the type's declaration")
		return m, false, []diag.Diagnostic{rejected}
	}
	if def.Grammar == Tag {
		return t.parseTag(c, def, target)
	}
	r := &reader{def: def, name: name, comment: c, swallowed: -1, sc: scanners.Get().(*scanner.Scanner)}
	defer scanners.Put(r.sc)
	switch {
	case def.Grammar == JSON:
		r.extraSegment(p)
		m.Args = r.jsonArgument(p)
	case def.Grammar == Float || def.Grammar == Decimal:
		r.extraSegment(p)
		m.Args = r.numberArgument(p)
	case def.anonymous() || len(def.Params) == 0:
		r.extraSegment(p)
		m.Args = r.anonymousArgument(p)
	default:
		m.Args = r.either(r.namedArguments(p))
	}
	if !r.rejected {
		m = t.ofGates(m, target)
	}
	return m, !r.rejected, r.diags
}

// anonymous reports whether the marker is of the form +name=value.
func (d *Definition) anonymous() bool { return len(d.Params) == 1 && d.Params[0].Name == "" }

// A reader reads one marker's arguments.
type reader struct {
	def     *Definition
	name    string // the marker's name as it is written
	comment Comment

	// text is what sc reads, the tail of the comment that starts at offset base.
	text string
	base int
	sc   *scanner.Scanner

	depth int
	// param is the argument whose value is being read, and valueAt the offset of that value; nil for an unknown
	// argument.
	param   *Param
	valueAt int
	// guessed is set within a list whose type was guessed from its first item.
	guessed bool
	// rejected is set by a mistake that controller-gen does not tolerate either; broken by one that ends the reading,
	// since further findings would mostly repeat it.
	rejected, broken bool
	diags            []diag.Diagnostic
	// swallowed is the index of the last diagnostic about a value that swallowed a separator, or -1.
	swallowed int
}

// note adds a diagnostic of a mistake that controller-gen tolerates.
func (r *reader) note(d diag.Diagnostic) {
	if !r.broken {
		r.diags = append(r.diags, d)
	}
}

// reject adds a diagnostic of a mistake that makes the marker unusable.
func (r *reader) reject(d diag.Diagnostic) {
	r.note(d)
	r.rejected = true
}

// fail rejects, for a mistake that also ends the reading.
func (r *reader) fail(d diag.Diagnostic) {
	r.reject(d)
	r.broken = true
}

// span covers bytes of the text that the scanner reads.
func (r *reader) span(start, end int) diag.Span {
	return r.comment.At.Sub(r.base+start, r.base+end)
}

// start makes the scanner read the comment from an offset on.
func (r *reader) start(base int) {
	r.base, r.text = base, r.comment.Text[base:]
	scan(r.sc, r.text, r.scanError)
}

// scanners are used again: each has a buffer of a kilobyte.
var scanners = sync.Pool{New: func() any { return new(scanner.Scanner) }}

// scan lets a scanner read a text as controller-gen's does: as Go's words, numbers and strings, and single characters.
func scan(sc *scanner.Scanner, text string, onError func(*scanner.Scanner, string)) {
	sc.Init(strings.NewReader(text))
	sc.Mode = scanner.ScanIdents | scanner.ScanInts | scanner.ScanFloats | scanner.ScanStrings | scanner.ScanRawStrings
	sc.Error = onError
}

func (r *reader) scanError(sc *scanner.Scanner, message string) {
	start := sc.Position.Offset
	if !sc.Position.IsValid() {
		start = sc.Pos().Offset
	}
	r.fail(r.scanFailed(start, message))
}

// scanFailed reports an error of Go's scanner.
func (r *reader) scanFailed(start int, message string) diag.Diagnostic {
	end := r.word(min(start, len(r.text)))
	at := func() diag.Span { return r.span(start, max(end, start)) }
	rest := r.text[min(start, len(r.text)):]
	switch {
	case strings.Contains(message, "not terminated"):
		if d, ok := r.misread(); ok && strings.HasPrefix(message, "literal") {
			return d
		}
		end = len(r.text)
		quote := rest[:min(1, len(rest))]
		d := diag.Errorf(at(), BadSyntax, "missing closing %s", quote)
		if r.param != nil && start == r.valueAt && quote == `"` && !strings.ContainsAny(rest[1:], "\"\\") {
			end = r.valueEnd(start)
			return diag.Errorf(at(), BadSyntax, "missing closing %s", quote).
				Help("write %s%s", r.text[start:end], quote)
		}
		return d.Help("write %s at the end of the string, or quote the whole value if %s is part of it", quote, quote)
	case strings.Contains(message, "escape"):
		end = len(r.text)
		if i := closingQuote(rest); i >= 0 {
			end = start + i
		}
		return r.badEscape(start, end)
	case strings.Contains(message, "UTF-8"):
		return diag.Errorf(at(), BadSyntax, "invalid UTF-8").Help("save the file as UTF-8")
	case strings.Contains(message, "NUL"):
		return diag.Errorf(at(), BadSyntax, "unexpected NUL character").Help("remove it").Do(diag.Remove, "")
	}
	return diag.Errorf(at(), BadValue, "expected a number in Go's notation, got %s", quoted(rest[:max(end-start, 0)])).
		Help("write a decimal number without leading zeros, or quote it if it is a string")
}

// badEscape reports a string in double quotes with an escape sequence that Go does not have, such as \d. In backticks
// the text stands for itself.
func (r *reader) badEscape(start, end int) diag.Diagnostic {
	d := diag.Errorf(r.span(start, end), BadSyntax, "unknown escape sequence in a string").
		Help("write \\\\ for a backslash, or put the string in `backticks`")
	text := r.text[start:min(end, len(r.text))]
	if r.param != nil && start == r.valueAt && r.depth == 0 {
		end = r.valueEnd(start)
		text = r.text[start:end]
		d.Span = r.span(start, end)
	}
	if inner := unquoted(text); inner != text && text[0] == '"' && !strings.Contains(inner, "`") {
		d = d.Write(r.withValue(start, end, "`"+inner+"`"))
	}
	return d
}

// peek skips white space and returns the next character without reading it.
func peek(sc *scanner.Scanner) rune {
	for {
		c := sc.Peek()
		if c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return c
		}
		sc.Next()
	}
}

// extraSegment notes an ignored segment between the name of a marker without named arguments and its value. A mere
// colon is the := form.
func (r *reader) extraSegment(p parts) {
	if p.whole == r.name || len(p.whole) <= len(r.name)+1 {
		return
	}
	if p.whole == r.name+":value" && len(r.def.Params) == 1 && r.def.Params[0].Shape.Kind == Any {
		return // +default:value=1 is how controller-gen's help writes it
	}
	start := 1 + len(r.name)
	at := r.comment.At.Sub(start, 1+len(p.whole))
	r.note(diag.Errorf(at, LooseValue, "unexpected %s between %s and its value; it is ignored",
		quoted(p.whole[len(r.name):]), r.name).
		Help("write +%s=%s", r.name, p.rest))
}

// numberArgument reads the whole rest as one number.
func (r *reader) numberArgument(p parts) []Arg {
	rest := p.rest
	if i := strings.IndexByte(rest, '#'); i >= 0 && strings.HasPrefix(p.whole, "k8s:") {
		// As in the tags of Kubernetes' declarative validation (k8s.io/gengo/v2/codetags), '#' starts a comment.
		rest = rest[:i]
	}
	literal := strings.TrimSpace(rest)
	start := len(r.comment.Text) - len(p.rest) + strings.Index(p.rest, literal)
	at := r.comment.At.Sub(start, start+len(literal))
	if literal == "" {
		r.fail(r.noValue())
		return nil
	}
	kind := Int
	var err error
	if r.def.Grammar == Float {
		kind = Number
		var f float64
		if f, err = strconv.ParseFloat(literal, 64); err == nil && (f != f || f-f != 0) {
			err = strconv.ErrSyntax // NaN or infinite
		}
	} else {
		_, err = strconv.Atoi(literal)
	}
	if err != nil {
		r.fail(r.wrongBound(at, kind, literal, err))
		return nil
	}
	return []Arg{{NameAt: at.Sub(0, 0), Value: Value{Kind: kind, At: at, Text: literal}}}
}

// wrongBound reports a bound that is not a number. Durations and quantities have markers of their own.
func (r *reader) wrongBound(at diag.Span, kind Kind, literal string, err error) diag.Diagnostic {
	d := wrongValue(at, r.def, kind, literal, err)
	side, isBound := strings.CutPrefix(r.def.Name, validationPrefix)
	if !isBound || side != "Minimum" && side != "Maximum" {
		return d
	}
	switch plain := unquoted(literal); {
	case strings.HasSuffix(r.comment.Type, "Duration"):
		if _, err := time.ParseDuration(plain); err == nil {
			return d.Help("write +crdproof:duration:%s=%s", strings.ToLower(side), plain)
		}
	case strings.HasSuffix(r.comment.Type, "Quantity") && !strings.ContainsAny(plain, " ,;\"'`"):
		return d.Help("write +crdproof:quantity:%s=%s", strings.ToLower(side), plain)
	}
	return d
}

// anonymousArgument reads the value of +name=value, or makes sure that there is none.
func (r *reader) anonymousArgument(p parts) []Arg {
	if p.rest == "" {
		// Most markers end here: +optional needs no scanner.
		if len(r.def.Params) > 0 && !r.def.Params[0].Optional {
			r.fail(r.noValue())
		}
		return nil
	}
	r.start(len(r.comment.Text) - len(p.rest))
	if len(r.def.Params) == 0 {
		if r.sc.Scan() != scanner.EOF {
			r.fail(takesNothing(r.comment.At.Sub(1+len(p.whole), len(r.comment.Text)), r.def, p.rest))
		}
		return nil
	}
	if r.sc.Peek() == scanner.EOF {
		// Only a byte order mark, which the scanner skips.
		if !r.def.Params[0].Optional {
			r.fail(r.noValue())
		}
		return nil
	}
	r.begin(&r.def.Params[0])
	v := r.value(r.def.Params[0].Shape, false)
	if r.sc.Peek() == scanner.EOF {
		r.lookAlikes(&v)
	}
	r.end()
	return []Arg{{NameAt: r.span(0, 0), Value: v}}
}

// begin notes where the value of an argument begins.
func (r *reader) begin(p *Param) {
	at := r.sc.Pos().Offset
	r.param, r.valueAt = p, len(r.text)-len(strings.TrimLeft(r.text[at:], " \t\r\n"))
}

// end makes sure that nothing follows.
func (r *reader) end() {
	if !r.broken && r.sc.Scan() != scanner.EOF {
		r.fail(r.unexpected(r.sc.Position.Offset))
	}
}

// noValue reports a marker of the form +name=value that has no value.
func (r *reader) noValue() diag.Diagnostic {
	kind := Any
	if len(r.def.Params) > 0 {
		kind = r.def.Params[0].Shape.Kind
	}
	d := diag.Errorf(r.comment.At, MissingArgument, "missing value for %s: expected %s", r.def.Name, phrase(kind)).
		Help("%s", exampleHelp(r.def))
	if r.def.Instead != "" {
		d = d.Help("%s", instead(r.def, r.comment.Type))
	}
	return d
}

// instead says which marker to write in place of one that the API server rejects.
func instead(def *Definition, goType string) string {
	if elem := strings.TrimPrefix(goType, "*"); def.Instead == "listType=set" && strings.HasPrefix(elem, "[]") {
		elem = elem[len("[]"):]
		if elem = strings.TrimPrefix(elem, "*"); !isScalar(elem) {
			return "for scalars write +listType=set, for structs +listType=map and +listMapKey"
		}
	}
	return "write +" + def.Instead
}

// isScalar reports whether a Go type as it is written is one of the predeclared types of scalars.
func isScalar(goType string) bool {
	switch goType {
	case "string", "bool", "int", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "float32", "float64":
		return true
	}
	return false
}

// takesNothing reports a value behind a marker that has none. What false means is said with another marker, or with
// none.
func takesNothing(at diag.Span, def *Definition, value string) diag.Diagnostic {
	d := diag.Errorf(at, BadArgument, "%s takes no value", def.Name).Write(written(def))
	switch value = strings.TrimSpace(value); {
	case value == "false" && def.Presence == MustBe && def.Targets&Field != 0:
		return d.Help("write +optional")
	case value == "false" && def.Presence == MayBe && def.Targets&Field != 0:
		return d.Help("write +required")
	case value == "false":
		return d.Help("remove the marker").Do(diag.RemoveMarker, "")
	case def.ListConstants() && rewrittenList(value) != "":
		return d.Help("write +%sEnum=%s", validationPrefix, rewrittenList(value)).Changes(diag.AcceptsLess, "")
	}
	return d
}

// unexpected reports text after the end of a value.
func (r *reader) unexpected(start int) diag.Diagnostic {
	end := r.word(start)
	got := r.text[start:end]
	isSeparator := strings.HasPrefix(got, ",") || strings.HasPrefix(got, ";")
	if isSeparator && strings.TrimSpace(r.text[start+1:]) == "" {
		return diag.Errorf(r.span(start, start+1), BadSyntax, "unexpected %s at the end", got[:1]).
			Help("remove it").Do(diag.Remove, "")
	}
	if d, ok := r.misread(); ok {
		return d
	}
	help := "put the whole value in quotes"
	switch {
	case isSeparator:
		end = len(r.text)
		got = r.text[start:end]
	case strings.HasPrefix(got, "}"):
		help = "remove the }, or put the whole value in quotes"
	case r.param != nil && r.depth == 0 && fits(strings.TrimSpace(r.text[r.valueAt:start]), r.param.Shape.Kind):
		end = len(r.text)
		got = r.text[start:end]
		help = "remove the text after " + strings.TrimSpace(r.text[r.valueAt:start])
	}
	return diag.Errorf(r.span(start, end), BadSyntax, "unexpected %s after the value", quoted(got)).Help("%s", help)
}
