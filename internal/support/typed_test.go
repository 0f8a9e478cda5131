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
		isObject := IsJSON(text, true)
		if !IsJSON(text, false) {
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
		if !IsJSON([]byte(text), false) {
			t.Error(text)
		}
	}
}

// TestMacrosInGo compares macros over Go values with those over JSON.
func TestMacrosInGo(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	failure := &Failure{text: "no such key: a"}
	outcomes := []Result[bool]{OK(true), OK(false), fail[bool](failure)}
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
		of := func(n int64) Result[bool] { return outcomes[n] }
		item := func(x *int64) Result[bool] { return of(*x) }
		value := func(x any) Result[bool] { return of(x.(int64)) }
		key := func(x string) Result[bool] { return of(int64(x[2] - '0')) }
		read := func(x *int64) Result[int64] { return OK(*x) }
		for what, same := range map[string][2]Result[bool]{
			"all":             {AllIn(list, item), AllItems(values, value)},
			"exists":          {ExistsIn(list, item), ExistsItem(values, value)},
			"exists_one":      {ExistsOneIn(list, item), ExistsOneItem(values, value)},
			"all keys":        {AllKeysIn(keys, key), AllKeys(object, key)},
			"exists key":      {ExistsKeyIn(keys, key), ExistsKey(object, key)},
			"exists_one key":  {ExistsOneKeyIn(keys, key), ExistsOneKey(object, key)},
			"in":              {IsIn(OK(int64(1)), list, read), InList(OK(int64(1)), values, JSONInt)},
			"a failure in":    {IsIn(fail[int64](failure), list, read), fail[bool](failure)},
			"key in":          {IsKeyIn(OK("01"), keys), OK(object["01"] != nil)},
			"a failing key":   {IsKeyIn(fail[string](failure), keys), fail[bool](failure)},
			"filter().size()": {asBool(CountIn(list, item)), asBool(CountItems(values, JSONInt, value))},
		} {
			got, want := same[0], same[1]
			if (got.err == nil) != (want.err == nil) || got.err == nil && got.val != want.val {
				t.Fatalf("%s of %v: %v, want %v", what, list, got, want)
			}
		}
	}
}

func asBool(n Result[int64]) Result[bool] { return Result[bool]{val: n.val == 1, err: n.err} }

// TestRepeats finds repeated items, in short and long lists.
func TestRepeats(t *testing.T) {
	odd := func(x *int) (int, bool) { return *x, *x >= 0 }
	for _, n := range []int{0, 1, fewItems, fewItems + 1, 100} {
		list := make([]int, n)
		for i := range list {
			list[i] = i
		}
		if !AreDistinct(list) || !HaveOwnKeys(list, odd) {
			t.Errorf("%d different items are repeated", n)
		}
		if n == 0 {
			continue
		}
		if AreDistinct(append(list, n-1)) || HaveOwnKeys(append(list, -1), odd) {
			t.Errorf("of %d items none is repeated, or lacks a key", n+1)
		}
	}
	olds := []int{1, 2, 2}
	for x, want := range map[int]*int{1: &olds[0], 2: &olds[1], 3: nil} {
		if old, ok := oldOf(olds, &x, odd); !ok || old != want {
			t.Errorf("the old item of %d is %v", x, old)
		}
	}
	x := -1
	if _, ok := oldOf(olds, &x, odd); ok {
		t.Error("an item without a key has an old one")
	}
	if _, ok := oldOf([]int{-1}, &olds[0], odd); ok {
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
		if IsNumber(x) != same {
			t.Errorf("%v is a number: %v, its JSON %s", x, IsNumber(x), data)
		}
	}
	for _, x := range []float32{0, 0.1, 16777217, math.MaxFloat32, math.SmallestNonzeroFloat32} {
		data, _ := json.Marshal(x)
		var decoded float64
		if err := json.Unmarshal(data, &decoded); err != nil || Float32(x) != decoded {
			t.Errorf("%v is %v in JSON, want %v", x, decoded, Float32(x))
		}
	}
	for year, want := range map[int]bool{-1: false, 0: true, 2024: true, 9999: true, 10000: false} {
		for _, date := range []time.Time{
			time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(year, 12, 31, 23, 59, 59, 999999999, time.UTC),
		} {
			if IsYear(date) != want {
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
	text := func(s string) *string { return New(s) }
	typ := &Type{Fields: []TypeField{{"a", &Type{}}, {"b", &Type{}}},
		Defaults: []Default{{"a", "default"}}}
	isA := func(v *Validation, value any, _ *Type) {
		if value.(map[string]any)["a"] != "default" {
			v.fails()
		}
	}
	if !Fits(&part{}, false, typ, isA) || Fits(&part{A: text("x")}, false, typ, isA) ||
		Fits(&part{B: math.NaN()}, true, nil) || Fits((*part)(nil), false, nil) ||
		!Fits((*part)(nil), true, nil) {
		t.Error("Fits")
	}
	if got := JSONIn(&part{A: text("x")}, &Type{}); !reflect.DeepEqual(got, map[string]any{}) {
		t.Error(got)
	}
	if JSONIn(&part{B: math.Inf(1)}, nil) != any(Unknown) || JSONIn((*part)(nil), nil) != any(Unknown) {
		t.Error("a value without JSON is known")
	}
	p := part{B: 2}
	if DefaultInJSON(&p, typ); p.A == nil || *p.A != "default" || p.B != 2 {
		t.Errorf("%+v", p)
	}
	broken := part{B: math.NaN()}
	if DefaultInJSON(&broken, typ); broken.A != nil {
		t.Error("a value without JSON has a default")
	}
	if DecodeInto(&p, `{"b": "x"}`); p.B != 2 {
		t.Errorf("%+v", p)
	}
	var made *part
	if Make(&made); made == nil || *made != (part{}) {
		t.Errorf("Make makes %+v", made)
	}
	if m, err := objectOf(&p); err != nil || m["b"] != int64(2) {
		t.Error(m, err)
	}
	if _, err := objectOf(&broken); err == nil {
		t.Error("an object without JSON has no error")
	}
	parts := Kind[part]{JSON: &Resource{Types: typesOf(&Type{Open: true})}}
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
		{B: &part{}, C: metav1.Now(), D: New(metav1.Now()), E: metav1.Time{}, F: [2]int{1}, G: []string{""}, I: 1},
		{E: &metav1.Time{}, H: map[string]int{"a": 0}, I: math.Copysign(0, -1)},
	} {
		written, err := objectOf(&x)
		if err != nil {
			t.Fatal(err)
		}
		for name, omits := range map[string]bool{
			"a": IsZeroGo(&x.A), "b": IsZeroGo(&x.B), "c": IsZeroGo(&x.C), "d": IsZeroGo(&x.D),
			"e": IsZeroGo(&x.E), "f": IsEmptyGo(&x.F), "g": IsEmptyGo(&x.G), "h": IsEmptyGo(&x.H),
			"i": IsEmptyGo(&x.I),
		} {
			if _, ok := written[name]; ok == omits {
				t.Errorf("%s of %+v is omitted: %v", name, x, omits)
			}
		}
	}
	for result, want := range map[Result[bool]][2]bool{
		OK(true): {true, false}, OK(false): {false, true}, {val: true, err: Unknown}: {}, {err: Unknown}: {},
	} {
		if got := [2]bool{IsTrue(result), IsFalse(result)}; got != want {
			t.Errorf("%+v is true and false: %v, want %v", result, got, want)
		}
	}
	entry := func(raw string) []metav1.ManagedFieldsEntry {
		return []metav1.ManagedFieldsEntry{{}, {FieldsV1: metav1.NewFieldsV1(raw)}}
	}
	if !AreManaged(entry(`{"f:a":{}}`)) || AreManaged(entry(`{`)) {
		t.Error("AreManaged")
	}
	one := func() any { return int64(1) }
	if OptionalIf(true, one) != any(Optional{int64(1), true}) ||
		OptionalIf(false, one) != any(Optional{}) ||
		OptionalIf(true, func() any { return Unknown }) != any(Unknown) {
		t.Error("OptionalIf")
	}
}

// TestItems tries functions on the items of lists, without old items and with those that have the same key.
func TestItems(t *testing.T) {
	isOdd := func(x *int) bool { return *x%2 == 1 }
	hasOdd := func(_ string, x int) bool { return x%2 == 1 }
	grows := func(x, old *int) bool { return old == nil || *old < *x }
	decade := func(x *int) (int, bool) { return *x / 10, *x >= 0 }
	for what, same := range map[string][2]bool{
		"all":                    {AllAre([]int{1, 3}, isOdd), true},
		"all but one":            {AllAre([]int{1, 2}, isOdd), false},
		"none":                   {AllAre(nil, isOdd), true},
		"new":                    {NewAre([]int{1, 2}, grows), true},
		"new, but one":           {NewAre([]int{1, 2}, func(x, _ *int) bool { return *x < 2 }), false},
		"grown":                  {KeyedAre([]int{25, 12, 31}, []int{11, 24}, decade, grows), true},
		"shrunk":                 {KeyedAre([]int{25, 12}, []int{11, 26}, decade, grows), false},
		"without a key":          {KeyedAre([]int{-1}, []int{11}, decade, grows), false},
		"without a key before":   {KeyedAre([]int{12}, []int{-1}, decade, grows), false},
		"all entries":            {AllEntries(map[string]int{"a": 1, "b": 3}, hasOdd), true},
		"all entries but one":    {AllEntries(map[string]int{"a": 1, "b": 2}, hasOdd), false},
		"text keys":              {HaveTextKeys(map[string]int{"a": 1, "é": 2}), true},
		"a key that is no text":  {HaveTextKeys(map[string]int{"a": 1, "\xff": 2}), false},
		"equal pairs":            {PairOf(1, "a") == PairOf(1, strings.ToLower("A")), true},
		"different pairs":        {PairOf(1, "a") == PairOf(1, "b"), false},
		"any":                    {AnyIs([]int{2, 3}, isOdd), true},
		"not any":                {AnyIs([]int{2, 4}, isOdd), false},
		"the count":              {CountAre([]int{1, 2, 3}, isOdd) == 2, true},
		"a condition":            {IsSo(true), true},
		"two conditions":         {CountOf(true, false, true) == 2, true},
		"no condition":           {CountOf() == 0, true},
		"a short text":           {IsLonger("äöü", 3), false},
		"a long text":            {IsLonger("äöü", 2), true},
		"a value under a truth":  {IfThere(true, func() int { return 1 }) == OK(1), true},
		"a value under a lie":    {IfThere(false, func() int { return 1 }) == fail[int](Unknown), true},
		"a result under a truth": {IfKnown(true, func() Result[int] { return OK(1) }) == OK(1), true},
		"a result under a lie": {IfKnown(false,
			func() Result[int] { return OK(1) }).err == Unknown, true},
		"a value that is there": {OrElse(true, func() int { return 1 }, 2) == 1, true},
		"a default":             {OrElse(false, func() int { return 1 }, 2) == 2, true},
	} {
		if got, want := same[0], same[1]; got != want {
			t.Errorf("%s: %t, want %t", what, got, want)
		}
	}
	part := func(x *[2]int) *int { return &x[1] }
	if old := [2]int{1, 2}; *PartOf(&old, part) != 2 || PartOf(nil, part) != nil {
		t.Error("the part of an old value is not found")
	}
}

// TestSet sets defaults in items, in zero values and in nil pointers.
func TestSet(t *testing.T) {
	list := []int{0, 5}
	InEach(list, func(x *int) { SetZero(x, 3) })
	SetIn(nil, func(*int) { t.Error("a nil pointer gets defaults") })
	SetIn(&list[1], func(x *int) { *x++ })
	var none *int
	some := New(1)
	for _, x := range []**int{&none, &some} {
		SetInOr(x, func(x *int) { *x += 10 }, "4")
	}
	if list[1] != 6 || *none != 4 || *some != 11 {
		t.Error(list, *none, *some)
	}
	list[1] = 5
	pointers := []*int{nil, &list[1]}
	InEach(pointers, func(x **int) { SetNil(x, 7) })
	if !slices.Equal(list, []int{3, 5}) || *pointers[0] != 7 || *pointers[1] != 5 {
		t.Error(list, *pointers[0], *pointers[1])
	}
}
