// Package tools runs the generators of controller-tools that crdproof does not replace, with their own grammar of
// options, and returns their files in memory. Only this package, and those that print the documentation of these
// generators, import controller-tools.
package tools

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/applyconfiguration"
	"sigs.k8s.io/controller-tools/pkg/deepcopy"
	"sigs.k8s.io/controller-tools/pkg/genall"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
	"sigs.k8s.io/controller-tools/pkg/rbac"
	"sigs.k8s.io/controller-tools/pkg/schemapatcher"
	"sigs.k8s.io/controller-tools/pkg/webhook"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/input"
)

// A Tool is a generator of controller-tools, in which nothing is set.
type Tool struct {
	Name      string
	Generator genall.Generator
}

// All are in the order in which help shows them.
func All() []Tool {
	return []Tool{
		{"object", deepcopy.Generator{}},
		{"rbac", rbac.Generator{}},
		{"webhook", webhook.Generator{}},
		{"applyconfiguration", applyconfiguration.Generator{}},
		{"schemapatch", schemapatcher.Generator{}},
	}
}

// New returns the generator of that name, nil where there is none.
func New(name string) genall.Generator {
	for _, t := range All() {
		if t.Name == name {
			return t.Generator
		}
	}
	return nil
}

// Checks is the table of what controller-tools says: each of its generators has an id of its own for what it says as a
// whole.
func Checks() []*diag.Check {
	out := []*diag.Check{ofPackage}
	for _, t := range All() {
		out = append(out, t.check())
	}
	return out
}

// ofPackage is the check of what is said at a place.
var ofPackage = &diag.Check{
	ID: "controller-tools", Mistake: true,
	Doc: "A generator of controller-tools does not accept something in the packages. The message is its own.",
}

func (t Tool) check() *diag.Check {
	return &diag.Check{ID: t.Name, Mistake: true,
		Doc: "The generator " + t.Name + " of controller-tools fails. The message is its own."}
}

// Definition describes the options of a generator of controller-tools in its own terms.
func Definition(name string) *markers.Definition {
	return markers.Must(markers.MakeDefinition(name, markers.DescribesPackage, New(name)))
}

// Parse reads the option of a generator of controller-tools with controller-tools' own parser.
func Parse(name, option string) (genall.Generator, error) {
	def := Definition(name)
	// The parser takes what stands between the name and the '=' for an argument, so name=value has no meaning to it.
	if rest := strings.TrimPrefix(option, name); strings.HasPrefix(rest, "=") {
		return nil, fmt.Errorf("options follow a colon")
	}
	if rest, colon := strings.CutPrefix(option, name+":"); colon && !strings.Contains(rest, "=") {
		return nil, fmt.Errorf("%q of %s has no value", rest, name)
	}
	value, err := def.Parse("+" + option)
	if err != nil {
		return nil, parseError(err)
	}
	tool := value.(genall.Generator)
	if file := headerFile(tool); file != "" {
		// Some generators end the process where the file is missing.
		if _, err := os.ReadFile(file); err != nil {
			return nil, fmt.Errorf("headerFile: %s", input.Trouble(err))
		}
	}
	if apply, ok := tool.(applyconfiguration.Generator); ok {
		// The header names the program by its path, or as controller-gen where the version is to be left out. It
		// has to be controller-gen's in any case.
		yes := true
		apply.OmitToolVersion = &yes
		tool = apply
	}
	return tool, nil
}

// headerFile returns the header file that a generator of controller-tools was given.
func headerFile(tool genall.Generator) string {
	switch tool := tool.(type) {
	case rbac.Generator:
		return tool.HeaderFile
	case webhook.Generator:
		return tool.HeaderFile
	case deepcopy.Generator:
		return tool.HeaderFile
	case applyconfiguration.Generator:
		return tool.HeaderFile
	}
	return ""
}

// parseError flattens controller-tools' list of errors and drops their positions, which count in a part of the option.
func parseError(err error) error {
	var list loader.ErrList
	if !errors.As(err, &list) {
		list = loader.ErrList{err}
	}
	position := regexp.MustCompile(` \(at [^)]*\)$`)
	var texts []string
	for _, e := range list {
		text := position.ReplaceAllString(e.Error(), "")
		// What it could not read after a mistake is reported as well, in a second error that says nothing new.
		if len(texts) == 0 || !strings.HasPrefix(text, "extra arguments") {
			texts = append(texts, text)
		}
	}
	slices.Sort(texts)
	return errors.New(strings.Join(texts, ", "))
}
