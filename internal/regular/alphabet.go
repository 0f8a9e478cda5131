package regular

import (
	"cmp"
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode"

	"github.com/crdproof/crdproof/internal/effort"
)

// classes partition the runes: all runes from starts[i] to before starts[i+1] are in class[i], and the program
// treats the runes of a class alike. samples has a rune of each class.
type classes struct {
	starts  []rune
	class   []int32
	samples []rune
}

// Surrogates are not part of valid UTF-8.
const firstSurrogate, lastSurrogate = 0xD800, 0xDFFF

// classesOf returns the classes of the runes that a program tells apart. They are undefined if the total is exceeded.
func classesOf(prog *syntax.Prog, total *effort.Budget) classes {
	var sets [][]rune // pairs of the first and the last rune of a range, like syntax.Inst.Rune
	known := map[string]bool{}
	for i := range prog.Inst {
		set := told(&prog.Inst[i])
		key, err := binary.Append(nil, binary.NativeEndian, set)
		if err != nil {
			panic(err) // it never fails for []rune
		}
		if len(set) > 0 && !known[string(key)] {
			known[string(key)] = true
			sets = append(sets, set)
		}
	}
	starts := []rune{0, firstSurrogate, lastSurrogate + 1}
	for _, set := range sets {
		for i := 0; i < len(set); i += 2 {
			starts = append(starts, set[i], set[i+1]+1)
		}
	}
	slices.Sort(starts)
	starts = slices.Compact(starts)
	if last := len(starts) - 1; starts[last] > unicode.MaxRune {
		starts = starts[:last]
	}
	c := classes{starts: starts, class: make([]int32, len(starts))}
	count := int32(1)
	for _, set := range sets {
		split := map[int32]int32{}
		for i := 0; i < len(set); i += 2 {
			at, _ := slices.BinarySearch(starts, set[i])
			for ; at < len(starts) && starts[at] <= set[i+1] && total.Spend(1); at++ {
				if _, ok := split[c.class[at]]; !ok {
					split[c.class[at]] = count
					count++
				}
				c.class[at] = split[c.class[at]]
			}
		}
	}
	c.number(count)
	return c
}

// number numbers the classes that are not empty, in the order of their first runes.
func (c *classes) number(count int32) {
	numbers := make([]int32, count)
	for i, class := range c.class {
		if numbers[class] == 0 {
			c.samples = append(c.samples, c.starts[i])
			numbers[class] = int32(len(c.samples))
		}
		c.class[i] = numbers[class] - 1
	}
}

// told returns the runes that an instruction tells from others.
func told(inst *syntax.Inst) []rune {
	switch inst.Op {
	case syntax.InstEmptyWidth:
		switch op := syntax.EmptyOp(inst.Arg); {
		case op&wordConditions != 0:
			return []rune{'0', '9', 'A', 'Z', '_', '_', 'a', 'z'}
		case op&lineConditions != 0:
			return []rune{'\n', '\n'}
		}
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		if len(inst.Rune) != 1 {
			return inst.Rune
		}
		runes := inst.Rune
		if syntax.Flags(inst.Arg)&syntax.FoldCase != 0 {
			for r := unicode.SimpleFold(runes[0]); r != inst.Rune[0]; r = unicode.SimpleFold(r) {
				runes = append(runes[:len(runes):len(runes)], r)
			}
		}
		set := make([]rune, 0, 2*len(runes))
		for _, r := range slices.Sorted(slices.Values(runes)) {
			set = append(set, r, r)
		}
		return set
	}
	return nil
}

// A symbol is a set of runes that no pattern of a query tells apart: the rune that is best to read, and its class for
// each pattern.
type symbol struct {
	rune    rune
	rank    int
	classes []int32
}

// alphabet returns the symbols of several partitions, best to read first. They are undefined if the total is exceeded.
func alphabet(partitions []classes, total *effort.Budget) []symbol {
	all, tuples := refine(partitions, total)
	symbols := make([]symbol, len(tuples))
	for i, tuple := range tuples {
		symbols[i] = symbol{rank: len(readable), classes: tuple}
	}
	for i, start := range all.starts {
		end := rune(unicode.MaxRune)
		if i+1 < len(all.starts) {
			end = all.starts[i+1] - 1
		}
		if start == firstSurrogate {
			continue
		}
		r, rank := mostReadable(start, end)
		if s := &symbols[all.class[i]]; rank < s.rank {
			s.rune, s.rank = r, rank
		}
	}
	symbols = slices.DeleteFunc(symbols, func(s symbol) bool { return s.rank == len(readable) }) // surrogates alone
	slices.SortFunc(symbols, func(a, b symbol) int { return cmp.Or(a.rank-b.rank, int(a.rune-b.rune)) })
	return symbols
}

// refine returns the classes of runes that none of the partitions tells apart, in the order of their first runes, and
// the class that each of them is in each partition. Both are undefined if the total is exceeded.
func refine(partitions []classes, total *effort.Budget) (all classes, tuples [][]int32) {
	all.starts = []rune{0, firstSurrogate, lastSurrogate + 1}
	for _, p := range partitions {
		all.starts = append(all.starts, p.starts...)
	}
	slices.Sort(all.starts)
	all.starts = slices.Compact(all.starts)
	var numbers numbering
	at := make([]int, len(partitions))
	for _, start := range all.starts {
		if !total.Spend(len(partitions)) {
			return classes{}, nil
		}
		tuple := make([]int32, len(partitions))
		for k, p := range partitions {
			for at[k]+1 < len(p.starts) && p.starts[at[k]+1] <= start {
				at[k]++
			}
			tuple[k] = p.class[at[k]]
		}
		number, isNew := numbers.number(tuple)
		if all.class = append(all.class, number); isNew {
			tuples = append(tuples, tuple)
		}
	}
	return all, tuples
}

// A numbering numbers lists of numbers in the order of their first occurrence.
type numbering struct {
	numbers map[string]int32
	key     []byte // a buffer
}

func (n *numbering) number(list []int32) (number int32, isNew bool) {
	n.key = n.key[:0]
	for _, i := range list {
		n.key = binary.NativeEndian.AppendUint32(n.key, uint32(i))
	}
	number, isKnown := n.numbers[string(n.key)]
	if !isKnown {
		if n.numbers == nil {
			n.numbers = map[string]int32{}
		}
		number = int32(len(n.numbers))
		n.numbers[string(n.key)] = number
	}
	return number, !isKnown
}

// readable are ranges of runes, those that are best to read first. Those later in the list may include earlier ones.
var readable = [...]struct{ first, last rune }{
	{'a', 'z'}, {'0', '9'}, {'A', 'Z'}, {'-', '-'}, {'.', '.'}, {'_', '_'}, {'/', '/'}, {':', ':'}, {'!', '~'},
	{' ', ' '}, {'à', 'ſ'}, {'α', 'ω'}, {'一', '鿿'}, {'😀', '🙏'}, {'¡', firstSurrogate - 1},
	{lastSurrogate + 1, unicode.MaxRune}, {0, unicode.MaxRune},
}

// mostReadable returns the rune between first and last that is best to read, and its place in readable.
func mostReadable(first, last rune) (rune, int) {
	for rank, r := range readable {
		if lo, hi := max(first, r.first), min(last, r.last); lo <= hi {
			return lo, rank
		}
	}
	panic("an empty range of runes")
}
