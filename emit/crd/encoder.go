package crd

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/crdproof/crdproof/schema"
)

const (
	// step is the indentation of a mapping. A list has the indentation of its key.
	step = 2
	// width is the column after which text is folded at the next single space.
	width = 80
	// maxSimpleKey is the maximum length in bytes of a key without the explicit form, "? key".
	maxSimpleKey = 128

	// initialSize is the initial capacity of the buffer, reserve the free space at the beginning of each schema node.
	initialSize = 16 << 10
	reserve     = 2 << 10
)

const blanks = "                                                                                "

// An encoder appends one document. Its state is that of an unfinished line: the next line writes the line break.
type encoder struct {
	out []byte
	// indent is the column of the current mapping's keys or the current list's dashes.
	indent int
	// col is the column, in characters, at which a scalar would begin. Only keys, items and folding maintain it.
	col int
	// inline means that a mapping or list begins on the line of its dash or explicit colon.
	inline bool
	// bol means that the line break is already written: at the start, and after a literal that ends in one.
	bol bool

	// entries is a stack of pending entries; it avoids allocations for sorting.
	entries []entry
}

// An entry is a key of a mapping, and its position before sorting.
type entry struct {
	key   string
	index int
}

// grow makes room by doubling: append alone would copy a large file several times more.
func (e *encoder) grow() {
	if cap(e.out)-len(e.out) < reserve {
		e.out = slices.Grow(e.out, len(e.out)+reserve)
	}
}

// end returns the finished document.
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

// mapping writes a mapping; one without any key is {}.
func (e *encoder) mapping(write func()) {
	start := len(e.out)
	e.indent += step
	write()
	e.indent -= step
	if len(e.out) == start {
		e.raw("{}")
	}
}

// field writes a known key and a mapping.
func (e *encoder) field(key string, write func()) {
	e.name(key)
	e.mapping(write)
}

// sorted writes the keys of a mapping in their order, each with its value. Nested mappings use the stack above this
// part, hence the access by index.
func (e *encoder) sorted(n int, key func(i int) string, write func(i int)) {
	base := len(e.entries)
	for i := range n {
		e.entries = append(e.entries, entry{key(i), i})
	}
	slices.SortFunc(e.entries[base:], func(a, b entry) int { return compareKeys(a.key, b.key) })
	for i := range n {
		next := e.entries[base+i]
		e.key(next.key)
		write(next.index)
	}
	e.entries = e.entries[:base]
}

// items writes a list, which is indented only inside another list or after an explicit colon.
func (e *encoder) items(n int, write func(i int)) {
	if n == 0 {
		e.raw("[]")
		return
	}
	before := e.indent
	if e.inline {
		e.indent += step
	}
	for i := range n {
		e.line()
		e.out = append(e.out, '-')
		e.col = e.indent + 1
		e.inline = true
		write(i)
	}
	e.indent = before
}

// list writes a known key and a list; an empty list is omitted.
func (e *encoder) list(key string, n int, write func(i int)) {
	if n > 0 {
		e.name(key)
		e.items(n, write)
	}
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

// pointer is text for a key that is omitted only when absent.
func (e *encoder) pointer(key string, value *schema.Text) {
	if value != nil {
		e.text(key, value.V)
	}
}

// texts writes a known key and a list of strings; an empty list is omitted.
func (e *encoder) texts(key string, list []schema.Text) {
	e.list(key, len(list), func(i int) { e.scalar(list[i].V) })
}
