// Package writes compares the answers of objects/write to writes with those of a real API server.
package writes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/crdproof/crdproof/internal/writetest"
	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/testdata/conformance/server"
)

// A Real is a real API server in the course of a case.
type Real struct {
	server *server.Server
	crd    *apiext.CustomResourceDefinition
	state  int
	// stored is the object as it was answered last, madeUp its name if the server made that up.
	stored *unstructured.Unstructured
	madeUp string
}

// Create creates a CRD on a server. Objects of it can be written at once, but the first waits for two seconds until the
// CRD is as old as that, unless something else has happened in the meantime.
func Create(ctx context.Context, s *server.Server, crd *apiext.CustomResourceDefinition, marked bool) (*Real, error) {
	r := &Real{server: s, crd: crd}
	data, err := r.encode(marked)
	if err != nil {
		return nil, err
	}
	v, err := s.Create(ctx, data)
	if err == nil && !v.Accepted {
		err = errors.New(v.Message)
	}
	return r, err
}

// encode writes the CRD, marked with its state.
func (r *Real) encode(marked bool) ([]byte, error) {
	crd := r.crd.DeepCopy()
	crd.APIVersion, crd.Kind = "apiextensions.k8s.io/v1", "CustomResourceDefinition"
	for i := range crd.Spec.Versions {
		if v := &crd.Spec.Versions[i]; marked {
			text := r.marker()
			v.Deprecated, v.DeprecationWarning = true, &text
		}
	}
	return json.Marshal(crd)
}

func (r *Real) marker() string { return fmt.Sprint(writetest.State, r.state) }

// Replace replaces the CRD.
func (r *Real) Replace(ctx context.Context, crd *apiext.CustomResourceDefinition) error {
	r.crd = crd
	r.state++
	data, err := r.encode(true)
	if err != nil {
		return err
	}
	v, err := r.server.Store(ctx, server.Collection, data)
	if err == nil && !v.Accepted {
		err = errors.New(v.Message)
	}
	return err
}

// Delete deletes the object, if there is one: the next step creates another.
func (r *Real) Delete(ctx context.Context) error {
	if r.stored == nil {
		return nil
	}
	gvk := r.stored.GroupVersionKind()
	a, err := r.server.Ask(ctx, http.MethodDelete, r.path(gvk.Version, r.stored.GetNamespace())+"/"+r.stored.GetName(),
		nil, "")
	if err == nil && a.Status != nil && a.Status.Status == metav1.StatusFailure {
		err = errors.New(a.Status.Message)
	}
	r.stored, r.madeUp = nil, ""
	return err
}

// Await waits until the CRD that replaced another is in force.
func (r *Real) Await(ctx context.Context) error {
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		a, err := r.server.Ask(ctx, http.MethodGet, r.path(r.served(), "default"), nil, "")
		if err != nil || slices.Contains(a.Warnings, r.marker()) {
			return err
		}
	}
	return errors.New("the CRD does not come into force")
}

func (r *Real) served() string {
	i := slices.IndexFunc(r.crd.Spec.Versions, func(v apiext.CustomResourceDefinitionVersion) bool { return v.Served })
	return r.crd.Spec.Versions[i].Name
}

// path is where objects of a version are.
func (r *Real) path(version, namespace string) string {
	path := "/apis/" + r.crd.Spec.Group + "/" + version + "/"
	if r.crd.Spec.Scope == apiext.NamespaceScoped {
		path += "namespaces/" + url.PathEscape(namespace) + "/"
	}
	return path + r.crd.Spec.Names.Plural
}

// Do does a step.
func (r *Real) Do(ctx context.Context, s writetest.Step) (write.Answer, error) {
	method, uid := http.MethodPost, ""
	object := &unstructured.Unstructured{Object: map[string]any{}}
	_ = utiljson.Unmarshal(s.Object, &object.Object) // what cannot be read has no name
	generated := s.Do == "create" && object.GetName() == "" && object.GetGenerateName() != ""
	body := s.Object
	if s.Do != "create" {
		if r.stored == nil {
			return write.Answer{}, errors.New("there is nothing to update")
		}
		object, uid, method = r.stored, string(r.stored.GetUID()), http.MethodPut
		body = writetest.Fill(body, object.GetResourceVersion(), uid)
	}
	namespace := object.GetNamespace()
	if namespace == "" {
		namespace = "default"
	}
	path := r.path(s.Version, namespace)
	switch s.Do {
	case "update":
		path += "/" + object.GetName()
	case "status":
		path += "/" + object.GetName() + "/status"
	case "read":
		path += "/" + object.GetName()
		method = http.MethodGet
	}
	a, err := r.server.Ask(ctx, method, path, body, s.Validation)
	if err != nil {
		return write.Answer{}, err
	}
	out := write.Answer{Warnings: a.Warnings}
	if a.Status != nil {
		out.Rejection = &apierrors.StatusError{ErrStatus: *a.Status}
		name := r.madeUp
		if generated && a.Status.Details != nil {
			name = a.Status.Details.Name
		}
		return writetest.Real(out, name, uid)
	}
	if err := utiljson.Unmarshal(a.Object, &out.Object); err != nil {
		return out, err
	}
	r.stored = &unstructured.Unstructured{Object: out.Object}
	if s.Do == "create" {
		r.madeUp = ""
	}
	if generated {
		r.madeUp = r.stored.GetName()
	}
	if s.Do == "read" {
		out.Warnings = nil
	}
	return writetest.Real(out, r.madeUp, uid)
}

// tries is how often objects/write is asked where the server says something else: both go through maps, and which error
// they find first in one differs from run to run.
const tries = 16

// Compare does a step with both, and returns the answer of the server, and what differs.
func Compare(ctx context.Context, real *Real, library *writetest.Library, s writetest.Step) (answer write.Answer,
	differences string, err error) {
	answer, err = real.Do(ctx, s)
	if err != nil {
		return answer, "", err
	}
	want, err := writetest.Render(answer)
	if err != nil {
		return answer, "", err
	}
	before := *library
	var got string
	for range tries {
		*library = before
		ours, err := library.Do(ctx, s)
		if err != nil {
			return answer, err.Error(), nil
		}
		if got, err = writetest.Render(ours); err != nil || got == want {
			return answer, "", err
		}
	}
	return answer, difference(want, got), nil
}

// difference shows the lines that one text has and the other lacks.
func difference(want, got string) string {
	var out []string
	lines := func(text string) []string { return strings.Split(strings.TrimSpace(text), "\n") }
	for _, line := range lines(want) {
		if !slices.Contains(lines(got), line) {
			out = append(out, "  server:       "+line)
		}
	}
	for _, line := range lines(got) {
		if !slices.Contains(lines(want), line) {
			out = append(out, "  objects/write: "+line)
		}
	}
	return strings.Join(out, "\n")
}
