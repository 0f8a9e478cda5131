package structural

import (
	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// checkBase64 reports bounds of the length of base64 that look like a number of bytes. A bound that is meant for base64
// is the length of a number of bytes that people choose.
func checkBase64(p *session.Pass) {
	if p.Nested || p.Schema.Type.V != "string" || p.Schema.Format.V != "byte" {
		return
	}
	for _, name := range []string{"minLength", "maxLength"} {
		l := limitOf(schema.KeywordOf(name), p.Schema)
		n := int64(l.size(0))
		if n < 5 || isBase64Length(n) {
			continue
		}
		encoded := (n + 2) / 3 * 4
		at, key := p.At(l.at), p.Key(name)
		if name == "maxLength" {
			p.Reportf(at, key, "maxLength %d counts base64: %s at most (%d bytes have %d characters)", n,
				diag.Counted(int(n/4*3), "byte"), n, encoded).
				Help("write %d", encoded).Changes(diag.AcceptsMore, "up to %d bytes", encoded/4*3)
		} else {
			p.Reportf(at, key, "minLength %d counts base64: %s are enough (%d bytes have %d characters)", n,
				diag.Counted(int((n+3)/4*3-2), "byte"), n, encoded).
				Help("write %d", encoded).Changes(diag.AcceptsLess, "%d bytes or more", encoded/4*3-2)
		}
	}
}

// isBase64Length reports whether a length is that of base64 of a power of two or of a multiple of a hundred bytes.
func isBase64Length(n int64) bool {
	if n%4 != 0 {
		return false
	}
	most := n / 4 * 3
	for bytes := most - 2; bytes <= most; bytes++ {
		isPower := bytes&(bytes-1) == 0
		if isPower || bytes%100 == 0 {
			return true
		}
	}
	return false
}
