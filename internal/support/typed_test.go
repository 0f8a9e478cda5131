package support

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// FuzzIsJSON holds that a text which is certainly JSON can be decoded, as part of an object too, and is not null.
func FuzzIsJSON(f *testing.F) {
	for _, text := range []string{
		`{"a": [1, -2.5, true, null, "\n\"x"], "": {}}`, ` [ ] `, `0`, `01`, `-`, `1.`, `1e5`, `1E400`,
		`123456789012345678901`, `"\u12"`, "\"\x01\"", `nul`, `null`, ` null`, `truefalse`, `{"a" 1}`, `{"a":1,}`,
		`[1 2]`, `{}{}`, `"a`,
		`"a\`, ``,
		strings.Repeat("[", 200) + strings.Repeat("]", 200), `{"a":1}x`, "\"\xff\"",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		isObject := crdIsJSON(text, true)
		if !crdIsJSON(text, false) {
			if isObject {
				t.Errorf("%q is an object, but not JSON", text)
			}
			return
		}
		var decoded struct{ X any }
		whole, err := json.Marshal(struct{ X json.RawMessage }{text})
		if err != nil {
			t.Fatalf("%q cannot be encoded: %v", text, err)
		}
		if err := utiljson.Unmarshal(whole, &decoded); err != nil || decoded.X == nil {
			t.Fatalf("%q: %v, %v", text, decoded.X, err)
		}
		if _, ok := decoded.X.(map[string]any); ok != isObject {
			t.Errorf("%q is an object: %v", text, ok)
		}
	})
}

// TestCommonJSON shows that the JSON of common values is recognized.
func TestCommonJSON(t *testing.T) {
	for _, text := range []string{
		`{"a":[1,-2.5,true,false,null,"x\ny"],"b":{}}`, `"a"`, `0`, " [ ]\n", `-0.25`, `true`,
	} {
		if !crdIsJSON([]byte(text), false) {
			t.Error(text)
		}
	}
}

// TestMacrosInGo compares macros over Go values with those over JSON.
func TestMacrosInGo(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	failure := &crdFailure{text: "no such key: a"}
	outcomes := []crdResult[bool]{crdOK(true), crdOK(false), crdFail[bool](failure)}
	for range 2000 {
		list := make([]int64, random.IntN(4))
		values := make([]any, len(list))
		keys, object := map[string]bool{}, map[string]any{}
		for i := range list {
			list[i] = int64(random.IntN(3))
			values[i] = list[i]
			key := fmt.Sprint(i, list[i])
			keys[key], object[key] = true, true
		}
		of := func(n int64) crdResult[bool] { return outcomes[n] }
		item := func(x *int64) crdResult[bool] { return of(*x) }
		value := func(x any) crdResult[bool] { return of(x.(int64)) }
		key := func(x string) crdResult[bool] { return of(int64(x[2] - '0')) }
		read := func(x *int64) crdResult[int64] { return crdOK(*x) }
		for what, same := range map[string][2]crdResult[bool]{
			"all":             {crdAllIn(list, item), crdAllItems(values, value)},
			"exists":          {crdExistsIn(list, item), crdExistsItem(values, value)},
			"exists_one":      {crdExistsOneIn(list, item), crdExistsOneItem(values, value)},
			"all keys":        {crdAllKeysIn(keys, key), crdAllKeys(object, key)},
			"exists key":      {crdExistsKeyIn(keys, key), crdExistsKey(object, key)},
			"exists_one key":  {crdExistsOneKeyIn(keys, key), crdExistsOneKey(object, key)},
			"in":              {crdIsIn(crdOK(int64(1)), list, read), crdInList(crdOK(int64(1)), values, crdJSONInt)},
			"a failure in":    {crdIsIn(crdFail[int64](failure), list, read), crdFail[bool](failure)},
			"key in":          {crdIsKeyIn(crdOK("01"), keys), crdOK(object["01"] != nil)},
			"a failing key":   {crdIsKeyIn(crdFail[string](failure), keys), crdFail[bool](failure)},
			"filter().size()": {asBool(crdCountIn(list, item)), asBool(crdCountItems(values, crdJSONInt, value))},
		} {
			got, want := same[0], same[1]
			if (got.err == nil) != (want.err == nil) || got.err == nil && got.val != want.val {
				t.Fatalf("%s of %v: %v, want %v", what, list, got, want)
			}
		}
	}
}

func asBool(n crdResult[int64]) crdResult[bool] { return crdResult[bool]{val: n.val == 1, err: n.err} }

// TestRepeats finds repeated items, in short and long lists.
func TestRepeats(t *testing.T) {
	odd := func(x *int) (int, bool) { return *x, *x >= 0 }
	for _, n := range []int{0, 1, crdFewItems, crdFewItems + 1, 100} {
		list := make([]int, n)
		for i := range list {
			list[i] = i
		}
		if !crdAreDistinct(list) || !crdHaveOwnKeys(list, odd) {
			t.Errorf("%d different items are repeated", n)
		}
		if n == 0 {
			continue
		}
		if crdAreDistinct(append(list, n-1)) || crdHaveOwnKeys(append(list, -1), odd) {
			t.Errorf("of %d items none is repeated, or lacks a key", n+1)
		}
	}
	olds := []int{1, 2, 2}
	for x, want := range map[int]*int{1: &olds[0], 2: &olds[1], 3: nil} {
		if old, ok := crdOldOf(olds, &x, odd); !ok || old != want {
			t.Errorf("the old item of %d is %v", x, old)
		}
	}
	x := -1
	if _, ok := crdOldOf(olds, &x, odd); ok {
		t.Error("an item without a key has an old one")
	}
	if _, ok := crdOldOf([]int{-1}, &olds[0], odd); ok {
		t.Error("an old item without a key is passed over")
	}
}

// TestGoNumbers compares what typed code knows of numbers and times with their JSON.
func TestGoNumbers(t *testing.T) {
	for _, x := range []float64{
		0, 1, 0.1, -1.5, 1e21, 1e300, math.MaxFloat64, math.NaN(), math.Inf(-1), math.Copysign(0, -1),
	} {
		var decoded any
		data, err := json.Marshal(x)
		same := err == nil && utiljson.Unmarshal(data, &decoded) == nil && isSameNumber(decoded, x)
		if crdIsNumber(x) != same {
			t.Errorf("%v is a number: %v, its JSON %s", x, crdIsNumber(x), data)
		}
	}
	for _, x := range []float32{0, 0.1, 16777217, math.MaxFloat32, math.SmallestNonzeroFloat32} {
		data, _ := json.Marshal(x)
		var decoded float64
		if err := json.Unmarshal(data, &decoded); err != nil || crdFloat32(x) != decoded {
			t.Errorf("%v is %v in JSON, want %v", x, decoded, crdFloat32(x))
		}
	}
	for year, want := range map[int]bool{-1: false, 0: true, 2024: true, 9999: true, 10000: false} {
		for _, date := range []time.Time{
			time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(year, 12, 31, 23, 59, 59, 999999999, time.UTC),
		} {
			if crdIsYear(date) != want {
				t.Errorf("%v: %v", date, !want)
			}
		}
	}
}

// isSameNumber reports whether a decoded number is a float, with its sign.
func isSameNumber(decoded any, x float64) bool {
	switch decoded := decoded.(type) {
	case int64:
		return float64(decoded) == x && !math.Signbit(x) == (decoded >= 0)
	case float64:
		return decoded == x
	}
	return false
}

// TestGoValues shows the JSON of Go values, and what is set in them.
func TestGoValues(t *testing.T) {
	type part struct {
		A *string `json:"a,omitempty"`
		B float64 `json:"b,omitempty"`
	}
	text := func(s string) *string { return crdNew(s) }
	typ := &crdType{fields: []crdTypeField{{"a", &crdType{}}, {"b", &crdType{}}},
		defaults: []crdDefault{{"a", func() any { return "default" }}}}
	isA := func(v *crdValidation, value any, _ *crdType) {
		if value.(map[string]any)["a"] != "default" {
			v.fails()
		}
	}
	if !crdFits(&part{}, false, typ, isA) || crdFits(&part{A: text("x")}, false, typ, isA) ||
		crdFits(&part{B: math.NaN()}, true, nil) || crdFits((*part)(nil), false, nil) ||
		!crdFits((*part)(nil), true, nil) {
		t.Error("crdFits")
	}
	if got := crdJSONIn(&part{A: text("x")}, &crdType{}); !reflect.DeepEqual(got, map[string]any{}) {
		t.Error(got)
	}
	if crdJSONIn(&part{B: math.Inf(1)}, nil) != any(crdUnknown) || crdJSONIn((*part)(nil), nil) != any(crdUnknown) {
		t.Error("a value without JSON is known")
	}
	p := part{B: 2}
	if crdDefaultInJSON(&p, typ); p.A == nil || *p.A != "default" || p.B != 2 {
		t.Errorf("%+v", p)
	}
	broken := part{B: math.NaN()}
	if crdDefaultInJSON(&broken, typ); broken.A != nil {
		t.Error("a value without JSON has a default")
	}
	if crdDecodeInto(&p, `{"b": "x"}`); p.B != 2 {
		t.Errorf("%+v", p)
	}
	var made *part
	if crdMake(&made); made == nil || *made != (part{}) {
		t.Errorf("crdMake makes %+v", made)
	}
	if m, err := crdObjectOf(&p); err != nil || m["b"] != int64(2) {
		t.Error(m, err)
	}
	if _, err := crdObjectOf(&broken); err == nil {
		t.Error("an object without JSON has no error")
	}
	parts := crdKind[part]{JSON: &crdResource{typ: &crdType{open: true}}}
	errs := parts.Validate(&broken)
	if len(errs) != 1 || errs[0].Type != field.ErrorTypeInternal {
		t.Error("an object without JSON has the errors", errs)
	}
	if errs, warnings := parts.ValidateUpdate(&p, &p); len(errs)+len(warnings) > 0 {
		t.Error("an update has", errs, warnings)
	}
	type fields struct {
		A part           `json:"a,omitzero"`
		B *part          `json:"b,omitzero"`
		C metav1.Time    `json:"c,omitzero"`
		D *metav1.Time   `json:"d,omitzero"`
		E any            `json:"e,omitzero"`
		F [2]int         `json:"f,omitempty"`
		G []string       `json:"g,omitempty"`
		H map[string]int `json:"h,omitempty"`
		I float64        `json:"i,omitempty"`
	}
	for _, x := range []fields{
		{}, {A: p, B: &p, D: &metav1.Time{}, E: 0, G: []string{}, H: map[string]int{}},
		{B: &part{}, C: metav1.Now(), D: crdNew(metav1.Now()), E: metav1.Time{}, F: [2]int{1}, G: []string{""}, I: 1},
		{E: &metav1.Time{}, H: map[string]int{"a": 0}, I: math.Copysign(0, -1)},
	} {
		written, err := crdObjectOf(&x)
		if err != nil {
			t.Fatal(err)
		}
		for name, omits := range map[string]bool{
			"a": crdIsZeroGo(&x.A), "b": crdIsZeroGo(&x.B), "c": crdIsZeroGo(&x.C), "d": crdIsZeroGo(&x.D),
			"e": crdIsZeroGo(&x.E), "f": crdIsEmptyGo(&x.F), "g": crdIsEmptyGo(&x.G), "h": crdIsEmptyGo(&x.H),
			"i": crdIsEmptyGo(&x.I),
		} {
			if _, ok := written[name]; ok == omits {
				t.Errorf("%s of %+v is omitted: %v", name, x, omits)
			}
		}
	}
	for result, want := range map[crdResult[bool]][2]bool{
		crdOK(true): {true, false}, crdOK(false): {false, true}, {val: true, err: crdUnknown}: {}, {err: crdUnknown}: {},
	} {
		if got := [2]bool{crdIsTrue(result), crdIsFalse(result)}; got != want {
			t.Errorf("%+v is true and false: %v, want %v", result, got, want)
		}
	}
	entry := func(raw string) []metav1.ManagedFieldsEntry {
		return []metav1.ManagedFieldsEntry{{}, {FieldsV1: metav1.NewFieldsV1(raw)}}
	}
	if !crdAreManaged(entry(`{"f:a":{}}`)) || crdAreManaged(entry(`{`)) {
		t.Error("crdAreManaged")
	}
	one := func() any { return int64(1) }
	if crdOptionalIf(true, one) != any(crdOptional{int64(1), true}) ||
		crdOptionalIf(false, one) != any(crdOptional{}) ||
		crdOptionalIf(true, func() any { return crdUnknown }) != any(crdUnknown) {
		t.Error("crdOptionalIf")
	}
}

// TestItems tries functions on the items of lists, without old items and with those that have the same key.
func TestItems(t *testing.T) {
	isOdd := func(x *int) bool { return *x%2 == 1 }
	grows := func(x, old *int) bool { return old == nil || *old < *x }
	decade := func(x *int) (int, bool) { return *x / 10, *x >= 0 }
	for what, same := range map[string][2]bool{
		"all":                    {crdAllAre([]int{1, 3}, isOdd), true},
		"all but one":            {crdAllAre([]int{1, 2}, isOdd), false},
		"none":                   {crdAllAre(nil, isOdd), true},
		"new":                    {crdNewAre([]int{1, 2}, grows), true},
		"new, but one":           {crdNewAre([]int{1, 2}, func(x, _ *int) bool { return *x < 2 }), false},
		"grown":                  {crdKeyedAre([]int{25, 12, 31}, []int{11, 24}, decade, grows), true},
		"shrunk":                 {crdKeyedAre([]int{25, 12}, []int{11, 26}, decade, grows), false},
		"without a key":          {crdKeyedAre([]int{-1}, []int{11}, decade, grows), false},
		"without a key before":   {crdKeyedAre([]int{12}, []int{-1}, decade, grows), false},
		"any":                    {crdAnyIs([]int{2, 3}, isOdd), true},
		"not any":                {crdAnyIs([]int{2, 4}, isOdd), false},
		"the count":              {crdCountAre([]int{1, 2, 3}, isOdd) == 2, true},
		"a condition":            {crdIsSo(true), true},
		"two conditions":         {crdCountOf(true, false, true) == 2, true},
		"no condition":           {crdCountOf() == 0, true},
		"a short text":           {crdIsLonger("äöü", 3), false},
		"a long text":            {crdIsLonger("äöü", 2), true},
		"a value under a truth":  {crdIfThere(true, func() int { return 1 }) == crdOK(1), true},
		"a value under a lie":    {crdIfThere(false, func() int { return 1 }) == crdFail[int](crdUnknown), true},
		"a result under a truth": {crdIfKnown(true, func() crdResult[int] { return crdOK(1) }) == crdOK(1), true},
		"a result under a lie": {crdIfKnown(false,
			func() crdResult[int] { return crdOK(1) }).err == crdUnknown, true},
		"a value that is there": {crdOrElse(true, func() int { return 1 }, 2) == 1, true},
		"a default":             {crdOrElse(false, func() int { return 1 }, 2) == 2, true},
	} {
		if got, want := same[0], same[1]; got != want {
			t.Errorf("%s: %t, want %t", what, got, want)
		}
	}
	part := func(x *[2]int) *int { return &x[1] }
	if old := [2]int{1, 2}; *crdPartOf(&old, part) != 2 || crdPartOf(nil, part) != nil {
		t.Error("the part of an old value is not found")
	}
}

// TestSet sets defaults in items, in zero values and in nil pointers.
func TestSet(t *testing.T) {
	list := []int{0, 5}
	crdInEach(list, func(x *int) { crdSetZero(x, 3) })
	pointers := []*int{nil, &list[1]}
	crdInEach(pointers, func(x **int) { crdSetNil(x, 7) })
	if !slices.Equal(list, []int{3, 5}) || *pointers[0] != 7 || *pointers[1] != 5 {
		t.Error(list, *pointers[0], *pointers[1])
	}
}
