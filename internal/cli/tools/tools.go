// Package tools runs the generators of controller-tools that crdproof does not replace, with their own grammar of
// options. Their files stay in memory. Mistakes in the markers of rbac and webhook are reported by crdproof's own
// parser (markers.go). Only this package and those that print its documentation import controller-tools.
package tools

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/applyconfiguration"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/deepcopy"
	"sigs.k8s.io/controller-tools/pkg/genall"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
	"sigs.k8s.io/controller-tools/pkg/rbac"
	"sigs.k8s.io/controller-tools/pkg/schemapatcher"
	"sigs.k8s.io/controller-tools/pkg/webhook"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/input"
)

// Version is the version of controller-tools that is linked, and whose CRDs crdproof writes under compat.
const Version = "v0.23.0"

// ReadsOnlyPackages reports whether a generator reads only packages and its header file.
func ReadsOnlyPackages(name string) bool {
	return slices.Contains([]string{"object", "rbac", "webhook"}, name)
}

// A Tool is a generator of controller-tools without options.
type Tool struct {
	Name      string
	Generator genall.Generator
}

// All returns the generators in the order of the help.
func All() []Tool {
	return []Tool{
		{"object", deepcopy.Generator{}},
		{"rbac", rbac.Generator{}},
		{"webhook", webhook.Generator{}},
		{"applyconfiguration", applyconfiguration.Generator{}},
		{"schemapatch", schemapatcher.Generator{}},
	}
}

// New returns the generator of that name, or nil.
func New(name string) genall.Generator {
	for _, t := range All() {
		if t.Name == name {
			return t.Generator
		}
	}
	return nil
}

// Checks returns the checks of controller-tools: one for errors at a place, and one for each generator.
func Checks() []*diag.Check {
	out := []*diag.Check{ofPackage}
	for _, t := range All() {
		out = append(out, t.check())
	}
	return out
}

// ofPackage is the check of errors at a place.
var ofPackage = &diag.Check{ID: "controller-tools", Mistake: true}

func (t Tool) check() *diag.Check {
	return &diag.Check{ID: t.Name, Mistake: true}
}

// Definition returns the definition of the options of a generator of controller-tools.
func Definition(name string) *markers.Definition {
	return markers.Must(markers.MakeDefinition(name, markers.DescribesPackage, New(name)))
}

// Parse parses the options of a generator with the parser of controller-tools.
func Parse(name, option string) (genall.Generator, error) {
	def := Definition(name)
	// The parser takes the text between the name and the '=' as an argument, so it cannot read name=value.
	if rest := strings.TrimPrefix(option, name); strings.HasPrefix(rest, "=") {
		return nil, fmt.Errorf("expected a colon before the options")
	}
	if rest, colon := strings.CutPrefix(option, name+":"); colon && !strings.Contains(rest, "=") {
		return nil, fmt.Errorf("missing value for %s", rest)
	}
	value, err := def.Parse("+" + option)
	if err != nil {
		return nil, parseError(err)
	}
	tool := value.(genall.Generator)
	if file := HeaderFile(tool); file != "" {
		// Some generators end the process if the file does not exist.
		if _, err := os.ReadFile(file); err != nil {
			return nil, fmt.Errorf("headerFile: %s", input.Trouble(err))
		}
	}
	if patch, ok := tool.(schemapatcher.Generator); ok {
		if _, err := os.ReadDir(patch.ManifestsPath); err != nil {
			return nil, fmt.Errorf("manifests: %s", input.Trouble(err))
		}
	}
	if apply, ok := tool.(applyconfiguration.Generator); ok {
		// The header names the program by its path, or controller-gen if the version is omitted. It must always be
		// controller-gen, as in the output that is compared.
		yes := true
		apply.OmitToolVersion = &yes
		tool = apply
	}
	return tool, nil
}

// Incumbent parses the options of controller-gen's generator of CRDs, which crdproof replaces.
func Incumbent(option string) (genall.Generator, error) {
	def := markers.Must(markers.MakeDefinition("crd", markers.DescribesPackage, crd.Generator{}))
	value, err := def.Parse("+" + option)
	if err != nil {
		return nil, parseError(err)
	}
	return value.(genall.Generator), nil
}

// HeaderFile returns the header file of a generator of controller-tools, "" for none.
func HeaderFile(tool genall.Generator) string {
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

// FileName returns the name of the file of a generator of controller-tools whose options set it, or "".
func FileName(tool genall.Generator) string {
	if tool, ok := tool.(rbac.Generator); ok {
		return cmp.Or(tool.FileName, "role.yaml")
	}
	return ""
}

// parseError flattens controller-tools' list of errors and drops their positions, which refer to a part of the option.
func parseError(err error) error {
	var list loader.ErrList
	if !errors.As(err, &list) {
		list = loader.ErrList{err}
	}
	position := regexp.MustCompile(` \(at [^)]*\)$`)
	var texts []string
	for _, e := range list {
		text := position.ReplaceAllString(e.Error(), "")
		// The text after a mistake is reported in a second error, which adds nothing.
		if len(texts) == 0 || !strings.HasPrefix(text, "extra arguments") {
			texts = append(texts, text)
		}
	}
	slices.Sort(texts)
	return errors.New(strings.Join(texts, ", "))
}
