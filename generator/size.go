package generator

import (
	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit/crd"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/rules/size"
)

// file returns the parts of a CRD's file that do not come from the CRD.
func (o *Options) file() crd.Options {
	return crd.Options{Header: o.Header, ToolVersion: o.ToolVersion, VersionAnnotation: o.VersionAnnotation}
}

// Measure returns the sizes of a CRD that is written with the options.
func (o *Options) Measure(s *session.Session) size.Sizes {
	return o.measured(s, len(crd.Encode(s.CRD, o.file())), size.NewWeights())
}

// measured does what Measure does for a known length of the file.
func (o *Options) measured(s *session.Session, file int, w *size.Weights) size.Sizes {
	written := *s.Object()
	written.Annotations = map[string]string{}
	for _, kv := range crd.Annotations(s.CRD, o.file()) {
		written.Annotations[kv.Key] = kv.Value
	}
	return w.OfCRD(s.CRD, &written, file)
}

// oversize reports a CRD that is too large. If only the limit of kubectl apply counts, the length of the file is
// ignored.
func (o *Options) oversize(s *session.Session, file int) []diag.Diagnostic {
	w := size.NewWeights()
	sizes := o.measured(s, file, w)
	if o.Descriptions.Budget.OnlyApply() {
		sizes.File = 0
	}
	return w.Check(s.CRD, sizes)
}
