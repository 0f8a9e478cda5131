package fill

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
)

// filler is the state of filling one value.
type filler struct {
	*rand.Rand
	enums       map[reflect.Type][]any
	nilElements bool
}

// fillKind fills the kind's spec. The metadata has a name, as all objects have; the rest of it is not the schema's matter.
func fillKind(value any, kind Kind, request Request, enums map[reflect.Type][]any) {
	f := &filler{rand.New(rand.NewPCG(request.Seed, 7)), enums, request.NilElements}
	v := reflect.ValueOf(value).Elem()
	v.FieldByName("Kind").SetString(kind.Name)
	v.FieldByName("APIVersion").SetString(kind.APIVersion)
	v.FieldByName("ObjectMeta").FieldByName("Name").SetString("an-object")
	f.fill(v.FieldByName("Spec"), hints{})
}

// hints are what a field's tag `circle` says of the values that its markers permit.
type hints struct {
	// zero permits the zero value although the bounds may not.
	zero bool
	// notNil forbids nil maps and slices.
	notNil bool
	// resource asks for a whole Kubernetes object.
	resource bool
	// bounded says that min and max, or minLen and maxLen, are given.
	bounded, sized           bool
	min, max, minLen, maxLen int
	// omitZero is the JSON option of that name.
	omitZero bool
}

func parseHints(tag reflect.StructTag) hints {
	var h hints
	for _, word := range strings.Split(tag.Get("circle"), ",") {
		name, value, _ := strings.Cut(word, "=")
		n, _ := strconv.Atoi(value)
		switch name {
		case "zero":
			h.zero = true
		case "notnil":
			h.notNil = true
		case "resource":
			h.resource = true
		case "min":
			h.bounded, h.min = true, n
		case "max":
			h.max = n
		case "minlen":
			h.sized, h.minLen = true, n
		case "maxlen":
			h.maxLen = n
		}
	}
	_, options, _ := strings.Cut(tag.Get("json"), ",")
	h.omitZero = strings.Contains(","+options+",", ",omitzero,")
	return h
}

func (f *filler) chance(percent int) bool { return f.IntN(100) < percent }

func pick[T any](f *filler, list ...T) T { return list[f.IntN(len(list))] }

// fill sets v, which is settable and zero. The switch is flat, over all kinds that Go has.
func (f *filler) fill(v reflect.Value, h hints) {
	if v.CanInterface() && f.known(v, h) {
		return
	}
	if constants := f.enums[v.Type()]; constants != nil {
		if !h.zero || !f.chance(20) {
			v.Set(reflect.ValueOf(pick(f, constants...)))
		}
		return
	}
	if h.zero && !h.notNil && v.Kind() != reflect.Struct && v.Kind() != reflect.Array && f.chance(12) {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(f.chance(50))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(f.signed(v.Type().Bits(), h))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(f.unsigned(v.Type().Bits(), h))
	case reflect.Float32:
		v.SetFloat(float64(float32(pick(f, 0, 1, -1.5, 0.1, 1e21, math.MaxFloat32, math.SmallestNonzeroFloat32, f.NormFloat64()))))
	case reflect.Float64:
		v.SetFloat(pick(f, 0, 1, -1.5, 0.1, 1e21, 1e300, math.MaxFloat64, math.SmallestNonzeroFloat64, f.NormFloat64()))
	case reflect.String:
		v.SetString(f.sized(h))
	case reflect.Pointer:
		if f.chance(80) || h.notNil {
			v.Set(reflect.New(v.Type().Elem()))
			h.zero = h.zero && !h.bounded && !h.sized && f.enums[v.Type().Elem()] == nil
			f.fill(v.Elem(), h)
		}
	case reflect.Slice:
		f.slice(v, h)
	case reflect.Array:
		for i := range v.Len() {
			f.element(v.Index(i))
		}
	case reflect.Map:
		f.mapping(v, h)
	case reflect.Struct:
		f.structure(v)
	case reflect.Interface:
		if v.NumMethod() > 0 {
			return
		}
		value := f.json(2)
		for value == nil && h.notNil {
			value = f.json(2)
		}
		if value != nil {
			v.Set(reflect.ValueOf(value))
		}
	}
}

func (f *filler) structure(v reflect.Value) {
	for i := range v.NumField() {
		if field := v.Type().Field(i); v.Field(i).CanSet() || field.Anonymous && field.Type.Kind() == reflect.Struct {
			h := parseHints(field.Tag)
			if h.omitZero && f.chance(30) {
				continue
			}
			f.fill(v.Field(i), h)
		}
	}
}

func (f *filler) slice(v reflect.Value, h hints) {
	if !h.notNil && f.chance(15) {
		return
	}
	n := pick(f, 0, 1, 1, 2, 3)
	if h.sized {
		n = h.minLen + f.IntN(h.maxLen-h.minLen+1)
	}
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	for i := range n {
		f.element(v.Index(i))
	}
}

// element fills what stands in a list or a map. Nil elements happen rarely, or not at all.
func (f *filler) element(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		if f.nilElements && f.chance(5) {
			return
		}
	}
	f.fill(v, hints{notNil: true})
}

func (f *filler) mapping(v reflect.Value, h hints) {
	if !h.notNil && f.chance(15) {
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	for range pick(f, 0, 1, 1, 2, 3) {
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		f.fill(key, hints{})
		f.element(value)
		v.SetMapIndex(key, value)
	}
}

func (f *filler) signed(bits int, h hints) int64 {
	if h.bounded {
		return int64(h.min + f.IntN(h.max-h.min+1))
	}
	low := int64(-1) << (bits - 1)
	return pick(f, 0, 1, -1, low, -(low + 1), low+1, f.Int64()>>(64-bits), f.Int64()>>(64-bits)>>f.IntN(bits))
}

func (f *filler) unsigned(bits int, h hints) uint64 {
	if h.bounded {
		return uint64(h.min + f.IntN(h.max-h.min+1))
	}
	high := uint64(math.MaxUint64) >> (64 - bits)
	return pick(f, 0, 1, high, high-1, high>>1, high>>1+1, f.Uint64()>>(64-bits), f.Uint64()>>(64-bits)>>f.IntN(bits))
}

var words = [...]string{
	"", "a", "x y", "ž", "žluťoučký kůň", "日本", "🐎", "<&>", "\u2028", "\x01", "\"", "\\", "null", "true", "123", "1.5", "-1", "a.b[0]", "/",
	"a word that is longer than sixty-three characters, as names may not be",
}

func (f *filler) text() string { return pick(f, words[:]...) }

// sized is text within bounds of length, in runes.
func (f *filler) sized(h hints) string {
	if !h.sized {
		return f.text()
	}
	runes := []rune("až🐎")
	n := h.minLen + f.IntN(h.maxLen-h.minLen+1)
	out := make([]rune, n)
	for i := range out {
		out[i] = pick(f, runes...)
	}
	return string(out)
}
