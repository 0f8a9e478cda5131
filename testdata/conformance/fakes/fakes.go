// Package fakes compares the answers of the enforcing fake client with those of a real API server. The input is CRDs,
// the output is the calls to which the two answer differently.
package fakes

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing/fstest"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/crdproof/crdproof/fakeclient"
	"github.com/crdproof/crdproof/fakeclient/crds"
	"github.com/crdproof/crdproof/testdata/conformance/objects"
	"github.com/crdproof/crdproof/testdata/conformance/server"
)

// Config says which calls to make.
type Config struct {
	CRDs []*apiext.CustomResourceDefinition
	// Scheme has the Go types of some of the kinds.
	Scheme *runtime.Scheme
	// Rules are those of the CRDs for the fake client; nil reads them from the CRDs. With generated helpers, no patch
	// changes the kind or the version of an object: a server then reports errors that they cannot tell apart.
	Rules []fakeclient.Option
	Seed  uint64
	// Calls is how many, for all CRDs together.
	Calls int
}

// A Report is what came of the calls.
type Report struct {
	// Calls counts the calls by verb, Answers by the reason of the server's answer. Typed counts those with Go types.
	Calls, Answers map[string]int
	Typed, Warned  int
	// Unreadable counts the objects that the Go type of the kind cannot have.
	Unreadable int
	Findings   []string
}

func (r *Report) String() string {
	var out []string
	for _, counts := range []map[string]int{r.Calls, r.Answers} {
		for _, name := range slices.Sorted(maps.Keys(counts)) {
			out = append(out, fmt.Sprintf("%s %d", name, counts[name]))
		}
	}
	return fmt.Sprintf("%s; typed %d, with warnings %d, unreadable %d", strings.Join(out, ", "), r.Typed,
		r.Warned, r.Unreadable)
}

// A kind is a CRD whose objects are written.
type kind struct {
	crd        *apiext.CustomResourceDefinition
	gvk        schema.GroupVersionKind
	namespaced bool
	hasStatus  bool
	maker      *objects.Maker
	typed      bool
	// said are the last calls, for a finding.
	said []string
	// pairs are the last objects that both sides returned.
	pairs []pair
	// round is a part of the names of objects.
	round int
}

// A pair is an object as both sides have it.
type pair struct{ real, fake map[string]any }

// warnings are those of one call.
type warnings struct {
	sync.Mutex
	texts []string
}

func (w *warnings) HandleWarningHeader(_ int, _, text string) {
	w.Lock()
	defer w.Unlock()
	w.texts = append(w.texts, text)
}

func (w *warnings) take() []string {
	w.Lock()
	defer w.Unlock()
	out := w.texts
	w.texts = nil
	return out
}

// A side is one of the two clients.
type side struct {
	client.Client
	said *warnings
	// versions are the resource versions that the side returned last, by kind and name.
	versions map[string]string
}

// Stored is a CRD with its stored version alone: nothing can convert others.
func Stored(crd *apiext.CustomResourceDefinition) *apiext.CustomResourceDefinition {
	out := crd.DeepCopy()
	out.APIVersion, out.Kind = "apiextensions.k8s.io/v1", "CustomResourceDefinition"
	out.Spec.Conversion, out.Status = nil, apiext.CustomResourceDefinitionStatus{}
	out.Spec.Versions = slices.DeleteFunc(out.Spec.Versions,
		func(v apiext.CustomResourceDefinitionVersion) bool { return !v.Storage })
	out.Spec.Versions[0].Served = true
	return out
}

// kindsOf returns the kinds of CRDs, and the files with their stored versions.
func kindsOf(cfg Config) ([]*kind, fstest.MapFS, error) {
	files := fstest.MapFS{}
	var kinds []*kind
	for _, crd := range cfg.CRDs {
		crd = Stored(crd)
		data, err := json.Marshal(crd)
		if err != nil {
			return nil, nil, err
		}
		k, err := newKind(crd, cfg.Scheme)
		if err != nil {
			return nil, nil, err
		}
		files[crd.Name+".json"] = &fstest.MapFile{Data: data}
		kinds = append(kinds, k)
	}
	return kinds, files, nil
}

// Run makes random calls.
func Run(ctx context.Context, s *server.Server, cfg Config) (*Report, error) {
	r := &Report{Calls: map[string]int{}, Answers: map[string]int{}}
	kinds, files, err := kindsOf(cfg)
	if err != nil {
		return r, err
	}
	mapper := meta.NewDefaultRESTMapper(nil)
	for _, k := range kinds {
		v, err := s.Create(ctx, files[k.crd.Name+".json"].Data)
		if err != nil || !v.Accepted {
			return r, fmt.Errorf("%s: %w %s", k.crd.Name, err, v.Message)
		}
		scope := meta.RESTScopeRoot
		if k.namespaced {
			scope = meta.RESTScopeNamespace
		}
		names := k.crd.Spec.Names
		mapper.AddSpecific(k.gvk, k.gvk.GroupVersion().WithResource(names.Plural),
			k.gvk.GroupVersion().WithResource(names.Singular), scope)
	}
	config := s.Config()
	config.QPS = -1
	real, ours := side{said: &warnings{}, versions: map[string]string{}}, side{said: &warnings{}, versions: map[string]string{}}
	config.WarningHandler = real.said
	if real.Client, err = client.New(config, client.Options{Scheme: cfg.Scheme, Mapper: mapper}); err != nil {
		return r, err
	}
	rules := cfg.Rules
	if rules == nil {
		rules = []fakeclient.Option{crds.WithCRDs(files)}
	}
	ours.Client, err = fakeclient.New(fake.NewClientBuilder().WithScheme(cfg.Scheme),
		append(rules, fakeclient.WithWarningHandler(ours.said))...)
	if err != nil {
		return r, err
	}
	random := rand.New(rand.NewPCG(cfg.Seed, 0))
	for number := range cfg.Calls {
		k := kinds[random.IntN(len(kinds))]
		c := &call{Rand: random, kind: k, case_: k.maker.Make(cfg.Seed, uint64(number)), isTyped: k.typed && random.IntN(2) == 0,
			keepsKind: cfg.Rules != nil}
		c.choose()
		if err := c.make(ctx, r, real, ours); err != nil {
			return r, fmt.Errorf("call %d, %s of %s: %w", number, c.verb, k.gvk.Kind, err)
		}
	}
	// Both sides have stored the same.
	for _, k := range kinds {
		c := &call{Rand: random, kind: k, verb: "list", everywhere: true}
		if err := c.make(ctx, r, real, ours); err != nil {
			return r, fmt.Errorf("list of %s: %w", k.gvk.Kind, err)
		}
	}
	return r, nil
}

func newKind(crd *apiext.CustomResourceDefinition, scheme *runtime.Scheme) (*kind, error) {
	v := crd.Spec.Versions[0]
	var props apiextensions.JSONSchemaProps
	if err := apiext.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(v.Schema.OpenAPIV3Schema, &props,
		nil); err != nil {
		return nil, err
	}
	s, err := structural.NewStructural(&props)
	if err != nil {
		return nil, err
	}
	k := &kind{crd: crd, gvk: schema.GroupVersionKind{Group: crd.Spec.Group, Version: v.Name, Kind: crd.Spec.Names.Kind},
		namespaced: crd.Spec.Scope == apiext.NamespaceScoped, hasStatus: v.Subresources != nil && v.Subresources.Status != nil}
	k.typed = scheme.Recognizes(k.gvk)
	k.maker = objects.NewMaker(s, k.gvk.GroupVersion().String(), k.gvk.Kind, true)
	return k, nil
}
