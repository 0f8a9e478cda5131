package support

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/cel-go/common/types"
)

// The functions on strings, on any two texts and places.
func FuzzLibraryOfStrings(f *testing.F) {
	o := newOracle(f)
	for _, v := range nasty {
		f.Add(v.ours.(string), "a", int64(0), int64(1))
		f.Add("aé日\xffa", v.ours.(string), int64(2), int64(-1))
	}
	f.Fuzz(func(t *testing.T, s, part string, i, j int64) {
		o := &oracle{t, o.env, o.programs}
		text, place := textsAsValues(s, part), intsAsValues(i, j)
		for _, call := range callsOf(1, stringLibrary) {
			call.hold(o, text[0])
		}
		for _, call := range callsOf(2, stringLibrary) {
			call.hold(o, text[0], text[1])
			call.hold(o, text[0], place[0])
		}
		for _, call := range callsOf(3, stringLibrary) {
			call.hold(o, text[0], text[1], place[0])
			call.hold(o, text[0], text[1], text[0])
			call.hold(o, text[0], place[0], place[1])
		}
	})
}

// Any format string, of any value, and of numbers.
func FuzzLibraryOfFormatStrings(f *testing.F) {
	o := newOracle(f)
	values := append(everyValue(), opaqueValues(opaqueTexts...)...)
	for i, format := range []string{"%s", "%d", "%.3f", "%.12e", "%x", "%X", "%o", "%b", "%.0f%%", "%.100000f",
		"%.9999999e"} {
		f.Add(format, math.Pi*float64(i), uint16(i))
	}
	f.Fuzz(func(t *testing.T, format string, number float64, which uint16) {
		o := &oracle{t, o.env, o.programs}
		call := libraryCall{`a.format([b, c])`, func(format, b, c any) any { return formatOf(format, b, c) }}
		double := value{"double", types.Double(number), number}
		random := rand.New(rand.NewPCG(uint64(which), 0))
		text := textsAsValues(format)[0]
		for _, b := range []value{values[int(which)%len(values)], listValue(double, values[random.IntN(len(values))]),
			double} {
			call.hold(o, text, double, b)
			call.hold(o, text, b, double)
		}
	})
}

// Values of the libraries, from any text, compared with any other value.
func FuzzLibraryOfOpaqueValues(f *testing.F) {
	o := newOracle(f)
	for i := 0; i < len(opaqueTexts); i += 5 {
		f.Add(opaqueTexts[i], opaqueTexts[len(opaqueTexts)-1-i], int64(i))
	}
	f.Fuzz(func(t *testing.T, s, other string, n int64) {
		o := &oracle{t, o.env, o.programs}
		texts := textsAsValues(s, other)
		values := append(append(opaqueValues(s, other), texts...), intsAsValues(n)...)
		for _, call := range callsOf(1, valueLibrary) {
			for _, a := range values {
				call.hold(o, a)
			}
		}
		for _, call := range callsOf(2, valueLibrary) {
			for _, a := range values {
				for _, b := range values {
					call.hold(o, a, b)
				}
			}
		}
	})
}

// The functions on lists, on any lists.
func FuzzLibraryOfLists(f *testing.F) {
	o, scalars := newOracle(f), scalars()
	f.Add(uint64(1), int64(0), int64(2))
	f.Fuzz(func(t *testing.T, seed uint64, i, j int64) {
		o := &oracle{t, o.env, o.programs}
		random := rand.New(rand.NewPCG(seed, 0))
		a, b := randomList(random, scalars), randomList(random, scalars)
		place := intsAsValues(i, j)
		values := append([]value{a, b, listValue(a, b, place[0]), somewhere(random, scalars),
			somewhere(random, scalars)}, place...)
		for _, call := range callsOf(1, listLibrary) {
			call.hold(o, a)
		}
		for _, call := range callsOf(2, listLibrary) {
			for _, b := range values {
				call.hold(o, a, b)
			}
		}
		for _, call := range callsOf(3, listLibrary) {
			call.hold(o, a, place[0], place[1])
		}
	})
}
