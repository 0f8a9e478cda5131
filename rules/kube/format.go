package kube

import (
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// StripFormat removes the format of a schema if a server of that version does not know it, and ignores it. The error is
// the library's.
func (m Minor) StripFormat(s *spec.Schema) error {
	strip := validation.StripUnsupportedFormatsPostProcessorForVersion(version.MajorMinor(1, uint(m-1)))
	if m.Has(IntegerFormats) {
		return strip(s)
	}
	text := spec.Schema{}
	text.Format = s.Format // before, the type did not matter
	err := strip(&text)
	s.Format = text.Format
	return err
}

// Validates reports whether a server of that version validates a format of values of a JSON type.
func (m Minor) Validates(typ, format string) bool {
	s := spec.Schema{}
	s.Type, s.Format = spec.StringOrArray{typ}, format
	return m.StripFormat(&s) == nil && s.Format != ""
}
