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
	a := crdAutomaton{
		ascii: string(ascii), others: []crdClassFrom{{0x80, 2}, {0xea, 0}}, start: '2',
		next:  "01000" + "01300" + "01040",
		final: "01001",
	}
	for text, want := range map[string]bool{
		"": false, "a": false, "ab": true, "a~": true, "aa": false, "abb": false, "a\u00e9": true, "a\u00ea": false,
		"a\U0001F600": false, "a\xff": false, "\u00e9": false,
	} {
		if a.match(text) != want {
			t.Errorf("%q: not %t", text, want)
		}
	}
}
