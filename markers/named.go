package markers

import (
	"slices"
	"text/scanner"
)

// namedArguments reads name=value,name=value. Where one stands twice the last value is kept, as by controller-gen.
func (r *reader) namedArguments(p parts) []Arg {
	var args []Arg
	var guesses []string
	switch {
	case p.whole == r.name && p.given && p.stem != p.whole:
		// +kubebuilder:resource=x: to controller-gen "resource" is an unknown argument.
		r.fail(needsName(r.comment.At.Sub(1+len(p.whole), len(r.comment.Text)), r.def))
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
			r.fail(wantName(r, r.sc.Position.Offset, before))
			return args, guesses
		}
		name, start := r.sc.TokenText(), r.sc.Position.Offset
		at := r.span(start, start+len(name))
		if r.sc.Scan() != '=' {
			r.fail(wantEquals(r, name, r.sc.Position.Offset, before))
			return args, guesses
		}
		i := slices.IndexFunc(r.def.Params, func(p Param) bool { return p.Name == name })
		if i < 0 {
			d, guess := unknownArgument(at, r.def, name)
			r.reject(d)
			guesses = append(guesses, guess)
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
			r.fail(unexpected(r, r.sc.Position.Offset))
			return args, guesses
		}
	}
}

// either makes sure that exactly one of the arguments is given that exclude each other; a block gives the first of them.
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
		r.reject(excluded(given))
	case len(given) == 1:
	case block != "":
		at := r.comment.BlockAt
		return append(args, Arg{Name: r.def.Either[0], NameAt: at.Sub(0, 0), Value: Value{Kind: String, At: at, Text: block}})
	case !r.refused:
		r.reject(noneOf(r.comment.At, r.def))
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
			names = append(names, p.Name)
		}
	}
	switch {
	case len(names) > 0 && r.swallowed >= 0:
		// name=,type=x: the missing argument has gone into the value before it, which is said already.
		r.diags[r.swallowed].Check = ruleValue
		r.refused = true
	case len(names) > 0:
		r.fail(missing(r.comment.At, r.def, names))
	}
}
