package source

import (
	"fmt"
	"strings"
	"testing"
)

// TestGenerate demands that kinds depend on the seed alone, that all of them parse, and that no shape is missing.
func TestGenerate(t *testing.T) {
	missing := map[string]bool{}
	for _, l := range leaves() {
		missing[l.name] = true
	}
	for _, e := range entries() {
		if e.reject != Never {
			missing[e.name] = true
		}
	}
	for i := range 4000 {
		options := Options{AllowDangerousTypes: i%2 == 0}
		kind := Generate(1, i, "p", options)
		if again := Generate(1, i, "p", options); again.Source != kind.Source || fmt.Sprint(again) != fmt.Sprint(kind) {
			t.Fatalf("kind %d differs when it is made again", i)
		}
		if _, err := Locate(kind); err != nil {
			t.Fatalf("kind %d: %v\n%s", i, err, kind.Source)
		}
		for _, shape := range kind.Shapes {
			delete(missing, shape.Name)
		}
	}
	if len(missing) > 0 {
		t.Errorf("these shapes never occur: %v", missing)
	}
}

const located = `package p

type K struct {
	Spec Spec
}

// Spec is here.
type Spec struct {
	// One is here.
	One []Named ` + "`json:\"one,omitempty\"`" + `
	Base
	Two struct {
		Three int ` + "`json:\"three\"`" + `
	} ` + "`json:\"two\"`" + `
	four int
	Six Generic[[]Named, int] ` + "`json:\"six\"`" + `
}

type Generic[T, U any] struct {
	Seven T ` + "`json:\"seven\"`" + `
	Inner[U]
}

type Inner[T any] struct {
	Eight T
}

type Base struct {
	Five string ` + "`json:\",omitempty\"`" + `
}

type Named string

func (Named) String() string { return "" }

const A Named = "a"
`

// TestLocate makes sure that positions lead to the field that a reader would find there.
func TestLocate(t *testing.T) {
	file, err := Locate(Kind{Source: located})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{"One is here", "{Spec One [one]}"},
		{"omitempty\"`\n\tBase", "{Spec One [one]}"},
		{"Base\n\tTwo", "{Spec Base [Five]}"},
		{"Three int", "{Spec Three [three]}"},
		{"Two struct", "{Spec Two [two]}"},
		{"four int", "{Spec four []}"},
		{"Spec is here", "{Spec  [Spec]}"},
		{"type Named", "{Named  [Eight one seven six]}"},
		{"String()", "{Named  [Eight one seven six]}"},
		{"A Named", "{Named  [Eight one seven six]}"},
		{"Six Generic", "{Spec Six [six]}"},
		{"Named, int", "{Spec Six [Eight seven six]}"},
		{"U]\n}", "{Generic Inner [Eight]}"},
		{"Five string", "{Base Five [Five]}"},
		{"package p", "{  []}"},
	} {
		if got := fmt.Sprint(file.At(Position{Offset: index(t, c.text)})); got != c.want {
			t.Errorf("%q: got %s, want %s", c.text, got, c.want)
		}
	}
}

func index(t *testing.T, text string) int {
	t.Helper()
	if i := strings.Index(located, text); i >= 0 {
		return i
	}
	t.Fatalf("no %q", text)
	return 0
}
