// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"math"
	"math/bits"
	"slices"
	"strconv"
)

// This file finds equal values among many.

// findRepeats returns the items of a list that are the second of equal ones. A few items are compared with each other,
// without allocations. Many are found by their hashes; an item without one is equal to no other.
func findRepeats(n int, same func(i, j int) bool, identify func(h *hasher, i int) bool) (repeats []int) {
	const few = 24
	if n > few {
		return findHashed(n, same, identify)
	}
	for i := 1; i < n; i++ {
		before := 0
		for j := 0; j < i && before < 2; j++ {
			if same(i, j) {
				before++
			}
		}
		if before == 1 {
			repeats = append(repeats, i)
		}
	}
	return repeats
}

// findHashed is findRepeats for many items. First it sorts their hashes into parts, each of which has a table that is
// small enough for the caches of a processor.
func findHashed(n int, same func(i, j int) bool, identify func(h *hasher, i int) bool) (repeats []int) {
	const parts, topBits, half = 256, 56, math.MaxUint32 << 32
	seed := maphash.MakeSeed() // no list can have many items with one hash
	hashes := make([]uint64, 0, n)
	var ends [parts + 1]int
	for i := range n {
		h := hasher{seed: seed}
		if identify(&h, i) {
			hashes = append(hashes, h.sum&half|uint64(i+1))
			ends[h.sum>>topBits+1]++
		}
	}
	most := 0
	for part := range parts {
		most = max(most, ends[part+1])
		ends[part+1] += ends[part]
	}
	sorted := make([]uint64, len(hashes))
	for _, sum := range hashes {
		sorted[ends[sum>>topBits]] = sum
		ends[sum>>topBits]++
	}
	table := make([]uint64, tableSize(most))
	start := 0
	for part := range parts {
		items := sorted[start:ends[part]]
		start = ends[part]
		places := table[:tableSize(len(items))] // all items may be in one part
		clear(places)
		repeats = append(repeats, repeatsIn(items, places, same)...)
	}
	slices.Sort(repeats)
	return repeats
}

// tableSize is that of a table for a number of items: a power of two.
func tableSize(items int) int { return 1 << bits.Len(uint(items+items/2)) }

// repeatsIn returns the second ones of equal items. Each is half of a hash and a position, from 1. The table, which has
// more places than there are items, gets the first ones, and whether others were found.
func repeatsIn(items, table []uint64, same func(i, j int) bool) (repeats []int) {
	const position, reported, half = 1<<31 - 1, 1 << 31, 32
	for _, item := range items {
		for at := item >> half; ; at++ {
			place := &table[at&uint64(len(table)-1)]
			if *place == 0 {
				*place = item
				break
			}
			if *place>>half == item>>half && same(int(item&position)-1, int(*place&position)-1) {
				if *place&reported == 0 {
					*place |= reported
					repeats = append(repeats, int(item&position)-1)
				}
				break
			}
		}
	}
	return repeats
}

// A hasher makes one number of values, the same for values with the same JSON.
type hasher struct {
	seed maphash.Seed
	sum  uint64
}

// The kinds of values that are not texts.
const (
	hashedNull = iota
	hashedFalse
	hashedTrue
	hashedNumber
	hashedList
	hashedObject
	hashedAbsent
)

// add adds a part of a value.
func (h *hasher) add(part uint64) {
	var data [16]byte
	binary.LittleEndian.PutUint64(data[:8], h.sum)
	binary.LittleEndian.PutUint64(data[8:], part)
	h.sum = maphash.Bytes(h.seed, data[:])
}

// keys adds the values of the keys of an item.
func (h *hasher) keys(item any, keys []string) bool {
	for _, key := range keys {
		switch value, ok, _ := fieldOf(item, key); {
		case !ok:
			h.add(hashedAbsent)
		case len(keys) == 1:
			return h.item(value)
		case !h.value(value, deepest):
			return false
		}
	}
	return true
}

// item adds an item of a set, in which zero has no sign.
func (h *hasher) item(item any) bool {
	if item == 0.0 {
		item = int64(0)
	}
	return h.value(item, deepest)
}

// value adds a value. It returns false for one that is nested deeper than a number of levels.
func (h *hasher) value(value any, levels int) bool {
	if levels < 0 {
		return false
	}
	switch x := value.(type) {
	case nil:
		h.add(hashedNull)
	case bool:
		if x {
			h.add(hashedTrue)
		} else {
			h.add(hashedFalse)
		}
	case string:
		h.add(maphash.String(h.seed, x))
	case int64, float64:
		h.number(x)
	case []any:
		h.add(hashedList)
		for _, item := range x {
			if !h.value(item, levels-1) {
				return false
			}
		}
		h.add(uint64(len(x)))
	case map[string]any:
		return h.object(x, levels)
	default:
		data, err := json.Marshal(x)
		if err != nil {
			data = fmt.Append(nil, x) // it is not JSON
		}
		h.add(maphash.Bytes(h.seed, data))
	}
	return true
}

// object adds an object, whose fields have no order.
func (h *hasher) object(object map[string]any, levels int) bool {
	sum := uint64(0)
	for name, field := range object {
		of := hasher{seed: h.seed}
		of.add(maphash.String(h.seed, name))
		if !of.value(field, levels-1) {
			return false
		}
		sum += of.sum
	}
	h.add(hashedObject)
	h.add(sum)
	return true
}

// number adds a number. Floats have the JSON of integers if they are whole and not too large.
func (h *hasher) number(number any) {
	const exact, large = 1 << 53, 1e21
	h.add(hashedNumber)
	var text [32]byte
	switch x := number.(type) {
	case int64:
		if -exact < x && x < exact {
			h.add(uint64(x))
			return
		}
		h.add(maphash.Bytes(h.seed, strconv.AppendInt(text[:0], x, 10)))
	case float64:
		switch {
		case math.Abs(x) < exact && x == math.Trunc(x) && !(x == 0 && math.Signbit(x)):
			h.add(uint64(int64(x)))
		case math.Abs(x) < large:
			h.add(maphash.Bytes(h.seed, strconv.AppendFloat(text[:0], x, 'f', -1, 64)))
		default:
			h.add(math.Float64bits(x))
		}
	}
}
