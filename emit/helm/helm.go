// Package helm encodes a schema.CRD as a template of a Helm chart, which renders as the YAML of emit/crd.
//
// The input is a finished IR and the expressions that the template evaluates, the output is the content of one file.
// Two opening braces in the text of the CRD are escaped, so that rendering gives the same text. Actions are on lines of
// their own, below keys whose lines end there: what they trim is only the end of such a line.
//
// The package carries no promise, and may change in any release: see docs/stability.md.
package helm

import (
	"bytes"
	"fmt"
	"strings"
	"text/template/parse"

	"github.com/crdproof/crdproof/emit/crd"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/literal"
)

// Options are the expressions of a template, as they are written between two braces; "" for none.
type Options struct {
	// Condition decides whether the CRD is installed, Keep whether Helm keeps it when the release is uninstalled.
	Condition, Keep string
	// Labels is the name of a template with labels, Annotations an expression whose value is a map.
	Labels, Annotations string
	// Conversion decides whether the CRD has the conversion stanza; ServiceName and Namespace are those of its service.
	Conversion, ServiceName, Namespace string
}

// Always is the value of Keep for a CRD that Helm never removes.
const Always = "true"

// Fault returns what is wrong with an expression, "" for a valid one. The functions of Helm are not known.
func Fault(expression string) string {
	tree := parse.New("")
	tree.Mode = parse.SkipFuncCheck
	_, err := tree.Parse("{{ if "+expression+"\n}}{{ end }}", "", "", map[string]*parse.Tree{})
	if err == nil && strings.ContainsAny(expression, "\n\r") {
		return "it has several lines"
	}
	if err != nil {
		_, why, _ := strings.Cut(strings.TrimPrefix(err.Error(), "template: :"), ": ")
		return why
	}
	return ""
}

// Append appends the template of a CRD to a buffer.
func Append(buffer []byte, c *schema.CRD, opts crd.Options, t Options) []byte {
	w := writer{out: append(buffer, escaped(opts.Header)...), Options: t}
	opts.Header = nil
	if t.Condition != "" {
		w.linef("{{- if %s }}", t.Condition)
	}
	w.document(escaped(crd.Encode(c, opts)))
	if t.Condition != "" {
		w.linef("{{- end }}")
	}
	return w.out
}

// escaped returns a text that renders as the given one.
func escaped(text []byte) []byte {
	return bytes.ReplaceAll(text, []byte("{{"), []byte(`{{ "{{" }}`))
}

type writer struct {
	out []byte
	Options
	// hasAnnotations and hasLabels are set once they are written, inConversion between the first and the last line of
	// the stanza.
	hasAnnotations, hasLabels, inConversion bool
}

func (w *writer) linef(format string, args ...any) {
	w.out = append(fmt.Appendf(w.out, format, args...), '\n')
}

// document appends the lines of a CRD. Only those before the names of the kind change: its metadata and the conversion
// stanza. The keys there are recognized by their indentation, which no line of a value has.
func (w *writer) document(doc []byte) {
	for len(doc) > 0 {
		line, rest := literal.CutLine(doc)
		key, _, _ := strings.Cut(string(line), ":")
		switch key {
		case "  labels", "  name":
			w.annotations()
		case "  conversion":
			w.conversion()
		case "  group":
			if w.inConversion {
				w.linef("  {{- end }}")
			}
			w.out = append(w.out, doc...)
			return
		}
		if key == "  name" {
			w.labels()
		}
		switch {
		case key == "          name" && w.ServiceName != "":
			w.linef("%s: {{ %s | quote }}", key, w.ServiceName)
		case key == "          namespace" && w.Namespace != "":
			w.linef("%s: {{ %s | quote }}", key, w.Namespace)
		default:
			w.out = append(w.out, line...)
		}
		switch key {
		case "  annotations":
			w.hasAnnotations = true
			w.moreAnnotations()
		case "  labels":
			w.hasLabels = true
			w.moreLabels()
		}
		doc = rest
	}
}

// annotations appends the key of annotations, for a CRD without its own.
func (w *writer) annotations() {
	var conditions []string
	if w.Keep != "" && w.Keep != Always {
		conditions = append(conditions, w.Keep)
	}
	if w.Annotations != "" {
		conditions = append(conditions, w.Annotations)
	}
	if w.hasAnnotations || w.Keep == "" && len(conditions) == 0 {
		return
	}
	w.hasAnnotations = true
	condition := strings.Join(conditions, "")
	if len(conditions) > 1 {
		condition = "or (" + strings.Join(conditions, ") (") + ")"
	}
	isAlways := w.Keep == Always
	if !isAlways {
		w.linef("  {{- if %s }}", condition)
	}
	w.linef("  annotations:")
	w.moreAnnotations()
	if !isAlways {
		w.linef("  {{- end }}")
	}
}

// moreAnnotations appends the annotations of the chart below the key.
func (w *writer) moreAnnotations() {
	switch {
	case w.Keep == Always:
		w.linef("    helm.sh/resource-policy: keep")
	case w.Keep != "":
		w.linef("    {{- if %s }}", w.Keep)
		w.linef("    helm.sh/resource-policy: keep")
		w.linef("    {{- end }}")
	}
	if w.Annotations != "" {
		w.linef("    {{- with %s }}", w.Annotations)
		w.linef("    {{- toYaml . | nindent 4 }}")
		w.linef("    {{- end }}")
	}
}

// labels appends the key of labels, for a CRD without its own.
func (w *writer) labels() {
	if !w.hasLabels && w.Labels != "" {
		w.linef("  labels:")
		w.moreLabels()
	}
}

// moreLabels appends the labels of the chart below the key.
func (w *writer) moreLabels() {
	if w.Labels != "" {
		w.linef("    {{- include %q . | nindent 4 }}", w.Labels)
	}
}

// conversion begins the conversion stanza.
func (w *writer) conversion() {
	if w.Conversion != "" {
		w.inConversion = true
		w.linef("  {{- if %s }}", w.Conversion)
	}
}
