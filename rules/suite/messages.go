package suite

import (
	"fmt"
	"path/filepath"
	"strings"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crdproof/crdproof/generator/crds"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/input"
	"github.com/crdproof/crdproof/generator/read"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/kube"
)

// The ids of what is wrong with a suite.
const (
	ruleSyntax   = "suite-syntax"
	ruleKey      = "suite-key"
	ruleCRD      = "suite-crd"
	ruleVersion  = "suite-version"
	ruleGate     = "suite-gate"
	rulePatch    = "suite-patch"
	ruleCoverage = "suite-coverage"
	ruleUpdate   = "suite-update"
)

func noSuite(at diag.Span) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Check: ruleSyntax, Message: "this is no suite: it has neither crdName nor tests",
		HelpText: "docs/testing.md shows what a suite looks like",
	}
}

func severalDocuments(at diag.Span) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Check: ruleSyntax, Message: "a second document begins here, and a suite is one",
		HelpText: "give each suite a file of its own",
	}
}

func unknownKey(m *read.Member, in place) diag.Diagnostic {
	var known []string
	for _, k := range keys() {
		for _, p := range k.in {
			if p == in {
				known = append(known, k.name)
			}
		}
	}
	d := diag.Diagnostic{
		Span: m.KeyAt, Check: ruleKey, Message: fmt.Sprintf("%s has no key %q", in.noun(), m.Key),
		Notes: []string{"its keys are " + strings.Join(known, ", ")},
	}
	switch near := diag.Near(m.Key, known); {
	case near != "":
		d.HelpText = diag.Meant(near)
	case in == inSuite && (m.Key == keyOnCreate || m.Key == keyOnUpdate):
		d.HelpText = "it belongs below tests"
	case in == inOnCreate && (m.Key == keyUpdated || m.Key == keyPatches || m.Key == keyStatusError):
		d.HelpText = "it belongs to cases of onUpdate"
	}
	return d
}

func (p place) noun() string {
	if p == inSuite {
		return "a suite"
	}
	return string(p)
}

func wrongType(m *read.Member, want string) diag.Diagnostic {
	kinds := [...]string{
		schema.Null: "null", schema.Bool: "a boolean", schema.NumberKind: "a number", schema.String: "a text",
		schema.Array: "a list", schema.Object: "a mapping",
	}
	at := m.KeyAt
	if m.Value.Kind != schema.Null && m.Value.Kind != schema.Object && m.Value.Kind != schema.Array {
		at = m.Value.At
	}
	return diag.Diagnostic{Span: at, Check: ruleSyntax, Message: fmt.Sprintf("%s is %s, not %s", m.Key, want, kinds[m.Value.Kind])}
}

func objectUnquoted(m *read.Member) diag.Diagnostic {
	return diag.Diagnostic{
		Span: m.KeyAt, Check: ruleSyntax, Message: m.Key + " is the text of an object, not a mapping",
		HelpText: "write " + m.Key + ": | with the object in the lines below it",
	}
}

func notOneObject(f Field, key string, n int) diag.Diagnostic {
	d := diag.Diagnostic{Span: f.Key, Check: ruleSyntax, Message: key + " is no object", HelpText: "write apiVersion, kind and spec, as for kubectl"}
	if n > 1 {
		d.Message, d.HelpText = fmt.Sprintf("%s holds %d objects, not one", key, n), "give each a case of its own"
	}
	return d
}

func unsendable(f Field, err error) diag.Diagnostic {
	return diag.Diagnostic{Span: f.Key, Check: ruleSyntax, Message: "no client can send this: " + err.Error()}
}

// missing says that a mapping lacks a key that it has to have.
func missing(at diag.Span, of, key string) diag.Diagnostic {
	d := diag.Diagnostic{Span: at, Check: ruleKey, Message: fmt.Sprintf("the %s has no %s", of, key)}
	if key == keyName {
		d.HelpText = "write name: and what the case shows"
	}
	return d
}

func unknownOperation(op schema.Text) diag.Diagnostic {
	var known []string
	for _, o := range operations() {
		known = append(known, o.name)
	}
	d := diag.Diagnostic{
		Span: op.At, Check: ruleKey, Message: fmt.Sprintf("there is no operation %q", op.V),
		Notes: []string{"there are " + strings.Join(known, ", ")},
	}
	d.HelpText = diag.DidYouMean(op.V, known)
	return d
}

func missingCRD(root *read.Node) diag.Diagnostic {
	return diag.Diagnostic{
		Span: root.Start(), Check: ruleKey, Message: "the suite does not say which CRD it tests",
		HelpText: "write crdName: <plural>.<group>, as in crdName: widgets.example.com",
	}
}

func noCases(root *read.Node) diag.Diagnostic {
	at := root.Start()
	for _, m := range root.Members {
		if m.Key == keyTests {
			at = m.KeyAt
		}
	}
	return diag.Diagnostic{Span: at, Check: ruleKey, Severity: diag.Warning, Message: "the suite has no cases", HelpText: "write them below tests.onCreate and tests.onUpdate"}
}

func twice(c, first *Case) diag.Diagnostic {
	return diag.Diagnostic{
		Span: c.Name.At, Check: "suite-twice", Severity: diag.Warning,
		Message: fmt.Sprintf("two cases of %s are called %q", c.list(), c.Name.V),
		SeeAlso: []diag.Related{{Span: first.Name.At, Message: "the first"}},
	}
}

func statusErrorWithoutStatus(c *Case) diag.Diagnostic {
	return diag.Diagnostic{
		Span: c.StatusError.Key, Check: ruleKey, Severity: diag.Warning, Message: "updated has no status, so that none is written, and no error can come of it",
		HelpText: "write a status in updated, or expectedError",
	}
}

func unknownCRD(s *Suite, p *pool) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: s.CRDName.At, Check: ruleCRD, Message: fmt.Sprintf("there is no CRD %s in %s", s.CRDName.V, p.where),
		HelpText: "name the files of the CRD with --crds=<file or directory>, or the packages of its Go types with --paths=./...",
	}
	if !d.Span.IsValid() {
		d.Span, d.Message = s.CRDFile.At, "there is no CustomResourceDefinition in "+p.where
	}
	if names := p.names(); len(names) > 0 {
		d.Notes = []string{"there is " + inWords(names)}
		if near := diag.Near(s.CRDName.V, names); near != "" {
			d.HelpText = diag.Meant(near)
		}
	} else if p.below != "" {
		d.HelpText = p.below
	}
	return d
}

func severalCRDs(s *Suite, p *pool) diag.Diagnostic {
	at := s.CRDFile.At
	if !at.IsValid() {
		at = diag.At(s.Source, 0, 0)
	}
	return diag.Diagnostic{
		Span: at, Check: ruleCRD, Message: "several CRDs are in " + p.where + ", and the suite does not say which it tests",
		HelpText: "write crdName: " + strings.Join(p.names(), " or "),
	}
}

func noCRDFile(s *Suite, path string) diag.Diagnostic {
	d := diag.Diagnostic{Span: s.CRDFile.At, Check: ruleCRD, Message: "there is no file " + input.Shown(path)}
	if near := input.Near(path, nil); near != "" {
		d.HelpText = diag.Meant(filepath.ToSlash(filepath.Join(filepath.Dir(s.CRDFile.V), near)))
	}
	return d
}

func nowhere(s *Suite, dir string) diag.Diagnostic {
	return diag.Diagnostic{
		Span: s.CRDName.At, Check: ruleCRD, Message: "there are no CRDs to be found for " + s.CRDName.V,
		Notes:    crds.Looked(dir),
		HelpText: "name their files with --crds=<file or directory>, or the packages of their Go types with --paths=./...",
	}
}

func unknownVersion(s *Suite, c crds.CRD, names []string) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: s.Version.At, Check: ruleVersion, Message: fmt.Sprintf("%s has no version %q", c.Object.Name, s.Version.V),
		Notes: []string{"there is " + inWords(names)},
	}
	d.HelpText = diag.DidYouMean(s.Version.V, names)
	return d
}

func unknownGates(s *Suite, object *apiext.CustomResourceDefinition) diag.Diagnostic {
	return diag.Diagnostic{
		Span: s.Gates[0].At, Check: ruleGate, Message: fmt.Sprintf("nothing says which feature gates the clusters have that a file of %s is for", object.Name),
		Notes: []string{"looked for: FeatureGate objects in payload-manifests/featuregates, in the directory of the suite and those above it"},
	}
}

func unknownGate(g schema.Text, known []string) diag.Diagnostic {
	d := diag.Diagnostic{Span: g.At, Check: ruleGate, Message: fmt.Sprintf("there is no feature gate %q", strings.TrimPrefix(g.V, "-"))}
	d.HelpText = diag.DidYouMean(strings.TrimPrefix(g.V, "-"), known)
	return d
}

func noVariant(s *Suite, n int) diag.Diagnostic {
	return diag.Diagnostic{
		Span: s.Gates[0].At, Check: ruleGate, Severity: diag.Warning,
		Message: fmt.Sprintf("none of the %d files of the CRD %s has these feature gates; no case is run", n, s.CRDName.V),
	}
}

// inWords is a list of names as a sentence has it, the first few of them.
func inWords(names []string) string {
	const most = 8
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

func variantsDiffer(o *Outcome) diag.Diagnostic {
	return diag.Diagnostic{
		Span: o.Case.Name.At, Check: ruleUpdate, Message: fmt.Sprintf("the files of the CRD %s differ in what the case should expect", o.target.crd.Object.Name),
		HelpText: "give each of them a suite of its own, with featureGates that tell them apart",
	}
}

func cannotUpdate(c *Case) diag.Diagnostic {
	return diag.Diagnostic{
		Span: c.Name.At, Check: ruleUpdate, Message: fmt.Sprintf("what the case %q expects cannot be replaced without a change to something else", c.Name.V),
		HelpText: "write it out where it refers to another place of the file (&name, *name, <<)",
	}
}

func wouldChange(c *Case) diag.Diagnostic {
	d := cannotUpdate(c)
	d.Message = fmt.Sprintf("the case %q would change with what another one expects", c.Name.V)
	return d
}

// uncovered says that no case has made a constraint fail.
func uncovered(c *constraint) diag.Diagnostic {
	what := c.keyword
	switch {
	case c.keyword == wordRule:
		what = "the rule " + strings.Join(strings.Fields(c.text), " ")
	case c.text != "":
		what += ": " + c.text
	}
	return diag.Diagnostic{Span: c.at, Check: ruleCoverage, Severity: diag.Note, Path: c.field, Message: "no case makes this fail: " + what}
}

// enumText are the first few values of an enum.
func enumText(values []schema.EnumValue) string {
	var out []string
	for _, v := range values {
		out = append(out, string(kube.AppendJSON(nil, v.Value)))
	}
	return inWords(out)
}
