// Package size measures CRDs as kubectl and etcd do, which reject those that are too large, and computes where the
// bytes are.
//
// kubectl apply stores the object that it sends, as compact JSON, in an annotation of the object. The API server
// limits the bytes of annotations. Excesses are reported to the byte. The files:
//
//  1. size.go: the bytes of a CRD, as kubectl encodes it
//  2. spread.go: how they are distributed over fields, descriptions and packages
//  3. check.go: the findings about a CRD that is too large
//
// The package carries no promise, and may change in any release: see docs/stability.md.
package size

import (
	"encoding/json"
	"fmt"
	"slices"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/crdproof/crdproof/schema"
)

const (
	// AnnotationLimit is how many bytes of annotations an API server accepts, keys included.
	AnnotationLimit = validation.TotalAnnotationSizeLimitB
	// StorageLimit is how many bytes etcd takes in one request, unless its --max-request-bytes says otherwise.
	StorageLimit = 3 << 19
	// requestLimit is how many bytes an API server reads of one request (k8s.io/apiserver/pkg/server,
	// MaxRequestBodyBytes).
	requestLimit = 3 << 20
	// lastApplied is the annotation of kubectl apply (k8s.io/api/core/v1, LastAppliedConfigAnnotation).
	lastApplied = "kubectl.kubernetes.io/last-applied-configuration"
)

// Sizes are the bytes of one CRD.
type Sizes struct {
	// File is how long the file is; 0 if it has more than the CRD, or does not matter.
	File int
	// JSON is how long the object is that kubectl apply keeps.
	JSON int
	// Annotations are all annotations of the object after kubectl apply, with their keys.
	Annotations int
}

// OfCRD measures a CRD that is written to a file of that length, by its object, whose annotations are those of the
// file. The schemas are those of the CRD.
func (w *Weights) OfCRD(c *schema.CRD, object *apiext.CustomResourceDefinition, file int) Sizes {
	frame, schemas := *object, 0
	frame.Spec.Versions = slices.Clone(object.Spec.Versions)
	for i := range frame.Spec.Versions {
		if root := c.Versions[i].Schema; root != nil {
			empty := &apiext.CustomResourceValidation{OpenAPIV3Schema: &apiext.JSONSchemaProps{}}
			frame.Spec.Versions[i].Schema = empty
			schemas += w.shareOf(root).Bytes - len("{}")
		}
	}
	fields := decoded(encoded(&frame))
	delete(fields, "status") // which the type has, and the file has not
	if f := c.PreserveUnknownFields; f != nil {
		fields["spec"].(map[string]any)["preserveUnknownFields"] = f.V // which the type leaves out if it is false
	}
	out := withMetadata(fields, file)
	out.JSON += schemas
	out.Annotations += schemas
	return out
}

// OfJSON measures the JSON that a client sends of a file of that length. The error says why it is not an object.
func OfJSON(sent []byte, file int) (Sizes, error) {
	var object map[string]any
	if err := utiljson.Unmarshal(sent, &object); err != nil {
		return Sizes{}, err
	}
	return withMetadata(object, file), nil
}

// withMetadata measures an object as kubectl apply does (k8s.io/kubectl/pkg/util/apply.go, GetModifiedConfiguration):
// the annotations are there, if only empty, without the one that is to be written, and the JSON ends in a line feed.
func withMetadata(object map[string]any, file int) Sizes {
	metadata, ok := object["metadata"].(map[string]any)
	if !ok {
		metadata = map[string]any{}
		object["metadata"] = metadata
	}
	annotations, ok := metadata["annotations"].(map[string]any)
	if !ok {
		annotations = map[string]any{}
		metadata["annotations"] = annotations
	}
	delete(annotations, lastApplied)
	out := Sizes{File: file, JSON: len(encoded(object)) + len("\n")}
	out.Annotations = len(lastApplied) + out.JSON
	for key, value := range annotations {
		text, _ := value.(string) // another type is rejected when the file is read
		out.Annotations += len(key) + len(text)
	}
	return out
}

// DescriptionLen returns how many bytes of JSON a description takes, with its key.
func DescriptionLen(text string) int { return newMeter().description(&text) }

func encoded(v any) []byte {
	out, err := json.Marshal(v)
	if err != nil {
		panic(noJSON(err))
	}
	return out
}

// noJSON returns the bug that a value cannot be encoded that was decoded from JSON, or can be.
func noJSON(err error) string { return fmt.Sprintf("a value of a CRD has no JSON: %v", err) }

// decoded reads JSON as kubectl does, numbers as ones of 64 bits.
func decoded(data []byte) (out map[string]any) {
	if err := utiljson.Unmarshal(data, &out); err != nil {
		panic(fmt.Sprintf("JSON that was just written cannot be read: %v", err))
	}
	return out
}
