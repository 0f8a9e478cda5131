package markers

import (
	"cmp"
	"slices"
	"strconv"
	"text/scanner"

	"github.com/crdproof/crdproof/diag"
)

// namedArguments reads name=value,name=value. Of a duplicate argument the last value is kept, as in controller-gen.
func (r *reader) namedArguments(p parts) []Arg {
	var args []Arg
	var guesses []string
	switch {
	case p.whole == r.name && p.given && p.stem != p.whole:
		// +kubebuilder:resource=x: to controller-gen "resource" is an unknown argument.
		at := r.comment.At.Sub(1+len(p.whole), len(r.comment.Text))
		r.fail(r.wantNamed(at))
		return nil
	case p.whole == r.name:
		r.start(len(r.comment.Text) - len(p.rest))
	default:
		r.start(1 + len(r.name) + 1)
	}
	if r.sc.Peek() != scanner.EOF {
		args, guesses = r.argumentList()
	}
	r.required(args, guesses)
	return args
}

// argumentList reads the arguments up to the first syntax error. An unknown argument does not end the list: its value
// is skipped, so that a second mistake is found in the same run. guesses are the known names nearest to unknown ones.
func (r *reader) argumentList() (args []Arg, guesses []string) {
	before := ""
	for {
		if r.sc.Scan() != scanner.Ident {
			r.fail(r.wantName(r.sc.Position.Offset, before))
			return args, guesses
		}
		name, start := r.sc.TokenText(), r.sc.Position.Offset
		at := r.span(start, start+len(name))
		if r.sc.Scan() != '=' {
			r.fail(r.wantEquals(name, r.sc.Position.Offset, before))
			return args, guesses
		}
		i := slices.IndexFunc(r.def.Params, func(p Param) bool { return p.Name == name })
		if i < 0 {
			guesses = append(guesses, r.unknownArgument(at, name))
			r.begin(nil)
			r.value(Shape{Kind: Any}, false)
		} else {
			r.begin(&r.def.Params[i])
			v := r.value(r.def.Params[i].Shape, false)
			if next := r.sc.Peek(); next == scanner.EOF || next == ',' {
				r.lookAlikes(&v)
			}
			if j := slices.IndexFunc(args, func(a Arg) bool { return a.Name == name }); j >= 0 {
				r.note(repeated(at, "argument", name, args[j].NameAt))
				args = slices.Delete(args, j, j+1)
			}
			args = append(args, Arg{Name: name, NameAt: at, Value: v})
		}
		before = name
		if r.broken || r.sc.Peek() == scanner.EOF {
			return args, guesses
		}
		if r.sc.Scan() != ',' {
			r.fail(r.unexpected(r.sc.Position.Offset))
			return args, guesses
		}
	}
}

// either makes sure that exactly one of the arguments that exclude each other is given; a block gives the first of
// them.
func (r *reader) either(args []Arg) []Arg {
	if len(r.def.Either) == 0 {
		return args
	}
	var given []Arg
	for _, a := range args {
		if slices.Contains(r.def.Either, a.Name) {
			given = append(given, a)
		}
	}
	switch block := r.comment.Block; {
	case len(given) > 1:
		first, later := given[0], given[1]
		r.reject(diag.Errorf(later.NameAt, BadArgument, "arguments %s and %s exclude each other",
			quoted(first.Name), quoted(later.Name)).
			Help("remove one of them").See(first.NameAt, "the other one"))
	case len(given) == 1:
	case block != "":
		at := r.comment.BlockAt
		text := Value{Kind: String, At: at, Text: block}
		return append(args, Arg{Name: r.def.Either[0], NameAt: at.Sub(0, 0), Value: text})
	case !r.rejected:
		r.reject(diag.Errorf(r.comment.At, MissingArgument,
			"missing argument %s of %s, and no indented lines follow it",
			diag.Or(quotedAll(r.def.Either)), r.def.Name).
			Help("write the CEL in indented lines below the marker, without quotes:\n// +%s:message=\"min must not "+
				"exceed max\"\n//\n//\tself.min <= self.max", r.def.Name))
	}
	return args
}

// required reports all missing arguments in one diagnostic. It reports nothing after a syntax error, or if an unknown
// argument may be the missing one, misspelled.
func (r *reader) required(args []Arg, guesses []string) {
	if r.broken {
		return
	}
	var names []string
	for _, p := range r.def.Params {
		has := slices.ContainsFunc(args, func(a Arg) bool { return a.Name == p.Name })
		if !p.Optional && !has && !slices.Contains(guesses, p.Name) {
			names = append(names, strconv.Quote(p.Name))
		}
	}
	what := "argument"
	if len(names) > 1 {
		what += "s"
	}
	switch {
	case len(names) > 0 && r.swallowed >= 0:
		// name=,type=x: the missing argument has become part of the value before it, which is reported already.
		r.diags[r.swallowed].Check = BadValue.ID
		r.rejected = true
	case len(names) > 0:
		r.fail(diag.Errorf(r.comment.At, MissingArgument,
			"missing %s %s of %s", what, diag.And(names), r.def.Name).
			Help("%s", exampleHelp(r.def)))
	}
}

// wantNamed reports a bare value in the place of named arguments.
func (r *reader) wantNamed(at diag.Span) diag.Diagnostic {
	return diag.Errorf(at, BadSyntax, "%s takes named arguments, got a bare value", r.def.Name).
		Help("%s", exampleHelp(r.def))
}

// wantName reports a text in the place of an argument's name; before is the argument before it, if any.
func (r *reader) wantName(start int, before string) diag.Diagnostic {
	if start >= len(r.text) {
		return diag.Errorf(r.span(len(r.text), len(r.text)), BadSyntax, "expected another argument after the comma").
			Help("remove the comma at the end")
	}
	at, got := r.span(start, r.word(start)), r.text[start:r.word(start)]
	if r.text[start] == '=' {
		return r.wantNamed(at)
	}
	if d, ok := r.misread(); ok && before != "" {
		return d
	}
	return diag.Errorf(at, BadSyntax, "expected the name of an argument, got %s", quoted(got)).
		Help("%s", quoteOr(before, exampleHelp(r.def)))
}

// quoteOr returns the help if the value of an argument ends too early, at a comma that is perhaps part of it.
func quoteOr(before, help string) string {
	if before == "" {
		return help
	}
	return "put the value of " + before + " in quotes if the comma is part of it"
}

// wantEquals reports a text in the place of the equals sign after an argument's name.
func (r *reader) wantEquals(name string, start int, before string) diag.Diagnostic {
	if before != "" {
		isArgument := slices.ContainsFunc(r.def.Params, func(p Param) bool { return p.Name == name })
		if d, ok := r.misread(); ok && !isArgument {
			return d
		}
	}
	p := r.def.param(name, false)
	help := "write = and a value after " + name
	if p != nil && p.Shape.Kind == Bool {
		help = "write " + name + "=true"
	}
	if start >= len(r.text) {
		return diag.Errorf(r.span(len(r.text), len(r.text)), BadSyntax, "missing value for argument %s", quoted(name)).
			Help("%s", help)
	}
	end := start + width(r.text, start)
	return diag.Errorf(r.span(start, end), BadSyntax, "expected = after %s, got %s", quoted(name),
		quoted(r.text[start:end])).
		Help("%s", quoteOr(before, help))
}

// unknownArgument reports an argument that the marker does not have, and returns the nearest one that it has.
func (r *reader) unknownArgument(at diag.Span, name string) string {
	names := argumentNames(r.def)
	guess := diag.Near(name, names)
	r.reject(diag.Errorf(at, BadArgument, "unknown argument %s of %s", quoted(name), r.def.Name).
		Note("the arguments are %s", diag.And(names)).Help("%s", cmp.Or(diag.Meant(guess), exampleHelp(r.def))))
	return guess
}
