// Package literal maps the bytes of a decoded string to the source text of its literal, through quotes and escapes, so
// that a mistake inside a long string is reported at its own position.
//
// The package carries no promise, and may change in any release: see docs/stability.md.
package literal

// Decoded is a literal's text and where each byte of it was written.
type Decoded struct {
	// Text is the value of the literal.
	Text string
	// from and to are the offsets in the source of the character or escape sequence of each byte of Text.
	from, to []int32
	// end is the offset after the last character, before a closing quote.
	end int32
}

// Range returns the part of the source for the bytes from start to end (exclusive) of the text: whole escape sequences
// and whole characters. An empty range is a point; a range after the text is the point after its last character.
func (d *Decoded) Range(start, end int) (from, to int) {
	if start < 0 || start >= len(d.from) {
		return int(d.end), int(d.end)
	}
	from = int(d.from[start])
	if end <= start {
		return from, from
	}
	return from, int(d.to[min(end, len(d.to))-1])
}

// A builder collects a Decoded.
type builder struct {
	text     []byte
	from, to []int32
}

// add appends text that comes from a piece of the source.
func (b *builder) add(text string, from, to int) {
	b.text = append(b.text, text...)
	for range len(text) {
		b.from, b.to = append(b.from, int32(from)), append(b.to, int32(to))
	}
}

func (b *builder) finish(end int) Decoded {
	return Decoded{Text: string(b.text), from: b.from, to: b.to, end: int32(end)}
}
