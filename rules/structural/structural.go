// Package structural checks everything in a CRD except its CEL expressions. It reports what an API server rejects, at
// its cause and with a fix, and what the server accepts although it is unusable.
//
// The checks are rows of one table. A row about a rejection explains what the API server reports (explain.go). It
// looks for the mistake itself only if the server does not report all of it: because the server stops at the first of
// several, or because its code panics. The server's sentences come from k8s.io/apiextensions-apiserver:
// pkg/apis/apiextensions/validation for identity, subresources and the subset of OpenAPI, pkg/apiserver/schema for
// what makes a schema structural (KEP-2335).
//
// The package carries no promise, and may change in any release: see docs/stability.md.
package structural

import (
	"cmp"
	"slices"

	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// Rows returns all checks, in the order of the reference.
func Rows() []session.Row {
	return slices.Concat(
		identityRows(), versionRows(), conversionRows(), subresourceRows(), columnRows(), statusRows(),
		structureRows(), objectRows(), topologyRows(), nestedRows(), patternRows(), textRows(),
		defaultRows(), exampleRows(), boundRows(), effectRows(), enumRows(), requiredRows(), ruleRows(), featureRows(),
	)
}

// hasStatus reports whether status is a subresource.
func hasStatus(v *session.Version) bool { return v.Subresources != nil && v.Subresources.Status != nil }

// what names the value that a schema describes.
func what(p *schema.Place) string { return cmp.Or(p.Field(), "the object") }

// isRoot reports whether a place is the root of a version's schema.
func isRoot(p *schema.Place) bool { return p.Above == nil }

// structure returns the schema outside of junctors that a place inside them is about, and its path. The schema is nil
// if the structure does not have it.
func structure(p *schema.Place) (s *schema.Schema, path string) {
	var inside []*schema.Place // the places in junctors, innermost first
	for p.Nested {
		inside = append(inside, p)
		p = p.Above
	}
	s, path = p.Schema, p.Path()
	for _, at := range slices.Backward(inside) {
		if s == nil {
			break
		}
		switch at.Step {
		case schema.InProperty:
			s = s.Property(at.Name)
		case schema.InItems:
			s = s.Items
		case schema.InValues:
			s = s.AdditionalProperties
		default:
			continue // the junctor itself
		}
		path += at.OwnPath()
	}
	return s, path
}

// outside returns the schema of a place, or, inside of a junctor, the one outside that it is about.
func outside(p *schema.Place) *schema.Schema {
	if !p.Nested {
		return p.Schema
	}
	s, _ := structure(p)
	return s
}

// other returns the keyword of that name that has no place in the IR, or nil.
func other(s *schema.Schema, name string) *schema.Verbatim {
	for i := range s.Other {
		if s.Other[i].Name == name {
			return &s.Other[i]
		}
	}
	return nil
}
