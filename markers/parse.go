package markers

import (
	"strconv"
	"strings"
	"text/scanner"

	"github.com/crdproof/crdproof/generator/diag"
)

// Parse reads a comment that is bound to a declaration of the given target. ok says that the table knows the marker
// there and that controller-gen would accept its arguments; m then holds the values that controller-gen would see.
// Diagnostics of a rule that is Tolerated come with ok. For a name that is unknown on the target Parse returns nothing:
// ask Unknown about it.
//
// What is accepted and which values result is measured against controller-tools' pkg/markers/parse.go, whose grammar
// this is. Parse is stricter than it in these points, all of them errors that say so:
//
//   - Maximum and Minimum of NaN or an infinity: controller-gen parses them, then fails to write the CRD;
//   - braces nested deeper than 200 levels: controller-gen exhausts its stack.
//
// And it reports as marker-loose or marker-repeated-argument, while it returns controller-gen's value:
//
//   - a segment between name and value that nothing reads (+listType:x=map);
//   - a value that begins with a separator, which then becomes part of it (Enum=a;;b is "a" and ";b");
//   - a last word lost because a space stands between it and a separator (Enum=a ;b is "" and "b");
//   - an argument, or the key of a map, that stands twice: the last one wins.
//
// Trailing separators of lists (Enum=a;b; and {a,b,}) pass without a word: nothing is lost.
func (t *Table) Parse(c Comment, target Target) (m Marker, ok bool, diags []diag.Diagnostic) {
	p := split(c.Text)
	def := t.find(p, target)
	if def == nil {
		return Marker{}, false, nil
	}
	steps, name := p.steps(c, def)
	m = Marker{Def: def, At: c.At, Name: c.At.Sub(1, 1+len(name)), Steps: steps}
	if def.Refused != "" {
		refused := diag.Errorf(m.Name, RefusedMarker, "%s", def.Refused).Help("move it to the declaration of the type")
		return m, false, []diag.Diagnostic{refused}
	}
	if def.Grammar == Tag {
		return t.parseTag(c, def, target)
	}
	r := &reader{def: def, name: name, comment: c, swallowed: -1}
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
	return m, !r.refused, r.diags
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
	// guessed is set within a list whose type was guessed from its first item.
	guessed bool
	// refused is set by a mistake that controller-gen does not let pass either; broken by one after which reading on
	// makes no sense, since what follows would mostly be its echo.
	refused, broken bool
	diags           []diag.Diagnostic
	// swallowed is the index of the last diagnostic about a value that swallowed a separator, or -1.
	swallowed int
}

// note adds a diagnostic of a mistake that controller-gen lets pass.
func (r *reader) note(d diag.Diagnostic) {
	if !r.broken {
		r.diags = append(r.diags, d)
	}
}

// reject adds a diagnostic of a mistake that makes the marker unusable.
func (r *reader) reject(d diag.Diagnostic) {
	r.note(d)
	r.refused = true
}

// fail is reject for a mistake that also ends the reading.
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
	r.sc = newScanner(r.text, r.scanError)
}

// newScanner returns the scanner of controller-gen: Go's words, numbers and strings; all else is single characters.
func newScanner(text string, onError func(*scanner.Scanner, string)) *scanner.Scanner {
	sc := new(scanner.Scanner).Init(strings.NewReader(text))
	sc.Mode = scanner.ScanIdents | scanner.ScanInts | scanner.ScanFloats | scanner.ScanStrings | scanner.ScanRawStrings
	sc.Error = onError
	return sc
}

func (r *reader) scanError(sc *scanner.Scanner, message string) {
	start := sc.Position.Offset
	if !sc.Position.IsValid() {
		start = sc.Pos().Offset
	}
	r.fail(r.scanFailed(start, message))
}

// scanFailed is about what Go's scanner says of the text.
func (r *reader) scanFailed(start int, message string) diag.Diagnostic {
	end := r.word(min(start, len(r.text)))
	at := func() diag.Span { return r.span(start, max(end, start)) }
	rest := r.text[min(start, len(r.text)):]
	switch {
	case strings.Contains(message, "not terminated"):
		end = len(r.text)
		quote := rest[:min(1, len(rest))]
		return diag.Errorf(at(), BadSyntax, "string is not closed").
			Help("close it with %s, or quote the whole value if the %s belongs to it", quote, quote)
	case strings.Contains(message, "escape"):
		end = len(r.text)
		if i := closingQuote(rest); i >= 0 {
			end = start + i
		}
		return diag.Errorf(at(), BadSyntax, "string has an escape that Go does not know").
			Help("write \\\\ for a backslash, or put the string in `backticks`")
	case strings.Contains(message, "UTF-8"):
		return diag.Errorf(at(), BadSyntax, "text is not valid UTF-8").Help("save the file as UTF-8")
	case strings.Contains(message, "NUL"):
		return diag.Errorf(at(), BadSyntax, "text contains a NUL character").Help("remove it")
	}
	return diag.Errorf(at(), BadValue, "%s is not a number that Go can read", quoted(rest[:max(end-start, 0)])).
		Help("write a decimal number without leading zeros, or quote it if it is a string")
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

// extraSegment notes what stands between the name of a marker without named arguments and its value. A mere colon is
// the := form.
func (r *reader) extraSegment(p parts) {
	if p.whole == r.name || len(p.whole) <= len(r.name)+1 {
		return
	}
	if p.whole == r.name+":value" && len(r.def.Params) == 1 && r.def.Params[0].Shape.Kind == Any {
		return // +default:value=1 is how controller-gen's help writes it
	}
	start := 1 + len(r.name)
	at := r.comment.At.Sub(start, 1+len(p.whole))
	r.note(diag.Errorf(at, LooseValue, "nothing reads %s between the marker and its value",
		quoted(p.whole[len(r.name):])).
		Help("write +%s=%s", r.name, clip(p.rest)))
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
		r.fail(wrongValue(at, kind, literal, err))
		return nil
	}
	return []Arg{{NameAt: at.Sub(0, 0), Value: Value{Kind: kind, At: at, Text: literal}}}
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
			r.fail(takesNothing(r.comment.At.Sub(1+len(p.whole), len(r.comment.Text)), r.def))
		}
		return nil
	}
	if r.sc.Peek() == scanner.EOF {
		// Nothing but a byte order mark, which the scanner passes over.
		if !r.def.Params[0].Optional {
			r.fail(r.noValue())
		}
		return nil
	}
	v := r.value(r.def.Params[0].Shape, false)
	r.end()
	return []Arg{{NameAt: r.span(0, 0), Value: v}}
}

// end makes sure that nothing follows.
func (r *reader) end() {
	if !r.broken && r.sc.Scan() != scanner.EOF {
		r.fail(r.unexpected(r.sc.Position.Offset))
	}
}

// noValue is about a marker of the form +name=value that has no value.
func (r *reader) noValue() diag.Diagnostic {
	kind := Any
	if len(r.def.Params) > 0 {
		kind = r.def.Params[0].Shape.Kind
	}
	return diag.Errorf(r.comment.At, MissingArgument, "%s needs a value: %s", r.def.Name, phrase(kind)).
		Help("%s", such(r.def))
}

func takesNothing(at diag.Span, def *Definition) diag.Diagnostic {
	return diag.Errorf(at, BadArgument, "%s takes no value", def.Name).Help("write %s", written(def))
}

// unexpected is about text after the end of a value.
func (r *reader) unexpected(start int) diag.Diagnostic {
	end := r.word(start)
	found := r.text[start:end]
	help := "put the whole value in quotes"
	if strings.HasPrefix(found, ",") || strings.HasPrefix(found, ";") {
		if strings.TrimSpace(r.text[start+1:]) == "" {
			return diag.Errorf(r.span(start, start+1), BadSyntax, "nothing follows the %s", found[:1]).Help("remove it")
		}
		end = len(r.text)
		found = r.text[start:end]
		if r.def.anonymous() && r.def.Params[0].Shape.Kind == List && found[0] == ',' {
			help = "separate the items with ;"
		}
	} else if strings.HasPrefix(found, "}") {
		help = "remove the }, or put the whole value in quotes"
	}
	return diag.Errorf(r.span(start, end), BadSyntax, "unexpected %s after the value", quoted(found)).Help("%s", help)
}
