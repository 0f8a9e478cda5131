package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/internal/writetest"
	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/testdata/conformance/answers"
	"github.com/crdproof/crdproof/testdata/conformance/harness"
	"github.com/crdproof/crdproof/testdata/conformance/objects"
)

// A writing is a write of an object, and writesOf those of a CRD (../../minors/objects.go).
type writing struct {
	Object map[string]any `json:"object"`
	Old    map[string]any `json:"old,omitempty"`
	Status bool           `json:"status,omitempty"`
}

type writesOf struct {
	CRD     *apiext.CustomResourceDefinition `json:"crd"`
	Version string                           `json:"version"`
	Writes  []writing                        `json:"writes"`
	// resource is the CRD as objects/write serves it.
	resource *write.Resource
	// answers are the reasons of the minors, for each write on which crdproof agrees with all of them.
	answers []map[kube.Minor][]string
}

// A writeAnswer is what an oracle prints about a write.
type writeAnswer struct {
	Object        json.RawMessage
	Errors        []reason
	Failed, Panic string
}

// reasons are those of writetest.Reasons.
func (a writeAnswer) reasons() []string {
	out := []string{}
	for _, e := range a.Errors {
		out = append(out, fmt.Sprintf("%s %s: %s", e.Type, e.Field, e.Message))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// writeCRDs are those of the cases of objects/write, of this module, and of the files that are YAML.
func writeCRDs(all []*writetest.Case, samples []sample) (out []*apiext.CustomResourceDefinition, err error) {
	add := func(data []byte) error {
		crd := &apiext.CustomResourceDefinition{}
		err := yaml.Unmarshal(data, crd)
		out = append(out, crd)
		return err
	}
	for _, c := range all {
		out = append(out, c.CRD)
	}
	small, err := answers.SmallFiles()
	if err != nil {
		return nil, err
	}
	for _, f := range small {
		fixed, _, err := harness.Fix(f.Data)
		if err != nil {
			return nil, err
		}
		if err := add(fixed); err != nil {
			return nil, err
		}
	}
	for _, s := range samples {
		if err := add(s.yaml); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// newWrites makes n random writes of a CRD.
func newWrites(ctx context.Context, crd *apiext.CustomResourceDefinition, seed uint64, n int) (*writesOf, error) {
	crd = crd.DeepCopy()
	crd.APIVersion, crd.Kind = "apiextensions.k8s.io/v1", "CustomResourceDefinition"
	crd.Spec.Conversion = nil // there is no webhook
	resource, err := write.New(ctx, crd)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(crd.Spec.Versions, func(v apiext.CustomResourceDefinitionVersion) bool { return v.Storage })
	v := crd.Spec.Versions[i]
	if !v.Served {
		return nil, fmt.Errorf("%s is not served", v.Name)
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
	apiVersion, kind := crd.Spec.Group+"/"+v.Name, crd.Spec.Names.Kind
	out := &writesOf{CRD: crd, Version: v.Name, resource: resource}
	maker := objects.NewMaker(schema, apiVersion, kind, false)
	for number := range uint64(n) {
		random := rand.New(rand.NewPCG(seed, number))
		made := maker.Make(seed, number)
		w := writing{Object: made.Object, Old: made.Old}
		w.Status = made.Old != nil && v.Subresources != nil && v.Subresources.Status != nil && random.IntN(2) == 0
		for _, object := range []map[string]any{w.Object, w.Old} {
			if object == nil {
				continue
			}
			meta := map[string]any{"name": "name"}
			if crd.Spec.Scope == apiext.NamespaceScoped {
				meta["namespace"] = "default"
			}
			if random.IntN(8) == 0 {
				maps.Copy(meta, objects.Oddity(random))
				delete(meta, "generateName") // the oracle generates nothing, and stores nothing
				delete(meta, "resourceVersion")
				if meta["name"] == nil {
					meta["name"] = "name"
				}
			}
			if made.Old != nil {
				meta["resourceVersion"], meta["uid"] = "1", write.UID
				meta["name"], meta["generation"] = "name", int64(1)
			}
			object["apiVersion"], object["kind"], object["metadata"] = apiVersion, kind, meta
		}
		// Numbers are those that JSON has: the generator writes whole numbers as floating-point numbers too.
		data, err := json.Marshal(w)
		if err != nil {
			return nil, err
		}
		var read struct {
			Object, Old json.RawMessage
		}
		if err := json.Unmarshal(data, &read); err != nil {
			return nil, err
		}
		w.Old = nil
		if made.Old != nil {
			if err := utiljson.Unmarshal(read.Old, &w.Old); err != nil {
				return nil, err
			}
		}
		out.Writes = append(out.Writes, w)
		out.answers = append(out.answers, map[kube.Minor][]string{})
	}
	return out, nil
}

// addCreations adds the objects that a case of objects/write creates, except those that the oracle does not read: it
// neither generates names nor checks the address.
func (w *writesOf) addCreations(c *writetest.Case) {
	for _, step := range c.Steps {
		u := &unstructured.Unstructured{}
		if step.Do != "create" || utiljson.Unmarshal(step.Written, &u.Object) != nil {
			continue
		}
		isHere := u.GetAPIVersion() == w.CRD.Spec.Group+"/"+w.Version && u.GetKind() == w.CRD.Spec.Names.Kind
		if u.GetManagedFields() != nil || len(u.GetOwnerReferences()) > 1 {
			continue // handlers change these before the strategy sees them
		}
		if !isHere || u.GetName() == "" || u.GetNamespace() != "" || u.GetResourceVersion() != "" {
			continue
		}
		if w.CRD.Spec.Scope == apiext.NamespaceScoped {
			u.SetNamespace("default")
		}
		w.Writes = append(w.Writes, writing{Object: u.Object})
		w.answers = append(w.answers, map[kube.Minor][]string{})
	}
}

// tries is how often objects/write is asked: both servers iterate over maps, and stop at the first error of some.
const tries = 16

// compareWrites compares the answers to the writes of a CRD.
func (r *report) compareWrites(ctx context.Context, o *oracle, w *writesOf) error {
	body, err := json.Marshal(w)
	if err != nil {
		return err
	}
	var said struct {
		CRD     answer
		Answers []writeAnswer
	}
	if err := o.ask(body, &said); err != nil {
		return err
	}
	if said.CRD.Undecodable != "" || said.CRD.Panic != "" {
		return fmt.Errorf("%s: %s%s", w.CRD.Name, said.CRD.Undecodable, said.CRD.Panic)
	}
	resource := w.resource.For(r.minor)
	for i, theirs := range said.Answers { // none if the minor rejects the CRD
		data, err := json.Marshal(w.Writes[i].Object)
		if err != nil {
			return err
		}
		request := write.Request{Object: data, Old: w.Writes[i].Old, Status: w.Writes[i].Status}
		r.writes++
		if newest, err := w.resource.Write(ctx, request); err == nil && !sameWords(newest, theirs) {
			r.changed++
		}
		var what string
		var why verdictReason
		for range tries {
			ours, err := resource.Write(ctx, request)
			if err != nil {
				return fmt.Errorf("%s: %w\n%s", w.CRD.Name, err, data)
			}
			if what, why = differs(ours, theirs); what == "" {
				break
			}
		}
		if what == "" && theirs.Failed == "" {
			w.answers[i][r.minor] = theirs.reasons()
		}
		if what != "" {
			line, err := json.Marshal(w.Writes[i])
			if err != nil {
				return err
			}
			r.add(what, sample{name: w.CRD.Name + " " + string(line), yaml: line}, why)
		}
	}
	return nil
}

func sameWords(ours write.Answer, theirs writeAnswer) bool {
	what, _ := differs(ours, theirs)
	return what == ""
}

// differs says how two answers differ; "" means that they do not.
func differs(ours write.Answer, theirs writeAnswer) (string, verdictReason) {
	if theirs.Panic != "" {
		return "panic", verdictReason{"", theirs.Panic}
	}
	if theirs.Failed != "" {
		if ours.Rejection == nil || !strings.Contains(ofGo(ours.Rejection.ErrStatus.Message), ofGo(theirs.Failed)) {
			return "the server rejects a write otherwise",
				verdictReason{"", theirs.Failed + " ≠ " + fmt.Sprint(ours.Rejection)}
		}
		return "", verdictReason{}
	}
	our, their := writetest.Reasons(ours), theirs.reasons()
	for _, text := range their {
		if !slices.Contains(our, text) {
			return "only the server reports", verdictReason{strings.Join(our, "\n      ours: "), text}
		}
	}
	for _, text := range our {
		if !slices.Contains(their, text) {
			return "only crdproof reports", verdictReason{strings.Join(their, "\n      theirs: "), text}
		}
	}
	if len(their) == 0 {
		var object map[string]any
		if err := utiljson.Unmarshal(theirs.Object, &object); err != nil {
			return "the object cannot be read", verdictReason{"", err.Error()}
		}
		if our, their := stripped(ours.Object), stripped(object); our != their {
			return "the objects differ", verdictReason{our, their}
		}
	}
	return "", verdictReason{}
}

// ofGo is a text without the case of names in errors of encoding/json: up to Go 1.26 they are those of the fields of a
// type, and then those of the keys that were read.
func ofGo(text string) string {
	return goField.ReplaceAllStringFunc(text, strings.ToLower)
}

var goField = regexp.MustCompile(`Go struct field \.\w+`)

// stripped is the JSON of an object without its metadata, which has generated values.
func stripped(object map[string]any) string {
	object = maps.Clone(object)
	delete(object, "metadata")
	data, err := json.Marshal(object)
	return fmt.Sprint(string(data), err)
}

// compareObjects compares writes of all CRDs with the oracle of a minor.
func (r *report) compareObjects(ctx context.Context, o *oracle, all []*writesOf) error {
	for _, w := range all {
		if err := r.compareWrites(ctx, o, w); err != nil {
			return err
		}
	}
	return nil
}

// allWrites makes writes for all CRDs that the newest server accepts.
func allWrites(ctx context.Context, opts options, samples []sample) (out []*writesOf, err error) {
	if opts.objects == 0 {
		return nil, nil
	}
	recorded, err := writetest.Read("../../objects/write/testdata")
	if err != nil {
		return nil, err
	}
	crds, err := writeCRDs(recorded, samples)
	if err != nil {
		return nil, err
	}
	for _, crd := range crds {
		if w, err := newWrites(ctx, crd, opts.seed, opts.objects); err == nil {
			if i := slices.IndexFunc(recorded, func(c *writetest.Case) bool { return c.CRD == crd }); i >= 0 {
				w.addCreations(recorded[i])
			}
			out = append(out, w)
		}
	}
	return out, nil
}
