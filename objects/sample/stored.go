package sample

import (
	"context"
	"errors"
	"strconv"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/schema/read"
)

// A Stored object is one that a server has stored before.
type Stored struct{ object map[string]any }

// Stored returns an object as if it were stored, whether or not a server would accept it today. It is nil for objects
// of kinds that the CRDs do not have, or whose CRD is rejected. If the object cannot be stored, a finding says why.
func (c *Catalog) Stored(ctx context.Context, o *read.Object) (*Stored, *diag.Diagnostic) {
	k := c.named(o)
	if k == nil {
		_, problem := c.find(o)
		return nil, problem
	}
	if k.version(versionOf(o)) == nil { // objects of a version that is no longer served may be stored
		return nil, new(k.notServed(o))
	}
	served, _ := k.served(ctx)
	if served == nil {
		return nil, nil // reported for the objects that are written
	}
	notStored := func(err error) *diag.Diagnostic {
		return new(diag.Errorf(fieldOr(o, "metadata"), unstorable,
			"no API server can have stored this object: %v", err))
	}
	object, err := k.stored(o)
	if err != nil {
		return nil, notStored(err)
	}
	for _, version := range k.crd.Object.Spec.Versions {
		_, err := served.Read(object, version.Name)
		if err != nil && !errors.As(err, new(*write.WebhookError)) {
			return nil, notStored(err)
		}
	}
	revision := (&unstructured.Unstructured{Object: object}).GetResourceVersion()
	if _, err := strconv.ParseUint(revision, 10, 64); err != nil {
		d := diag.Errorf(o.At, unstorable,
			"expected a number as the resource version of a stored object, got %q", revision).
			In("metadata.resourceVersion").Help("remove it")
		if at := o.Root.Locate(d.Path); at.Missing == "" {
			d.Span = at.Node.At
		}
		return nil, &d
	}
	return &Stored{object}, nil
}

// stored adds missing metadata to an object, as a server does.
func (k *kind) stored(o *read.Object) (map[string]any, error) {
	var out map[string]any
	if err := utiljson.Unmarshal(o.JSON, &out); err != nil {
		return nil, err
	}
	made := &unstructured.Unstructured{Object: out}
	if made.GetUID() == "" {
		made.SetUID(types.UID(write.UID))
	}
	if made.GetResourceVersion() == "" {
		made.SetResourceVersion("1")
	}
	if created := made.GetCreationTimestamp(); created.IsZero() {
		made.SetCreationTimestamp(metav1.NewTime(write.Created()))
	}
	if made.GetGeneration() == 0 {
		made.SetGeneration(1)
	}
	if made.GetNamespace() == "" && k.crd.Object.Spec.Scope == apiext.NamespaceScoped {
		made.SetNamespace(metav1.NamespaceDefault)
	}
	return made.Object, nil
}
