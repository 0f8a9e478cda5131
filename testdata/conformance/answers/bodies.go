package answers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/testdata/conformance/exchange"
	"github.com/crdproof/crdproof/testdata/conformance/objects"
)

// A BodyReport is what came of bodies of requests.
type BodyReport struct {
	// Bodies is how many; Accepted, Invalid and Unread count the server's answers, Warned those with warnings. Skipped
	// are the ones whose metadata end the request, which helpers do not validate.
	Bodies, Accepted, Invalid, Unread, Warned, Skipped int
	Findings                                           []BodyFinding
}

// A BodyFinding is a body for which the answers differ.
type BodyFinding struct {
	Kind        string
	Number      int
	Body, Old   []byte
	Differences []string
}

// String is all there is to see of a finding.
func (f BodyFinding) String() string {
	return fmt.Sprintf("%s, body %d\nbody: %.3000s\nold:  %.3000s\n%s", f.Kind, f.Number, f.Body, f.Old,
		strings.Join(f.Differences, "\n"))
}

// RunBodies makes bodies of requests and asks both judges: the helpers, and what restates all that a server does with
// the body of a write.
func RunBodies(ctx context.Context, p *Program, cfg Config) (*BodyReport, error) {
	if len(cfg.Kinds) == 0 {
		return nil, errors.New("there are no kinds")
	}
	workers := runtime.GOMAXPROCS(0)
	reports, errs := make([]BodyReport, workers), make([]error, workers)
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() { errs[w] = reports[w].run(ctx, p, cfg, w, workers) })
	}
	wait.Wait()
	all := &BodyReport{}
	for _, r := range reports {
		all.Bodies, all.Accepted, all.Invalid = all.Bodies+r.Bodies, all.Accepted+r.Accepted, all.Invalid+r.Invalid
		all.Unread, all.Warned, all.Skipped = all.Unread+r.Unread, all.Warned+r.Warned, all.Skipped+r.Skipped
		all.Findings = append(all.Findings, r.Findings...)
	}
	slices.SortFunc(all.Findings, func(a, b BodyFinding) int { return cmp.Compare(a.Number, b.Number) })
	return all, errors.Join(errs...)
}

// run tries every body whose number is the worker's.
func (r *BodyReport) run(ctx context.Context, p *Program, cfg Config, worker, workers int) error {
	process, err := p.Start(ctx)
	if err != nil {
		return err
	}
	for number := cfg.First + worker; number < cfg.First+cfg.Objects && ctx.Err() == nil; number += workers {
		if err := r.try(ctx, process, cfg.Kinds[number%len(cfg.Kinds)], cfg.Seed, number); err != nil {
			return errors.Join(err, process.Close())
		}
	}
	return errors.Join(ctx.Err(), process.Close())
}

// bodyTries is how often the server is asked where helpers say something else: it goes through maps until the first
// field that it cannot read.
const bodyTries = 100

func (r *BodyReport) try(ctx context.Context, process *Process, k *Kind, seed uint64, number int) error {
	prepared, err := k.prepare()
	if err != nil {
		return err
	}
	served, err := k.served()
	if err != nil {
		return err
	}
	c := prepared.maker.Make(seed, uint64(number))
	f := BodyFinding{Kind: k.Name, Number: number,
		Body: objects.Text(rand.New(rand.NewPCG(seed, uint64(number))), c.Object)}
	request := write.Request{Object: f.Body, Version: k.version}
	if c.Old != nil {
		if request.Old, err = k.stored(c.Old); err != nil {
			return err
		}
		f.Old = exchange.Encode(request.Old)
	}
	ours, err := process.Ask(exchange.Request{Kind: k.key, Body: f.Body, Replaced: f.Old})
	if err != nil {
		return err
	}
	r.Bodies++
	for i := range bodyTries {
		answer, err := served.Write(ctx, request)
		if err != nil { // it is not an object
			answer = write.Answer{Rejection: apierrors.NewBadRequest(ours.Rejection)}
		}
		if i == 0 {
			r.count(answer)
		}
		if endsWithMeta(answer) {
			r.Skipped++
			return nil
		}
		if f.Differences = bodyDifferences(answer, ours); len(f.Differences) == 0 {
			return nil
		}
	}
	r.Findings = append(r.Findings, f)
	return nil
}

func (r *BodyReport) count(a write.Answer) {
	switch {
	case a.Rejection == nil:
		r.Accepted++
	case apierrors.IsInvalid(a.Rejection):
		r.Invalid++
	default:
		r.Unread++
	}
	if len(a.Warnings) > 0 {
		r.Warned++
	}
}

// newServed is the version alone, as a server serves it.
func (k *Kind) newServed() (*write.Resource, error) {
	crd := k.crd.DeepCopy()
	for i := range crd.Spec.Versions {
		v := &crd.Spec.Versions[i]
		if v.Name != k.version {
			continue
		}
		v.Served, v.Storage, v.Deprecated, v.SelectableFields = true, true, false, nil
		crd.Spec.Versions = []apiext.CustomResourceDefinitionVersion{*v}
		break
	}
	crd.Spec.Conversion = nil
	return write.Accepted(crd)
}

// stored is an object as a server stores it.
func (k *Kind) stored(object map[string]any) (map[string]any, error) {
	metadata := map[string]any{"name": "name", "uid": write.UID, "resourceVersion": "1", "generation": int64(1),
		"creationTimestamp": write.Created().Format("2006-01-02T15:04:05Z07:00")}
	if k.crd.Spec.Scope == apiext.NamespaceScoped {
		metadata["namespace"] = "default"
	}
	object["apiVersion"], object["kind"] = k.crd.Spec.Group+"/"+k.version, k.crd.Spec.Names.Kind
	object["metadata"] = metadata
	return exchange.Decode(exchange.Encode(object))
}

// isOfMeta reports whether an error is about the object's own metadata.
func isOfMeta(field string) bool { return strings.HasPrefix(field, "metadata") }

// endsWithMeta reports whether a write ends because of metadata, after the body was read.
func endsWithMeta(a write.Answer) bool {
	if a.Rejection == nil {
		return false
	}
	for _, e := range a.Errors {
		if isOfMeta(e.Field) {
			return true
		}
	}
	text := a.Rejection.Error()
	return !apierrors.IsInvalid(a.Rejection) && (!apierrors.IsBadRequest(a.Rejection) ||
		strings.Contains(text, "on the URL") || strings.Contains(text, "based on URL") ||
		strings.Contains(text, "does not match the namespace"))
}

// bodyDifferences are what helpers say otherwise than the server.
func bodyDifferences(server write.Answer, ours exchange.Answer) (out []string) {
	differ := func(what string, server, ours any) {
		if s, o := fmt.Sprint(server), fmt.Sprint(ours); s != o {
			out = append(out, fmt.Sprintf("%s\n  server:  %s\n  helpers: %s", what, s, o))
		}
	}
	if ours.Panic != "" {
		return []string{"panic: " + ours.Panic}
	}
	unread := server.Rejection != nil && len(server.Errors) == 0
	if ours.Rejection != "" || unread {
		isSame := unread && ours.Rejection != "" &&
			strings.Contains(strings.ToValidUTF8(server.Rejection.Error(), "\uFFFD"), ours.Rejection)
		for _, e := range server.Errors {
			isSame = isSame || e.Error() == ours.Rejection // the kind is another one
		}
		if !isSame {
			differ("rejection", server.Rejection, ours.Rejection)
		}
		return out
	}
	errs := exchange.Errors(server.Errors)
	missing, more := listDifferences(texts(errs), texts(ours.Errors))
	for _, text := range missing {
		out = append(out, "error missing: "+text)
	}
	for _, text := range more {
		out = append(out, "error too much: "+text)
	}
	if len(out) == 0 {
		// objects/write sorts by field, and those of metadata by text.
		out = orderDifferences(withField(errs), withField(ours.Errors))
	}
	warnings := slices.DeleteFunc(slices.Clone(server.Warnings), func(text string) bool {
		return strings.HasPrefix(text, "metadata.") // about finalizers
	})
	differ("unknown and duplicate fields", decodingWarnings(warnings), decodingWarnings(write.Sent(ours.Warnings)))
	missing, more = listDifferences(warnings, write.Sent(ours.Warnings))
	for _, text := range missing {
		out = append(out, "warning missing: "+text)
	}
	for _, text := range more {
		out = append(out, "warning too much: "+text)
	}
	if server.Rejection == nil {
		s, o := spec(exchange.Encode(server.Object)), spec(ours.Admitted)
		if !reflect.DeepEqual(s, o) {
			differ("object", string(exchange.Encode(s)), string(exchange.Encode(o)))
		}
		admitted, err := exchange.Decode(ours.Admitted)
		if err != nil {
			return append(out, err.Error())
		}
		differ("metadata", ownMeta(server.Object), ownMeta(admitted))
	}
	return out
}

// withField are the errors that have a field, without those of embedded metadata.
func withField(errs []exchange.Error) []exchange.Error {
	return slices.DeleteFunc(slices.Clone(errs), func(e exchange.Error) bool {
		return e.Field == "<nil>" || strings.Contains(e.Field, ".metadata.")
	})
}

// decodingWarnings are those about the text of a body, in their order.
func decodingWarnings(list []string) (out []string) {
	for _, text := range list {
		if strings.HasPrefix(text, "unknown field ") || strings.HasPrefix(text, "duplicate field ") {
			out = append(out, text)
		}
	}
	return out
}

// ownMeta are the metadata that a client writes and a server leaves.
func ownMeta(object map[string]any) string {
	own := map[string]any{}
	metadata, _ := object["metadata"].(map[string]any)
	for _, name := range []string{"annotations", "finalizers", "generateName", "labels", "name", "ownerReferences"} {
		if value, ok := metadata[name]; ok {
			own[name] = value
		}
	}
	return string(exchange.Encode(own))
}
