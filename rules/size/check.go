package size

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/rules/cost"
	"github.com/crdproof/crdproof/schema"
)

// Checks returns the table of this package's checks.
func Checks() []*diag.Check { return []*diag.Check{large, tooLarge} }

var large = &diag.Check{ID: "crd-size", Severity: diag.Warning, Group: diag.ClientSideApply}

var tooLarge = &diag.Check{ID: "crd-too-large", Severity: diag.Error}

const (
	// maxParts is how many fields are named, each of at least one part in namedPart.
	maxParts  = 3
	namedPart = 20
)

// MayBeLarge reports whether a CRD may be too large, judged by its text as YAML or JSON.
// It is much faster than to measure.
func MayBeLarge(c *schema.CRD, text []byte) bool {
	// What JSON needs around a key or an item is no more than what YAML needs, but for those few that are hardly
	// indented. An empty line of a text takes two bytes in JSON, and what YAML escapes up to six.
	bound := len(text) + 4096
	for _, longer := range []struct {
		text string
		by   int
	}{{"\n", 1}, {"<", 5}, {">", 5}, {"&", 5}, {`"`, 1}, {`\`, 4}, {"\u2028", 3}, {"\u2029", 3}} {
		bound += longer.by * bytes.Count(text, []byte(longer.text))
	}
	for i := range c.Annotations {
		bound += len(c.Annotations[i].Key) + len(c.Annotations[i].Value) // which count once more, beside the JSON
	}
	return bound > AnnotationLimit
}

// CheckJSON looks at a CRD with the JSON that a client sends.
func CheckJSON(c *schema.CRD, sent []byte) []diag.Diagnostic {
	if !MayBeLarge(c, sent) {
		return nil
	}
	sizes, err := OfJSON(sent, 0)
	if err != nil {
		return nil // reported when the file is read
	}
	return NewWeights().Check(c, sizes)
}

// Check reports a CRD that is too large.
func (w *Weights) Check(c *schema.CRD, s Sizes) []diag.Diagnostic {
	stored := s.JSON - repeated(c, s)
	isTooLarge := stored > StorageLimit || s.JSON > requestLimit
	if !isTooLarge && s.Annotations <= AnnotationLimit {
		return nil
	}
	spread := w.SpreadOf(c, namedPart)
	write := check.In(c.At)
	var out []diag.Diagnostic
	report := func(d diag.Diagnostic) {
		d.Notes = whereBytesAre(c, s, spread)
		out = append(out, d)
	}
	if isTooLarge {
		d := diag.Errorf(c.At, tooLarge, "the CRD has %s bytes as JSON; an API server reads at most %s", Amount(s.JSON),
			Amount(requestLimit))
		if stored > StorageLimit {
			d = diag.Errorf(c.At, tooLarge,
				"the CRD has %s bytes as JSON; etcd stores at most %s by default",
				Amount(stored), Amount(StorageLimit))
		}
		report(d.Help("drop descriptions%s, or drop the schemas of parts that other components validate", write.Choose(
			" with crd:maxDescLen=0 or crd:descDepth=3", "")))
	}
	if s.Annotations > AnnotationLimit {
		d := diag.Warningf(c.At, large, "kubectl apply stores the CRD in an annotation: an API server accepts at most "+
			"%s bytes of annotations, got %s", Amount(AnnotationLimit), Amount(s.Annotations))
		report(howToApply(write, s, spread, d))
	}
	return out
}

// howToApply adds to a finding how to apply the CRD anyway.
func howToApply(write check.Writer, s Sizes, spread Spread, d diag.Diagnostic) diag.Diagnostic {
	const serverSide = "use kubectl apply --server-side, which needs no annotation"
	if annotated := s.Annotations - spread.Schemas.Descriptions; annotated > AnnotationLimit {
		return d.Help("%s: even without descriptions there would be %s bytes", serverSide, Amount(annotated)).
			CausedBy(diag.Span{}, "schemas")
	}
	return d.Help("%s", write.Choose(
		"use crd:maxSize=apply, which drops descriptions until it fits, those of imported types first",
		"drop descriptions of deeply nested fields")).
		Changes(diag.OtherBytes, "").Or(serverSide).
		CausedBy(diag.Span{}, "descriptions") // one option shortens all CRDs
}

// whereBytesAre names the largest parts: descriptions, and the largest fields.
func whereBytesAre(c *schema.CRD, s Sizes, spread Spread) []string {
	out := []string{fmt.Sprintf("descriptions are %s of its %s bytes as JSON",
		Part(spread.Schemas.Descriptions, s.JSON), Amount(s.JSON))}
	var parts []string
	for _, f := range spread.Largest(maxParts) {
		name := f.Name
		if len(c.Versions) > 1 {
			name += " of " + f.Version
		}
		parts = append(parts, fmt.Sprintf("%s (%s)", name, Amount(f.Bytes)))
	}
	if len(parts) > 0 {
		out = append(out, "the largest fields are "+strings.Join(parts, ", "))
	}
	return out
}

// repeated returns what etcd does not store: CRDs are stored as v1beta1, in which versions with the same schema share
// one (k8s.io/apiextensions-apiserver/pkg/cmd/server/options).
func repeated(c *schema.CRD, s Sizes) int {
	if s.JSON <= StorageLimit || len(c.Versions) < 2 {
		return 0
	}
	first := c.Versions[0].Schema
	differs := func(v schema.Version) bool { return !schema.Same(v.Schema, first) }
	if first == nil || slices.ContainsFunc(c.Versions, differs) {
		return 0
	}
	return NewWeights().shareOf(first).Bytes * (len(c.Versions) - 1)
}

// Amount returns a number of bytes, with separators between thousands.
func Amount(n int) string { return cost.Amount(uint64(max(n, 0))) }

// Part returns a part of a whole in percent.
func Part(n, total int) string {
	return strings.TrimSpace(cost.Share(uint64(max(n, 0)), uint64(max(total, 1))))
}
