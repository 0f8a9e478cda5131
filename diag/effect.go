package diag

import "fmt"

// An Effect is what an edit changes for the objects of an API. The zero Effect is none: API servers treat all objects
// as before, and prune and default them as before, although they may report other messages.
type Effect struct {
	Kind EffectKind
	// Detail says what changes, as in "name becomes optional".
	Detail string
}

// EffectKind is the kind of an Effect.
type EffectKind uint8

// The kinds of effects.
const (
	NoEffect EffectKind = iota
	// OtherBytes changes files, but nothing in them that API servers read for an object.
	OtherBytes
	// AcceptsMore makes API servers accept some objects that they reject now.
	AcceptsMore
	// AcceptsLess makes API servers reject some objects that they accept now.
	AcceptsLess
	// AcceptsOther may do both, or change what API servers store.
	AcceptsOther
)

// String returns the words for the kind.
func (k EffectKind) String() string {
	return [...]string{NoEffect: "none", OtherBytes: "changes only the file", AcceptsMore: "accepts more objects",
		AcceptsLess: "accepts fewer objects", AcceptsOther: "may accept other objects"}[k]
}

// String returns the effect in words: "accepts more objects: name becomes optional".
func (e Effect) String() string {
	if e.Detail == "" {
		return e.Kind.String()
	}
	return e.Kind.String() + ": " + e.Detail
}

// A Help says what to write instead of what is wrong, and what that changes.
type Help struct {
	Text   string
	Effect Effect
	// Steps do what the text says. A help that leaves a choice has none.
	Steps []Step
	// Edits are the steps in bytes. Only package edit sets them.
	Edits []Edit
}

// String returns the text with the effect behind it, unless there is none.
func (h Help) String() string {
	if h.Effect.Kind == NoEffect {
		return h.Text
	}
	return h.Text + " (" + h.Effect.String() + ")"
}

// HasEffect reports whether the help changes what API servers do with objects.
func (h Help) HasEffect() bool { return h.Effect.Kind > OtherBytes }

// Helps returns the help and its alternatives, nil if the diagnostic has no help.
func (d *Diagnostic) Helps() []Help {
	if d.HelpText == "" {
		return nil
	}
	return append([]Help{{d.HelpText, d.Effect, d.Steps, d.Edits}}, d.Alternatives...)
}

// Help returns the diagnostic with what to write instead, in place of what it said before.
func (d Diagnostic) Help(format string, args ...any) Diagnostic {
	d.HelpText, d.Effect, d.Steps, d.Alternatives = fmt.Sprintf(format, args...), Effect{}, nil, nil
	return d
}

// Or returns the diagnostic with another help. The first one is the help, further ones are alternatives with effects of
// their own.
func (d Diagnostic) Or(format string, args ...any) Diagnostic {
	if d.HelpText == "" {
		return d.Help(format, args...)
	}
	d.Alternatives = append(d.Alternatives[:len(d.Alternatives):len(d.Alternatives)],
		Help{Text: fmt.Sprintf(format, args...)})
	return d
}

// Changes returns the diagnostic with the effect of its last help, and what changes in words.
func (d Diagnostic) Changes(kind EffectKind, format string, args ...any) Diagnostic {
	effect := Effect{kind, fmt.Sprintf(format, args...)}
	n := len(d.Alternatives)
	if n == 0 {
		d.Effect = effect
		return d
	}
	last := d.Alternatives[n-1]
	last.Effect = effect
	d.Alternatives = append(d.Alternatives[:n-1:n-1], last)
	return d
}
