// Package structural looks for what is wrong in a CRD apart from its CEL expressions: what an API server would refuse,
// said at the place that causes it and with a cure, and what it accepts although nobody can use it.
//
// The checks are rows of one table, each with a function that looks at the CRD, at a version or at one occurrence of a
// schema. They follow k8s.io/apiextensions-apiserver: pkg/apis/apiextensions/validation for identity, subresources and the
// subset of OpenAPI, pkg/apiserver/schema for what makes a schema structural (KEP-2335).
package structural

import (
	"fmt"
	"slices"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/rules/kube"
)

// A row is a check with the functions that run it, each on what it looks at.
type row struct {
	diag.Check
	ofCRD     func(*crd) []finding
	ofVersion func(*version) []finding
	ofSchema  func(*node) []finding
}

// table returns all checks, in the order of the reference.
func table() []row {
	return slices.Concat(
		identityRows(), versionRows(), conversionRows(), subresourceRows(),
		structureRows(), objectRows(), topologyRows(), nestedRows(), patternRows(),
		defaultRows(), boundRows(), enumRows(), requiredRows(), ruleRows(), featureRows(),
	)
}

// Checks is the table of this package's checks.
func Checks() []*diag.Check {
	var out []*diag.Check
	for _, r := range table() {
		out = append(out, &r.Check)
	}
	return out
}

// Check looks at a whole CRD, for all versions of Kubernetes that it has to work on. The findings are in no particular
// order.
func Check(c *schema.CRD, versions kube.Range) []diag.Diagnostic {
	t := &crd{CRD: c, kube: versions, write: check.In(c.At), patterns: map[string]error{}}
	r := &run{rows: table()}
	r.onCRD(t)
	for i := range c.Versions {
		v := &version{Version: &c.Versions[i], of: t, path: fmt.Sprintf("spec.versions[%d]", i)}
		r.onVersion(v)
		schema.Walk(v.Schema, func(p *schema.Place) { r.onSchema(&node{Place: p, s: p.Schema, in: v}) })
	}
	return r.out
}

// A finding is what one check found in one place.
type finding struct {
	at diag.Span
	// path is the field of the API server's error, in the notation of kube.Refusal, and also are those of further errors
	// about the same mistake.
	path    string
	also    []string
	message string
	help    string
	related []diag.Related
}

// one is the result of a check that found something.
func one(f finding) []finding { return []finding{f} }

// run is the working state of one Check.
type run struct {
	rows []row
	out  []diag.Diagnostic
}

func (r *run) onCRD(c *crd) {
	for i := range r.rows {
		if f := r.rows[i].ofCRD; f != nil {
			r.report(&r.rows[i], f(c))
		}
	}
}

func (r *run) onVersion(v *version) {
	for i := range r.rows {
		if f := r.rows[i].ofVersion; f != nil {
			r.report(&r.rows[i], f(v))
		}
	}
}

func (r *run) onSchema(n *node) {
	for i := range r.rows {
		if f := r.rows[i].ofSchema; f != nil {
			r.report(&r.rows[i], f(n))
		}
	}
}

func (r *run) report(row *row, found []finding) {
	for _, f := range found {
		r.out = append(r.out, diag.Diagnostic{
			Span: f.at, Check: row.ID, Severity: row.Severity, Path: f.path, AlsoPaths: f.also, Message: f.message, HelpText: f.help, SeeAlso: f.related,
		})
	}
}

// A crd is the CRD that is looked at.
type crd struct {
	*schema.CRD
	kube  kube.Range
	write check.Writer
	// patterns are the regular expressions that have been compiled, most of them many times in one CRD.
	patterns map[string]error
}

// A version is one of its versions.
type version struct {
	*schema.Version
	of *crd
	// path is "spec.versions[0]".
	path string
	// known are the defaults once they have been asked for.
	known defaults
}

// key is the path of a field of the version.
func (v *version) key(name string) string { return v.path + "." + name }

// hasStatus reports whether status is a subresource.
func (v *version) hasStatus() bool { return v.Subresources != nil && v.Subresources.Status != nil }

// A node is one occurrence of a schema in a version.
type node struct {
	*schema.Place
	s  *schema.Schema
	in *version
}

// key is the path of a keyword of the node, or of what lies below it: "type", "items.type"; "" is the node's own.
func (n *node) key(name string) string {
	path := n.in.key("schema.openAPIV3Schema") + n.Path()
	if name == "" {
		return path
	}
	return path + "." + name
}

// at returns the first of the spans that points anywhere, or the place of the schema.
func (n *node) at(spans ...diag.Span) diag.Span {
	for _, s := range append(spans, n.At(), n.in.At) {
		if s.IsValid() {
			return s
		}
	}
	return n.in.of.At
}

// what names the value that the schema describes.
func (n *node) what() string {
	if f := n.Field(); f != "" {
		return f
	}
	return "the object"
}

func (n *node) write() check.Writer { return n.in.of.write }

// isRoot reports whether the node is the root of a version's schema.
func (n *node) isRoot() bool { return n.Above == nil }

// structure returns the schema outside of junctors that a place inside them is about, and its path; the schema is nil where
// the structure says nothing of it.
func structure(p *schema.Place) (s *schema.Schema, path string) {
	if p.Above == nil {
		return p.Schema, ""
	}
	s, path = structure(p.Above)
	if s == nil {
		return nil, path
	}
	switch p.Step {
	case schema.InProperty:
		return s.Property(p.Name), path + ".properties[" + p.Name + "]"
	case schema.InItems:
		return s.Items, path + ".items"
	case schema.InValues:
		return s.AdditionalProperties, path + ".additionalProperties"
	}
	return s, path
}

func isSet(f *schema.Flag) bool { return f != nil && f.V }

// other returns the keyword of that name that has no place in the IR, or nil.
func other(s *schema.Schema, name string) *schema.Verbatim {
	for i := range s.Other {
		if s.Other[i].Name == name {
			return &s.Other[i]
		}
	}
	return nil
}

// related is a second place of a finding.
func related(at diag.Span, message string) []diag.Related {
	if !at.IsValid() {
		return nil
	}
	return []diag.Related{{Span: at, Message: message}}
}
