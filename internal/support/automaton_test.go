package support

import "testing"

// The expression is ^a[b-\x{e9}]$: a, and a character from b to é.
func TestAutomaton(t *testing.T) {
	class := func(c byte) byte {
		switch {
		case c == 'a':
			return '1'
		case c >= 'b':
			return '2'
		}
		return '0'
	}
	var ascii []byte
	for c := range byte(128) {
		ascii = append(ascii, class(c))
	}
	a := Automaton{
		ASCII: string(ascii), Others: []ClassFrom{{0x80, 2}, {0xea, 0}}, Start: '2',
		Next:  "01000" + "01300" + "01040",
		Final: "01001",
	}
	leads := func(from, to uint64) uint64 { return 6 * to << (6 * from) }
	small := SmallAutomaton{
		ASCII: a.ASCII, Others: a.Others, Start: 6 * 2, Final: 1<<(6*1) | 1<<(6*4),
		Next: [16]uint64{leads(1, 1), leads(1, 1) | leads(2, 3), leads(1, 1) | leads(3, 4)},
	}
	for text, want := range map[string]bool{
		"": false, "a": false, "ab": true, "a~": true, "aa": false, "abb": false, "a\u00e9": true, "a\u00ea": false,
		"a\U0001F600": false, "a\xff": false, "\u00e9": false,
	} {
		if a.Match(text) != want || small.Match(text) != want {
			t.Errorf("%q: not %t in both forms", text, want)
		}
	}
}
