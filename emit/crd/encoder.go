package crd

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/crdproof/crdproof/generator/schema"
)

const (
	// step is what a mapping is indented by. A list stands at the indentation of the key that it belongs to.
	step = 2
	// width is the column after which text is folded at the next single space.
	width = 80
	// maxSimpleKey is the length in bytes from which on a key needs the explicit form, "? key".
	maxSimpleKey = 128

	// initialSize is the buffer's first capacity, reserve what is at hand whenever a schema node begins.
	initialSize = 16 << 10
	reserve     = 2 << 10
)

const blanks = "                                                                                "

// An encoder appends one document. Its state is that of a line that is not yet ended: every line break is written by
// whoever begins the next line.
type encoder struct {
	out []byte
	// indent is the column of the current mapping's keys or the current list's dashes.
	indent int
	// col is the column, in characters, at which a scalar would begin; it is kept by keys, items and folding only.
	col int
	// inline means that a mapping or list begins on the line of its dash or explicit colon.
	inline bool
	// bol means that the line break is written already: at the start, and after a literal that ends in one.
	bol bool

	// properties and members are stacks of the names that wait while one of them is written; they keep sorting from
	// allocating.
	properties []*schema.Property
	members    []*schema.Member
}

// grow makes room by doubling: append's own steps would copy a large file several times more.
func (e *encoder) grow() {
	if cap(e.out)-len(e.out) < reserve {
		e.out = slices.Grow(e.out, len(e.out)+reserve)
	}
}

// end returns what closes the document.
func (e *encoder) end() string {
	if e.bol {
		return ""
	}
	return "\n"
}

// line begins a line at the current indentation.
func (e *encoder) line() {
	if e.inline {
		e.inline = false
		e.out = append(e.out, ' ')
		return
	}
	if e.bol {
		e.bol = false
	} else {
		e.out = append(e.out, '\n')
	}
	e.pad(e.indent)
}

func (e *encoder) pad(n int) {
	for n > len(blanks) {
		e.out = append(e.out, blanks...)
		n -= len(blanks)
	}
	e.out = append(e.out, blanks[:n]...)
}

// wrap continues a scalar on the next line.
func (e *encoder) wrap() {
	e.out = append(e.out, '\n')
	e.col = e.indent + step
	e.pad(e.col)
}

// name begins a line with a known key, given with its colon. Known keys are short and never need quotes.
func (e *encoder) name(key string) {
	e.line()
	e.out = append(e.out, key...)
	e.col = e.indent + len(key)
}

// key begins a line with any key. A key that is long or has a line break takes the explicit form.
func (e *encoder) key(key string) {
	e.line()
	s, t := examineKey(key)
	if t&multiline == 0 && len(s) <= maxSimpleKey {
		start := len(e.out)
		e.simpleKey(s, t)
		e.out = append(e.out, ':')
		e.col = e.indent + utf8.RuneCount(e.out[start:])
		return
	}
	e.out = append(e.out, '?')
	e.col = e.indent + 1
	e.write(s, t)
	e.line()
	e.out = append(e.out, ':')
	e.col = e.indent + 1
	e.inline = true
}

// item begins a list item.
func (e *encoder) item() {
	e.line()
	e.out = append(e.out, '-')
	e.col = e.indent + 1
	e.inline = true
}

// beginList indents a list where it must be, and returns by how much.
func (e *encoder) beginList() int {
	if !e.inline {
		return 0
	}
	e.indent += step
	return step
}

// raw writes a scalar that is known to need no quotes and no folding.
func (e *encoder) raw(s string) {
	e.inline = false
	e.out = append(e.out, ' ')
	e.out = append(e.out, s...)
}

func (e *encoder) bool(v bool) {
	if v {
		e.raw("true")
	} else {
		e.raw("false")
	}
}

func (e *encoder) integer(v int64) {
	e.inline = false
	e.out = append(e.out, ' ')
	e.out = strconv.AppendInt(e.out, v, 10)
}

// text writes a known key and a string.
func (e *encoder) text(key, value string) {
	e.name(key)
	e.scalar(value)
}

// optional is text for a key that is omitted when empty.
func (e *encoder) optional(key, value string) {
	if value != "" {
		e.text(key, value)
	}
}

// texts writes a known key and a list of strings; an empty list is omitted.
func (e *encoder) texts(key string, list []schema.Text) {
	if len(list) == 0 {
		return
	}
	e.name(key)
	in := e.beginList()
	for i := range list {
		e.item()
		e.scalar(list[i].V)
	}
	e.indent -= in
}
