package explain

import (
	"io"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/size"
)

// The types below are the format of explain --size --json: fields may be added, but not renamed or removed. All numbers
// are bytes of JSON, unless it says otherwise.
type (
	jsonSizes struct {
		// AnnotationLimit is how many bytes of annotations an API server accepts.
		AnnotationLimit int            `json:"annotationLimit"`
		CRDs            []jsonCRDSizes `json:"crds"`
	}
	jsonCRDSizes struct {
		Name string `json:"name"`
		Kind string `json:"kind"`
		// File is the length of the file, absent if the file has more CRDs.
		File int `json:"file,omitempty"`
		JSON int `json:"json"`
		// Annotations are all annotations after kubectl apply, with their keys.
		Annotations  int            `json:"annotations"`
		Descriptions int            `json:"descriptions"`
		Fields       []size.Field   `json:"fields"`
		Packages     []size.Package `json:"packages"`
	}
)

// WriteSizesJSON writes sizes for a program.
func WriteSizesJSON(w io.Writer, crds []CRD) error {
	report := jsonSizes{AnnotationLimit: size.AnnotationLimit, CRDs: []jsonCRDSizes{}}
	for _, c := range crds {
		entry := jsonCRDSizes{
			Name: c.Name, Kind: c.Kind, File: c.Sizes.File, JSON: c.Sizes.JSON, Annotations: c.Sizes.Annotations,
			Descriptions: c.Spread.Schemas.Descriptions,
			Fields:       append([]size.Field{}, c.Spread.Fields...), // [] for none
			Packages:     append([]size.Package{}, c.Spread.Packages...),
		}
		report.CRDs = append(report.CRDs, entry)
	}
	return diag.WriteJSON(w, report)
}
