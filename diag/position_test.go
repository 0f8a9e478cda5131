package diag

import "testing"

func TestSplitPosition(t *testing.T) {
	for pos, want := range map[string]struct {
		file      string
		line, col int
	}{
		"a/b.go:3:7":    {"a/b.go", 3, 7},
		"a/b.go:3":      {"a/b.go", 3, 1},
		`C:\a\b.go:3:7`: {`C:\a\b.go`, 3, 7},
		"a:1/b.go:3:7":  {"a:1/b.go", 3, 7},
		"-":             {"", 0, 0},
		"example.com:-": {"", 0, 0},
		"":              {"", 0, 0},
	} {
		file, line, col := SplitPosition(pos)
		if file != want.file || line != want.line || col != want.col {
			t.Errorf("SplitPosition(%q) = %q, %d, %d", pos, file, line, col)
		}
	}
}

func TestPoint(t *testing.T) {
	src := &Source{Path: "a.go", Data: []byte("one\ntwo\n")}
	for _, test := range []struct{ line, column, want int }{
		{1, 1, 0}, {2, 1, 4}, {2, 3, 6}, {2, 99, 8}, {2, 0, 4}, {3, 1, 8},
	} {
		if got := src.Point(test.line, test.column); got != At(src, test.want, test.want) {
			t.Errorf("Point(%d, %d) = %+v, want %d", test.line, test.column, got, test.want)
		}
	}
	if src.Point(4, 1).IsValid() || src.Point(0, 1).IsValid() ||
		(&Source{Path: "missing.go"}).Point(1, 1).IsValid() {
		t.Error("a line that does not exist has a position")
	}
}
