package write_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/crdproof/crdproof/internal/writetest"
	"github.com/crdproof/crdproof/objects/write"
)

// FuzzWrite writes any body to the CRD of a case, as a creation and as an update of each kind. A second write has the
// same answer. A write is stored or rejected, never both. A stored object can be read, and written again unchanged.
func FuzzWrite(f *testing.F) {
	all, err := writetest.Read("testdata")
	if err != nil {
		f.Fatal(err)
	}
	var resources []*write.Resource
	for _, c := range all {
		r, err := write.New(f.Context(), c.CRD)
		if err != nil {
			f.Fatal(err)
		}
		resources = append(resources, r)
		for i, step := range c.Steps {
			if step.Written != nil && len(step.Written) < 2000 { // the rules of a longer one take seconds
				f.Add(step.Written, []byte(`{"spec":{}}`), byte(len(resources)-1), byte(i))
			}
		}
	}
	f.Add([]byte(`{"metadata":{"name":"a"},"spec":{"a":1e999,"a":-0.0}}`), []byte(`[]`), byte(0), byte(7))
	f.Fuzz(func(t *testing.T, first, second []byte, crd, options byte) {
		r := resources[int(crd)%len(resources)]
		request := write.Request{Object: first, Status: options&1 != 0,
			Validation: []string{"", "Strict", "Warn", "Ignore"}[options>>1&3]}
		created := request
		created.Status = false
		answer := writeTwice(t, r, created)
		if answer.Stored == nil {
			return
		}
		request.Object, request.Old = second, answer.Stored
		writeTwice(t, r, request)
		same, err := json.Marshal(answer.Object)
		if err != nil {
			t.Fatal(err)
		}
		update := write.Request{Object: same, Old: answer.Stored}
		again := writeTwice(t, r, update)
		if again.Rejection != nil {
			return // such as an object that ratcheting does not excuse
		}
		delete(answer.Object, "metadata") // the revision changes if the defaults of the storage version are stored
		delete(again.Object, "metadata")
		if !reflect.DeepEqual(again.Object, answer.Object) {
			t.Errorf("%s changes to %v", same, again.Object)
		}
	})
}

// writeTwice writes an object twice.
func writeTwice(t *testing.T, r *write.Resource, request write.Request) write.Answer {
	t.Helper()
	before, err := json.Marshal(request.Old)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := r.Write(t.Context(), request)
	again, errAgain := r.Write(t.Context(), request)
	if (err == nil) != (errAgain == nil) || !reflect.DeepEqual(answer, again) {
		t.Errorf("first %+v, %v, then %+v, %v", answer, err, again, errAgain)
	}
	if after, err := json.Marshal(request.Old); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the stored object changes from %s to %s", before, after)
	}
	if isStored := answer.Stored != nil; err == nil && isStored == (answer.Rejection != nil) {
		t.Errorf("stored and rejected, or neither: %+v", answer)
	}
	return answer
}
