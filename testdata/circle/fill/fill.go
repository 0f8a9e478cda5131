package fill

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
)

// filler is the state of filling one value.
type filler struct {
	*rand.Rand
	enums       map[reflect.Type][]any
	nilElements bool
	show        Show
	unset       []string
	noMeta      bool // within a field whose embedded metadata is not stored
}

// fillKind fills the kind's spec, and returns the keys of the fields that it left unset. The metadata has a name, as
// all objects have; the rest of it is not the schema's matter.
func fillKind(value any, kind Kind, request Request, enums map[reflect.Type][]any) []string {
	f := &filler{Rand: rand.New(rand.NewPCG(request.Seed, 7)), enums: enums, nilElements: request.NilElements,
		show: request.Show}
	v := reflect.ValueOf(value).Elem()
	v.FieldByName("Kind").SetString(kind.Name)
	v.FieldByName("APIVersion").SetString(kind.APIVersion)
	v.FieldByName("ObjectMeta").FieldByName("Name").SetString("an-object")
	f.fill(v.FieldByName("Spec"), hints{set: true})
	return f.unset
}

func (f *filler) chance(percent int) bool { return f.IntN(100) < percent }

func pick[T any](f *filler, list ...T) T { return list[f.IntN(len(list))] }

// omits reports whether a part of a field is left at its zero value, which happens in so many of 100 cases, but always
// or never where something is to be shown.
func (f *filler) omits(h hints, percent int) bool {
	switch {
	case h.as == Unset:
		return f.chance(50)
	case h.set || f.show.Keys != nil:
		return false
	}
	return f.chance(percent)
}

// fill sets v, which is settable and zero. The switch is flat, over all kinds that Go has.
func (f *filler) fill(v reflect.Value, h hints) {
	if v.CanInterface() && f.known(v, h) {
		return
	}
	if constants := f.enums[v.Type()]; constants != nil {
		v.Set(reflect.ValueOf(pick(f, constants...)))
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
		v.SetFloat(float64(float32(pick(f, 0, 1, -1.5, 0.1, 1e21, math.MaxFloat32, math.SmallestNonzeroFloat32,
			f.NormFloat64()))))
	case reflect.Float64:
		v.SetFloat(pick(f, 0, 1, -1.5, 0.1, 1e21, 1e300, math.MaxFloat64, math.SmallestNonzeroFloat64, f.NormFloat64()))
	case reflect.String:
		v.SetString(f.sized(h))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		if !isNilable(v.Elem()) || !f.omits(hints{as: h.as, set: h.solid}, 12) {
			f.fill(v.Elem(), h)
		}
	case reflect.Slice:
		f.slice(v, h)
	case reflect.Array:
		for i := range v.Len() {
			f.element(v.Index(i), h)
		}
	case reflect.Map:
		f.mapping(v, h)
	case reflect.Struct:
		f.structure(v)
	case reflect.Interface:
		if v.NumMethod() > 0 {
			return
		}
		if value := f.json(2, !f.omits(h, 12)); value != nil {
			v.Set(reflect.ValueOf(value))
		}
	}
}

func isNilable(v reflect.Value) bool {
	return slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface}, v.Kind())
}

// structure fills the fields that Go writes, and leaves some of them unset that may be.
func (f *filler) structure(v reflect.Value) {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if !v.Field(i).CanSet() && !(field.Anonymous && field.Type.Kind() == reflect.Struct) {
			continue
		}
		key, h := parseHints(field)
		if slices.Contains(f.show.Keys, key) {
			h.as = f.show.As
		}
		percent := 12
		if h.omitZero {
			percent = 30
		}
		isInlined := key == "" && field.Type.Kind() == reflect.Struct
		if !isInlined && f.omits(h, percent) {
			f.unset = append(f.unset, key)
			continue
		}
		was := f.noMeta
		f.noMeta = was || h.noMeta
		f.present(v.Field(i), h)
		f.noMeta = was
	}
}

// attempts is how often present fills a field. Structs of which JSON has no field stay zero.
const attempts = 100

// present fills a field. If it must be set and has the option omitzero, not all parts of its value are zero.
func (f *filler) present(v reflect.Value, h hints) {
	unset := len(f.unset)
	f.fill(v, h)
	hasParts := v.Kind() == reflect.Struct || v.Kind() == reflect.Array
	for n := 1; n < attempts && hasParts && h.set && h.omitZero && h.as == "" && isZero(v); n++ {
		f.unset = f.unset[:unset]
		f.fill(v, h)
	}
}

// isZero reports whether omitzero omits a struct or an array (encoding/json).
func isZero(v reflect.Value) bool {
	if z, ok := v.Addr().Interface().(interface{ IsZero() bool }); ok {
		return z.IsZero()
	}
	return v.IsZero()
}

func (f *filler) slice(v reflect.Value, h hints) {
	n := f.length(h)
	if h.filled && h.as != Empty && v.Type().Elem().Kind() == reflect.Uint8 {
		n = max(n, 1)
	}
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	for i := range n {
		f.element(v.Index(i), h)
	}
	if h.unique || h.mapKey != "" {
		f.unique(v, h.mapKey)
	}
}

// length is the number of elements of a list or a map.
func (f *filler) length(h hints) int {
	switch {
	case h.as == Empty && f.chance(40):
		return 0
	case h.sized:
		return h.minLen + f.IntN(h.maxLen-h.minLen+1)
	case f.show.Keys != nil:
		return 1 + f.IntN(2)
	}
	return pick(f, 0, 1, 1, 2, 3)
}

// unique keeps the first of the elements that are equal, or that have an equal field of that name.
func (f *filler) unique(v reflect.Value, field string) {
	seen, n := map[string]bool{}, 0
	for i := range v.Len() {
		key := v.Index(i)
		if field != "" {
			key = key.FieldByName(field)
		}
		text, err := json.Marshal(key.Interface())
		if err != nil {
			panic(err)
		}
		if !seen[string(text)] {
			v.Index(n).Set(v.Index(i))
			n++
		}
		seen[string(text)] = true
	}
	v.SetLen(n)
}

// element fills an element of a list or a map. Nil elements happen rarely, or not at all.
func (f *filler) element(v reflect.Value, h hints) {
	percent := 0
	switch {
	case h.as == Elements:
		percent = 50
	case f.nilElements && f.show.Keys == nil && !h.sized:
		percent = 5
	}
	if (isNilable(v) || isNull(v)) && f.chance(percent) {
		return
	}
	if h.as == Unset {
		h.as = "" // which speaks of the whole
	}
	f.fill(v, hints{set: true, solid: percent == 0, as: h.as})
}

func (f *filler) mapping(v reflect.Value, h hints) {
	v.Set(reflect.MakeMap(v.Type()))
	n := f.length(h)
	for i := 0; v.Len() < n && (i < n || h.sized); i++ {
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		f.fill(key, hints{})
		f.element(value, h)
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
	high := uint64(math.MaxUint64) >> (64 - bits)
	switch {
	case h.bounded:
		return uint64(h.min + f.IntN(h.max-h.min+1))
	case h.as == Large:
		return high
	}
	return pick(f, 0, 1, high, high-1, high>>1, high>>1+1, f.Uint64()>>(64-bits), f.Uint64()>>(64-bits)>>f.IntN(bits))
}

var words = [...]string{
	"", "a", "x y", "ž", "žluťoučký kůň", "日本", "🐎", "<&>", "\u2028", "\x01", "\"", "\\", "null", "true", "123", "1.5",
	"-1", "a.b[0]", "/",
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
