package writes

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crdproof/crdproof/internal/writetest"
	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/testdata/conformance/exchange"
	"github.com/crdproof/crdproof/testdata/conformance/objects"
	"github.com/crdproof/crdproof/testdata/conformance/server"
)

// Config says which objects to write.
type Config struct {
	CRDs []*apiext.CustomResourceDefinition
	Seed uint64
	// Objects is how many of each CRD.
	Objects int
}

// A Report is what came of random writes.
type Report struct {
	// Writes is how many, Accepted, Invalid and Unread count the server's answers, Warned how often it warned.
	Writes, Accepted, Invalid, Unread, Warned int
	// Findings say where objects/write says something else.
	Findings []string
}

// Run writes random objects to a server and to objects/write. Some are stored under a CRD without a schema, so that they
// may be as wrong as any, before the CRD gets its schema; then they are changed, as other objects are that are created
// under it.
func Run(ctx context.Context, s *server.Server, cfg Config) (*Report, error) {
	r := &Report{}
	var kinds []*kind
	for _, crd := range cfg.CRDs {
		k, err := newKind(ctx, s, crd)
		if err != nil {
			return r, fmt.Errorf("%s: %w", crd.Name, err)
		}
		if len(k.versions) > 0 {
			kinds = append(kinds, k)
		}
	}
	time.Sleep(2 * time.Second) // or else each CRD waits by itself
	for _, step := range []func(*kind) error{
		func(k *kind) error { return k.begin(ctx, cfg, r) },
		func(k *kind) error { return k.real.Replace(ctx, k.crd) },
		func(k *kind) error { return k.real.Await(ctx) },
		func(k *kind) error { return k.finish(ctx, cfg) },
	} {
		for _, k := range kinds {
			if err := step(k); err != nil {
				return r, fmt.Errorf("%s: %w", k.crd.Name, err)
			}
		}
	}
	return r, nil
}

// A kind is a CRD with what makes its objects, by served version.
type kind struct {
	crd      *apiext.CustomResourceDefinition
	versions []string
	makers   map[string]*objects.Maker
	real     *Real
	resource *write.Resource
	stories  []*story
}

func newKind(ctx context.Context, s *server.Server, crd *apiext.CustomResourceDefinition) (*kind, error) {
	k := &kind{crd: crd.DeepCopy(), makers: map[string]*objects.Maker{}}
	k.crd.Spec.Conversion = nil // there is no webhook
	for i := range k.crd.Spec.Versions {
		v := &k.crd.Spec.Versions[i]
		// that is how the server shows the state of the CRD
		if v.Deprecated, v.DeprecationWarning = false, nil; !v.Served {
			continue
		}
		var props apiextensions.JSONSchemaProps
		if err := apiext.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(v.Schema.OpenAPIV3Schema, &props,
			nil); err != nil {
			return nil, err
		}
		schema, err := structural.NewStructural(&props)
		if err != nil {
			return nil, err
		}
		k.versions = append(k.versions, v.Name)
		k.makers[v.Name] = objects.NewMaker(schema, crd.Spec.Group+"/"+v.Name, crd.Spec.Names.Kind, false)
	}
	lax := k.lax()
	var err error
	if k.real, err = Create(ctx, s, lax, true); err != nil {
		return nil, err
	}
	k.resource, err = write.New(ctx, lax)
	return k, err
}

// lax is the CRD with an almost empty schema.
func (k *kind) lax() *apiext.CustomResourceDefinition {
	lax := k.crd.DeepCopy()
	yes := true
	for i := range lax.Spec.Versions {
		v := &lax.Spec.Versions[i]
		v.Schema = &apiext.CustomResourceValidation{
			OpenAPIV3Schema: &apiext.JSONSchemaProps{Type: "object", XPreserveUnknownFields: &yes}}
		v.SelectableFields, v.Subresources, v.AdditionalPrinterColumns = nil, nil, nil
	}
	return lax
}

// A story is the writes of one object.
type story struct {
	*rand.Rand
	kind    *kind
	report  *Report
	number  uint64
	version string
	next    objects.Case
	real    *Real
	library *writetest.Library
}

// begin stores old objects.
func (k *kind) begin(ctx context.Context, cfg Config, r *Report) error {
	for number := range uint64(cfg.Objects) {
		random := rand.New(rand.NewPCG(cfg.Seed, number))
		s := &story{Rand: random, kind: k, report: r, number: number, version: k.versions[random.IntN(len(k.versions))]}
		s.next = k.makers[s.version].Make(cfg.Seed, number)
		s.real, s.library = &Real{}, &writetest.Library{}
		k.stories = append(k.stories, s)
		if s.next.Old == nil {
			continue
		}
		if err := s.write(ctx, "create", "", s.next.Old); err != nil {
			return err
		}
	}
	return nil
}

// finish writes all objects under the CRD with its schema.
func (k *kind) finish(ctx context.Context, cfg Config) (err error) {
	if k.resource, err = write.New(ctx, k.crd); err != nil {
		return err
	}
	for _, s := range k.stories {
		if err := s.run(ctx, cfg); err != nil {
			return err
		}
	}
	return nil
}

// run writes the object, its status, and another one in its place, and reads it in all versions.
func (s *story) run(ctx context.Context, cfg Config) error {
	do := "update"
	if s.real.stored == nil {
		do = "create"
	}
	if err := s.write(ctx, do, s.validation(), s.next.Object); err != nil || s.real.stored == nil {
		return err
	}
	s.version = s.kind.versions[s.IntN(len(s.kind.versions))]
	other := s.kind.makers[s.version].Make(cfg.Seed+1, s.number)
	for _, do := range []string{"status", "update", "status"} {
		if do == "status" && !s.kind.hasStatus(s.version) && s.IntN(20) > 0 {
			continue
		}
		object := []map[string]any{other.Object, s.next.Object, other.Old}[s.IntN(3)]
		if object == nil {
			continue
		}
		if err := s.write(ctx, do, s.validation(), object); err != nil {
			return err
		}
	}
	for _, version := range s.kind.versions {
		if err := s.do(ctx, writetest.Step{Do: "read", Version: version}); err != nil {
			return err
		}
	}
	return nil
}

func (s *story) validation() string {
	return []string{"", "", "Warn", "Warn", "Warn", "Ignore", "Ignore", "Strict"}[s.IntN(8)]
}

func (k *kind) hasStatus(version string) bool {
	return slices.ContainsFunc(k.crd.Spec.Versions, func(v apiext.CustomResourceDefinitionVersion) bool {
		return v.Name == version && v.Subresources != nil && v.Subresources.Status != nil
	})
}

// write writes an object.
func (s *story) write(ctx context.Context, do, validation string, object map[string]any) error {
	object = runtime.DeepCopyJSON(object)
	if do != "create" || s.IntN(20) > 0 { // the server repeats what has no kind, with its resource version
		object["apiVersion"], object["kind"] = s.kind.crd.Spec.Group+"/"+s.version, s.kind.crd.Spec.Names.Kind
	}
	meta := map[string]any{"name": fmt.Sprintf("object-%d", s.number)}
	if s.IntN(4) == 0 {
		maps.Copy(meta, objects.Oddity(s.Rand))
	}
	object["metadata"] = meta
	step := writetest.Step{Do: do, Version: s.version, Validation: validation, Written: exchange.Encode(object)}
	if do != "create" && meta["resourceVersion"] == nil {
		meta["resourceVersion"] = writetest.ResourceVersion
	}
	step.Object = exchange.Encode(object)
	return s.do(ctx, step)
}

// do does a step on both sides.
func (s *story) do(ctx context.Context, step writetest.Step) error {
	s.real.server, s.real.crd = s.kind.real.server, s.kind.real.crd
	s.library.Resource = s.kind.resource
	answer, differences, err := Compare(ctx, s.real, s.library, step)
	if err != nil {
		return fmt.Errorf("%s %s: %w", step.Do, step.Object, err)
	}
	r := s.report
	r.Writes++
	switch {
	case answer.Rejection == nil:
		r.Accepted++
	case apierrors.IsInvalid(answer.Rejection):
		r.Invalid++
	default:
		r.Unread++
	}
	if len(answer.Warnings) > 1 { // one of them shows the state of the CRD
		r.Warned++
	}
	if differences != "" {
		r.Findings = append(r.Findings, fmt.Sprintf("%s, object %d, %s %s %s\n%s\n%s", s.kind.crd.Name, s.number,
			step.Do, step.Version, step.Validation, step.Object, differences))
	}
	return nil
}

// Sorted are CRDs by name, each once.
func Sorted(crds []*apiext.CustomResourceDefinition) []*apiext.CustomResourceDefinition {
	slices.SortFunc(crds, func(a, b *apiext.CustomResourceDefinition) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(crds, func(a, b *apiext.CustomResourceDefinition) bool { return a.Name == b.Name })
}
