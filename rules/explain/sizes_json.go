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
		Annotations  int               `json:"annotations"`
		Descriptions int               `json:"descriptions"`
		Fields       []jsonFieldSize   `json:"fields"`
		Packages     []jsonPackageSize `json:"packages"`
	}
	jsonFieldSize struct {
		Version string `json:"version"`
		// Field is the field as an author of objects knows it, "" for the object.
		Field        string `json:"field"`
		Bytes        int    `json:"bytes"`
		Descriptions int    `json:"descriptions"`
	}
	jsonPackageSize struct {
		// Package is the import path, "" for parts that come from no Go file.
		Package      string `json:"package"`
		Bytes        int    `json:"bytes"`
		Descriptions int    `json:"descriptions"`
		// Described is the number of descriptions.
		Described int `json:"described"`
	}
)

// WriteSizesJSON writes sizes for a program.
func WriteSizesJSON(w io.Writer, crds []CRD) error {
	report := jsonSizes{AnnotationLimit: size.AnnotationLimit, CRDs: []jsonCRDSizes{}}
	for _, c := range crds {
		entry := jsonCRDSizes{
			Name: c.Name, Kind: c.Kind, File: c.Sizes.File, JSON: c.Sizes.JSON, Annotations: c.Sizes.Annotations,
			Descriptions: c.Spread.Schemas.Descriptions, Fields: []jsonFieldSize{}, Packages: []jsonPackageSize{},
		}
		for _, f := range c.Spread.Fields {
			entry.Fields = append(entry.Fields, jsonFieldSize{f.Version, f.Name, f.Bytes, f.Descriptions})
		}
		for _, p := range c.Spread.Packages {
			entry.Packages = append(entry.Packages, jsonPackageSize{p.Path, p.Bytes, p.Descriptions, p.Described})
		}
		report.CRDs = append(report.CRDs, entry)
	}
	return diag.WriteJSON(w, report)
}
