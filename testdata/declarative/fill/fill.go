// Package fill generates random values of Go types, near the bounds of their tags, and changes them a little. It does
// not read the tags: a field's struct tag `try` lists the words to try, and all other values are small.
package fill

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

// A Filler makes values from its random numbers.
type Filler struct{ *rand.Rand }

// Spec fills the spec of a kind, to which the pointer leads, and gives it the metadata that a stored object has.
func (f Filler) Spec(kind any, name, apiVersion string) {
	v := reflect.ValueOf(kind).Elem()
	v.FieldByName("Kind").SetString(name)
	v.FieldByName("APIVersion").SetString(apiVersion)
	v.FieldByName("Name").SetString("an-object")
	v.FieldByName("Namespace").SetString("a-namespace")
	v.FieldByName("UID").SetString("1-2-3")
	v.FieldByName("ResourceVersion").SetString("1")
	f.fill(v.FieldByName("Spec"), nil)
}

func (f Filler) chance(percent int) bool { return f.IntN(100) < percent }

func pick[T any](f Filler, list ...T) T { return list[f.IntN(len(list))] }

// fill sets v at random; words are those to try, of this field or one around it.
func (f Filler) fill(v reflect.Value, words []string) {
	switch v.Kind() {
	case reflect.Struct:
		if isQuantity(v) {
			v.Set(reflect.ValueOf(resource.MustParse(pick(f, words...))))
			return
		}
		for i := range v.NumField() {
			f.fill(v.Field(i), wordsOf(v.Type().Field(i), words))
		}
	case reflect.Bool:
		v.SetBool(f.chance(50))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(f.number(words))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(max(0, f.number(words))))
	case reflect.String:
		v.SetString(f.text(words))
	case reflect.Pointer:
		v.SetZero()
		if f.chance(65) {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem(), words)
		}
	case reflect.Slice:
		f.slice(v, words)
	case reflect.Map:
		f.mapping(v, words)
	default:
		panic(fmt.Sprintf("no values of %s are made", v.Type()))
	}
}

// isQuantity reports whether v is a quantity, which is one text.
func isQuantity(v reflect.Value) bool { return v.Type() == reflect.TypeFor[resource.Quantity]() }

func wordsOf(field reflect.StructField, around []string) []string {
	text, ok := field.Tag.Lookup("try")
	if !ok {
		return around
	}
	if samples := samplesOf(text); samples != nil {
		return samples
	}
	return strings.Split(text, ",")
}

func (f Filler) number(words []string) int64 {
	if len(words) > 0 && f.chance(40) {
		if n, err := strconv.ParseInt(pick(f, words...), 10, 64); err == nil {
			return n
		}
	}
	return int64(pick(f, 0, 0, 1, 1, 2, 3, f.IntN(9)-3))
}

func (f Filler) text(words []string) string {
	if len(words) > 0 && f.chance(75) {
		word := pick(f, words...)
		if len(words) > samplesAtLeast && f.chance(25) {
			return f.change(word)
		}
		return word
	}
	return pick(f, "", "", "a", "a", "b", "c", "ab", "ba", "abc", "abcd", "abcdef", "ž", "žba", "日本", "🐎🐎🐎", " ", "A",
		`"`)
}

// change replaces, drops or adds one byte.
func (f Filler) change(word string) string {
	at := f.IntN(len(word) + 1)
	insert := pick(f, "", "a", "Z", "0", "-", ".", "/", "_", "%", " ", "\n", "é")
	return word[:at] + insert + word[min(len(word), at+f.IntN(2)):]
}

func (f Filler) slice(v reflect.Value, words []string) {
	n := pick(f, 0, 1, 1, 2, 2, 3, 4)
	v.SetZero()
	if n > 0 || f.chance(30) {
		v.Set(reflect.MakeSlice(v.Type(), n, n))
	}
	for i := range n {
		f.element(v.Index(i), words)
	}
}

// element fills an item of a list or a value of a map, which is never null.
func (f Filler) element(v reflect.Value, words []string) {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	f.fill(v, words)
}

func (f Filler) mapping(v reflect.Value, words []string) {
	v.SetZero()
	n := pick(f, 0, 1, 1, 2, 2, 3, 4)
	if n > 0 || f.chance(30) {
		v.Set(reflect.MakeMap(v.Type()))
	}
	for range n {
		f.entry(v, words)
	}
}

func (f Filler) entry(v reflect.Value, words []string) {
	key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
	f.fill(key, words)
	f.element(value, words)
	v.SetMapIndex(key, value)
}

// place is a part of a value that can be changed.
type place struct {
	v     reflect.Value
	words []string
}

// Change changes one part of a kind's spec.
func (f Filler) Change(kind any) {
	var places []place
	v := reflect.ValueOf(kind).Elem().FieldByName("Spec")
	for i := range v.NumField() {
		places = append(places, placesIn(v.Field(i), wordsOf(v.Type().Field(i), nil))...)
	}
	at := pick(f, places...)
	switch {
	case at.v.Kind() == reflect.Slice && f.chance(80):
		f.changeSlice(at.v, at.words)
	case at.v.Kind() == reflect.Map && f.chance(80):
		f.changeMap(at.v, at.words)
	case at.v.Kind() == reflect.Struct:
		at.v.SetZero()
	default:
		f.fill(at.v, at.words)
	}
}

// placesIn are a value and all that can be changed within it.
func placesIn(v reflect.Value, words []string) []place {
	list := []place{{v, words}}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			list = append(list, placesIn(v.Elem(), words)...)
		}
	case reflect.Slice:
		for i := range v.Len() {
			list = append(list, placesIn(v.Index(i), words)...)
		}
	case reflect.Struct:
		if isQuantity(v) {
			break
		}
		for i := range v.NumField() {
			list = append(list, placesIn(v.Field(i), wordsOf(v.Type().Field(i), words))...)
		}
	}
	return list
}

func (f Filler) changeSlice(v reflect.Value, words []string) {
	n := v.Len()
	item := reflect.New(v.Type().Elem()).Elem()
	f.element(item, words)
	switch op := f.IntN(4); {
	case n == 0 || op == 0:
		v.Set(reflect.Append(v, item))
	case op == 1:
		at := f.IntN(n)
		v.Set(reflect.AppendSlice(v.Slice3(0, at, at), v.Slice(at+1, n)))
	case op == 2:
		f.Shuffle(n, reflect.Swapper(v.Interface()))
	default:
		v.Index(f.IntN(n)).Set(item)
	}
}

func (f Filler) changeMap(v reflect.Value, words []string) {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	switch op := f.IntN(3); {
	case v.IsNil():
		f.mapping(v, words)
	case len(keys) == 0 || op == 0:
		f.entry(v, words)
	case op == 1:
		v.SetMapIndex(pick(f, keys...), reflect.Value{})
	default:
		value := reflect.New(v.Type().Elem()).Elem()
		f.element(value, words)
		v.SetMapIndex(pick(f, keys...), value)
	}
}
