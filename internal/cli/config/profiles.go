package config

import (
	"path/filepath"
	"slices"
	"strconv"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit/crd"
	"github.com/crdproof/crdproof/generator/profile"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/schema"
)

// The keys of an output that others refer to.
const (
	keyDir        = "dir"
	keyFile       = "file"
	keyFileName   = "fileName"
	keyList       = "list"
	keySchemas    = "schemas"
	keyMaxDescLen = "maxDescLen"
	keyHelm       = "helm"
)

// outputKeys returns the keys of an output of a profile.
func outputKeys() []key {
	truth := &arguments.Argument{Name: keyList, Argument: optionOf(arguments.CRD, "omitToolVersion").Argument}
	return []key{
		{name: keyDir, doc: "Directory for a file of each CRD, relative to the settings file."},
		{name: keyFile, doc: "File with all CRDs, relative to the settings file."},
		{name: keyFileName, doc: "Name of the files in dir, such as {group}_{plural}.yaml, with the placeholders " +
			"{group}, {kind}, {plural} and {singular}."},
		{name: keyList, doc: "Writes the CRDs of file as one list of kind List, not as documents.",
			value: shape{option: truth}},
		{name: keySchemas, doc: "With false, leaves out the schemas of fields.", value: shape{option: truth}},
		{name: keyMaxDescLen, doc: "Cuts descriptions to this number of bytes; 0 drops them.",
			value: shape{option: optionOf(arguments.CRD, keyMaxDescLen)}},
		{name: keyHelm, doc: "Writes templates of a Helm chart; {} for no expressions.",
			value: shape{members: helmKeys()}},
	}
}

// helmKeys returns the keys of a template of a Helm chart. The values are expressions without their braces.
func helmKeys() []key {
	return []key{
		{name: "condition", doc: "Whether the chart installs the CRD, such as .Values.crds.enabled."},
		{name: "keep", doc: "Whether Helm keeps the CRD when it uninstalls the chart, such as .Values.crds.keep, or " +
			"\"true\"."},
		{name: "labels", doc: "Name of a template with labels, such as operator.labels."},
		{name: "annotations", doc: "A map of annotations, such as .Values.crds.annotations."},
		{name: "conversion", doc: "Whether the CRD has its conversion stanza, such as .Values.webhook.enabled."},
		{name: "serviceName", doc: "Name of the service of the conversion webhook."},
		{name: "namespace", doc: "Namespace of the service of the conversion webhook, such as .Release.Namespace."},
	}
}

// profiles reads the profiles.
func (p *parser) profiles(m *schema.Member) {
	if !p.isMapping(m) {
		return
	}
	for i := range m.Value.Members {
		named := &m.Value.Members[i]
		out := profile.Profile{Name: named.Key}
		p.entries(named, "an output", outputKeys(), func(n *schema.Value) {
			if o, ok := p.profileOutput(n); ok {
				out.Outputs = append(out.Outputs, o)
			}
		})
		if named.Value.Kind == schema.Array && len(named.Value.Items) == 0 {
			p.errorf(named.KeyAt, "the profile has no outputs").HelpText = "add an output, such as - dir: config/crd"
		}
		p.distinct(out.Outputs)
		p.settings.Profiles = append(p.settings.Profiles, out)
	}
}

// distinct reports outputs that write the same files.
func (p *parser) distinct(outputs []profile.Output) {
	for i, o := range outputs {
		for _, earlier := range outputs[:i] {
			if o.Dir == earlier.Dir && o.File == earlier.File && o.FileName.V == earlier.FileName.V {
				d := p.errorf(o.At, "two outputs write the same files")
				d.HelpText = "name another directory or file, or add fileName"
				*d = d.See(earlier.At, "the other output")
				break
			}
		}
	}
}

// profileOutput reads an output.
func (p *parser) profileOutput(n *schema.Value) (o profile.Output, ok bool) {
	before := len(p.found)
	o.At = n.Start()
	p.outputPlace(&o, n.Member(keyDir), n.Member(keyFile), n.Member(keyFileName))
	list := n.Member(keyList)
	o.List = p.truth(list, false)
	o.OmitSchemas = !p.truth(n.Member(keySchemas), true)
	if m := n.Member(keyMaxDescLen); m != nil {
		o.MaxDescLen = p.maxDescLen(m)
	}
	if m := n.Member(keyHelm); m != nil {
		o.Helm = p.helm(m)
	}
	if o.List && (o.File == "" || o.Helm != nil) {
		p.errorf(list.KeyAt, "list needs the key file, and excludes helm").HelpText = "remove list"
	}
	return o, len(p.found) == before
}

// outputPlace reads where an output is written.
func (p *parser) outputPlace(o *profile.Output, dir, file, name *schema.Member) {
	switch {
	case dir == nil && file == nil:
		p.errorf(o.At, "the output has neither dir nor file").HelpText = "add a directory, such as dir: config/crd"
	case dir != nil && file != nil:
		p.errorf(file.KeyAt, "dir and file exclude each other").HelpText = "write two outputs"
	case dir != nil:
		o.Dir = p.outputPath(dir)
	default:
		o.File = p.outputPath(file)
		if o.File != "" && !slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(o.File)) {
			p.errorf(file.Value.At, "the name does not end in .yaml or .yml").HelpText =
				"write a name such as crds.yaml"
		}
	}
	if name == nil {
		return
	}
	o.FileName = schema.Text{V: p.expression(name), At: name.Value.At}
	if why, help := profile.NameFault(o.FileName.V); o.FileName.V != "" && why != "" {
		p.errorf(name.Value.At, "%s", why).HelpText = help
	}
	if file != nil {
		p.errorf(name.KeyAt, "fileName has no effect: the output is one file").HelpText = "remove it"
	}
}

// maxDescLen reads the length that descriptions may have.
func (p *parser) maxDescLen(m *schema.Member) *int {
	v, ok := p.fit(m, *optionOf(arguments.CRD, keyMaxDescLen))
	if !ok {
		return nil
	}
	most, err := strconv.Atoi(v.Text)
	if err != nil || most < 0 {
		p.errorf(m.Value.At, "maxDescLen: expected a number of at least 0, got %s", v.Text)
	}
	return &most
}

// outputPath returns a path of an output, which must be in the directory of the settings: a repository must not decide
// where else the runs of its users write.
func (p *parser) outputPath(m *schema.Member) string {
	if m == nil {
		return ""
	}
	if m.Value.Kind != schema.String || m.Value.Text == "" {
		p.errorf(m.KeyAt, "%s: expected a path, got %s", m.Key, m.Value.Kind.InYAML())
		return ""
	}
	local := filepath.FromSlash(m.Value.Text)
	path := filepath.Join(p.dir, local)
	if !filepath.IsLocal(local) || !input.Within(input.Resolved(path), input.Resolved(p.dir)) {
		p.errorf(m.Value.At, "%s: %s is outside of the directory of the settings", m.Key, m.Value.Text).HelpText =
			"name a path below that directory, without .."
		return ""
	}
	return input.Shown(path)
}

// truth returns a boolean, or what counts without the key.
func (p *parser) truth(m *schema.Member, otherwise bool) bool {
	if m == nil {
		return otherwise
	}
	if m.Value.Kind != schema.Bool {
		p.errorf(diag.Nearest(m.Value.At, m.KeyAt), "%s: expected true or false, got %s", m.Key, m.Value.Kind.InYAML())
		return otherwise
	}
	return m.Value.Text == "true"
}

// helm reads the expressions of a template.
func (p *parser) helm(m *schema.Member) *crd.Template {
	if !p.isMapping(m) {
		return nil
	}
	t := &crd.Template{}
	p.members(&m.Value, keyHelm, helmKeys())
	places := map[string]*string{
		"condition": &t.Condition, "keep": &t.Keep, "labels": &t.Labels, "annotations": &t.Annotations,
		"conversion": &t.Conversion, "serviceName": &t.ServiceName, "namespace": &t.Namespace,
	}
	for i := range m.Value.Members {
		e := &m.Value.Members[i]
		place := places[e.Key]
		if place == nil {
			continue // which is reported
		}
		if e.Key == "keep" && e.Value.Kind == schema.Bool && e.Value.Text == crd.KeepAlways {
			e.Value.Kind = schema.String
		}
		*place = p.expression(e)
		code := *place
		if e.Key == "labels" {
			code = "include " + strconv.Quote(code) + " ."
		}
		if why := crd.TemplateFault(code); *place != "" && why != "" {
			p.errorf(e.Value.At, "%s: invalid expression of a template: %s", e.Key, why).HelpText =
				"write the expression without braces, such as .Values.crds.enabled"
		}
	}
	return t
}

// expression returns a text that is not empty.
func (p *parser) expression(m *schema.Member) string {
	if m.Value.Kind != schema.String || m.Value.Text == "" {
		p.errorf(diag.Nearest(m.Value.At, m.KeyAt), "%s: expected a text, got %s", m.Key, m.Value.Kind.InYAML())
		return ""
	}
	return m.Value.Text
}
