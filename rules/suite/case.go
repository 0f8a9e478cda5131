package suite

import (
	"context"
	"encoding/json"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/stage"
	"github.com/crdproof/crdproof/rules/server"
)

// What is made up for objects that say nothing of it.
const (
	generateName = "test-"
	namespace    = "default"
)

// seen is what the server did with the writes of a case.
type seen struct {
	// main is the write that the case is about, a creation or an update, status that of the status after it.
	main, status step
	// got is what a client reads in the end, nil where a write was refused.
	got map[string]any
	// refused are the writes that were refused, for the coverage.
	refused []write
}

// A step is a write of a case.
type step struct {
	// done is set once the write has been answered.
	done   bool
	answer server.Answer
}

// A write is a request with an object of a version, and what came of it.
type write struct {
	version string
	request server.Request
	answer  server.Answer
}

// fail adds a failure, and says which case it is of.
func (o *Outcome) fail(d diag.Diagnostic) {
	d.Message = o.Name + ": " + d.Message
	o.Failures = append(o.Failures, d)
}

// run runs the case. A panic is a bug of crdproof's; the other cases are run all the same.
func (o *Outcome) run(ctx context.Context) {
	defer func() {
		if bug := recover(); bug != nil {
			o.Failures = []diag.Diagnostic{stage.Caught(bug).Finding(o.Case.Name.At, "the suite")}
		}
	}()
	if initial := o.Case.Initial; o.Case.OnUpdate {
		o.update(ctx)
	} else {
		o.take(ctx, &o.seen.main, initial, server.Request{Object: o.body(initial.Fields, nil)})
	}
	if len(o.Failures) == 0 {
		o.judge()
	}
}

// update runs a case of onUpdate: it creates the object, under the patched CRD if there are patches, and updates it.
func (o *Outcome) update(ctx context.Context) {
	stored, ok := o.initial(ctx)
	if !ok {
		return
	}
	updated := o.Case.Updated
	o.take(ctx, &o.seen.main, updated, server.Request{Object: o.body(updated.Fields, stored), Old: stored})
	if status := updated.Fields["status"]; o.seen.got != nil && status != nil && o.target.hasStatus(updated) {
		o.take(ctx, &o.seen.status, updated, statusRequest(o.seen.main.answer, status))
	}
}

// take does a write that the case is about.
func (o *Outcome) take(ctx context.Context, s *step, sent *Object, request server.Request) {
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
	answer, ok := o.write(ctx, resource, initial, server.Request{Object: o.body(initial.Fields, nil)})
	if ok && answer.Refusal == nil && initial.Fields["status"] != nil && o.target.hasStatus(initial) {
		answer, ok = o.write(ctx, resource, initial, statusRequest(answer, initial.Fields["status"]))
	}
	if ok && answer.Refusal != nil {
		d := diag.Errorf(initial.place(answer), initialRefused,
			"the API server refuses to create the initial object, so that what the case is about is not tested")
		d.Notes = quoted("got", sentences(answer))
		o.fail(d)
		return nil, false
	}
	return answer.Stored, ok
}

// write writes an object. It reports false where there is no answer, and why as a failure.
func (o *Outcome) write(
	ctx context.Context, to *server.Resource, sent *Object, request server.Request,
) (server.Answer, bool) {
	answer, err := to.Write(ctx, request)
	if err != nil {
		o.fail(diag.Errorf(sent.Key, isRefused, "the object cannot be written: %v", err))
		return answer, false
	}
	if answer.Refusal != nil && to == o.target.resource {
		o.seen.refused = append(o.seen.refused, write{sent.version(), request, answer})
	}
	return answer, true
}

// body is an object as it is sent: its name and its namespace are made up, or else those of what is stored.
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

// toJSON encodes what was decoded from JSON, or is an object of the API.
func toJSON(object any) []byte {
	data, err := json.Marshal(object)
	if err != nil {
		panic(err) // these have JSON
	}
	return data
}

// statusRequest writes a status to what an earlier write has answered.
func statusRequest(answer server.Answer, status any) server.Request {
	object := runtime.DeepCopyJSON(answer.Object)
	object["status"] = runtime.DeepCopyJSONValue(status)
	return server.Request{Object: toJSON(object), Old: answer.Stored, Status: true}
}

// judge holds what was seen against what is expected. Of what is wrong it tells the first.
func (o *Outcome) judge() {
	c, s := o.Case, &o.seen
	if c.Error != nil && c.StatusError == nil && s.main.answer.Refusal == nil && s.status.answer.Refusal != nil {
		o.fail(refused(c, theStatus, s.status.answer).Help("write %s in place of %s", keyStatusError, keyExpectedError))
		return
	}
	o.judgeStep(&s.main, theObject, c.Error)
	hasStatus := s.status.done || s.got != nil && c.OnUpdate && c.Updated.Fields["status"] != nil
	if len(o.Failures) == 0 && hasStatus {
		o.judgeStep(&s.status, theStatus, c.StatusError)
	}
	if len(o.Failures) > 0 || s.got == nil {
		return
	}
	want, at := c.sent().Fields, c.sent().Key
	message := "the API server changes the object, and nothing else is expected"
	if c.Expected != nil {
		want, at = c.Expected.Fields, c.Expected.Key
		message = "the API server has another object than expected"
	}
	lines := difference(want, s.got)
	if lines == nil {
		return
	}
	d := diag.Errorf(at, otherObject, "%s", message)
	d.Notes = lines
	if c.sent().Fields["status"] != nil && !c.OnUpdate {
		d = d.Help("a status is not kept when an object is created; a case of onUpdate writes it through the status " +
			"subresource")
	}
	o.fail(dropped(d, s.main.answer.Unknown))
}

// What a write is of.
const (
	theObject = "the object"
	theStatus = "the status"
)

// refused says that a write is refused that should not be.
func refused(c *Case, what string, answer server.Answer) diag.Diagnostic {
	verb := "create"
	if c.OnUpdate {
		verb = "update"
	}
	d := diag.Errorf(c.sent().place(answer), isRefused, "the API server refuses to %s %s", verb, what)
	d.Notes = quoted("got", sentences(answer))
	if what == theObject && c.StatusError != nil {
		d = d.Help("write %s in place of %s", keyExpectedError, keyStatusError)
	}
	return d
}

// dropped adds the fields that the server did not keep.
func dropped(d diag.Diagnostic, unknown []string) diag.Diagnostic {
	for _, path := range unknown {
		d = d.Note("no schema has the field %s; it is dropped", path)
	}
	return d
}

// judgeStep holds the answer to a write against the error that is expected of it, if any.
func (o *Outcome) judgeStep(s *step, what string, expected *Field) {
	switch isRefusal := s.answer.Refusal != nil; {
	case expected == nil && isRefusal:
		o.fail(refused(o.Case, what, s.answer))
	case expected != nil && !isRefusal:
		d := diag.Errorf(expected.At, isAccepted, "the API server accepts %s", what)
		d.Notes = quoted("expected", []string{expected.V})
		o.fail(dropped(d, s.answer.Unknown))
	case expected != nil && !matches(s.answer, expected.V):
		got := sentences(s.answer)
		d := diag.Errorf(expected.At, otherRefusal, "the API server refuses %s with another error than expected", what)
		d.Notes = append(quoted("expected", []string{expected.V}), quoted("got", got)...)
		if near := diag.Near(expected.V, got); near != "" {
			same := common(expected.V, near)
			d = d.Help("they differ where it says %q, not %q", excerpt(near[same:]), excerpt(expected.V[same:]))
		}
		o.fail(d)
	}
}

// sent is the object of the write that the case is about.
func (c *Case) sent() *Object {
	if c.OnUpdate {
		return c.Updated
	}
	return c.Initial
}
