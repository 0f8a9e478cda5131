package suite

import (
	"context"
	"encoding/json"
	"strings"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/stage"
	"github.com/crdproof/crdproof/objects/sample"
	"github.com/crdproof/crdproof/objects/write"
)

// Metadata of objects that have none of their own.
const (
	generateName = "test-"
	namespace    = "default"
)

// seen is what the server answered to the writes of a case.
type seen struct {
	// initial answers the creation of the object of a case of onUpdate.
	initial write.Answer
	// main is the write under test, a creation or an update; status is the write of the status after it.
	main, status step
	// got is the object that a client reads in the end, nil if a write was rejected.
	got map[string]any
}

// A step is a write of a case.
type step struct {
	// done is set once the write has been answered.
	done   bool
	answer write.Answer
}

// fail adds a failure, prefixed with the name of the case.
func (o *Outcome) fail(d diag.Diagnostic) {
	d.Case, d.Message = o.Name, o.Name+": "+d.Message
	o.Failures = append(o.Failures, d)
}

// run runs the case. A panic is a bug in crdproof; the other cases still run.
func (o *Outcome) run(ctx context.Context) {
	defer func() {
		if bug := recover(); bug != nil {
			d := stage.Caught(bug).Finding(o.Case.Name.At, "the suite")
			d.Case = o.Name
			o.Failures = []diag.Diagnostic{d}
		}
	}()
	if initial := o.Case.Initial; o.Case.OnUpdate {
		o.update(ctx)
	} else {
		o.take(ctx, &o.seen.main, initial, write.Request{Object: o.body(initial.Fields, nil)})
	}
	if len(o.Failures) == 0 {
		o.compare()
	}
	if len(o.Failures) == 0 {
		o.pruned(o.Case.Initial, o.seen.initial.Unknown, true)
		o.pruned(o.Case.sent(), o.seen.main.answer.Unknown, o.Case.Error != nil || o.Case.StatusError != nil)
		o.seen = seen{} // only Update needs it, of failed cases
	}
}

// pruned warns of fields that the server has dropped from an object, although nothing compares the result. If the case
// says what to expect, it may test just that; then only the fields that resemble others are reported.
func (o *Outcome) pruned(sent *Object, unknown []string, all bool) {
	for _, d := range sample.Dropped(o.target.crd, &sent.object, unknown) {
		if all || strings.HasPrefix(d.HelpText, "did you mean") {
			d = sent.diagnostic(d)
			d.Case = o.Name
			o.Warnings = append(o.Warnings, d)
		}
	}
}

// update runs a case of onUpdate: it creates the object, with the patched CRD if there are patches, and updates it.
func (o *Outcome) update(ctx context.Context) {
	stored, ok := o.initial(ctx)
	if !ok {
		return
	}
	updated := o.Case.Updated
	o.take(ctx, &o.seen.main, updated, write.Request{Object: o.body(updated.Fields, stored), Old: stored})
	if status := updated.Fields["status"]; o.seen.got != nil && status != nil && o.target.hasStatus(updated) {
		o.take(ctx, &o.seen.status, updated, statusRequest(o.seen.main.answer, status))
	}
}

// take does a write under test.
func (o *Outcome) take(ctx context.Context, s *step, sent *Object, request write.Request) {
	if s.answer, s.done = o.write(ctx, o.target.resource, sent, request); s.done {
		o.seen.got = s.answer.Object
	}
}

// initial creates the object of a case of onUpdate, and returns what is stored.
func (o *Outcome) initial(ctx context.Context) (stored map[string]any, ok bool) {
	initial := o.Case.Initial
	resource, ok := o.patched(ctx)
	if !ok {
		return nil, false
	}
	answer, ok := o.write(ctx, resource, initial, write.Request{Object: o.body(initial.Fields, nil)})
	o.seen.initial = answer
	if ok && answer.Rejection == nil && initial.Fields["status"] != nil && o.target.hasStatus(initial) {
		answer, ok = o.write(ctx, resource, initial, statusRequest(answer, initial.Fields["status"]))
	}
	if ok && answer.Rejection != nil {
		d := diag.Errorf(initial.place(answer), initialRejected,
			"the API server rejects the initial object, so the update is not tested")
		d.Notes, d.SeeAlso = quoted("got", sentences(answer)), o.rules(initial, answer)
		o.fail(d)
		return nil, false
	}
	return answer.Stored, ok
}

// write writes an object. If there is no answer, it returns false and adds a failure that says why.
func (o *Outcome) write(
	ctx context.Context, to *write.Resource, sent *Object, request write.Request,
) (write.Answer, bool) {
	answer, err := to.Write(ctx, request)
	if err != nil {
		o.fail(diag.Errorf(sent.Key, isRejected, "the object cannot be written: %v", err))
		return answer, false
	}
	if p := o.target.probes[sent.version()]; p != nil && answer.Rejection != nil && to == o.target.resource {
		p.record(ctx, request, answer.Errors)
	}
	return answer, true
}

// body returns an object as it is sent: with the name and the namespace of the stored object, or with generated ones.
func (o *Outcome) body(fields, stored map[string]any) []byte {
	u := unstructured.Unstructured{Object: runtime.DeepCopyJSON(fields)}
	if _, ok := fields["metadata"].(map[string]any); ok || fields["metadata"] == nil {
		u.SetGenerateName(generateName)
		if u.GetNamespace() == "" && o.target.crd.Object.Spec.Scope == apiext.NamespaceScoped {
			u.SetNamespace(namespace)
		}
		if old := (&unstructured.Unstructured{Object: stored}); stored != nil {
			u.SetName(old.GetName())
			u.SetNamespace(old.GetNamespace())
		}
	}
	return toJSON(u.Object)
}

// toJSON encodes a value that was decoded from JSON, or an object of the API.
func toJSON(object any) []byte {
	data, err := json.Marshal(object)
	if err != nil {
		panic(err) // such values always have a JSON form
	}
	return data
}

// statusRequest returns a write of a status to the object that an earlier write returned.
func statusRequest(answer write.Answer, status any) write.Request {
	object := runtime.DeepCopyJSON(answer.Object)
	object["status"] = runtime.DeepCopyJSONValue(status)
	return write.Request{Object: toJSON(object), Old: answer.Stored, Status: true}
}

// compare compares the answers with what the case expects, and reports the first difference.
func (o *Outcome) compare() {
	c, s := o.Case, &o.seen
	if c.Error != nil && c.StatusError == nil && s.main.answer.Rejection == nil && s.status.answer.Rejection != nil {
		o.fail(o.rejected(theStatus, s.status.answer).
			Help("use %s instead of %s", keyStatusError, keyExpectedError))
		return
	}
	o.compareStep(&s.main, theObject, c.Error)
	hasStatus := s.status.done || s.got != nil && c.OnUpdate && c.Updated.Fields["status"] != nil
	if len(o.Failures) == 0 && hasStatus {
		o.compareStep(&s.status, theStatus, c.StatusError)
	}
	if len(o.Failures) > 0 || s.got == nil {
		return
	}
	want, at := c.sent().Fields, c.sent().Key
	message := "the API server changes the object, but the case expects it unchanged"
	if c.Expected != nil {
		want, at = c.Expected.Fields, c.Expected.Key
		message = "the resulting object differs from the expected one"
	}
	lines := difference(want, s.got)
	if lines == nil {
		return
	}
	d := diag.Errorf(at, otherObject, "%s", message)
	d.Notes = lines
	if c.sent().Fields["status"] != nil && !c.OnUpdate && o.target.hasStatus(c.sent()) {
		d = d.Help("write the status in a case of onUpdate: the API server drops the status of a new object")
	}
	o.fail(dropped(d, s.main.answer.Unknown))
}

// What a write changes.
const (
	theObject = "the object"
	theStatus = "the status"
)

// rejected reports an unexpected rejection of a write.
func (o *Outcome) rejected(what string, answer write.Answer) diag.Diagnostic {
	c, operation := o.Case, "creation"
	if c.OnUpdate {
		operation = "update"
	}
	d := diag.Errorf(c.sent().place(answer), isRejected, "the API server rejects the %s of %s", operation, what)
	d.Notes, d.SeeAlso = quoted("got", sentences(answer)), o.rules(c.sent(), answer)
	if what == theObject && c.StatusError != nil {
		d = d.Help("use %s instead of %s", keyExpectedError, keyStatusError)
	}
	return d
}

// rules returns the rules of the CRD for which a server rejects an object.
func (o *Outcome) rules(sent *Object, answer write.Answer) []diag.Related {
	return sample.Rules(o.target.crd, &sent.object, causes(answer))
}

// dropped adds a note for each field that the server dropped.
func dropped(d diag.Diagnostic, unknown []string) diag.Diagnostic {
	for _, path := range unknown {
		d = d.Note("the API server drops %s: the schema has no such field", path)
	}
	return d
}

// compareStep compares the answer to a write with the expected error, if any.
func (o *Outcome) compareStep(s *step, what string, expected *Field) {
	switch isRejection := s.answer.Rejection != nil; {
	case expected == nil && isRejection:
		o.fail(o.rejected(what, s.answer))
	case expected != nil && !isRejection:
		d := diag.Errorf(expected.At, isAccepted, "the API server accepts %s, but the case expects an error", what)
		d.Notes = quoted("expected", []string{expected.V})
		o.fail(dropped(d, s.answer.Unknown))
	case expected != nil && !matches(s.answer, expected.V):
		got := sentences(s.answer)
		d := diag.Errorf(expected.At, otherError, "the API server rejects %s, but with a different error", what)
		d.Notes = append(quoted("expected", []string{expected.V}), quoted("got", got)...)
		d.SeeAlso = o.rules(o.Case.sent(), s.answer)
		if near := diag.Near(expected.V, got); near != "" {
			same := common(expected.V, near)
			d = d.Note("they differ from here: expected %q, got %q", excerpt(expected.V[same:]), excerpt(near[same:]))
		}
		o.fail(d)
	}
}

// sent returns the object of the write under test.
func (c *Case) sent() *Object {
	if c.OnUpdate {
		return c.Updated
	}
	return c.Initial
}
