package arguments

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/semver"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit/crd"
	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/describe"
	"github.com/crdproof/crdproof/generator/helpers"
	"github.com/crdproof/crdproof/generator/lower"
	"github.com/crdproof/crdproof/generator/overlay"
	"github.com/crdproof/crdproof/internal/cli/extensions"
	"github.com/crdproof/crdproof/internal/cli/tools"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/rules/size"
	"github.com/crdproof/crdproof/schema"
)

// generator parses the options of crd or helpers.
func (r *reader) generator(text, name string) {
	g := Invocation{Name: name, CRD: &generator.Options{}}
	header := &g.CRD.Header
	if name == CRD {
		g.CRD.ToolVersion = r.line.Version
	} else {
		g.Helpers = &HelperOptions{Options: helpers.Options{Version: r.line.Version}}
		header = &g.Helpers.Header
	}
	r.plan.Generators = append(r.plan.Generators, g)
	def := r.table.Lookup("+"+name, markers.Package)
	m, ok := r.parse(text, joinLists(text, paramsOf(def)))
	if !ok {
		return
	}
	s := settings{reader: r, option: text, Invocation: g}
	given := map[string]bool{}
	stated := len(m.Args)
	m.Args = append(m.Args, r.presetArgs(name, &m)...)
	for i := range m.Args {
		if i >= stated {
			r.preset = m.Args[i].Value.At
		}
		given[m.Args[i].Name] = true
		o := optionNamed(m.Args[i].Name) // the parser rejects other names
		o.set(&s, &m.Args[i].Value)
		if o.scope >= ofGo && name == Helpers {
			shared := sharedOption{option: o}
			if i >= stated {
				shared.preset = &m.Args[i].Value
			}
			g.Helpers.shared = append(g.Helpers.shared, shared)
		}
	}
	r.preset = s.headerAt
	*header = s.header()
	r.preset = diag.Span{}
	s.finish(given)
}

// finish sets what an option implies unless others state it, and compares options with each other.
func (s *settings) finish(given map[string]bool) {
	if s.CRD.Compat {
		s.CRD.Tolerate = s.CRD.Tolerate || !given["mistakes"]
		s.CRD.Unproved = s.CRD.Unproved || !given["unproved"]
	}
	if s.Name == Helpers { // they answer as the CRD does, which other tools may have written
		s.CRD.Tolerate = s.CRD.Tolerate || !given["mistakes"]
	}
	if given["omitToolVersion"] && given["versionAnnotation"] {
		s.fail(input.Errorf("omitToolVersion and versionAnnotation exclude each other").
			Help("remove omitToolVersion; versionAnnotation=none means the same"))
	}
	if s.CRD.Declarative {
		s.checkDeclarative()
	}
	if s.CRD.Compat && len(s.CRD.Extra) > 0 {
		s.fail(input.Errorf("option with has no effect: compat=controller-gen switches off all deviations").
			Help("remove one of the two options"))
	}
	s.setVariants()
	s.CRD.Policy.Checks = s.line.Checks
	s.problems = append(s.problems, CheckPolicy("option ", s.line.Checks, s.CRD.Policy)...)
	s.CRD.Policy = s.CRD.Policy.Over(s.line.Policy)
}

// settings collects what the options of a generator set.
type settings struct {
	*reader
	// option is the whole option, for messages.
	option string
	Invocation
	// headerFile is the file with the header, in which YEAR is replaced by year.
	headerFile, year string
	// headerAt is the position of headerFile in a settings file.
	headerAt diag.Span
	// channels, gates and variants are the values of these options, nil without them.
	channels, gates, variants *markers.Value
}

// CheckShare checks a percentage of a rule's budget.
func CheckShare(percent int) error {
	if percent < 1 || percent > 100 {
		return fmt.Errorf("expected a percentage from 1 to 100, got %d", percent)
	}
	return nil
}

// CheckPolicy reports mistakes in the ids of checks that are ignored or raised. prefix precedes the names of the two
// options or flags.
func CheckPolicy(prefix string, checks check.Table, p check.Policy) []diag.Diagnostic {
	out := append(checks.Usable(prefix+"ignore", p.Ignored, true), checks.Usable(prefix+"fail", p.Raised, false)...)
	for i := range out {
		out[i].Check = input.Option.ID
		if prefix == "--" && strings.Contains(out[i].HelpText, "crd:unproved") { // which commands do not have
			out[i].HelpText = "fix the finding; if crdproof generates the CRD, crd:unproved=true writes it anyway"
		}
	}
	for _, id := range p.Ignored {
		if slices.Contains(p.Raised, id) {
			out = append(out, input.Errorf("check %s is both in %signore and in %sfail", id, prefix, prefix).
				Help("remove it from one of them"))
		}
	}
	return out
}

// without switches deviations off, with switches optional ones on.
func (s *settings) without(v *markers.Value) { s.CRD.Without = s.deviations("without", false, v) }
func (s *settings) with(v *markers.Value)    { s.CRD.Extra = s.deviations("with", true, v) }

// deviations returns the names of deviations that an option switches. Those that have this state anyway are an error.
func (s *settings) deviations(option string, optional bool, v *markers.Value) []string {
	names, state := lower.DeviationNames(), map[bool]string{false: "on", true: "off"}
	for _, name := range textsOf(v) {
		d := input.Errorf("option %s: unknown deviation %q", option, name)
		switch near := diag.DidYouMean(name, names); {
		case slices.Contains(names, name) && lower.IsOptional(name) == optional:
		case slices.Contains(names, name):
			s.fail(input.Errorf("option %s has no effect on %s: it is %s by default", option, name, state[!optional]).
				Help("remove %s from the option", name))
		case near != "":
			s.fail(d.Help("%s", near))
		default:
			s.fail(d.Note("the deviations are %s", strings.Join(names, ", ")).
				Help("run crdproof crd --deviations to see which of them change your CRDs"))
		}
	}
	return textsOf(v)
}

// checkDeclarative reports options that leave nothing of declarative=all.
func (s *settings) checkDeclarative() {
	off := ""
	switch {
	case s.CRD.Compat:
		off = "compat=controller-gen"
	case !s.CRD.EnforcesTags():
		off = "without=declarative-tags"
	default:
		return
	}
	s.fail(input.Errorf("option declarative=all has no effect: %s switches off the tags of declarative validation",
		off).
		Help("remove one of the two options"))
}

// versionAnnotation says which tool's annotation the files have.
func (s *settings) versionAnnotation(v *markers.Value) {
	tool, version, stated := strings.Cut(v.Text, "@")
	switch {
	case v.Text == "crdproof":
	case v.Text == "none":
		s.CRD.ToolVersion = ""
	case tool == controllerGen && !stated:
		s.CRD.VersionAnnotation, s.CRD.ToolVersion = crd.ControllerGenAnnotation, tools.Version
	case tool == controllerGen && semver.IsValid(version):
		s.CRD.VersionAnnotation, s.CRD.ToolVersion = crd.ControllerGenAnnotation, version
	case tool == controllerGen:
		s.fail(input.Errorf("option versionAnnotation: expected a version after the @, got %q", version).
			Help("write versionAnnotation=%s@%s", controllerGen, tools.Version))
	default:
		s.checkValue("versionAnnotation", v.Text)
	}
}

// controllerGen is the tool whose CRDs and annotation crdproof can write.
const controllerGen = "controller-gen"

// crdVersions accepts v1, the only version of the CRD API.
func (s *settings) crdVersions(v *markers.Value) {
	for _, version := range textsOf(v) {
		if version == "v1beta1" {
			s.fail(unexpected("crdVersions", version).
				Note("since version 1.22, Kubernetes only serves v1").Help("remove crdVersions"))
			continue
		}
		s.checkValue("crdVersions", version)
	}
}

func (s *settings) dropDescriptions(v *markers.Value) {
	s.CRD.Descriptions.Packages = textsOf(v)
	for _, pattern := range textsOf(v) {
		if strings.HasPrefix(pattern, ".") || filepath.IsAbs(pattern) {
			s.fail(input.Errorf("option dropDescriptions: expected an import path, got the file path %q", pattern).
				Help("write an import path, for example k8s.io/api/..."))
		}
	}
}

func (s *settings) descDepth(v *markers.Value) {
	depth := s.length(v)
	if s.CRD.Descriptions.MaxDepth = depth; depth != nil && *depth < 0 {
		s.fail(input.Errorf("option descDepth: expected a level of at least 0, got %d", *depth))
	}
}

// maxSize parses the maximal size of a CRD.
func (s *settings) maxSize(v *markers.Value) {
	budget := &s.CRD.Descriptions.Budget
	if v.Text == "apply" {
		*budget = describe.Budget{Annotations: size.AnnotationLimit}
		return
	}
	quantity, err := resource.ParseQuantity(v.Text)
	n, exact := quantity.AsInt64()
	if err != nil || !exact || n < 1 || n > math.MaxInt32 {
		s.fail(input.Errorf("option maxSize: expected a number of bytes, got %q", v.Text).
			Help("write a number of bytes, for example 262144 or 256Ki, or apply for the limit of kubectl apply"))
		return
	}
	*budget = describe.Budget{File: int(n), Annotations: int(n)}
}

func (s *settings) declarativePrefix(v *markers.Value) {
	s.CRD.DeclarativePrefix = v.Text
	if err := markers.CheckPrefix(v.Text); err != nil {
		s.fail(input.Errorf("option declarativePrefix: %v", err))
	}
}

// declarativeFormats reads the project's own formats. Mistakes in a file are reported there.
func (s *settings) declarativeFormats(v *markers.Value) {
	declared, problems := extensions.Read(s.sources("declarativeFormats", v))
	s.CRD.Formats, s.problems = declared, append(s.problems, problems...)
}

// overlay reads overlay files. Mistakes in a file are reported there.
func (s *settings) overlay(v *markers.Value) {
	read, problems := overlay.Read(s.sources("overlay", v))
	s.CRD.Overlays, s.problems = read, append(s.problems, problems...)
}

// sources returns the files that an option names, without those that cannot be read, which is reported.
func (s *settings) sources(option string, v *markers.Value) (files []*diag.Source) {
	for i := range v.Items {
		name := v.Items[i].Text
		if text, ok := s.read(option, name, s.preset); ok {
			files = append(files, &diag.Source{Path: input.Absolute(name), Data: text})
		}
	}
	return files
}

func (s *settings) costShare(v *markers.Value) {
	if n := s.length(v); n != nil {
		s.CRD.Validation.Share = *n
		if err := CheckShare(*n); err != nil {
			s.fail(input.Errorf("option costShare: %v", err))
		}
	}
}

// header returns the text of the header file with the year.
func (s *settings) header() []byte {
	if s.headerFile == "" {
		return nil
	}
	text, _ := s.read("headerFile", s.headerFile, s.headerAt)
	return []byte(strings.ReplaceAll(string(text), " YEAR", " "+s.year))
}

// read returns the text of a file that an option names, at a position in a settings file if it is valid.
func (s *settings) read(option, name string, at diag.Span) (text []byte, ok bool) {
	read := input.ReadNamed
	if at.IsValid() {
		read = input.ReadFile
	}
	text, err := read(name)
	if err != nil {
		d := input.Errorf("option %s: %s", option, input.Trouble(err))
		if !at.IsValid() {
			d = d.Note("%s is relative to the working directory", option)
		}
		s.fail(d)
	}
	return text, err == nil
}

func (s *settings) length(v *markers.Value) *int {
	n, err := strconv.Atoi(v.Text)
	if err != nil {
		s.fail(input.Errorf("option %q: %s is out of range", s.option, v.Text))
		return nil
	}
	return &n
}

// checkValue reports an option whose value is not permitted.
func (s *settings) checkValue(option, value string) {
	if permitted := Values(option); !slices.Contains(permitted, value) {
		s.fail(unexpected(option, value).Help("%s", diag.DidYouMean(value, permitted)))
	}
}

func unexpected(option, value string) diag.Diagnostic {
	return input.Errorf("option %s: expected %s, got %q", option, diag.Or(Values(option)), value)
}

// shared reports options of helpers that have no effect, because crd generates the CRDs in the same run, or because the
// CRDs come from files.
func (r *reader) shared() {
	h := r.plan.Find(Helpers)
	if h == nil {
		return
	}
	for _, shared := range h.Helpers.shared {
		name := shared.Name
		var d diag.Diagnostic
		switch {
		case len(h.Helpers.CRDs) > 0 && shared.scope != ofValidation:
			d = input.Errorf("option %s of helpers has no effect: it applies to Go types, but crds names files", name).
				Help("remove %s", name)
		case len(h.Helpers.CRDs) == 0 && r.plan.Find(CRD) != nil:
			d = input.Errorf("option %s of helpers has no effect: crd generates the CRDs in this run", name).
				Help("move %s to the options of crd", name)
		default:
			continue
		}
		if shared.preset == nil {
			r.fail(d)
		} else if !r.presetsAgree(name, *shared.preset) {
			d.Severity, d.Span = diag.Warning, shared.preset.At // another run of the repository may use it
			r.problems = append(r.problems, d)
		}
	}
}

// presetsAgree reports whether a setting for helpers is one for crd too, as those for all commands are.
func (r *reader) presetsAgree(name string, v schema.Value) bool {
	return slices.ContainsFunc(r.line.Presets, func(p Preset) bool {
		return p.Generator == CRD && p.Name == name && p.Value.Equal(v)
	})
}
