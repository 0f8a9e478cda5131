package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/genall/help"

	"github.com/crdproof/crdproof/generator/diag"
)

// The levels of -h and -w, by how often the letter stands.
const (
	levelSummary = 1 + iota
	levelArguments
	levelFull
	levelJSON
)

// printHelp answers all flags that ask for words instead of files. It returns the exit code.
func printHelp(set settings, rep *reporter) int {
	if set.version {
		fmt.Fprintln(rep.stdout, "Version: "+version())
		return exitClean
	}
	p, problems := parsePlan(set.options, nil)
	if problems = onlyUnknown(problems); len(problems) > 0 {
		rep.usage(problems)
		return exitUsage
	}
	level := max(set.help, levelSummary)
	docs := optionDocs()
	switch {
	case set.help == 0 && !set.usage:
		level, docs = set.which, markerDocs(p)
	case level >= levelJSON:
	case len(p.generators) > 0:
		level, docs = max(level, levelArguments), generatorDocs(docs, p)
		fmt.Fprint(rep.stdout, generatorPointer)
	default:
		writeUsage(rep.stdout)
		fmt.Fprintln(rep.stdout)
		docs = withoutTargets(docs)
	}
	return printDocs(rep, level, docs)
}

// generatorPointer stands above the options of single generators.
const generatorPointer = "These are the options of generators, as in <generator>:<option>=<value>,<option>=<value>. Their markers are printed by\n" +
	"`crdproof <generator> -w`, and all else by `crdproof --help`.\n\n"

// generatorDocs keeps the documentation of the plan's generators.
func generatorDocs(docs []help.CategoryDoc, p plan) []help.CategoryDoc {
	all := withoutTargets(docs)[0]
	all.Markers = slices.DeleteFunc(all.Markers, func(m help.MarkerDoc) bool { return !p.invokes(m.Name) })
	return []help.CategoryDoc{all}
}

// onlyUnknown keeps what leaves open whose markers are asked for. A missing argument does not, and where no generator
// is named all are meant.
func onlyUnknown(problems []diag.Diagnostic) []diag.Diagnostic {
	return slices.DeleteFunc(problems, func(d diag.Diagnostic) bool { return d.Check != undefinedOption.ID })
}

// withoutTargets marks options for docsText: what a marker stands on has no meaning for them.
func withoutTargets(docs []help.CategoryDoc) []help.CategoryDoc {
	for i := range docs {
		for j := range docs[i].Markers {
			docs[i].Markers[j].Target = ""
		}
	}
	return docs
}

func printDocs(rep *reporter, level int, docs []help.CategoryDoc) int {
	var err error
	if level >= levelJSON {
		err = json.NewEncoder(rep.stdout).Encode(docs)
	} else {
		_, err = io.WriteString(rep.stdout, docsText(docs, level))
	}
	if err != nil {
		return rep.failed(err)
	}
	return exitClean
}

// summaryOfAll is what crdproof is for.
const summaryOfAll = "crdproof writes Kubernetes CRDs from annotated Go types, and checks what you wrote."

// writeIntroduction answers who types nothing but the name.
func writeIntroduction(w io.Writer) {
	fmt.Fprintf(w, "%s\n\n  %-48s write the CRDs of Go types\n", summaryOfAll, "crdproof crd paths=./api/...")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-48s %s\n", "crdproof "+c.name+" "+c.arguments, c.summary)
	}
	fmt.Fprint(w, "\nrun `crdproof --help` for examples and options, `crdproof help <command or generator>` for those of one\n")
}

func writeUsage(w io.Writer) {
	fmt.Fprint(w, summaryOfAll+` Its command line is controller-gen's.

Usage:
  crdproof <generator>[:<option>=<value>,…]… [paths=<packages>] [output:[<generator>:]<rule>]… [flags]
`)
	for _, c := range commands() {
		fmt.Fprintf(w, "  crdproof %-8s %-30s  %s\n", c.name, c.arguments, c.summary)
	}
	fmt.Fprint(w, `
Examples:
  # The CRDs of all types below api. Without output rules they go to config/crd.
  crdproof crd paths=./api/... output:crd:dir=config/crd/bases

  # Go functions that prune, default and validate objects as the API server does, beside the types; or for CRDs in files.
  crdproof crd helpers paths=./api/... output:crd:dir=config/crd/bases
  crdproof helpers:crds=config/crd/bases,package=rules output:helpers:dir=internal/rules

  # What kubebuilder's Makefile calls, for manifests and for generated code.
  crdproof rbac:roleName=manager-role crd webhook paths="./..." output:crd:artifacts:config=config/crd/bases
  crdproof object:headerFile=hack/boilerplate.go.txt paths="./..."

  # The markers that crd reads, with their arguments.
  crdproof crd -ww

  # What the rules of all CRDs cost; nothing is written.
  crdproof explain ./api/...

  # A proof of CRDs that stand in files (crdproof check --help).
  crdproof check config/crd/bases

The exit code is 0 where all is well; 1 where the input is wrong, or differs from what it should be; 2 where the command line is
wrong, or a file cannot be read or written; 130 where a signal has ended the run.

Flags:
`)
	fmt.Fprint(w, newFlags(new(settings)).FlagUsages())
}

// docsText renders documentation for a person.
func docsText(docs []help.CategoryDoc, level int) string {
	var out strings.Builder
	for _, category := range docs {
		if category.Category == "" {
			continue
		}
		fmt.Fprintf(&out, "\n%s\n", strings.ToUpper(category.Category[:1])+category.Category[1:])
		for _, m := range mergeTargets(category.Markers) {
			out.WriteByte('\n')
			writeMarkerDoc(&out, m, level)
		}
	}
	return strings.TrimPrefix(out.String(), "\n")
}

// mergeTargets joins the entries of a marker that says the same on several targets.
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

func writeMarkerDoc(out *strings.Builder, m help.MarkerDoc, level int) {
	if m.Target == "" {
		fmt.Fprintf(out, "  %s\n", optionSyntax(m))
	} else {
		fmt.Fprintf(out, "  %s  (%s)\n", markerSyntax(m, level), m.Target)
	}
	if m.DeprecatedInFavorOf != nil {
		instead := ""
		if *m.DeprecatedInFavorOf != "" {
			instead = ": use +" + *m.DeprecatedInFavorOf
		}
		writeLines(out, "      ", "deprecated"+instead)
	}
	writeLines(out, "      ", m.Summary)
	if level >= levelFull && m.Details != "" {
		writeLines(out, "      ", m.Details)
	}
	if m.AnonymousField() {
		return
	}
	if level < levelArguments {
		if m.Target == "" {
			writeLines(out, "      ", argumentNames(m))
		}
		return
	}
	for _, f := range m.Fields {
		optional := ""
		if f.Optional {
			optional = ", optional"
		}
		fmt.Fprintf(out, "      %s <%s%s>\n", f.Name, f.TypeString(), optional)
		writeLines(out, "          ", f.Summary)
		if level >= levelFull && f.Details != "" {
			writeLines(out, "          ", f.Details)
		}
	}
}

// markerSyntax is how the marker is written; where the arguments are listed below it, it only hints at them.
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
	case level >= levelArguments:
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

// optionSyntax is how an option is written on the command line.
func optionSyntax(m help.MarkerDoc) string {
	if m.AnonymousField() {
		return strings.TrimPrefix(markerSyntax(m, levelSummary), "+")
	}
	name := m.Name
	separator := ":"
	for _, f := range m.Fields {
		if !f.Optional {
			name += separator + f.Name + "=<" + f.TypeString() + ">"
			separator = ","
		}
	}
	return name
}

// argumentNames lists the optional arguments, about as many in a line as a terminal is wide.
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

func writeLines(out *strings.Builder, indent, text string) {
	if text == "" {
		return
	}
	for _, line := range strings.Split(text, "\n") {
		out.WriteString(strings.TrimRight(indent+line, " ") + "\n")
	}
}
