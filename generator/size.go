package generator

import (
	"github.com/crdproof/crdproof/emit/crd"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/size"
)

// file are the parts of a CRD's file that do not come from the CRD.
func (o *Options) file() crd.Options {
	return crd.Options{Header: o.Header, ToolVersion: o.ToolVersion}
}

// Measure returns the bytes of a CRD as the options have it written.
func (o *Options) Measure(c *schema.CRD) size.Sizes {
	return o.measured(c, len(crd.Encode(c, o.file())))
}

// measured is Measure where the length of the file is known.
func (o *Options) measured(c *schema.CRD, file int) size.Sizes {
	written := *c
	written.Annotations = crd.Annotations(c, o.file())
	return size.OfCRD(&written, file)
}

// oversize says where a CRD is too large that is written to such a file. Where only kubectl apply counts, a long file
// is nothing to speak of.
func (o *Options) oversize(c *schema.CRD, file []byte) []diag.Diagnostic {
	if !size.MayBeLarge(c, file) {
		return nil
	}
	sizes := o.measured(c, len(file))
	if o.Descriptions.Budget.OnlyApply() {
		sizes.File = 0
	}
	return size.Check(c, sizes)
}
