package write

import (
	"encoding/hex"
	"fmt"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/crdserverscheme"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
)

// decode reads a body that is sent to a version (customresource_handler.go, unstructuredNegotiatedSerializer and
// schemaCoercingDecoder): it decodes, prunes, drops nulls and fills in defaults. If strict is set and there are unknown
// or duplicate fields, it returns a strict decoding error together with the object. The kind is that of the body, if it
// could be decoded.
func (r *Resource) decode(body []byte, v *version, strict bool) (u *unstructured.Unstructured,
	kind *schema.GroupVersionKind, unknown []string, err error) {
	serializer := json.NewSerializerWithOptions(json.DefaultMetaFactory, nil,
		crdserverscheme.NewUnstructuredObjectTyper(), json.SerializerOptions{Strict: strict})
	decoded, kind, err := serializer.Decode(body, &v.kind, &unstructured.Unstructured{})
	var reported []error
	if err != nil {
		duplicates, ok := runtime.AsStrictDecodingError(err)
		if !ok || decoded == nil {
			return nil, kind, nil, err
		}
		reported = duplicates.Errors()
	}
	u = decoded.(*unstructured.Unstructured)
	if unknown, err = r.coerce(u, coercion{unknown: strict}); err != nil {
		return nil, kind, nil, err
	}
	if err := r.setDefaults(u); err != nil {
		return nil, kind, nil, err
	}
	for _, path := range unknown {
		reported = append(reported, fmt.Errorf(`unknown field "%s"`, path))
	}
	if len(reported) > 0 {
		err = runtime.NewStrictDecodingError(reported)
	}
	return u, kind, unknown, err
}

// coercion says how an object is made to fit its schema.
type coercion struct {
	// unknown asks for the paths of unknown fields.
	unknown bool
	// stored makes stored objects valid that were written before they were validated.
	stored bool
}

// coerce is apply of customresource_handler.go, unstructuredSchemaCoercer: it checks the types of the metadata, prunes,
// and drops nulls that are neither allowed nor defaulted. An object of another kind loses nothing.
func (r *Resource) coerce(u *unstructured.Unstructured, c coercion) (unknown []string, err error) {
	kind, hasKind, err := unstructured.NestedString(u.Object, "kind")
	if err != nil {
		return nil, err
	}
	apiVersion, hasVersion, err := unstructured.NestedString(u.Object, "apiVersion")
	if err != nil {
		return nil, err
	}
	meta, hasMeta, unknown, err := objectmeta.GetObjectMetaWithOptions(u.Object, objectmeta.ObjectMetaOptions{
		DropMalformedFields: c.stored, ReturnUnknownFieldPaths: c.unknown,
	})
	if err != nil {
		return nil, r.rewordOne(err)
	}
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		return nil, err
	}
	if gv.Group == r.crd.Spec.Group && kind == r.crd.Spec.Names.Kind {
		s, err := r.schemaOf(gv.Version)
		if err != nil {
			return nil, err
		}
		unknown = append(unknown, pruning.PruneWithOptions(u.Object, s, true,
			structural.UnknownFieldPathOptions{TrackUnknownFieldPaths: c.unknown})...)
		defaulting.PruneNonNullableNullsWithoutDefaults(u.Object, s)
		rejected, paths := objectmeta.CoerceWithOptions(nil, u.Object, s, false, objectmeta.CoerceOptions{
			DropInvalidFields: c.stored, ReturnUnknownFieldPaths: c.unknown,
		})
		if rejected != nil {
			return nil, r.rewordOne(rejected)
		}
		unknown = append(unknown, paths...)
		if c.stored && hasMeta && meta.Generation == 0 {
			meta.Generation = 1
		}
	}
	if hasKind {
		u.SetKind(kind)
	}
	if hasVersion {
		u.SetAPIVersion(apiVersion)
	}
	if hasMeta {
		err = objectmeta.SetObjectMeta(u.Object, meta)
	}
	return unknown, err
}

// setDefaults fills in the defaults of the object's own version (unstructuredDefaulter).
func (r *Resource) setDefaults(u *unstructured.Unstructured) error {
	kind := u.GroupVersionKind()
	if kind.GroupKind() != r.storage.kind.GroupKind() {
		return nil
	}
	s, err := r.schemaOf(kind.Version)
	if err == nil {
		defaulting.Default(u.Object, s)
	}
	return err
}

// schemaOf returns the schema of a version, nil if the CRD does not have the version: then only the root is pruned.
func (r *Resource) schemaOf(version string) (*structural.Structural, error) {
	if v, ok := r.versions[version]; ok {
		return v.schema()
	}
	return nil, nil
}

// maxBody is the longest body that is read, in bytes (k8s.io/apiserver/pkg/server/config.go, MaxRequestBodyBytes).
const maxBody = 3 * 1024 * 1024

// readBody reads a body as handlers/create.go and update.go do, with their warnings and errors.
func (w *writer) readBody(warn func(string)) (*unstructured.Unstructured, error) {
	if len(w.Request.Object) > maxBody {
		return nil, apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("limit is %d", maxBody))
	}
	if err := w.checkOptions(); err != nil {
		return nil, err
	}
	strict := w.Validation != "Ignore"
	u, kind, unknown, err := w.decode(w.Request.Object, w.version, strict)
	if !strict && err == nil {
		_, _, unknown, _ = w.decode(w.Request.Object, w.version, true) // only for the answer
	}
	w.answer.Unknown = unknown
	reported, isStrict := runtime.AsStrictDecodingError(err)
	if isStrict && u != nil && w.Validation != "Strict" {
		for _, e := range reported.Errors() {
			warn(e.Error())
		}
		err = nil
	}
	if err != nil {
		return nil, w.undecodable(kind, err)
	}
	if got, want := kind.GroupVersion(), w.version.kind.GroupVersion(); got != want {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("the API version in the data (%s) does not match the "+
			"expected API version (%s)", got, want))
	}
	return u, nil
}

// checkOptions checks the query parameters; there is only fieldValidation.
func (w *writer) checkOptions() error {
	kind := schema.GroupKind{Group: metav1.GroupName, Kind: "UpdateOptions"}
	errs := metavalidation.ValidateUpdateOptions(&metav1.UpdateOptions{FieldValidation: w.Validation})
	if w.Old == nil {
		kind.Kind = "CreateOptions"
	}
	if len(errs) == 0 {
		return nil
	}
	w.answer.Errors = errs
	return apierrors.NewInvalid(kind, "", errs)
}

// undecodable follows transformDecodeError of handlers/rest.go.
func (w *writer) undecodable(kind *schema.GroupVersionKind, err error) error {
	if kind != nil && kind.Kind != "" {
		return apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %v", kind.Kind,
			kind.Version, w.version.kind.Kind, err))
	}
	return apierrors.NewBadRequest(fmt.Sprintf("the object provided is unrecognized (must be of type %s): %v (%s)",
		w.version.kind.Kind, err, summary(w.Request.Object)))
}

// summary follows summarizeData of handlers/rest.go.
func summary(body []byte) string {
	const most = 30
	start := body[:min(len(body), most)]
	text := string(start)
	if body[0] != '{' {
		text = hex.EncodeToString(start)
	}
	if len(body) > most {
		text += " ..."
	}
	return text
}
