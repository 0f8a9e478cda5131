package markers

import (
	"errors"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
)

// The texts about the grammar of Kubernetes' declarative validation.

// found is the word at the reader's place, for messages.
func (r *tagReader) found() (at diag.Span, text string) {
	end := max(r.until(",()=#"), min(r.pos+width(r.text, r.pos), len(r.text)))
	return r.span(r.pos, end), r.text[r.pos:end]
}

func missingPayload(r *tagReader) diag.Diagnostic {
	at := r.span(r.pos, len(r.text))
	if r.rest() == "" {
		at = r.comment.At
	}
	return problem(rulePayload, at, r.def.Name+" needs a marker to speak of, behind =", such(r.def))
}

// noMarker is about a payload without its plus sign, or a value in its place.
func noMarker(r *tagReader, t *Table) diag.Diagnostic {
	at, text := r.span(r.pos, len(r.text)), r.text[r.pos:]
	d := problem(rulePayload, at, r.def.Name+" needs a marker behind the =, found "+quoted(text), such(r.def))
	if t.Lookup("+"+text, Field) != nil || t.Lookup("+"+text, Type) != nil {
		d.HelpText = "write +" + clip(text)
	}
	return d
}

func unknownPayload(c Comment, t *Table) diag.Diagnostic {
	for _, target := range []Target{Field, Type} {
		if d := t.Unknown(c, target); d != nil {
			d.Check = rulePayload
			return *d
		}
	}
	name := tagName(c.Text[1:])
	if name == "" {
		return problem(rulePayload, c.At, "expected a marker, found "+quoted(c.Text), "write the name of a marker right behind the +")
	}
	return problem(rulePayload, c.At.Sub(1, 1+len(name)), "no marker for a field or a type is called "+quoted(name),
		"write a marker that speaks of a field or a type")
}

func parenthesisOpen(r *tagReader, open int) diag.Diagnostic {
	return problem(ruleSyntax, r.span(open, open+1), "parenthesis is not closed", "write ) behind the last argument")
}

func wantComma(r *tagReader) diag.Diagnostic {
	at, text := r.found()
	return problem(ruleSyntax, at, "expected , or ) behind an argument, found "+quoted(text), "put the value in quotes if this belongs to it")
}

func equalsForColon(r *tagReader, name string) diag.Diagnostic {
	return problem(ruleSyntax, r.span(r.pos, r.pos+1), "expected : behind the name of an argument, found =", "write "+name+": value")
}

func argumentWithoutValue(r *tagReader, a Arg) diag.Diagnostic {
	if a.Name == "" {
		return problem(ruleSyntax, r.span(r.pos, min(r.pos+1, len(r.text))), "expected an argument", such(r.def))
	}
	return problem(ruleSyntax, a.NameAt, "argument "+quoted(a.Name)+" has no value", "write "+a.Name+": value")
}

func needsNames(at diag.Span, def *Definition) diag.Diagnostic {
	d := problem(ruleArgument, at, "an argument without a name stands alone in its parentheses", such(def))
	if names := argumentNames(def); len(names) > 0 {
		d.Notes = []string{"the arguments of " + def.Name + " are " + either(names, "and")}
	}
	return d
}

// argumentNames are those of a tag's arguments that have names.
func argumentNames(def *Definition) []string {
	var names []string
	for _, p := range def.Params {
		if p.Name != "" {
			names = append(names, p.Name)
		}
	}
	return names
}

// unknownTagArgument also returns the argument that was perhaps meant.
func unknownTagArgument(a Arg, def *Definition) (diag.Diagnostic, string) {
	names := argumentNames(def)
	at, message := a.NameAt, def.Name+" has no argument "+quoted(a.Name)
	if a.Name == "" {
		at, message = a.Value.At, def.Name+" has no argument without a name"
	}
	d := problem(ruleArgument, at, message, such(def))
	positional := def.param("", true) != nil
	switch guess := diag.Near(a.Name, names); {
	case guess != "":
		d.HelpText = diag.Meant(guess)
		d.Notes = []string{"its arguments are " + either(names, "and")}
		return d, guess
	case positional && len(names) == 0:
		d.Notes = []string{"its argument has no name"}
	case len(names) == 0 && def.Step != Item:
		d.Message, d.HelpText = def.Name+" takes nothing in parentheses", "write "+written(def)
		if p := def.param("", false); p != nil {
			d.HelpText = such(def)
		}
	case len(names) == 1:
		d.Notes = []string{"its argument is " + names[0]}
		if a.Name == "" {
			d.HelpText = "write " + names[0] + ": " + strconv.Quote(a.Value.Text)
		}
	case len(names) > 1:
		d.Notes = []string{"its arguments are " + either(names, "and")}
	}
	return d, ""
}

func givenTwice(a, first Arg) diag.Diagnostic {
	d := problem(ruleArgument, a.NameAt, quoted(a.Name)+" is given twice", "remove one of them")
	d.SeeAlso = []diag.Related{{Span: first.NameAt, Message: "first given here"}}
	return d
}

func missingInParentheses(at diag.Span, def *Definition) diag.Diagnostic {
	what := "an argument in parentheses"
	if def.Step == Item {
		what = "the keys of the item in parentheses"
	}
	return problem(ruleMissing, at, def.Name+" needs "+what, such(def))
}

func notAmong(v Value, def *Definition, permitted []string) diag.Diagnostic {
	d := problem(ruleValue, v.At, quoted(v.Text)+" is no value of "+def.Name, "write one of these")
	d.Notes = []string{"its values are " + either(permitted, "and")}
	if guess := diag.Near(v.Text, permitted); guess != "" {
		d.HelpText = diag.Meant(guess)
	}
	return d
}

// wrongTagValue is about a value that can be read but is of another kind than the argument.
func wrongTagValue(v Value, want Kind) diag.Diagnostic {
	switch {
	case want == String:
		return problem(ruleValue, v.At, "expected a string, found "+kindName(v.Kind), "write "+strconv.Quote(v.At.Text()))
	case v.Kind == String && v.At.Text() != v.Text:
		return wrongValue(v.At, want, strconv.Quote(v.Text), nil)
	}
	return wrongValue(v.At, want, v.Text, nil)
}

// unreadable is about a word that begins as no string, and is no number.
func unreadable(at diag.Span, want Kind, text string, err error) diag.Diagnostic {
	expected := kindName(want)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return outOfRange(at, text)
	case want == Any:
		expected = "a string, an integer, true or false"
		fallthrough
	case want == String:
		return problem(ruleValue, at, "expected "+expected+", found "+quoted(text), "write "+strconv.Quote(clip(text))+" if it is a string")
	}
	return wrongValue(at, want, text, err)
}

func markerForValue(r *tagReader, want Kind) diag.Diagnostic {
	return problem(ruleValue, r.span(r.pos, len(r.text)), "expected "+kindName(want)+", found a marker", such(r.def))
}

func leadingZero(at diag.Span, text string) diag.Diagnostic {
	sign, digits := "", text
	if strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+") {
		sign, digits = strings.TrimSuffix(text[:1], "+"), text[1:]
	}
	bare := strings.TrimLeft(digits[:len(digits)-1], "0") + digits[len(digits)-1:]
	return problem(ruleValue, at, quoted(text)+" has leading zeros: to some tools it is octal, to others decimal", "write "+sign+bare)
}

// behindTag is about what follows a tag that is complete.
func behindTag(r *tagReader) diag.Diagnostic {
	start := len(r.text) - len(strings.TrimLeft(r.text[r.pos:], " \t"))
	at, text := r.span(start, len(r.text)), r.text[start:]
	d := problem(ruleSyntax, at, "unexpected "+quoted(text)+" behind "+r.def.Name, "write # before a remark")
	p := r.def.param("", false)
	inString := p != nil && (p.Shape.Kind == String || p.Shape.Kind == Any)
	switch {
	case strings.HasPrefix(text, "=") || strings.HasPrefix(text, ":="):
		d.HelpText = "remove the space before the ="
	case start == r.pos && inString && text[0] != ':':
		d.HelpText = "put the whole value in quotes if this belongs to it"
	case start == r.pos:
		d.HelpText = "remove it"
	}
	return d
}

func badEscape(at diag.Span, quote byte) diag.Diagnostic {
	return problem(ruleSyntax, at, "in a tag a backslash stands only before "+string(quote)+" or another backslash", "write \\\\ for a backslash")
}

func stringOpen(at diag.Span, quote byte) diag.Diagnostic {
	return problem(ruleSyntax, at, "string is not closed", "close it with "+string(quote))
}
