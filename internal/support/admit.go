package support

import (
	"encoding/json"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// readRequest reads an object as an API server does before it validates it (apiextensions-apiserver,
// pkg/apiserver/customresource_handler.go, schemaCoercingDecoder, unstructuredSchemaCoercer and
// unstructuredDefaulter). It reports whether all values are certainly valid. The warnings are about duplicate and
// unknown fields.
func readRequest(raw []byte, r *Resource) (object map[string]any, isValid bool, warnings warningList, err error) {
	v := Validation{quiet: true, isDecoded: true}
	t := r.typ()
	object, isReady := decode(raw, t, &v, &warnings)
	isOther := len(warnings.all) > 0 || !r.describes(object)
	if isOther {
		err = kindError(raw, object)
	}
	var unknown []string
	own := coercion{reportPath: func(path []byte) { unknown = append(unknown, string(path)) }}
	if err == nil {
		err = own.meta(object)
	}
	if err == nil && isOther {
		err = r.mismatch(object)
	}
	if err != nil {
		return nil, false, warnings, err
	}
	if !isReady {
		unknown = append(unknown, pruneValue(object, t, true)...)
	}
	if t.Has&Resources != 0 {
		if !isReady {
			t.dropNulls(object)
		}
		found := prunedPaths{areWarnings: true}
		embedded := coercion{reportPath: found.add}
		if err := embedded.coerce(object, t, true); err != nil {
			return nil, false, warnings, err
		}
		found.finish()
		unknown, own.changed = append(unknown, found.paths...), own.changed || embedded.changed
	}
	if !isReady {
		t.setDefaults(object)
	}
	for _, path := range unknown {
		warnings.add(`unknown field "` + path + `"`)
	}
	return object, isReady && !own.changed && v.failures == 0, warnings, nil
}

// apiVersion returns that of the objects.
func (r *Resource) apiVersion() string { return r.GroupVersionKind().GroupVersion().String() }

// describes reports whether an object is one of the resource, and has no other field that looks like its kind or
// version.
func (r *Resource) describes(object map[string]any) bool {
	if object["kind"] != r.Kind || object["apiVersion"] != r.apiVersion() {
		return false
	}
	alike := 0
	for name := range object {
		if strings.EqualFold(name, "kind") || strings.EqualFold(name, "apiVersion") {
			alike++
		}
	}
	const kindAndVersion = 2
	return alike == kindAndVersion
}

// kindError is the error of a body whose kind or version an API server cannot read, before it reads the rest
// (apimachinery, pkg/runtime/serializer/json, Interpret and Decode). The object is nil if it cannot be decoded.
func kindError(raw []byte, object map[string]any) error {
	var is struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
	}
	if err := json.Unmarshal(raw, &is); err != nil {
		return fmt.Errorf("couldn't get version/kind; json parse error: %w", err)
	}
	if _, err := schema.ParseGroupVersion(is.APIVersion); err != nil {
		return err
	}
	if object == nil {
		return decodingError(raw)
	}
	if kind, _ := object["kind"].(string); kind == "" {
		return runtime.NewMissingKindErr(string(raw))
	}
	version, ok := object["apiVersion"]
	if _, isText := version.(string); ok && !isText {
		return fmt.Errorf(".apiVersion accessor error: %v is of the type %T, expected string", version, version)
	}
	return nil
}

// mismatch is the error of an object that is not one of the resource.
func (r *Resource) mismatch(object map[string]any) error {
	version, _ := object["apiVersion"].(string)
	switch is, err := schema.ParseGroupVersion(version); {
	case err != nil:
		return err
	case is.String() != r.apiVersion():
		return fmt.Errorf("the API version in the data (%s) does not match the expected API version (%s)", is,
			r.apiVersion())
	case object["kind"] != r.Kind:
		return field.Invalid(field.NewPath("kind"), object["kind"], "must be "+r.Kind)
	}
	return nil
}
