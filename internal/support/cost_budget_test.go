package support

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// A price is what each rule costs.
type price uint64

func (p price) cost(int, bool, any, any, uint64) uint64 { return uint64(p) }

func (p price) budget(*Validation, int) spender { return &budget{costs: p, left: objectBudget} }

func (p price) isLight(most int, values ...any) bool { return new(Costs).isLight(most, values...) }

// TestBudgetOfTyped shows that rules of Go values are counted as those of their JSON are, and only for large objects.
func TestBudgetOfTyped(t *testing.T) {
	const spent = "no further validation rules will be run"
	for _, test := range []struct {
		name  string
		size  int
		each  price
		wants bool
	}{
		{"a small object", 1, objectBudget, false},
		{"a large object", 10_000, 10, false},
		{"a large object with expensive rules", 10_000, objectBudget/2 + 1, true},
	} {
		k := boxes()
		k.JSON.Counter, k.JSON.Uncounted = test.each, 1000
		replaceRules(k, func() bool { return true })
		k.Certain = func(_, _, _ *box) bool { return true }
		x := &box{}
		x.Name, x.Spec.Size = strings.Repeat("x", test.size), 1
		for _, errs := range []string{fmt.Sprint(k.Validate(x)), fmt.Sprint(k.ValidateUpdate(x, x))} {
			if strings.Contains(errs, spent) != test.wants {
				t.Errorf("%s: %s", test.name, errs)
			}
		}
	}
}

// FuzzWeigh holds that the size of a Go value is not less than that of its JSON.
func FuzzWeigh(f *testing.F) {
	f.Add("name", "red", 3, "a")
	f.Fuzz(func(t *testing.T, name, color string, sides int, side string) {
		x := &box{}
		x.Name, x.Spec.Color = name, color
		for range min(max(sides, 0), 100) {
			x.Spec.Sides = append(x.Spec.Sides, side)
		}
		data, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		var object map[string]any
		if err := utiljson.Unmarshal(data, &object); err != nil {
			t.Fatal(err)
		}
		const enough = 1 << 40
		ofJSON, ofGo := enough, enough
		weigh(object, &ofJSON)
		for _, name := range []string{"metadata", "name", "spec", "color", "sides", "size"} { // they have no cost
			for _, fields := range []any{object, object["metadata"], object["spec"]} {
				if oldField(fields, name) != nil {
					ofJSON += len(name)
				}
			}
		}
		weighGo(reflect.ValueOf(x), &ofGo)
		if ofGo > ofJSON {
			t.Errorf("%s has the size %d, and %d as JSON", data, enough-ofGo, enough-ofJSON)
		}
	})
}
