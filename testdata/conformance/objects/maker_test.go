package objects_test

import (
	"reflect"
	"testing"

	"github.com/crdproof/crdproof/testdata/conformance/answers"
)

// TestMake shows that an object can be made again, and that among the objects are right ones and such that are wrong in
// every way that a schema can be broken.
func TestMake(t *testing.T) {
	files, err := answers.SmallFiles()
	if err != nil {
		t.Fatal(err)
	}
	kinds, err := answers.Kinds(files)
	if err != nil {
		t.Fatal(err)
	}
	r := &answers.Report{}
	for _, k := range kinds {
		for number := range uint64(400) {
			c, answer, err := k.Try(5, number)
			if err != nil {
				t.Fatal(err)
			}
			again, _, err := k.Try(5, number)
			if err != nil || !reflect.DeepEqual(c, again) {
				t.Fatalf("%s: object %d differs from itself: %v", k.Name, number, err)
			}
			r.Add(answers.Finding{Case: c, Server: answer})
		}
	}
	t.Log(r.Errors)
	if n := r.Objects(); r.Accepted*5 < n || r.Accepted*5 > 4*n || r.Pruned*20 < n || r.Changed*20 < n ||
		r.Warned == 0 {
		t.Errorf("of %d objects %d are accepted, %d pruned, %d defaulted", n, r.Accepted, r.Pruned, r.Changed)
	}
	for _, e := range []string{
		"values: FieldValueInvalid", "values: FieldValueNotSupported", "values: FieldValueRequired",
		"values: FieldValueTooLong", "values: FieldValueTooMany",
		"values: FieldValueTypeInvalid", "scale: FieldValueInvalid", "embedded metadata: FieldValueInvalid",
		"embedded metadata: FieldValueRequired",
		"list types: FieldValueDuplicate", "list types: FieldValueInvalid", "rules: FieldValueInvalid",
	} {
		if r.Errors[e] == 0 {
			t.Errorf("no object has the error %s", e)
		}
	}
}
