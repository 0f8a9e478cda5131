package support

func crdFailed[T any](text string) crdResult[T] { return crdResult[T]{err: &crdFailure{text}} }

// crdNoEquality is the result of comparing a value of a library with one of another type.
func crdNoEquality(other any) any {
	if _, failed := other.(*crdFailure); failed {
		return other
	}
	return crdNoSuchOverload
}
