package schema

import (
	"encoding/json"
	"strings"
)

// A PatternStep is a step of a pattern, which leads from schemas to some below them. Each is the part of the pattern
// from Start to End, in bytes.
type PatternStep struct {
	Kind PatternKind
	// Name is that of a NamedField.
	Name       string
	Start, End int
}

// PatternKind is the kind of a PatternStep.
type PatternKind uint8

// The kinds. AnyDepth leads to the schema itself and to all below it.
const (
	NamedField PatternKind = iota
	ItemsOfList
	ValuesOfMap
	AnyField
	AnyDepth
)

// A PatternFault says what is wrong with a pattern, from Start to End.
type PatternFault struct {
	Start, End int
	Why, Help  string
}

// ParsePattern reads a pattern such as spec.containers[].env{}.name: names of fields, [] for the items of a list, {}
// for the values of a map, * for any field, and ** for any depth. A name with other characters is in brackets and
// quotes: data["ca.crt"]. The empty pattern has no steps.
func ParsePattern(text string) ([]PatternStep, *PatternFault) {
	var out []PatternStep
	for at := 0; at < len(text); {
		step, fault := cutPattern(text, at)
		if fault != nil {
			return out, fault
		}
		out, at = append(out, step), step.End
	}
	return out, nil
}

// cutPattern reads the step at an offset.
func cutPattern(text string, at int) (PatternStep, *PatternFault) {
	rest := text[at:]
	switch {
	case strings.HasPrefix(rest, "[]"):
		return PatternStep{ItemsOfList, "", at, at + 2}, nil
	case strings.HasPrefix(rest, "{}"):
		return PatternStep{ValuesOfMap, "", at, at + 2}, nil
	case strings.HasPrefix(rest, `["`):
		dec := json.NewDecoder(strings.NewReader(rest[1:]))
		var name string
		end := 1
		if err := dec.Decode(&name); err == nil {
			end += int(dec.InputOffset())
		}
		if end == 1 || !strings.HasPrefix(rest[end:], "]") {
			return PatternStep{}, &PatternFault{at, len(text), "the bracket is not closed", `write ["name"]`}
		}
		return PatternStep{NamedField, name, at, at + end + 1}, nil
	case rest[0] == '[':
		return PatternStep{}, &PatternFault{at, at + strings.IndexAny(rest+"]", "]") + 1, "unexpected bracket",
			`write [] for all items of a list, {} for all values of a map, or ["name"] for a field`}
	case at > 0 && rest[0] != '.':
		return PatternStep{}, &PatternFault{at, at + 1, "expected a dot or a bracket", "write a dot between two names"}
	case at > 0:
		at++
	}
	end := at + strings.IndexAny(text[at:]+".", ".[{")
	name := text[at:end]
	if i := strings.IndexAny(name, `]}"' `); i >= 0 {
		return PatternStep{}, &PatternFault{at + i, at + i + 1, "unexpected character in a path",
			`write names of fields with dots between them, and ["name"] for a name with other characters`}
	}
	step := PatternStep{NamedField, name, at, end}
	switch name {
	case "":
		return PatternStep{}, &PatternFault{at, max(end, min(at+1, len(text))), "expected the name of a field",
			"a path has no dot at its beginning or end, and one dot between two names"}
	case "*":
		step.Kind = AnyField
	case "**":
		step.Kind = AnyDepth
	}
	return step, nil
}
