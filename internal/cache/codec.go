package cache

import "encoding/binary"

// A Writer appends values to the bytes of an entry. A Reader reads them in the same order.
type Writer struct{ data []byte }

// Data returns the bytes of all values.
func (w *Writer) Data() []byte { return w.data }

// Int appends a number.
func (w *Writer) Int(n int) { w.data = binary.AppendVarint(w.data, int64(n)) }

// Bool appends a truth value.
func (w *Writer) Bool(b bool) {
	n := 0
	if b {
		n = 1
	}
	w.Int(n)
}

// String appends a text.
func (w *Writer) String(s string) {
	w.Int(len(s))
	w.data = append(w.data, s...)
}

// Bytes appends bytes.
func (w *Writer) Bytes(b []byte) {
	w.Int(len(b))
	w.data = append(w.data, b...)
}

// WriteList appends a list; each appends an item.
func WriteList[T any](w *Writer, list []T, each func(T)) {
	w.Int(len(list))
	for _, item := range list {
		each(item)
	}
}

// Strings appends a list of texts.
func (w *Writer) Strings(list []string) { WriteList(w, list, w.String) }

// A Reader reads the values of a Writer. After the first value that is not there, all values are zero.
type Reader struct {
	data []byte
	bad  bool
}

// NewReader returns a Reader of the bytes of an entry, which must not change while its values are used.
func NewReader(data []byte) *Reader { return &Reader{data: data} }

// Complete reports whether all values were there, and nothing else.
func (r *Reader) Complete() bool { return !r.bad && len(r.data) == 0 }

// fail makes all further values zero.
func (r *Reader) fail() { r.data, r.bad = nil, true }

// Int reads a number.
func (r *Reader) Int() int {
	n, size := binary.Varint(r.data)
	if size <= 0 || int64(int(n)) != n {
		r.fail()
		return 0
	}
	r.data = r.data[size:]
	return int(n)
}

// Bool reads a truth value.
func (r *Reader) Bool() bool { return r.Int() != 0 }

// Bytes reads bytes. They share memory with the entry.
func (r *Reader) Bytes() []byte {
	n := r.Int()
	if n < 0 || n > len(r.data) {
		r.fail()
		return nil
	}
	out := r.data[:n:n]
	r.data = r.data[n:]
	return out
}

// String reads a text.
func (r *Reader) String() string { return string(r.Bytes()) }

// ReadList reads a list; each reads an item. An empty list is nil.
func ReadList[T any](r *Reader, each func() T) []T {
	n := r.Int()
	if n < 0 || n > len(r.data) { // every item has a byte
		r.fail()
		return nil
	}
	var out []T
	for range n {
		if r.bad {
			return nil
		}
		out = append(out, each())
	}
	return out
}

// Strings reads a list of texts.
func (r *Reader) Strings() []string { return ReadList(r, r.String) }
