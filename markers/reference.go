package markers

import (
	"fmt"
	"slices"
	"strings"
)

// An Example shows a marker at work.
type Example struct {
	// Marker is the marker's name, prefixes included.
	Marker string
	// Input is Go source.
	Input string
	// Output is YAML, or the diagnostics where the input is Refused.
	Output  string
	Refused bool
}

// Reference returns the user's reference of all markers in Markdown: an index in the order of the table, then a
// section for each name with its examples. The items: variants are named beside the markers that they are variants of.
func (t *Table) Reference(examples []Example) string {
	var b strings.Builder
	b.WriteString(referenceIntro)
	for _, category := range t.categories() {
		fmt.Fprintf(&b, "\n## %s\n\n| Marker | Written as | Meaning |\n|---|---|---|\n", category)
		for _, rows := range t.sections(category) {
			def := rows[0]
			doc := def.Doc
			if def.Inexpressible != "" {
				doc += " No CRD can hold it."
			}
			fmt.Fprintf(&b, "| [`%s`](#%s) | %s | %s |\n", def.Name, anchor(def.Name), codeSpan(def.Example), doc)
		}
	}
	b.WriteString(partsReference)
	for _, e := range examples {
		if prefixRun(strings.TrimPrefix(e.Marker, validationPrefix)) != "" {
			e.write(&b)
		}
	}
	b.WriteString(tagsReference)
	b.WriteString(rulesReference)
	writeDifferences(&b)
	writeMistakes(&b)
	b.WriteString("\n## Each marker\n")
	for _, category := range t.categories() {
		for _, rows := range t.sections(category) {
			t.writeSection(&b, rows, examples)
		}
	}
	return b.String()
}

func writeDifferences(b *strings.Builder) {
	b.WriteString(differencesReference)
	for _, d := range Differences() {
		var tags []string
		for _, tag := range d.Tags {
			tags = append(tags, fmt.Sprintf("[`%s`](#%s)", tag, anchor(tag)))
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", d.ID, strings.Join(tags, ", "), d.Doc)
	}
}

func writeMistakes(b *strings.Builder) {
	b.WriteString("\n## Mistakes\n\n| Rule | Meaning | controller-gen |\n|---|---|---|\n")
	for _, r := range Checks() {
		verdict := "refuses it"
		if r.Tolerated {
			verdict = "lets it pass"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", r.ID, r.Doc, verdict)
	}
}

// sections groups the rows by name. A group has the category and the place of its first row that is not refused.
func (t *Table) sections(category string) [][]*Definition {
	var groups [][]*Definition
	index := map[string]int{}
	for _, refused := range []bool{false, true} {
		for i := range t.defs {
			def := &t.defs[i]
			if def.ItemsOf != "" || (def.Refused != "") != refused {
				continue
			}
			at, found := index[def.Name]
			if !found {
				at = len(groups)
				index[def.Name] = at
				groups = append(groups, nil)
			}
			groups[at] = append(groups[at], def)
		}
	}
	return slices.DeleteFunc(groups, func(rows []*Definition) bool { return rows[0].Category != category })
}

// anchor is the name of a heading within the page, as GitHub makes it.
func anchor(name string) string { return strings.ToLower(strings.ReplaceAll(name, ":", "")) }

// writeSection writes all there is to say of one name.
func (t *Table) writeSection(b *strings.Builder, rows []*Definition, examples []Example) {
	fmt.Fprintf(b, "\n### `%s`\n\n", rows[0].Name)
	var where Target
	for i, def := range rows {
		where |= def.Targets
		if i+1 < len(rows) && rows[i+1].Doc == def.Doc {
			continue
		}
		fmt.Fprintf(b, "On %s. %s\n", where.a(), def.Doc)
		where = 0
	}
	if facts := t.facts(rows); facts != "" {
		fmt.Fprintf(b, "\n%s\n", facts)
	}
	if list := arguments(rows[0]); list != "" {
		fmt.Fprintf(b, "\n%s", list)
	}
	for _, e := range examples {
		if e.Marker == rows[0].Name {
			e.write(b)
		}
	}
}

// facts are the sentences on a marker that its rows have no text for.
func (t *Table) facts(rows []*Definition) string {
	var list []string
	def := rows[0]
	if def.Inexpressible != "" {
		list = append(list, "No CRD can hold it: "+def.Inexpressible+".")
	}
	switch instead := rows[len(rows)-1].Deprecated; instead {
	case "":
	case "-":
		list = append(list, "Deprecated.")
	default:
		list = append(list, fmt.Sprintf("Deprecated: use [`%s`](#%s).", instead, anchor(instead)))
	}
	var own, theirs Target
	for _, row := range rows {
		if row.Own {
			own |= row.Targets
		} else {
			theirs |= row.Targets
		}
	}
	switch {
	case theirs == 0:
		list = append(list, "Not read by controller-gen, nor under its `compat`.")
	case own != 0:
		list = append(list, "Not read by controller-gen on "+own.a()+", nor under its `compat`.")
	}
	if def.Repeatable {
		list = append(list, "May be repeated.")
	}
	if rest, found := strings.CutPrefix(def.Name, validationPrefix); found &&
		t.index[key{Field, itemsPrefix + rest}] != nil {
		list = append(list, fmt.Sprintf("Also as `%s%s`, for the items of a list, and for other "+
			"[parts](#parts-of-lists-and-maps).", itemsPrefix, rest))
	}
	return strings.Join(list, " ")
}

func (e *Example) write(b *strings.Builder) {
	language := "yaml"
	if e.Refused {
		language = "text"
	}
	fmt.Fprintf(b, "\n```go\n%s\n```\n\n```%s\n%s\n```\n", strings.TrimSpace(e.Input), language,
		strings.TrimSpace(e.Output))
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

// arguments describes a definition's arguments in a list.
func arguments(def *Definition) string {
	var b strings.Builder
	for _, p := range def.Params {
		name := "`" + p.Name + "`"
		switch {
		case p.Positional:
			name = "`(…)`"
		case p.Name == "":
			name = "`=`"
		}
		text := shapeText(p.Shape)
		if def.Grammar == JSON {
			text = "JSON"
		}
		if len(p.Values) > 0 {
			text = either(codeSpans(p.Values), "or")
		}
		if p.Optional {
			text += ", optional"
		}
		if p.Doc != "" {
			text += ". " + p.Doc
		}
		fmt.Fprintf(&b, "- %s: %s\n", name, text)
	}
	if def.Step != NoStep {
		b.WriteString("- `=`: the marker\n")
	}
	if len(def.Either) > 0 {
		b.WriteString("\nExactly one of " + either(codeSpans(def.Either), "and") + " is given.\n")
	}
	return b.String()
}

func codeSpans(names []string) []string {
	var out []string
	for _, name := range names {
		out = append(out, codeSpan(name))
	}
	return out
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
