package answers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crdproof/crdproof/testdata/conformance/exchange"
	"github.com/crdproof/crdproof/testdata/conformance/objects"
	"github.com/crdproof/crdproof/testdata/conformance/server"
)

// A SampleReport is what came of objects that a whole API server was asked about.
type SampleReport struct {
	// Objects is how many, Accepted and Rejected count the server's answers; Skipped are those that it did not read
	// that far.
	Objects, Accepted, Rejected, Skipped, Warned int
	Findings                                     []string
}

// RunSample compares the helpers with an API server that runs: what it stores, and what it says in its answer. The old
// objects are there before their CRDs have a schema, so that they may be as wrong as any. There are as many objects of
// each kind as the config says.
func RunSample(ctx context.Context, s *server.Server, p *Program, cfg Config) (*SampleReport, error) {
	process, err := p.Start(ctx)
	if err != nil {
		return nil, err
	}
	r := &SampleReport{}
	var sampled []*sampledKind
	for _, k := range cfg.Kinds {
		if !isStored(k) {
			continue
		}
		sampled = append(sampled, &sampledKind{Kind: k})
	}
	for _, step := range []func(*sampledKind) error{
		func(k *sampledKind) error { return k.begin(ctx, s, cfg) },
		func(k *sampledKind) error { return k.tighten(ctx, s) },
		func(k *sampledKind) error { return k.wait(ctx, s) },
		func(k *sampledKind) error { return k.compare(ctx, s, process, r) },
	} {
		for _, k := range sampled {
			if err := step(k); err != nil {
				return r, errors.Join(fmt.Errorf("%s: %w", k.Name, err), process.Close())
			}
		}
	}
	return r, process.Close()
}

// isStored reports whether objects of the version are stored as they are.
func isStored(k *Kind) bool {
	for _, v := range k.crd.Spec.Versions {
		if v.Name == k.version {
			return v.Storage && v.Served
		}
	}
	return false
}

// A sampledKind is a kind with the objects that the server is asked about.
type sampledKind struct {
	*Kind
	collection string
	cases      []objects.Case
	numbers    []uint64
	first      []byte // a valid object, before there is a schema
}

// unknownField is one that no schema knows.
const unknownField = "unknownToAllSchemas"

// begin creates the CRD with an almost empty schema, and the old objects.
func (k *sampledKind) begin(ctx context.Context, s *server.Server, cfg Config) error {
	spec := k.crd.Spec
	k.collection = "/apis/" + spec.Group + "/" + k.version + "/"
	if spec.Scope == apiext.NamespaceScoped {
		k.collection += "namespaces/default/"
	}
	k.collection += spec.Names.Plural
	lax := k.crd.DeepCopy()
	yes := true
	for i := range lax.Spec.Versions {
		v := &lax.Spec.Versions[i]
		v.Schema = &apiext.CustomResourceValidation{
			OpenAPIV3Schema: &apiext.JSONSchemaProps{Type: "object", XPreserveUnknownFields: &yes}}
		v.SelectableFields, v.Deprecated, v.DeprecationWarning = nil, false, nil
		if v.Subresources != nil {
			v.Subresources.Scale = nil
		}
	}
	data, err := json.Marshal(lax)
	if err != nil {
		return err
	}
	if v, err := s.Create(ctx, data); err != nil || !v.Accepted {
		return errors.Join(err, errors.New(v.Message))
	}
	prepared, err := k.prepare()
	if err != nil {
		return err
	}
	k.first = exchange.Encode(k.identified(map[string]any{unknownField: "x"}, "probe"))
	for number := range uint64(cfg.Objects) {
		c := prepared.maker.Make(cfg.Seed, number)
		if c.Object = k.ready(prepared.resource, c.Object, number); c.Object == nil {
			continue
		}
		if c.Old != nil {
			if c.Old = k.ready(prepared.resource, c.Old, number); c.Old == nil {
				continue
			}
			if v, err := s.Store(ctx, k.collection, exchange.Encode(c.Old)); err != nil || !v.Accepted {
				return errors.Join(err, errors.New(v.Message))
			}
		}
		k.cases, k.numbers = append(k.cases, c), append(k.numbers, number)
	}
	return nil
}

// ready gives an object an identity, and takes away what the helpers do not look at: the status, which is stored by
// other means, and what is wrong with embedded metadata. It is nil where that cannot be done.
func (k *sampledKind) ready(r *Resource, object map[string]any, number uint64) map[string]any {
	object = k.identified(object, fmt.Sprintf("object-%d", number))
	if sub, err := apihelpers.GetSubresourcesForVersion(k.crd, k.version); err == nil && sub != nil &&
		sub.Status != nil {
		delete(object, "status")
		if status, ok := r.Schema.Properties["status"]; ok && status.Default.Object != nil {
			return nil
		}
	}
	object = runtime.DeepCopyJSON(object)
	if err, _ := objectmeta.CoerceWithOptions(nil, object, r.Schema, false,
		objectmeta.CoerceOptions{DropInvalidFields: true}); err != nil {
		return nil
	}
	return object
}

func (k *sampledKind) identified(object map[string]any, name string) map[string]any {
	object["apiVersion"], object["kind"] = k.crd.Spec.Group+"/"+k.version, k.crd.Spec.Names.Kind
	metadata := map[string]any{"name": name}
	if k.crd.Spec.Scope == apiext.NamespaceScoped {
		metadata["namespace"] = "default"
	}
	object["metadata"] = metadata
	return object
}

// tighten gives the CRD its schema.
func (k *sampledKind) tighten(ctx context.Context, s *server.Server) error {
	crd := k.crd.DeepCopy()
	for i := range crd.Spec.Versions {
		v := &crd.Spec.Versions[i]
		v.Deprecated, v.DeprecationWarning = false, nil // which is a warning to every request
	}
	data, err := json.Marshal(crd)
	if err != nil {
		return err
	}
	v, err := s.Store(ctx, server.Collection, data)
	if err == nil && !v.Accepted {
		err = errors.New(v.Message)
	}
	return err
}

// wait waits until the schema is in force.
func (k *sampledKind) wait(ctx context.Context, s *server.Server) error {
	prepared, err := k.prepare()
	if err != nil {
		return err
	}
	if prepared.resource.Schema.XPreserveUnknownFields {
		time.Sleep(2 * time.Second) // there is nothing to see
		return nil
	}
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if pruned, err := s.Pruned(ctx, k.collection, k.first, unknownField); err != nil || pruned {
			return err
		}
	}
	return errors.New("the schema does not come into force")
}

// compare asks both.
func (k *sampledKind) compare(ctx context.Context, s *server.Server, process *Process, r *SampleReport) error {
	for i, c := range k.cases {
		request := requestOf(k.key, c)
		if c.Old != nil {
			var err error
			if request.Old, err = json.Marshal(c.Old); err != nil { // as it is stored: 2.0 has become 2
				return err
			}
		}
		ours, err := process.Ask(request)
		if err != nil {
			return err
		}
		v, err := s.Store(ctx, k.collection, request.Object)
		if err != nil {
			return err
		}
		r.Objects++
		switch {
		case v.Accepted:
			r.Accepted++
		case v.Reason == "Invalid":
			r.Rejected++
		default:
			r.Skipped++
			continue
		}
		if len(v.Warnings) > 0 {
			r.Warned++
		}
		if differences := sampleDifferences(v, ours); len(differences) > 0 {
			r.Findings = append(r.Findings, fmt.Sprintf(
				"%s, object %d of the API server\n  %s\nobject: %s\nold:    %s\n%s", k.Name, k.numbers[i],
				strings.Join(c.Changes, "\n  "), request.Object, request.Old, strings.Join(differences, "\n")))
		}
	}
	return nil
}

// sampleDifferences are what helpers say otherwise than the server's answer.
func sampleDifferences(v server.Verdict, ours exchange.Answer) (out []string) {
	if ours.Panic != "" {
		return []string{"panic: " + ours.Panic}
	}
	var causes, errs []string
	for _, c := range v.Causes {
		causes = append(causes, c.Field+": "+c.Message)
	}
	for _, e := range ours.Errors {
		errs = append(errs, e.Text)
	}
	missing, more := listDifferences(causes, errs)
	for _, text := range missing {
		out = append(out, "error missing: "+text)
	}
	for _, text := range more {
		out = append(out, "error too much: "+text)
	}
	missing, more = listDifferences(v.Warnings, ours.Warnings)
	for _, text := range missing {
		out = append(out, "warning missing: "+text)
	}
	for _, text := range more {
		out = append(out, "warning too much: "+text)
	}
	if !v.Accepted {
		return out
	}
	server, helpers := spec(v.Object), spec(ours.Object.Defaulted)
	if !reflect.DeepEqual(server, helpers) {
		out = append(out, fmt.Sprintf("stored\n  server:  %s\n  helpers: %s", exchange.Encode(server),
			exchange.Encode(helpers)))
	}
	return out
}

// spec is an object without its metadata. Its numbers are float64: what is stored does not tell 2.0 from 2.
func spec(data []byte) map[string]any {
	var object map[string]any
	if err := json.Unmarshal(data, &object); err != nil {
		return map[string]any{"not JSON": string(data)}
	}
	delete(object, "metadata")
	return object
}
