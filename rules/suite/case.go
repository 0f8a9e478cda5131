package suite

import (
	"context"
	"encoding/json"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/rules/server"
)

// What is made up for objects that say nothing of it.
const (
	generateName = "test-"
	namespace    = "default"
)

// An attempt is the run of one case.
type attempt struct {
	ctx context.Context
	*Outcome
}

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

// refusal is the server's sentence, "" where it has accepted the write.
func (s *step) refusal() string {
	if s.answer.Refusal == nil {
		return ""
	}
	return s.answer.Refusal.ErrStatus.Message
}

// A write is a request, and what came of it.
type write struct {
	request server.Request
	answer  server.Answer
}

// fail adds a failure, and says which case it is of.
func (a *attempt) fail(d diag.Diagnostic) {
	d.Message = a.Name + ": " + d.Message
	a.Failures = append(a.Failures, d)
}

func (a *attempt) run() {
	if a.Case.OnUpdate {
		a.update()
	} else {
		a.create()
	}
	if len(a.Failures) == 0 {
		a.judge()
	}
}

// create runs a case of onCreate.
func (a *attempt) create() {
	a.take(&a.seen.main, a.Case.Initial, server.Request{Object: a.body(a.Case.Initial.Fields, nil)})
}

// update runs a case of onUpdate: it creates the object, under the patched CRD if there are patches, and updates it.
func (a *attempt) update() {
	stored, ok := a.initial()
	if !ok {
		return
	}
	updated := a.Case.Updated
	a.take(&a.seen.main, updated, server.Request{Object: a.body(updated.Fields, stored), Old: stored})
	if status := updated.Fields["status"]; a.seen.got != nil && status != nil && a.target.hasStatus(updated) {
		a.take(&a.seen.status, updated, statusRequest(a.seen.main.answer, status))
	}
}

// take does a write that the case is about.
func (a *attempt) take(s *step, o *Object, request server.Request) {
	if s.answer, s.done = a.write(a.target.resource, o, request); s.done {
		a.seen.got = s.answer.Object
	}
}

// initial creates the object of a case of onUpdate, and returns what is stored.
func (a *attempt) initial() (stored map[string]any, ok bool) {
	initial := a.Case.Initial
	resource, ok := a.patched()
	if !ok {
		return nil, false
	}
	answer, ok := a.write(resource, initial, server.Request{Object: a.body(initial.Fields, nil)})
	if ok && answer.Refusal == nil && initial.Fields["status"] != nil && a.target.hasStatus(initial) {
		answer, ok = a.write(resource, initial, statusRequest(answer, initial.Fields["status"]))
	}
	if ok && answer.Refusal != nil {
		d := diag.Errorf(initial.place(answer), initialRefused,
			"the API server refuses to create the initial object, so that what the case is about is not tested")
		d.Notes = quoted("got", sentences(answer))
		a.fail(d)
		return nil, false
	}
	return answer.Stored, ok
}

// write writes an object. It reports false where there is no answer, and why as a failure.
func (a *attempt) write(to *server.Resource, o *Object, request server.Request) (server.Answer, bool) {
	answer, err := to.Write(a.ctx, request)
	if err != nil {
		a.fail(diag.Errorf(o.Key, isRefused, "the object cannot be written: %v", err))
		return answer, false
	}
	if answer.Refusal != nil && to == a.target.resource {
		a.seen.refused = append(a.seen.refused, write{request, answer})
	}
	return answer, true
}

// body is an object as it is sent: its name and its namespace are made up, or else those of what is stored.
func (a *attempt) body(fields, stored map[string]any) []byte {
	u := unstructured.Unstructured{Object: runtime.DeepCopyJSON(fields)}
	if _, ok := fields["metadata"].(map[string]any); ok || fields["metadata"] == nil {
		u.SetGenerateName(generateName)
		if u.GetNamespace() == "" && a.target.crd.Object.Spec.Scope == apiext.NamespaceScoped {
			u.SetNamespace(namespace)
		}
		if old := (&unstructured.Unstructured{Object: stored}); stored != nil {
			u.SetName(old.GetName())
			u.SetNamespace(old.GetNamespace())
		}
	}
	data, err := json.Marshal(u.Object)
	if err != nil {
		panic(err) // what was decoded from JSON has JSON
	}
	return data
}

// statusRequest writes a status to what an earlier write has answered.
func statusRequest(answer server.Answer, status any) server.Request {
	object := runtime.DeepCopyJSON(answer.Object)
	object["status"] = runtime.DeepCopyJSONValue(status)
	data, err := json.Marshal(object)
	if err != nil {
		panic(err) // what was decoded from JSON has JSON
	}
	return server.Request{Object: data, Old: answer.Stored, Status: true}
}

// judge holds what was seen against what is expected. Of what is wrong it tells the first.
func (a *attempt) judge() {
	c, s := a.Case, &a.seen
	if c.Error != nil && c.StatusError == nil && s.main.refusal() == "" && s.status.refusal() != "" {
		a.fail(refused(c, theStatus, s.status.answer).Help("write %s in place of %s", keyStatusError, keyExpectedError))
		return
	}
	a.judgeStep(&s.main, theObject, c.Error)
	hasStatus := s.status.done || s.got != nil && c.OnUpdate && c.Updated.Fields["status"] != nil
	if len(a.Failures) == 0 && hasStatus {
		a.judgeStep(&s.status, theStatus, c.StatusError)
	}
	if len(a.Failures) > 0 || s.got == nil {
		return
	}
	want, at := c.sent().Fields, c.key(c.sentKey())
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
	a.fail(dropped(d, s.main.answer.Unknown))
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
func (a *attempt) judgeStep(s *step, what string, expected *Field) {
	switch refusal := s.refusal(); {
	case expected == nil && refusal != "":
		a.fail(refused(a.Case, what, s.answer))
	case expected != nil && refusal == "":
		d := diag.Errorf(expected.At, isAccepted, "the API server accepts %s", what)
		d.Notes = quoted("expected", []string{expected.V})
		a.fail(dropped(d, s.answer.Unknown))
	case expected != nil && !matches(s.answer, expected.V):
		got := sentences(s.answer)
		d := diag.Errorf(expected.At, otherRefusal, "the API server refuses %s with another error than expected", what)
		d.Notes = append(quoted("expected", []string{expected.V}), quoted("got", got)...)
		if near := diag.Near(expected.V, got); near != "" {
			same := common(expected.V, near)
			d = d.Help("they differ where it says %q, not %q", excerpt(near[same:]), excerpt(expected.V[same:]))
		}
		a.fail(d)
	}
}

// sent is the object of the write that the case is about.
func (c *Case) sent() *Object {
	if c.OnUpdate {
		return c.Updated
	}
	return c.Initial
}

// sentKey is the key that it stands under.
func (c *Case) sentKey() string {
	if c.OnUpdate {
		return keyUpdated
	}
	return keyInitial
}
