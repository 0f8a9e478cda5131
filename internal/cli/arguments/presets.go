package arguments

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/genall/help"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/cli/tools"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// A Preset is an option of a generator that a settings file sets. It has no effect if the command line sets the option,
// or does not name the generator.
type Preset struct {
	Generator, Name string
	// Value has the type of the option, as Fit returns it.
	Value schema.Value
}

// Fields documents the options of a generator.
func Fields(generator string) []Argument {
	if def := Table().Lookup("+"+generator, markers.Package); def != nil {
		return docsOf(*def)[0].Fields
	}
	return toolDoc(generator).Fields
}

// Fit returns the value of an option as the option has it. If it has another type, want says what was expected.
func Fit(f Argument, v schema.Value) (out schema.Value, want string) {
	isScalar := v.Kind == schema.String || v.Kind == schema.NumberKind
	switch f.Type {
	case "bool":
		if v.Kind != schema.Bool {
			return v, "true or false"
		}
		return v, ""
	case "int":
		if _, err := strconv.ParseInt(v.Text, 10, 64); v.Kind != schema.NumberKind || err != nil {
			return v, "a whole number"
		}
		return v, ""
	case "string":
		if !isScalar {
			return v, "a string"
		}
		return asString(v), ""
	case "map":
		return fitMap(v)
	}
	items := v.Items
	switch {
	case isScalar:
		items = []schema.Value{v}
	case v.Kind != schema.Array:
		return v, "a list of strings"
	}
	out = schema.Value{Kind: schema.Array, At: v.At}
	for _, item := range items {
		if item.Kind != schema.String && item.Kind != schema.NumberKind {
			return v, "a list of strings"
		}
		out.Items = append(out.Items, asString(item))
	}
	return out, ""
}

// fitMap returns a mapping of lists of strings.
func fitMap(v schema.Value) (out schema.Value, want string) {
	if v.Kind != schema.Object {
		return v, "a mapping of names to lists of strings"
	}
	out = schema.Value{Kind: schema.Object, At: v.At}
	for _, m := range v.Members {
		if m.Value, want = Fit(Argument{Argument: help.Argument{Type: "slice"}}, m.Value); want != "" {
			return v, "a mapping of names to lists of strings"
		}
		out.Members = append(out.Members, m)
	}
	return out, ""
}

// asString returns a scalar as a string: a number as it is written, so that 1.30 is not 1.3.
func asString(v schema.Value) schema.Value {
	if v.Kind == schema.NumberKind {
		v.Kind, v.Text = schema.String, v.At.Text()
	}
	return v
}

// Check reports why the value of a preset is invalid, in the words of the command line. The type must fit.
func (p Preset) Check(line Line) []diag.Diagnostic {
	if tools.New(p.Generator) != nil { // the types of controller-tools' options say all, except for files
		return p.checkFileName()
	}
	r := reader{line: line, table: Table()}
	r.line.Presets = []Preset{p}
	r.generator(p.Generator, p.Generator)
	return r.problems
}

// checkFileName reports the name of a file to write that names a directory, too: a repository must not decide where the
// runs of its users write.
func (p Preset) checkFileName() []diag.Diagnostic {
	name := p.Value.Text
	if p.Name != "fileName" || filepath.IsLocal(name) && !strings.ContainsAny(name, `/\`) {
		return nil
	}
	d := input.Errorf("%s: expected the name of a file without a directory, got %q", p.Name, name).
		Help("write %s: role.yaml, and name the directory in the command line, as in output:%s:dir=config", p.Name,
			p.Generator)
	d.Span = p.Value.At
	return []diag.Diagnostic{d}
}

// presetArgs returns the presets of a generator that the marker of its options does not set.
func (r *reader) presetArgs(generator string, m *markers.Marker) (out []markers.Arg) {
	for _, p := range r.line.Presets {
		if p.Generator == generator && m.Arg(p.Name) == nil && !overridden(p.Name, func(name string) bool {
			return m.Arg(name) != nil
		}) {
			out = append(out, markers.Arg{Name: p.Name, NameAt: p.Value.At, Value: p.Value})
		}
	}
	return out
}

// overridden reports whether the command line sets another option with the same meaning.
func overridden(preset string, isSet func(string) bool) bool {
	const omits, states = "omitToolVersion", "versionAnnotation"
	return preset == omits && isSet(states) || preset == states && isSet(omits)
}

// withPresets adds the presets to the options of a generator of controller-tools.
func (r *reader) withPresets(generator, text string) string {
	given := optionNames(text)
	for _, p := range r.line.Presets {
		if p.Generator != generator || slices.Contains(given, p.Name) {
			continue
		}
		separator := ","
		if !strings.Contains(text, ":") {
			separator = ":"
		}
		text += separator + p.Name + "=" + quoted(p.Value)
	}
	return text
}

// lacksArgument reports whether presets may complete the options of a generator of controller-tools: nothing else is
// wrong.
func lacksArgument(err error) bool {
	return !slices.ContainsFunc(strings.Split(err.Error(), ", "),
		func(problem string) bool { return !strings.HasPrefix(problem, "missing argument") })
}

// presetAt returns the position of the preset that an error names, if it names one.
func (r *reader) presetAt(generator string, err error) diag.Span {
	for _, p := range r.line.Presets {
		if p.Generator == generator && strings.Contains(err.Error(), p.Name) {
			return p.Value.At
		}
	}
	return diag.Span{}
}

// optionNames returns the names of the options that a text sets.
func optionNames(text string) (out []string) {
	_, options, _ := strings.Cut(text, ":")
	for _, word := range splitOutside(options, ',') {
		name, _, _ := strings.Cut(word, "=")
		out = append(out, name)
	}
	return out
}

// quoted returns a value in the grammar of options.
func quoted(v schema.Value) string {
	switch v.Kind {
	case schema.String:
		return strconv.Quote(v.Text)
	case schema.Array:
		var items []string
		for _, item := range v.Items {
			items = append(items, strconv.Quote(item.Text))
		}
		return "{" + strings.Join(items, ",") + "}"
	}
	return v.Text
}

// A Setting is an option with its value, as a person writes it, and where it is from.
type Setting struct {
	Name, Value string
	// At is the position in a settings file; Stated reports that the command line sets the option. Neither is set for a
	// default, which Because may explain.
	At      diag.Span
	Stated  bool
	Because string
	// Paths are the files that a setting is limited to, as patterns; none means all.
	Paths []string
}

// Settings returns what holds for the options of a generator: in the order of the table, those without a value last.
// The option is as on the command line.
func Settings(option string, presets []Preset) (set []Setting, unset []string) {
	name, _ := segment(option)
	fields := Fields(name)
	text := joinLists(option, fieldsOf(help.MarkerDoc{Fields: fields}))
	given := map[string]string{}
	for _, word := range splitOutside(strings.TrimPrefix(strings.TrimPrefix(text, name), ":"), ',') {
		if key, value, ok := strings.Cut(word, "="); ok {
			given[key] = value
		}
	}
	values := map[string]Setting{}
	for _, p := range presets {
		if p.Generator == name {
			values[p.Name] = Setting{Name: p.Name, Value: Plain(p.Value), At: p.Value.At}
		}
	}
	for _, f := range fields {
		value, stated := given[f.Name]
		s, preset := values[f.Name]
		switch {
		case stated:
			set = append(set, Setting{Name: f.Name, Value: value, Stated: true})
		case preset && !overridden(f.Name, func(name string) bool { _, ok := given[name]; return ok }):
			set = append(set, s)
		default:
			isCompat := cmp.Or(given["compat"], values["compat"].Value) == controllerGen
			if s := standard(f, isCompat); s.Value != "" {
				set = append(set, s)
			} else {
				unset = append(unset, f.Name)
			}
		}
	}
	return set, unset
}

// standard returns an option that is not set, with the value that counts then, "" if there is none.
func standard(f Argument, isCompat bool) Setting {
	s := Setting{Name: f.Name}
	switch o := optionNamed(f.Name); {
	case o != nil && isCompat && o.underCompat != "":
		s.Value, s.Because = o.underCompat, "compat="+controllerGen
	case o != nil:
		s.Value = o.standard
	case f.Type == "bool" && f.Optional:
		s.Value = "false"
	}
	return s
}

// Plain returns a value as a person writes it on the command line.
func Plain(v schema.Value) string {
	var items []string
	switch v.Kind {
	case schema.Object:
		for _, m := range v.Members {
			items = append(items, m.Key+": {"+Plain(m.Value)+"}")
		}
		return "{" + strings.Join(items, ", ") + "}"
	case schema.Array:
	default:
		return v.Text
	}
	for _, item := range v.Items {
		items = append(items, item.Text)
	}
	return strings.Join(items, ",")
}
