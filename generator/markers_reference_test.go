package generator_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/crdproof/crdproof/internal/checkdoc"
	"github.com/crdproof/crdproof/markers"
)

// referenceTemplate is docs/markers.md without the parts that are generated from the table and the examples.
const referenceTemplate = "../testdata/reference/markers.md"

// markersReference returns the user's reference of all markers in Markdown: an index in the order of the table, then a
// section for each name with its examples. The items: variants are in the sections of the markers without the prefix.
func markersReference(t *testing.T, examples []*example) string {
	t.Helper()
	text, err := os.ReadFile(referenceTemplate)
	if err != nil {
		t.Fatal(err)
	}
	var index, parts, sections strings.Builder
	defs := markers.Known().Definitions()
	var categories []string
	for i := range defs {
		if !slices.Contains(categories, defs[i].Category) {
			categories = append(categories, defs[i].Category)
		}
	}
	for _, category := range categories {
		fmt.Fprintf(&index, "\n## %s\n\n| Marker | Written as | Meaning |\n|---|---|---|\n", category)
		for _, rows := range sectionsOf(defs, category) {
			def := rows[0]
			doc := def.Doc
			if def.Inexpressible != "" {
				doc += " A CRD cannot express it."
			}
			fmt.Fprintf(&index, "| [`%s`](#%s) | %s | %s |\n", def.Name, anchor(def.Name), codeSpan(def.Example), doc)
			writeSection(&sections, defs, rows, examples)
		}
	}
	for _, e := range examples {
		if regexp.MustCompile(`^kubebuilder:validation:(items|values|keys):`).MatchString(e.marker) {
			e.write(&parts)
		}
	}
	return strings.NewReplacer("{{.Index}}", index.String(), "{{.Parts}}", parts.String(), "{{.Differences}}",
		differencesTable(t), "{{.Mistakes}}", mistakesTable(), "{{.Sections}}", sections.String()).Replace(string(text))
}

// differencesTable lists the differences between Go's validators and the API server. Each has a unique ID, a sentence,
// and tags that exist.
func differencesTable(t *testing.T) string {
	archive, err := txtar.ParseFile("../testdata/declarative/differences.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	seen := map[string]bool{}
	for _, f := range archive.Files {
		words, doc := strings.Fields(f.Name), strings.Join(strings.Fields(string(f.Data)), " ")
		if seen[words[0]] || !strings.HasSuffix(doc, ".") {
			t.Errorf("%s is a duplicate, or not a sentence: %s", words[0], doc)
		}
		seen[words[0]] = true
		var tags []string
		for _, tag := range words[1:] {
			if !slices.ContainsFunc(markers.Known().Definitions(),
				func(d markers.Definition) bool { return d.Name == tag }) {
				t.Errorf("%s: unknown tag %s", words[0], tag)
			}
			tags = append(tags, fmt.Sprintf("[`%s`](#%s)", tag, anchor(tag)))
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", words[0], strings.Join(tags, ", "), doc)
	}
	return b.String()
}

func mistakesTable() string {
	var b strings.Builder
	pages := checkdoc.Pages()
	for _, r := range markers.Checks() {
		verdict := "rejects it"
		if r.Tolerated {
			verdict = "accepts it"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", r.ID, pages[r.ID].Doc, verdict)
	}
	return b.String()
}

// sectionsOf groups the rows by name. A group has the category and the position of its first row that is allowed.
func sectionsOf(defs []markers.Definition, category string) [][]*markers.Definition {
	var groups [][]*markers.Definition
	index := map[string]int{}
	for _, rejected := range []bool{false, true} {
		for i := range defs {
			def := &defs[i]
			if def.ItemsOf != "" || (def.Forbidden != "") != rejected {
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
	return slices.DeleteFunc(groups, func(rows []*markers.Definition) bool { return rows[0].Category != category })
}

// anchor is the anchor of a heading, as GitHub makes it.
func anchor(name string) string { return strings.ToLower(strings.ReplaceAll(name, ":", "")) }

// writeSection writes the section of one name.
func writeSection(b *strings.Builder, defs []markers.Definition, rows []*markers.Definition, examples []*example) {
	fmt.Fprintf(b, "\n### `%s`\n\n", rows[0].Name)
	var where markers.Target
	for i, def := range rows {
		where |= def.Targets
		if i+1 < len(rows) && rows[i+1].Doc == def.Doc {
			continue
		}
		fmt.Fprintf(b, "On %s. %s\n", targetsIn(where), def.Doc)
		where = 0
	}
	if facts := factsOf(defs, rows); facts != "" {
		fmt.Fprintf(b, "\n%s\n", facts)
	}
	if list := argumentList(rows[0]); list != "" {
		fmt.Fprintf(b, "\n%s", list)
	}
	for _, e := range examples {
		if e.marker == rows[0].Name {
			e.write(b)
		}
	}
}

// factsOf returns the sentences about a marker that follow from the fields of its rows.
func factsOf(defs []markers.Definition, rows []*markers.Definition) string {
	var list []string
	def := rows[0]
	if def.Inexpressible != "" {
		list = append(list, "A CRD cannot express it: "+def.Inexpressible+".")
	}
	switch instead := rows[len(rows)-1].Deprecated; instead {
	case "":
	case "-":
		list = append(list, "Deprecated.")
	default:
		list = append(list, fmt.Sprintf("Deprecated: use [`%s`](#%s).", instead, anchor(instead)))
	}
	var own, theirs markers.Target
	for _, row := range rows {
		if row.Own {
			own |= row.Targets
		} else {
			theirs |= row.Targets
		}
	}
	switch {
	case def.IsCondition():
		list = append(list, "controller-gen ignores it. See [Channels and feature gates](channels.md).")
	case theirs == 0:
		list = append(list, "controller-gen ignores it, and so does `compat=controller-gen`.")
	case own != 0:
		list = append(list, "On "+targetsIn(own)+", controller-gen ignores it, and so does `compat=controller-gen`.")
	}
	if def.Repeatable {
		list = append(list, "Repeatable.")
	}
	for i := range defs {
		if defs[i].ItemsOf == def.Name {
			list = append(list, fmt.Sprintf("Also as `%s` for the items of a list, and for other "+
				"[parts](#parts-of-lists-and-maps).", defs[i].Name))
		}
	}
	return strings.Join(list, " ")
}

func (e *example) write(b *strings.Builder) {
	language := "yaml"
	if e.rejected() {
		language = "text"
	}
	fmt.Fprintf(b, "\n```go\n%s\n```\n\n```%s\n%s\n```\n", strings.TrimSpace(e.input), language,
		strings.TrimSpace(e.output))
}

// targetsIn names a set of targets: "a package, a type or a field".
func targetsIn(set markers.Target) string {
	var list []string
	for i, name := range []string{"a package", "a type", "a field", "a constant"} {
		if set&(markers.Package<<i) != 0 {
			list = append(list, name)
		}
	}
	return enumeration(list, "or")
}

// enumeration joins names: "a, b or c".
func enumeration(names []string, last string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	n := len(names) - 1
	return strings.Join(names[:n], ", ") + " " + last + " " + names[n]
}

// argumentList describes a definition's arguments in a list.
func argumentList(def *markers.Definition) string {
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
		if def.Grammar == markers.JSON {
			text = "JSON"
		}
		if len(p.Values) > 0 {
			text = enumeration(codeSpans(p.Values), "or")
		}
		if p.Optional {
			text += ", optional"
		}
		if p.Doc != "" {
			text += ". " + p.Doc
		}
		fmt.Fprintf(&b, "- %s: %s\n", name, text)
	}
	if def.Step != markers.NoStep {
		if def.IsCondition() {
			b.WriteString("- `(…)=`: the marker\n")
		} else {
			b.WriteString("- `=`: the marker\n")
		}
	}
	if len(def.Either) > 0 {
		b.WriteString("\nExactly one of " + enumeration(codeSpans(def.Either), "and") + " is required.\n")
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

func shapeText(s markers.Shape) string {
	switch s.Kind {
	case markers.Bool:
		return "boolean"
	case markers.Int:
		return "integer"
	case markers.Number:
		return "number"
	case markers.String:
		return "string"
	case markers.List:
		if s.Elem.Kind == markers.Any {
			return "list"
		}
		return "list of " + shapeText(*s.Elem) + "s"
	case markers.Map:
		return "map"
	default:
		return "any value"
	}
}

// codeSpan puts text that may contain backticks into a code span of a table cell.
func codeSpan(text string) string {
	text = strings.ReplaceAll(text, "|", "\\|")
	if strings.Contains(text, "`") {
		return "`` " + text + " ``"
	}
	return "`" + text + "`"
}
