package arguments

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/genall/help"
)

// The levels of documentation: the number of letters in -h and -w.
const (
	LevelSummary = 1 + iota
	LevelArguments
	LevelFull
	LevelJSON
)

// OptionText formats the documentation of options as text.
func OptionText(docs []help.CategoryDoc, level int) string {
	return (&writer{level: level, options: true}).text(docs)
}

// MarkerText formats the documentation of markers as text.
func MarkerText(docs []help.CategoryDoc, level int) string { return (&writer{level: level}).text(docs) }

// MarkerPages returns the documentation of a marker that a generator of controller-tools reads, for each category that
// has it. The name may have a plus sign and arguments.
func MarkerPages(name string) (out []string) {
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "+"), "=")
	for _, category := range MarkerDocs(Plan{}) {
		category.Markers = slices.DeleteFunc(category.Markers, func(doc help.MarkerDoc) bool {
			rest, ok := strings.CutPrefix(name, doc.Name)
			return !ok || rest != "" && rest[0] != ':'
		})
		if len(category.Markers) > 0 {
			out = append(out, MarkerText([]help.CategoryDoc{category}, LevelFull))
		}
	}
	return out
}

// A writer formats documentation.
type writer struct {
	out   strings.Builder
	level int
	// options is set for options, which have no targets.
	options bool
}

func (w *writer) text(docs []help.CategoryDoc) string {
	for _, category := range docs {
		if category.Category == "" {
			continue
		}
		fmt.Fprintf(&w.out, "\n%s\n", strings.ToUpper(category.Category[:1])+category.Category[1:])
		for _, m := range mergeTargets(category.Markers) {
			w.out.WriteByte('\n')
			w.doc(m)
		}
	}
	return strings.TrimPrefix(w.out.String(), "\n")
}

// mergeTargets joins the entries of a marker that has the same meaning on several targets.
func mergeTargets(list []help.MarkerDoc) []help.MarkerDoc {
	var out []help.MarkerDoc
	for _, m := range list {
		if n := len(out) - 1; n >= 0 && out[n].Name == m.Name && out[n].Summary == m.Summary {
			out[n].Target += ", " + m.Target
			continue
		}
		out = append(out, m)
	}
	return out
}

func (w *writer) doc(m help.MarkerDoc) {
	if w.options {
		fmt.Fprintf(&w.out, "  %s\n", OptionSyntax(m))
	} else {
		fmt.Fprintf(&w.out, "  %s  (%s)\n", markerSyntax(m, w.level), m.Target)
	}
	if m.DeprecatedInFavorOf != nil {
		instead := ""
		if *m.DeprecatedInFavorOf != "" {
			instead = ": use +" + *m.DeprecatedInFavorOf
		}
		w.lines("      ", "deprecated"+instead)
	}
	w.help("      ", m.DetailedHelp)
	switch {
	case m.AnonymousField():
	case w.level >= LevelArguments:
		for _, f := range m.Fields {
			optional := ""
			if f.Optional {
				optional = ", optional"
			}
			fmt.Fprintf(&w.out, "      %s <%s%s>\n", f.Name, f.TypeString(), optional)
			w.help("          ", f.DetailedHelp)
		}
	case w.options:
		w.lines("      ", argumentNames(m))
	}
}

func (w *writer) help(indent string, h help.DetailedHelp) {
	w.lines(indent, h.Summary)
	if w.level >= LevelFull {
		w.lines(indent, h.Details)
	}
}

// markerSyntax returns the syntax of a marker. If its arguments are listed below it, they are abbreviated.
func markerSyntax(m help.MarkerDoc, level int) string {
	switch {
	case m.Empty():
		return "+" + m.Name
	case m.AnonymousField():
		value := "=<" + m.Fields[0].TypeString() + ">"
		if m.Fields[0].Optional {
			value = "[" + value + "]"
		}
		return "+" + m.Name + value
	case level >= LevelArguments:
		return "+" + m.Name + ":…"
	}
	separator := ":"
	var args strings.Builder
	for _, f := range m.Fields {
		arg := separator + f.Name + "=<" + f.TypeString() + ">"
		if f.Optional {
			arg = "[" + arg + "]"
		}
		args.WriteString(arg)
		separator = ","
	}
	return "+" + m.Name + args.String()
}

// OptionSyntax returns the syntax of an option on the command line, with its required arguments.
func OptionSyntax(m help.MarkerDoc) string {
	m.Fields = slices.DeleteFunc(slices.Clone(m.Fields),
		func(f help.FieldHelp) bool { return f.Optional && f.Name != "" })
	return strings.TrimPrefix(markerSyntax(m, LevelSummary), "+")
}

// argumentNames lists the optional arguments in lines of about 80 characters.
func argumentNames(m help.MarkerDoc) string {
	var out strings.Builder
	width := 0
	for _, f := range m.Fields {
		switch {
		case !f.Optional:
			continue
		case width == 0:
			out.WriteString("optional: ")
		case width+len(f.Name) > 80:
			out.WriteString(",\n          ")
			width = 0
		default:
			out.WriteString(", ")
		}
		out.WriteString(f.Name)
		width += len(f.Name) + 2
	}
	return out.String()
}

func (w *writer) lines(indent, text string) {
	if text == "" {
		return
	}
	for _, line := range strings.Split(text, "\n") {
		w.out.WriteString(strings.TrimRight(indent+line, " ") + "\n")
	}
}
