// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

func failWith[T any](text string) Result[T] { return Result[T]{err: &Failure{text}} }

// noEquality is the result of comparing a value of a library with one of another type.
func noEquality(other any) any {
	if _, failed := other.(*Failure); failed {
		return other
	}
	return noSuchOverload
}
