// Package next answers for the Go validators of a version of Kubernetes that has not been released, which need modules
// and a Go version of their own. It is linked into a program of these validators, which the harness runs.
package next

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A Question is one object of a kind. Old is the one that it takes the place of, nil where it is created.
type Question struct {
	Kind        string
	Object, Old json.RawMessage
}

// A Kind answers questions about the objects of one Go type.
type Kind func(q Question) (field.ErrorList, error)

// Of makes a kind of its validator.
func Of[T any](validate func(context.Context, operation.Operation, *field.Path, *T, *T) field.ErrorList) Kind {
	return func(q Question) (field.ErrorList, error) {
		op, object, old := operation.Operation{Type: operation.Create}, new(T), (*T)(nil)
		if err := json.Unmarshal(q.Object, object); err != nil {
			return nil, err
		}
		if q.Old != nil {
			op.Type, old = operation.Update, new(T)
			if err := json.Unmarshal(q.Old, old); err != nil {
				return nil, err
			}
		}
		return validate(context.Background(), op, nil, object, old), nil
	}
}

// Answer reads questions from standard input, and writes a list of errors for each, until the input ends.
func Answer(kinds map[string]Kind) {
	in, out := json.NewDecoder(bufio.NewReader(os.Stdin)), json.NewEncoder(os.Stdout)
	for {
		var q Question
		err := in.Decode(&q)
		if err == io.EOF {
			return
		}
		var answer field.ErrorList
		if err == nil && kinds[q.Kind] == nil {
			err = fmt.Errorf("no kind %s", q.Kind)
		}
		if err == nil {
			answer, err = kinds[q.Kind](q)
		}
		if err == nil {
			err = out.Encode(answer)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
