package exchange

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"runtime/debug"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Helpers are those of one kind.
type Helpers struct {
	Prune    func(map[string]any) []string
	Default  func(map[string]any)
	Validate func(map[string]any) field.ErrorList
	Update   func(old, object map[string]any) (field.ErrorList, []string)
	Admit    func(operation, subresource string, body, old []byte) (map[string]any, field.ErrorList, []string, error)
	Request  func(operation, subresource string, body, old []byte) (field.ErrorList, []string, error)
}

// Serve answers requests, a line each, until there are no more.
func Serve(in io.Reader, out io.Writer, kinds map[string]Helpers) error {
	requests := json.NewDecoder(bufio.NewReaderSize(in, 1<<16))
	writer := bufio.NewWriterSize(out, 1<<16)
	answers := json.NewEncoder(writer)
	for {
		var r Request
		if err := requests.Decode(&r); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		h, ok := kinds[r.Kind]
		if !ok {
			return fmt.Errorf("there are no helpers for %s", r.Kind)
		}
		if err := answers.Encode(h.answer(r)); err != nil {
			return err
		}
		if err := writer.Flush(); err != nil {
			return err
		}
	}
}

func (h Helpers) answer(r Request) (a Answer) {
	defer func() {
		if p := recover(); p != nil {
			a.Panic = fmt.Sprintf("%v\n%s", p, debug.Stack())
		}
	}()
	if r.Body != nil {
		h.agree(r.Body, r.Replaced)
		return h.admit(r)
	}
	h.agree(r.Object, r.Old)
	var object, old map[string]any
	object, a.Object = h.read(r.Object)
	if r.Old == nil {
		a.Errors = Errors(h.Validate(object))
	} else {
		old, a.Old = h.read(r.Old)
		var errs field.ErrorList
		errs, a.Warnings = h.Update(old, object)
		a.Errors = Errors(errs)
		a.Changed = !bytes.Equal(Encode(old), a.Old.Defaulted)
	}
	a.Changed = a.Changed || !bytes.Equal(Encode(object), a.Object.Defaulted)
	return a
}

// agree panics if a request is judged in another way without the object.
func (h Helpers) agree(body, old []byte) {
	for _, w := range [][2]string{{"CREATE"}, {"UPDATE"}, {"UPDATE", "status"}} {
		_, errs, warnings, err := h.Admit(w[0], w[1], body, old)
		gotErrs, gotWarnings, gotErr := h.Request(w[0], w[1], body, old)
		got, want := fmt.Sprint(Errors(gotErrs), gotWarnings, gotErr), fmt.Sprint(Errors(errs), warnings, err)
		if got != want {
			panic(fmt.Sprintf("%s without the object: %s, with it: %s", w, got, want))
		}
	}
}

func (h Helpers) admit(r Request) (a Answer) {
	operation := "CREATE"
	if r.Replaced != nil {
		operation = "UPDATE"
	}
	object, errs, warnings, err := h.Admit(operation, "", r.Body, r.Replaced)
	if err != nil {
		a.Rejection = err.Error()
		return a
	}
	a.Admitted, a.Errors, a.Warnings = Encode(object), Errors(errs), warnings
	return a
}

func (h Helpers) read(data []byte) (map[string]any, Read) {
	object, err := Decode(data)
	if err != nil {
		panic(err)
	}
	var r Read
	r.Unknown = h.Prune(object)
	r.Pruned = Encode(object)
	h.Default(object)
	r.Defaulted = Encode(object)
	return object, r
}
