package harness

import (
	"encoding/json"
	"maps"
	"math/big"
	"slices"

	"github.com/crdproof/crdproof/testdata/circle/fill"
	"github.com/crdproof/crdproof/testdata/circle/source"
)

// announcement is what a warning of one rule says.
type announcement struct {
	// excuses are the classes of failures that it announces.
	excuses []string
	// shows are the ways for the field to look of which one has to fail so: otherwise the warning is not true.
	shows []fill.As
	// of reports whether it speaks of the value at which the object fails, a value that is not there being absent. It
	// is nil for any value.
	of func(v any) bool
}

// announcements are those of the rules that announce anything. Other warnings, such as those of a marker without an
// effect, say nothing of the JSON of their field.
var announcements = map[string]announcement{
	// An empty []byte is as little of a value as a nil one, and the same help helps.
	"json-null": {[]string{classRejected}, []fill.As{fill.Unset},
		func(v any) bool { return v == nil || v == "" }},
	"json-zero":         {[]string{classRejected}, []fill.As{fill.Unset}, nil},
	"json-omitted":      {[]string{classRejected}, []fill.As{fill.Unset, fill.Empty}, isAbsent},
	"json-null-element": {[]string{classRejected, classPruned}, []fill.As{fill.Elements}, isNull},
	"json-empty":        {[]string{classRejected}, []fill.As{fill.Empty}, func(v any) bool { return v == "" }},
	"type-precision":    {[]string{classRejected, classChanged}, []fill.As{fill.Large}, isLarge},
	"metadata-pruned":   {[]string{classPruned}, []fill.As{fill.Set}, nil},
	// What Go reads of a key such as 01 it writes in another way, so that the key is lost.
	"type-map-key": {[]string{classUnreadable, classLost, classTruncated}, nil, nil},
}

// absent is the value at a path that leads to nothing.
type absent struct{}

func isAbsent(v any) bool { return v == absent{} }

func isNull(v any) bool { return v == nil }

// isLarge reports whether a value is an integer that int64 does not hold.
func isLarge(v any) bool {
	number, ok := v.(json.Number)
	if !ok {
		return false
	}
	n, ok := new(big.Int).SetString(number.String(), 10)
	return ok && !n.IsInt64()
}

// announcer knows what crdproof warned of in one kind.
type announcer struct {
	file  *source.File
	rules map[string]map[string]bool // JSON key to rules of warnings at its field
}

func newAnnouncer(file *source.File, warnings []remark) *announcer {
	a := &announcer{file: file, rules: map[string]map[string]bool{}}
	for _, w := range warnings {
		for _, key := range file.At(w.at).Keys {
			if a.rules[key] == nil {
				a.rules[key] = map[string]bool{}
			}
			a.rules[key][w.rule] = true
		}
	}
	return a
}

// key is the last of the path's elements that is a field's own key: a warning must be at that field. Elements behind it
// are keys of maps, indices, and fields of library types.
func (a *announcer) key(path []string) string {
	for i := len(path) - 1; i > 0; i-- {
		if a.file.IsKey(path[i], path[:i]) {
			return path[i]
		}
	}
	return ""
}

// announced returns the rule of a warning that announced a failure of that class at the field that the path leads to;
// "" for none. What is wrong with the zero value of a field may be anywhere in it, if the field is among those that are
// unset.
func (a *announcer) announced(class string, path []string, v any, unset []string) string {
	rules := a.rules[a.key(path)]
	for _, rule := range slices.Sorted(maps.Keys(rules)) {
		by := announcements[rule]
		if rule != "json-zero" && slices.Contains(by.excuses, class) && (by.of == nil || by.of(v)) {
			return rule
		}
	}
	isUnset := false
	for _, key := range path {
		isUnset = isUnset || slices.Contains(unset, key)
		if isUnset && class == classRejected && a.rules[key]["json-zero"] {
			return "json-zero"
		}
	}
	return ""
}
