package suite

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/server"
)

// The ids of what makes a case fail.
const (
	ruleExpected = "suite-expected"
	ruleError    = "suite-error"
	ruleAccepted = "suite-accepted"
	ruleRefused  = "suite-refused"
	ruleInitial  = "suite-initial"
)

// named adds to a failure which case it is of.
func named(o *Outcome, d diag.Diagnostic) diag.Diagnostic {
	d.Message = o.Name + ": " + d.Message
	return d
}

// differs says that what the server has is not what is expected.
func differs(at diag.Span, c *Case, lines, unknown []string) diag.Diagnostic {
	d := diag.Diagnostic{Span: at, Check: ruleExpected, Message: "the API server has another object than expected", Notes: lines}
	if c.Expected == nil {
		d.Message = "the API server changes the object, and nothing else is expected"
	}
	for _, path := range unknown {
		d.Notes = append(d.Notes, "no schema has the field "+path+"; it is dropped")
	}
	if c.sent().Fields["status"] != nil && !c.OnUpdate {
		d.HelpText = "a status is not kept when an object is created; a case of onUpdate writes it through the status subresource"
	}
	return d
}

// What a write is of.
const (
	theObject = "the object"
	theStatus = "the status"
)

// refused says that a write is refused that should not be.
func refused(c *Case, what string, answer server.Answer) diag.Diagnostic {
	verb := "create "
	if c.OnUpdate {
		verb = "update "
	}
	d := diag.Diagnostic{
		Span: c.sent().place(answer), Check: ruleRefused, Message: "the API server refuses to " + verb + what,
		Notes: quoted("got", sentences(answer)),
	}
	if what == theObject && c.StatusError != nil {
		d.HelpText = "write " + keyExpectedError + " in place of " + keyStatusError
	}
	return d
}

// refusedStatus says that the status is refused where an error of the object is expected.
func refusedStatus(c *Case, answer server.Answer) diag.Diagnostic {
	d := refused(c, theStatus, answer)
	d.HelpText = "write " + keyStatusError + " in place of " + keyExpectedError
	return d
}

// initialRefused says that a case of onUpdate does not come to what it is about.
func initialRefused(o *Object, answer server.Answer) diag.Diagnostic {
	return diag.Diagnostic{
		Span: o.place(answer), Check: ruleInitial, Message: "the API server refuses to create the initial object, so that what the case is about is not tested",
		Notes: quoted("got", sentences(answer)),
	}
}

// accepted says that a write is accepted that should not be.
func accepted(expected Field, what string, answer server.Answer) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: expected.At, Check: ruleAccepted, Message: "the API server accepts " + what,
		Notes: quoted("expected", []string{expected.V}),
	}
	for _, path := range answer.Unknown {
		d.Notes = append(d.Notes, "no schema has the field "+path+"; it is dropped")
	}
	return d
}

// otherError says that a write is refused for another reason than expected.
func otherError(expected Field, what string, answer server.Answer) diag.Diagnostic {
	got := sentences(answer)
	d := diag.Diagnostic{
		Span: expected.At, Check: ruleError, Message: "the API server refuses " + what + " with another error than expected",
		Notes: append(quoted("expected", []string{expected.V}), quoted("got", got)...),
	}
	if near := diag.Near(expected.V, got); near != "" {
		same := common(expected.V, near)
		d.HelpText = fmt.Sprintf("they differ where it says %q, not %q", excerpt(near[same:]), excerpt(expected.V[same:]))
	}
	return d
}

// common is how many bytes two texts have in common at their beginnings, counted in whole words.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	if n == len(a) || n == len(b) {
		return n
	}
	return strings.LastIndexByte(a[:n], ' ') + 1
}

// excerpt is the beginning of a text.
func excerpt(text string) string {
	const most = 40
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// quoted are lines that follow a label.
func quoted(label string, lines []string) (out []string) {
	for i, line := range lines {
		if i > 0 {
			label = strings.Repeat(" ", len(label)+1)
		} else {
			label += ":"
		}
		pad := strings.Repeat(" ", len("expected: ")-len(label))
		out = append(out, label+pad+line)
	}
	return out
}

func unwritable(o *Object, err error) diag.Diagnostic {
	return diag.Diagnostic{Span: o.Key, Check: ruleRefused, Message: "the object cannot be written: " + err.Error()}
}

// badPatch says why a patch does not apply to a document.
func badPatch(document []byte, p Patch, err error) diag.Diagnostic {
	d := diag.Diagnostic{Span: p.Path.At, Check: rulePatch, Message: fmt.Sprintf("the patch does not apply to the CRD: %s %s: %v", p.Op.V, p.Path.V, err)}
	for _, pointer := range []schema.Text{p.Path, p.From} {
		switch there, missing, known := follow(document, pointer.V); {
		case pointer.V == "":
		case !strings.HasPrefix(pointer.V, "/"):
			d.Span, d.Message = pointer.At, fmt.Sprintf("the patch does not apply to the CRD: %s is no JSON pointer", pointer.V)
			d.HelpText = "begin it with a slash, as in /spec/versions/0/schema/openAPIV3Schema"
			return d
		case missing != "":
			d.Span, d.Message = pointer.At, fmt.Sprintf("the patch does not apply to the CRD: %s has no %q to %s", there, missing, p.Op.V)
			if near := diag.Near(missing, known); near != "" {
				d.HelpText = diag.Meant(near)
			}
			return d
		}
	}
	if p.Op.V == "test" {
		d.Message = "the patch does not apply to the CRD: it has another value at " + p.Path.V
	}
	return d
}

// follow goes along a JSON pointer, and returns where it gets to, what is missing there, and what there is instead.
func follow(document []byte, pointer string) (there, missing string, known []string) {
	var value any
	if json.Unmarshal(document, &value) != nil {
		return "", "", nil
	}
	there = "the CRD"
	walked := ""
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		name := strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		var next any
		ok := false
		switch v := value.(type) {
		case map[string]any:
			next, ok = v[name]
			known = sortedKeys(v)
		case []any:
			i, err := strconv.Atoi(name)
			if ok = err == nil && i >= 0 && i < len(v); ok {
				next = v[i]
			}
			known = nil
		}
		if !ok {
			return there, name, known
		}
		value, walked = next, walked+"/"+token
		there = walked
	}
	return there, "", nil
}

// badPatches says why what patches make of a CRD cannot be served.
func badPatches(c *Case, err error) diag.Diagnostic {
	d := diag.Diagnostic{Span: c.key(keyPatches), Check: rulePatch, Message: "an API server cannot serve what the patches make of the CRD: " + err.Error()}
	if refused := (*server.Refused)(nil); errors.As(err, &refused) {
		d.Message = "an API server refuses what the patches make of the CRD"
		for _, r := range refused.Reasons {
			d.Notes = append(d.Notes, r.Path+": "+r.Message)
		}
		slices.Sort(d.Notes)
	}
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		d.Message = fmt.Sprintf("what the patches make of the CRD is none: %s cannot be of the type %s", wrong.Field, wrong.Value)
	}
	return d
}
