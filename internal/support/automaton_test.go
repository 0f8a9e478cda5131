package support

import "testing"

// TestMatcher matches texts with an automaton, in both forms, and with the expression itself.
func TestMatcher(t *testing.T) {
	const expression = "^a[b-\u00e9]$"
	m := Matcher{Pattern: expression, Table: "2 01001 0=0,61=1,62=2,ea=0 01000" + "01300" + "01040"}
	large := readAutomaton(m.Table)
	compiled := Matcher{Pattern: expression}
	for text, want := range map[string]bool{
		"": false, "a": false, "ab": true, "a~": true, "aa": false, "abb": false, "a\u00e9": true, "a\u00ea": false,
		"a\U0001F600": false, "a\xff": false, "\u00e9": false,
	} {
		if m.Match(text) != want || large.match(text) != want || compiled.Match(text) != want {
			t.Errorf("%q: not %t in all forms", text, want)
		}
	}
	if m.machine.Load().small == nil {
		t.Error("the automaton is not small")
	}
}
