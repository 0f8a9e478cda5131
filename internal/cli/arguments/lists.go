package arguments

import (
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/genall/help"

	"github.com/crdproof/crdproof/markers"
)

// The grammar of controller-gen separates the items of a list by semicolons, and options by commas. Flags separate
// items by commas, and shells want quotes around semicolons, so people write commas here too. controller-gen rejects
// these command lines, so that accepting them changes the meaning of none.

// A field is the name of an option of a generator.
type field struct {
	name   string
	isList bool
}

func paramsOf(def *markers.Definition) (out []field) {
	for _, p := range def.Params {
		out = append(out, field{p.Name, p.Shape.Kind == markers.List})
	}
	return out
}

func fieldsOf(doc help.MarkerDoc) (out []field) {
	for _, f := range doc.Fields {
		out = append(out, field{f.Name, f.ItemType != nil})
	}
	return out
}

// joinLists replaces the commas between the items of lists by semicolons: crd:ignore=a,b is crd:ignore=a;b. A word
// continues a list if it follows a list, has no equals sign, and is not the name of an option.
func joinLists(text string, fields []field) string {
	name, options, _ := strings.Cut(text, ":")
	out, inList := name+":", false
	for i, word := range splitOutside(options, ',') {
		option, _, given := strings.Cut(word, "=")
		at := slices.IndexFunc(fields, func(f field) bool { return f.name == option })
		switch {
		case i == 0:
		case inList && !given && word != "" && at < 0:
			out += ";" + word
			continue
		default:
			out += ","
		}
		out += word
		inList = given && at >= 0 && fields[at].isList
	}
	if options == "" {
		return text
	}
	return out
}

// joinList does the same for an option that is a list: paths=./a,./b is paths=./a;./b.
func joinList(text string) string {
	name, list, _ := strings.Cut(text, "=")
	if items := splitOutside(list, ','); len(items) > 1 && !slices.Contains(items, "") {
		return name + "=" + strings.Join(items, ";")
	}
	return text
}

// splitOutside splits a text at a separator outside of quotes and braces.
func splitOutside(text string, separator byte) (out []string) {
	start, depth := 0, 0
	var quote byte
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote && (c == '`' || text[i-1] != '\\') {
				quote = 0
			}
		case c == '"' || c == '`':
			quote = c
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == separator && depth == 0:
			out = append(out, text[start:i])
			start = i + 1
		}
	}
	return append(out, text[start:])
}
