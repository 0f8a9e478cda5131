package diag

import (
	"strings"
	"testing"
)

// TestJoin joins what says the same, what is at one place, and what has one cause; and nothing else.
func TestJoin(t *testing.T) {
	src := &Source{Path: "/src/a.go", Data: []byte("a b c d\n")}
	warning := func(name, message, help string) Diagnostic {
		return Diagnostic{Span: at(t, src, name, 0), Check: "x", Severity: Warning, Message: message, HelpText: help}
	}
	failure := warning("b", "m", "h")
	failure.Severity = Error
	note := warning("b", "m", "h")
	note.Severity = Note
	other := warning("b", "m", "h")
	other.Check = "y"
	answer := func(message string) Diagnostic { return Diagnostic{Check: "answer", Message: message} }
	for _, c := range []struct {
		name string
		list []Diagnostic
		want string
	}{
		{"the same at two places", []Diagnostic{warning("a", "m", "h"), warning("b", "m", "h")}, "m+1"},
		{"one place", []Diagnostic{warning("a", "m", "h"), warning("a", "n", "h")}, "m+1"},
		{"one place, other helps", []Diagnostic{warning("a", "m", "h"), warning("a", "n", "i")}, "m n"},
		{"other helps", []Diagnostic{warning("a", "m", "h"), warning("b", "m", "i")}, "m m"},
		{"other messages", []Diagnostic{warning("a", "m", "h"), warning("b", "n", "h")}, "m n"},
		{"one cause", []Diagnostic{
			warning("a", "m", "h").CausedBy(Span{}, "w"), warning("b", "n", "i").CausedBy(Span{}, "w"),
		}, "m+1"},
		{"causes at different places", []Diagnostic{
			warning("a", "m", "h").CausedBy(at(t, src, "c", 0), ""), warning("a", "n", "h").CausedBy(at(t, src, "d", 0), ""),
		}, "m n"},
		{"a chain", []Diagnostic{
			warning("a", "m", "h").CausedBy(Span{}, "w"), warning("b", "n", "h").CausedBy(Span{}, "w"),
			warning("c", "n", "h"),
		}, "m+2"},
		{"other severities and checks", []Diagnostic{warning("a", "m", "h"), failure, other}, "m m m"},
		{"notes", []Diagnostic{note, note}, "m m"},
		{"answers", []Diagnostic{answer("m"), answer("m")}, "m m"},
		{"no position", []Diagnostic{{Check: "x", Message: "m"}, {Check: "x", Message: "m"}, {Check: "x", Message: "n"}},
			"m+1 n"},
	} {
		var got []string
		for _, d := range Join(c.list, func(check string) bool { return check == "answer" }) {
			got = append(got, d.Message+strings.Repeat("+1", min(len(d.Places), 1)))
			if n := len(d.Places); n > 1 {
				got[len(got)-1] = d.Message + "+" + string(rune('0'+n))
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: got %s, want %s", c.name, text, c.want)
		}
	}
}

// TestPlaces prints further places with what is different there.
func TestPlaces(t *testing.T) {
	src := &Source{Path: "/src/a.go", Data: []byte("first second third\n")}
	finding := func(name string, share string) Diagnostic {
		return Diagnostic{Span: at(t, src, name, 0), Check: "x", Severity: Warning, HelpText: "h", Hurts: Future,
			Message: "the estimated cost is above " + share}.CausedBy(Span{}, "bound")
	}
	third := finding("third", "10 %").Help("i")
	third.Notes = []string{"n"}
	list := Join([]Diagnostic{finding("first", "10 %"), finding("second", "20 %"), third},
		func(string) bool { return false })
	equal(t, text(t, list, TextOptions{Dir: "/src"}), `a.go:1:1: warning: the estimated cost is above 10 % [x]
   1 |  first second third
     |  ^^^^^
   hurts: no one yet
   help: h
   also at a.go:1:7: … 20 %
   also at a.go:1:14: n
   help: i

1 warning at 3 places
`)
	var github strings.Builder
	if err := GitHub(&github, list, "/src"); err != nil {
		t.Fatal(err)
	}
	equal(t, github.String(), "::warning file=a.go,line=1,col=1,endColumn=6,title=x::a.go:1:1: the estimated cost is above "+
		"10 %25%0Ahurts: no one yet%0Ahelp: h%0Aalso at a.go:1:7: … 20 %25%0Aalso at a.go:1:14: n\n")
	for _, c := range []struct {
		places, limit int
		want          string
	}{{maxPlaces + 1, 1, "also at"}, {maxPlaces + 2, 1, "and at 2 more places; --all"}, {maxPlaces + 2, 0, "also at"}} {
		many := list[0]
		many.Places = nil
		for range c.places {
			many.Places = append(many.Places, finding("second", "10 %"))
		}
		lines := strings.Split(text(t, []Diagnostic{many}, TextOptions{Max: c.limit, More: "--all"}), "\n")
		if last := lines[len(lines)-4]; !strings.Contains(last, c.want) {
			t.Errorf("%d places: got %q, want %q", c.places, last, c.want)
		}
	}
}
