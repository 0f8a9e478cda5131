package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/crdproof/crdproof/generator/arguments"
	"github.com/crdproof/crdproof/generator/diag"
)

// printHelp answers all flags that ask for words instead of files. It returns the exit code.
func printHelp(set settings, rep *reporter) int {
	if set.version {
		fmt.Fprintf(rep.stdout, "Version: %s\nCommit: %s\n", version(), commit())
		return exitClean
	}
	p, problems := set.plan()
	if problems = onlyUnknown(problems); len(problems) > 0 {
		return rep.usage(problems...)
	}
	level := max(set.help, arguments.LevelSummary)
	var err error
	switch asksForMarkers := set.help == 0 && !set.usage; {
	case asksForMarkers && set.which >= arguments.LevelJSON:
		err = json.NewEncoder(rep.stdout).Encode(arguments.MarkerDocs(p))
	case asksForMarkers:
		_, err = io.WriteString(rep.stdout, arguments.MarkerText(arguments.MarkerDocs(p), set.which))
	case level >= arguments.LevelJSON:
		err = json.NewEncoder(rep.stdout).Encode(arguments.OptionDocs(arguments.Plan{}))
	case len(p.Generators) > 0:
		docs := arguments.OptionText(arguments.OptionDocs(p), max(level, arguments.LevelArguments))
		_, err = io.WriteString(rep.stdout, generatorPointer+docs)
	default:
		writeUsage(rep.stdout)
		_, err = io.WriteString(rep.stdout, "\n"+arguments.OptionText(arguments.OptionDocs(p), level))
	}
	if err != nil {
		return rep.failed(err)
	}
	return exitClean
}

// generatorPointer stands above the options of single generators.
const generatorPointer = "These are the options of generators, as in <generator>:<option>=<value>,<option>=<value>. " +
	"Their markers are printed by\n" +
	"`crdproof <generator> -w`, and all else by `crdproof --help`.\n\n"

// onlyUnknown keeps what leaves open whose markers are asked for. A missing argument does not, and where no generator
// is named all are meant.
func onlyUnknown(problems []diag.Diagnostic) []diag.Diagnostic {
	return slices.DeleteFunc(problems, func(d diag.Diagnostic) bool { return d.Check != arguments.Unknown.ID })
}

// summaryOfAll is what crdproof is for.
const summaryOfAll = "crdproof writes Kubernetes CRDs from annotated Go types, and checks what you wrote."

// writeIntroduction answers who types nothing but the name.
func writeIntroduction(w io.Writer) {
	fmt.Fprintf(w, "%s\n\n  %-48s write the CRDs of Go types\n", summaryOfAll, "crdproof crd paths=./api/...")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-48s %s\n", "crdproof "+c.name+" "+c.arguments, c.summary)
	}
	fmt.Fprint(w, "\nrun `crdproof --help` for examples and options, `crdproof help <command or generator>` for "+
		"those of one\n")
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
