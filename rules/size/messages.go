package size

import (
	"fmt"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/rules/cost"
)

// The ids of this package's checks.
const (
	idSize    = "crd-size"
	idStorage = "crd-too-large"
)

const (
	// maxParts is how many fields are named, each of at least one part in namedPart.
	maxParts  = 3
	namedPart = 20
)

// aboveAnnotations says that kubectl apply cannot be used.
func aboveAnnotations(c *schema.CRD, s Sizes) diag.Diagnostic {
	spread := SpreadOf(c, namedPart)
	return diag.Diagnostic{
		Span: c.At, Check: idSize, Severity: diag.Warning,
		Message: fmt.Sprintf("kubectl apply keeps the CRD in an annotation, and an API server accepts %s bytes of annotations: these would be %s",
			Amount(AnnotationLimit), Amount(s.Annotations)),
		Notes:    whereBytesAre(c, s, spread),
		HelpText: howToApply(c, s, spread),
	}
}

// longFile says that a file is longer than what it is often held against, and what it comes to.
func longFile(c *schema.CRD, s Sizes) diag.Diagnostic {
	spread := SpreadOf(c, namedPart)
	d := diag.Diagnostic{
		Span: c.At, Check: idSize, Severity: diag.Warning,
		Message: fmt.Sprintf("the file has %s bytes; kubectl apply still works, since the annotation in which it keeps the CRD is compact JSON: %s of %s bytes (%s)",
			Amount(s.File), Amount(s.Annotations), Amount(AnnotationLimit), Part(s.Annotations, AnnotationLimit)),
		Notes: whereBytesAre(c, s, spread),
	}
	switch {
	case spread.Schemas.Descriptions < s.File-AnnotationLimit:
		d.HelpText = check.In(c.At).Choose("with crd:maxSize=apply only kubectl apply counts", "where it may be as long, ignore the check")
	default:
		d.HelpText = check.In(c.At).Choose(
			fmt.Sprintf("crd:maxSize=%d leaves out descriptions until the file is within that, those of imported types first; with crd:maxSize=apply only kubectl apply counts", AnnotationLimit),
			"leave out descriptions of fields far below; where it may be as long, ignore the check")
	}
	return d
}

// aboveStorage says that the CRD cannot be stored.
func aboveStorage(c *schema.CRD, s Sizes, stored int) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: c.At, Check: idStorage,
		Message: fmt.Sprintf("the CRD has %s bytes as JSON, and etcd stores %s unless it is told otherwise", Amount(stored), Amount(StorageLimit)),
		Notes:   whereBytesAre(c, s, SpreadOf(c, namedPart)),
		HelpText: check.In(c.At).Choose("leave out descriptions, as with crd:maxDescLen=0 or crd:descDepth=3, or schemas of parts that others validate",
			"leave out descriptions, or schemas of parts that others validate"),
	}
	if stored <= StorageLimit {
		d.Message = fmt.Sprintf("the CRD has %s bytes as JSON, and an API server reads %s", Amount(s.JSON), Amount(requestLimit))
	}
	return d
}

// whereBytesAre names what takes most: descriptions, and the largest fields.
func whereBytesAre(c *schema.CRD, s Sizes, spread Spread) []string {
	out := []string{fmt.Sprintf("descriptions are %s of its %s bytes as JSON", Part(spread.Schemas.Descriptions, s.JSON), Amount(s.JSON))}
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

// howToApply says what brings the CRD into a cluster all the same.
func howToApply(c *schema.CRD, s Sizes, spread Spread) string {
	const serverSide = "kubectl apply --server-side, which keeps no annotation"
	if bare := s.Annotations - spread.Schemas.Descriptions; bare > AnnotationLimit {
		return fmt.Sprintf("use %s; without any description it would still be %s bytes", serverSide, Amount(bare))
	}
	return check.In(c.At).Choose("crd:maxSize=apply leaves out descriptions until it fits, those of imported types first; or use ",
		"leave out descriptions of fields far below, or use ") + serverSide
}

// Amount is a number of bytes, with separators between thousands.
func Amount(n int) string { return cost.Amount(uint64(max(n, 0))) }

// Part is a part of a whole in percent.
func Part(n, of int) string {
	return strings.TrimSpace(cost.Share(uint64(max(n, 0)), uint64(max(of, 1))))
}
