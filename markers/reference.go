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
	b.WriteString("maps `{key: value}`.\n\n")
	b.WriteString("A marker that has a form with `items:` may also stand behind any number of `items:`, `values:` and `keys:`, which lead\n")
	b.WriteString("to the items of a list and to the values and keys of a map: `+kubebuilder:validation:values:items:MaxLength=63`.\n")
	b.WriteString("controller-gen knows but a single `items:`.\n")
	for _, category := range t.categories() {
		fmt.Fprintf(&b, "\n## %s\n\n| Marker | On | Arguments | Meaning |\n|---|---|---|---|\n", category)
		for i := range t.defs {
			def := &t.defs[i]
			if def.Category == category && !strings.HasPrefix(def.Name, itemsPrefix) && def.Refused == "" {
				t.referenceRow(&b, def)
			}
		}
	}
	b.WriteString(tagsReference)
	b.WriteString(rulesReference)
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

// tagsReference describes the grammar of Kubernetes' declarative validation.
const tagsReference = `
## How tags are written

The tags of Kubernetes' declarative validation have a grammar of their own: ` + "`+k8s:name(arguments)=value # remark`" + `.

- In parentheses stands one argument without a name, ` + "`(name)`" + `, or those with names, ` + "`(union: \"source\", memberName: \"File\")`" + `.
- Values are words, strings in quotes or backticks, integers (also ` + "`0x10`" + `), ` + "`true` and `false`" + `. A word has letters, digits,
  ` + "`_`, `-` and `.`" + `; a string in which a backslash stands before anything but a quote or another backslash is refused.
- A tag that speaks of another marker has it behind its ` + "`=`" + `, any number of them in a row, and the last may be any marker of this page
  for a field or a type: ` + "`+k8s:subfield(name)=+kubebuilder:validation:MaxLength=63`" + `.
- Where a line ends within parentheses, or with ` + "`=`" + `, the tag goes on in the next line of the comment:

` + "```go" + `
// +k8s:alpha(since: "1.35")=
// +k8s:item(
// type: "Ready"
// )=+k8s:required
` + "```" + `
`

// rulesReference describes what the table has no room for: how rules are written over several lines, and named.
const rulesReference = `
## Rules in CEL

` + "`+crdproof:rule`" + ` takes its rule from the lines below it, as they stand: no quotes, no escapes, as many lines as it needs.

` + "```go" + `
// +crdproof:rule:message="max must be between min and 10",fieldPath=.max
//
//	self.min <= self.max &&
//	self.max < 10
type Range struct {
	Min int32 ` + "`json:\"min\"`" + `
	Max int32 ` + "`json:\"max\"`" + `
}
` + "```" + `

- The lines are indented by a tab, or by two spaces or more, so that to Go they are a code block, which gofmt leaves as it is. gofmt puts
  the empty line in front of them, and one behind them if more follows; you need not type either.
- They end before the first line that is not indented. Empty lines in between are part of the rule, and so is indentation beyond what all
  lines share.
- They are no part of the description, unlike other code in the documentation: theirs are the lines directly behind the marker alone, and
  only if it has neither ` + "`rule=` nor `use=`" + `.
- An API server demands a ` + "`message`" + ` of a rule of several lines.
- Mistakes in the CEL are told at their line and column. ` + "`+crdproof:rule` and `+kubebuilder:validation:XValidation`" + ` may
  stand on one declaration; the CRD has their rules in the order of the markers.

A rule with a ` + "`name`" + ` is written once and used on other types and fields:

` + "```go" + `
// +crdproof:rule:name=atMostOneSource,message="at most one of git and oci"
//
//	!has(self.git) || !has(self.oci)
type Source struct { … }

// +crdproof:rule:use=atMostOneSource,fieldPath=.oci
type Mirror struct { … }
` + "```" + `

- It holds where it is declared, and where it is used. On a package, in the comment above the package clause, it is only declared.
- ` + "`message`, `messageExpression`, `reason`, `fieldPath` and `optionalOldSelf`" + ` of a use take the place of the declaration's. A
  ` + "`message`" + ` alone takes that of its ` + "`messageExpression`" + ` as well.
- The name is looked for in the package of the use. ` + "`use=shared.ordered`" + ` is a rule of another package, by its name in the file's
  imports, or by the name or the path of any package that is read: those that ` + "`paths`" + ` name, and those that have a type of the CRD.
- Each use is proved against its own type. What is wrong there is told at the CEL, with the use beside it, and can be ignored at the use.
`

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
	if def.Inexpressible != "" {
		doc += " No CRD can hold it: " + def.Inexpressible + "."
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
		if len(p.Values) > 0 {
			text = "one of `" + strings.Join(p.Values, "`, `") + "`"
		}
		switch {
		case p.Positional:
			text = "`(…)` (" + text + "): " + p.Doc
		case p.Name != "":
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
