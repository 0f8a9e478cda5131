package check

import (
	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// A Writer writes suggestions in the language of a CRD's source: markers in Go, keys in YAML.
type Writer struct{ syntax diag.Syntax }

// In returns the Writer for the file of a span; without a file it writes Go.
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

// Choose returns the first text for Go and the second for YAML, if they differ in more than a keyword.
func (w Writer) Choose(inGo, inYAML string) string {
	if w.syntax == diag.YAML {
		return inYAML
	}
	return inGo
}

// Kube returns the option for a range of versions.
func (w Writer) Kube(versions string) string { return w.Choose("crd:", "--") + "kube=" + versions }

// marker returns the marker that stands for a keyword, and whether it has no value.
func marker(keyword string) (name string, isFlag bool) {
	k := schema.KeywordOf(keyword)
	return k.Marker, k.IsFlag
}
