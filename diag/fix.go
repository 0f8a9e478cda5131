package diag

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// A Step is one thing that a help does, as data. What it means in bytes depends on the language and the layout of the
// file: package edit turns it into edits.
type Step struct {
	Action Action
	// At is where it is done; if it is not valid, at the Span of the finding.
	At Span
	// Text is what is written or removed.
	Text string
}

// Action is the kind of a Step.
type Action uint8

// The actions. A place is in a declaration, a marker, a mapping or a string if it is anywhere between its first byte
// and its last one.
const (
	// Replace replaces the place by the text.
	Replace Action = iota
	// Remove removes the marker in Go that has the place, or the part of it that is the place, with the argument or the
	// key that it is the value of. In YAML, it removes the item of a list, or the key with its value.
	Remove
	// RemoveMarker removes the whole marker that has the place.
	RemoveMarker
	// ReplaceMarker writes the text, from its '+' on, instead of the whole marker that has the place.
	ReplaceMarker
	// Add writes the text, which is a marker, above the declaration in Go that has the place. In YAML, the text is a
	// key with its value in JSON, which Add sets in the mapping that has the place.
	Add
	// Bound does what Add does, but replaces a marker or a key of the same name.
	Bound
	// AddArgument adds the text to the end of the marker that has the place.
	AddArgument
	// AddOption adds an option to the JSON tag of the field that has the place.
	AddOption
	// DropOption removes an option from the JSON tag of the field that has the place.
	DropOption
	// Rewrite replaces the whole string that has the place, within its quotes, by the text.
	Rewrite
	// RemoveKey removes a key, which is the text, from the nearest mapping around the place that has it.
	RemoveKey
	// AddItem adds an item to a list. The text is the key of the list, '=' and the item. A missing list is added to the
	// mapping that has the place.
	AddItem
	// Require makes the field required that has the place: its name in JSON is the text. In Go, +required replaces a
	// marker that makes it optional.
	Require
)

// Actions is the number of actions.
const Actions = int(Require) + 1

// An Edit replaces a range of bytes in a file.
type Edit struct {
	Span Span
	New  string
}

// Apply returns the content of a file after edits that do not overlap.
func Apply(data []byte, edits []Edit) []byte {
	edits = slices.Clone(edits)
	slices.SortFunc(edits, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.End, b.Span.End))
	})
	var out bytes.Buffer
	end := 0
	for _, e := range edits {
		out.Write(data[end:e.Span.Start])
		out.WriteString(e.New)
		end = int(e.Span.End)
	}
	out.Write(data[end:])
	return out.Bytes()
}

// Do returns the diagnostic with a step of its last help, at the Span of the finding.
func (d Diagnostic) Do(action Action, text string) Diagnostic { return d.DoAt(action, Span{}, text) }

// DoAt does what Do does, at another place.
func (d Diagnostic) DoAt(action Action, at Span, text string) Diagnostic {
	step := Step{action, at, text}
	n := len(d.Alternatives)
	if n == 0 {
		if d.HelpText != "" {
			d.Steps = append(d.Steps[:len(d.Steps):len(d.Steps)], step)
		}
		return d
	}
	last := d.Alternatives[n-1]
	last.Steps = append(last.Steps[:len(last.Steps):len(last.Steps)], step)
	d.Alternatives = append(d.Alternatives[:n-1:n-1], last)
	return d
}

// Meant returns the diagnostic with the question whether something was meant in place of what is at its Span, without
// a help for nothing.
func (d Diagnostic) Meant(near string) Diagnostic { return d.Help("%s", Meant(near)).Do(Replace, near) }

// Write returns the diagnostic with the help to write a text: instead of what is at its Span, or, if it begins with
// '+', instead of the whole marker.
func (d Diagnostic) Write(text string) Diagnostic {
	d = d.Help("write %s", text)
	if strings.HasPrefix(text, "+") {
		return d.Do(ReplaceMarker, text)
	}
	return d.Do(Replace, text)
}

// WriteKey returns the diagnostic with the help to write a key with its value, or a marker, in place of the one that is
// there.
func (d Diagnostic) WriteKey(text string) Diagnostic { return d.Help("write %s", text).Do(Bound, text) }

// AddKey returns the diagnostic with the help to add a key with its value, or a marker.
func (d Diagnostic) AddKey(text string) Diagnostic { return d.Help("add %s", text).Do(Add, text) }

// DropKey returns the diagnostic with the help to remove a key or a marker by its name.
func (d Diagnostic) DropKey(name string) Diagnostic {
	return d.Help("remove %s", name).Do(RemoveKey, name)
}
