package check

import (
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
)

// A Writer says what to write, in the language that a CRD is written in: markers in Go, keys in YAML.
type Writer struct{ syntax diag.Syntax }

// In returns the Writer for the file that a span lies in; without a file it writes Go.
func In(at diag.Span) Writer {
	if at.Source == nil {
		return Writer{}
	}
	return Writer{at.Source.Syntax}
}

// Set returns a keyword of schemas with its value: "+kubebuilder:validation:MaxItems=5", or "maxItems: 5".
func (w Writer) Set(keyword, value string) string {
	if w.syntax == diag.YAML {
		return keyword + ": " + value
	}
	name, isFlag := marker(keyword)
	if isFlag {
		return "+" + name
	}
	return "+" + name + "=" + value
}

// Name returns a keyword of schemas alone: "+listType", or "x-kubernetes-list-type".
func (w Writer) Name(keyword string) string {
	if w.syntax == diag.YAML {
		return keyword
	}
	name, _ := marker(keyword)
	return "+" + name
}

// Choose returns the first text for Go and the second for YAML, where they differ in more than a keyword.
func (w Writer) Choose(inGo, inYAML string) string {
	if w.syntax == diag.YAML {
		return inYAML
	}
	return inGo
}

// marker returns the marker that stands for a keyword, and whether it has no value.
func marker(keyword string) (name string, isFlag bool) {
	switch keyword {
	case "default", "title", "externalDocs", "example":
		return "kubebuilder:" + keyword, false
	case "nullable", "required":
		return keyword, true
	case "x-kubernetes-list-type":
		return "listType", false
	case "x-kubernetes-list-map-keys":
		return "listMapKey", false
	case "x-kubernetes-map-type":
		return "mapType", false
	case "x-kubernetes-preserve-unknown-fields":
		return "kubebuilder:pruning:PreserveUnknownFields", true
	case "x-kubernetes-embedded-resource":
		return "kubebuilder:validation:EmbeddedResource", true
	case "x-kubernetes-int-or-string":
		return "kubebuilder:validation:XIntOrString", true
	case "x-kubernetes-validations":
		return "kubebuilder:validation:XValidation:rule", false
	}
	return "kubebuilder:validation:" + strings.ToUpper(keyword[:1]) + keyword[1:], false
}
