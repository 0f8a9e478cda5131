package crd

import (
	"bytes"
	"fmt"
	"strings"
	"text/template/parse"

	"github.com/crdproof/crdproof/internal/literal"
	"github.com/crdproof/crdproof/schema"
)

// A Template has the expressions of a template of a Helm chart, as they are written between two braces; "" for none.
type Template struct {
	// Condition decides whether the CRD is installed, Keep whether Helm keeps it when the release is uninstalled.
	Condition, Keep string
	// Labels is the name of a template with labels, Annotations an expression whose value is a map.
	Labels, Annotations string
	// Conversion decides whether the CRD has the conversion stanza; ServiceName and Namespace are those of its service.
	Conversion, ServiceName, Namespace string
}

// KeepAlways is the value of Keep for a CRD that Helm never removes.
const KeepAlways = "true"

// TemplateFault returns what is wrong with an expression, "" for a valid one. The functions of Helm are not known.
func TemplateFault(expression string) string {
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

// AppendTemplate appends a template of a Helm chart, which renders as what Append appends. Two opening braces in the
// text of the CRD are escaped. Actions are on lines of their own, below keys whose lines end there: what they trim is
// only the end of such a line.
func AppendTemplate(buffer []byte, c *schema.CRD, opts Options, t Template) []byte {
	w := templateWriter{out: append(buffer, EscapeTemplate(opts.Header)...), Template: t}
	opts.Header = nil
	if t.Condition != "" {
		w.linef("{{- if %s }}", t.Condition)
	}
	w.document(EscapeTemplate(Encode(c, opts)))
	if t.Condition != "" {
		w.linef("{{- end }}")
	}
	return w.out
}

// EscapeTemplate returns a text that renders as the given one.
func EscapeTemplate(text []byte) []byte {
	return bytes.ReplaceAll(text, []byte("{{"), []byte(`{{ "{{" }}`))
}

// A templateWriter appends the lines of a template.
type templateWriter struct {
	out []byte
	Template
	// hasAnnotations and hasLabels are set once they are written, inConversion between the first and the last line of
	// the stanza.
	hasAnnotations, hasLabels, inConversion bool
}

func (w *templateWriter) linef(format string, args ...any) {
	w.out = append(fmt.Appendf(w.out, format, args...), '\n')
}

// document appends the lines of a CRD. Only those before the names of the kind change: its metadata and the conversion
// stanza. The keys there are recognized by their indentation, which no line of a value has.
func (w *templateWriter) document(doc []byte) {
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
func (w *templateWriter) annotations() {
	var conditions []string
	if w.Keep != "" && w.Keep != KeepAlways {
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
	isAlways := w.Keep == KeepAlways
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
func (w *templateWriter) moreAnnotations() {
	switch {
	case w.Keep == KeepAlways:
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
func (w *templateWriter) labels() {
	if !w.hasLabels && w.Labels != "" {
		w.linef("  labels:")
		w.moreLabels()
	}
}

// moreLabels appends the labels of the chart below the key.
func (w *templateWriter) moreLabels() {
	if w.Labels != "" {
		w.linef("    {{- include %q . | nindent 4 }}", w.Labels)
	}
}

// conversion begins the conversion stanza.
func (w *templateWriter) conversion() {
	if w.Conversion != "" {
		w.inConversion = true
		w.linef("  {{- if %s }}", w.Conversion)
	}
}
