package markers

import (
	"fmt"
	"strings"
)

// Reference returns the user's reference of all markers in Markdown, in the order of the table. The items: variants
// are named beside the markers that they are variants of.
func (t *Table) Reference() string {
	var b strings.Builder
	b.WriteString("# Markers\n\n")
	b.WriteString("<!-- Written by `go test ./markers -update` from the table in markers/known.go. -->\n\n")
	b.WriteString("A marker is a line comment that starts with `+`, in the comment directly above the declaration that it is for.\n")
	b.WriteString("`=` and `:=` mean the same. Strings may be bare words, \"quoted\" or in `` `backticks` ``; lists are `a;b` or `{a, b}`,\n")
	b.WriteString("maps `{key: value}`.\n")
	for _, category := range t.categories() {
		fmt.Fprintf(&b, "\n## %s\n\n| Marker | On | Arguments | Meaning |\n|---|---|---|---|\n", category)
		for i := range t.defs {
			def := &t.defs[i]
			if def.Category == category && !strings.HasPrefix(def.Name, itemsPrefix) && def.Refused == "" {
				t.referenceRow(&b, def)
			}
		}
	}
	b.WriteString("\n## Mistakes\n\n| Rule | Meaning | controller-gen |\n|---|---|---|\n")
	for _, r := range Rules() {
		verdict := "refuses it"
		if r.Tolerated {
			verdict = "lets it pass"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", r.ID, r.Doc, verdict)
	}
	return b.String()
}

// categories lists the categories in the order of their first row.
func (t *Table) categories() []string {
	var list []string
	seen := map[string]bool{}
	for i := range t.defs {
		if c := t.defs[i].Category; !seen[c] {
			seen[c] = true
			list = append(list, c)
		}
	}
	return list
}

func (t *Table) referenceRow(b *strings.Builder, def *Definition) {
	var on []string
	for _, target := range targets(def.Targets) {
		on = append(on, target.noun())
	}
	doc := def.Doc
	switch {
	case def.Deprecated == "-":
		doc += " Deprecated."
	case def.Deprecated != "":
		doc += " Deprecated: use `" + def.Deprecated + "`."
	}
	if def.Own {
		doc += " Not read by controller-gen, nor under its `compat`."
	}
	if def.Repeatable {
		doc += " May be repeated."
	}
	if rest, found := strings.CutPrefix(def.Name, validationPrefix); found && t.index[key{Field, itemsPrefix + rest}] != nil {
		doc += " Also as `" + itemsPrefix + rest + "`, for the items of a list."
	}
	doc += "<br>" + codeSpan(example(def))
	fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", def.Name, strings.Join(on, ", "), arguments(def), doc)
}

// arguments describes a definition's arguments in one table cell.
func arguments(def *Definition) string {
	var list []string
	for _, p := range def.Params {
		text := shapeText(p.Shape)
		if p.Optional {
			text += ", optional"
		}
		if def.Grammar == JSON {
			text = "JSON"
		}
		if p.Name != "" {
			text = "`" + p.Name + "` (" + text + "): " + p.Doc
		}
		list = append(list, text)
	}
	return strings.Join(list, "<br>")
}

func shapeText(s Shape) string {
	switch s.Kind {
	case Bool:
		return "boolean"
	case Int:
		return "integer"
	case Number:
		return "number"
	case String:
		return "string"
	case List:
		if s.Elem.Kind == Any {
			return "list"
		}
		return "list of " + shapeText(*s.Elem) + "s"
	case Map:
		return "map"
	default:
		return "any value"
	}
}

// codeSpan puts text that may hold backticks into a code span of a table cell.
func codeSpan(text string) string {
	text = strings.ReplaceAll(text, "|", "\\|")
	if strings.Contains(text, "`") {
		return "`` " + text + " ``"
	}
	return "`" + text + "`"
}
