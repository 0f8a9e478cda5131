package markers

import (
	"cmp"
	"slices"
	"strconv"
	"text/scanner"

	"github.com/crdproof/crdproof/generator/diag"
)

// namedArguments reads name=value,name=value. Where one stands twice the last value is kept, as by controller-gen.
func (r *reader) namedArguments(p parts) []Arg {
	var args []Arg
	var guesses []string
	switch {
	case p.whole == r.name && p.given && p.stem != p.whole:
		// +kubebuilder:resource=x: to controller-gen "resource" is an unknown argument.
		at := r.comment.At.Sub(1+len(p.whole), len(r.comment.Text))
		r.fail(diag.Errorf(at, BadSyntax, "%s takes named arguments, found a bare value", r.def.Name).
			Help("%s", such(r.def)))
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
// is skipped, so that a second mistake is found in the same run. guesses are the names that unknown arguments were
// perhaps meant to have.
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
			r.value(Shape{Kind: Any}, false)
		} else {
			v := r.value(r.def.Params[i].Shape, false)
			if j := slices.IndexFunc(args, func(a Arg) bool { return a.Name == name }); j >= 0 {
				r.note(repeated(at, name, args[j].NameAt))
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

// either makes sure that exactly one of the arguments is given that exclude each other; a block gives the first of
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
		r.reject(diag.Errorf(later.NameAt, BadArgument, "the arguments %s and %s exclude each other",
			quoted(first.Name), quoted(later.Name)).
			Help("remove one of them").See(first.NameAt, "the other one"))
	case len(given) == 1:
	case block != "":
		at := r.comment.BlockAt
		text := Value{Kind: String, At: at, Text: block}
		return append(args, Arg{Name: r.def.Either[0], NameAt: at.Sub(0, 0), Value: text})
	case !r.refused:
		r.reject(diag.Errorf(r.comment.At, MissingArgument, "%s lacks %s, and no indented lines follow it", r.def.Name,
			either(r.def.Either, "or")).
			Help("write CEL below the marker, indented, without quotes:\n// +%s:message=\"…\"\n//\n//\tself.min <= "+
				"self.max",
				r.def.Name))
	}
	return args
}

// required reports all missing arguments in one diagnostic. After a syntax error, or where an unknown argument may be
// the missing one misspelt, it is silent.
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
	what := "the argument"
	if len(names) > 1 {
		what += "s"
	}
	switch {
	case len(names) > 0 && r.swallowed >= 0:
		// name=,type=x: the missing argument has gone into the value before it, which is said already.
		r.diags[r.swallowed].Check = BadValue.ID
		r.refused = true
	case len(names) > 0:
		r.fail(diag.Errorf(r.comment.At, MissingArgument, "%s lacks %s %s", r.def.Name, what, either(names, "and")).
			Help("%s", such(r.def)))
	}
}

// wantName is about what stands where an argument's name should; before is the argument before it, if any.
func (r *reader) wantName(start int, before string) diag.Diagnostic {
	if start >= len(r.text) {
		return diag.Errorf(r.span(len(r.text), len(r.text)), BadSyntax, "expected another argument after the comma").
			Help("remove the comma at the end")
	}
	at, found := r.span(start, r.word(start)), r.text[start:r.word(start)]
	if r.text[start] == '=' {
		return diag.Errorf(at, BadSyntax, "%s takes named arguments, found a bare value", r.def.Name).
			Help("%s", such(r.def))
	}
	return diag.Errorf(at, BadSyntax, "expected the name of an argument, found %s", quoted(found)).
		Help("%s", quoteOr(before, such(r.def)))
}

// quoteOr is the help where an argument's value ended too soon, at a comma that was perhaps meant to belong to it.
func quoteOr(before, help string) string {
	if before == "" {
		return help
	}
	return "put the value of " + before + " in quotes if the comma belongs to it"
}

// wantEquals is about what stands where the equals sign behind an argument's name should.
func (r *reader) wantEquals(name string, start int, before string) diag.Diagnostic {
	help := "write " + name + "=value"
	if start >= len(r.text) {
		return diag.Errorf(r.span(len(r.text), len(r.text)), BadSyntax, "argument %s has no value", quoted(name)).
			Help("%s", help)
	}
	end := start + width(r.text, start)
	return diag.Errorf(r.span(start, end), BadSyntax, "expected = after %s, found %s", quoted(name),
		quoted(r.text[start:end])).
		Help("%s", quoteOr(before, help))
}

// unknownArgument reports an argument that the marker does not have, and returns the one that was perhaps meant.
func (r *reader) unknownArgument(at diag.Span, name string) string {
	names := argumentNames(r.def)
	guess := diag.Near(name, names)
	r.reject(diag.Errorf(at, BadArgument, "%s has no argument %s", r.def.Name, quoted(name)).
		Note("its arguments are %s", either(names, "and")).Help("%s", cmp.Or(diag.Meant(guess), such(r.def))))
	return guess
}
