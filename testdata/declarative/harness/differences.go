package harness

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// An excuse is a reason for an error that only one of the verdicts has. Its ID is that of one of differences.txtar.
type excuse struct {
	id string
	// goOnly excuses an error that Go alone has, serverOnly one that the server alone has; nil for none.
	goOnly, serverOnly func(v verdicts, e *field.Error) bool
}

// excuses are asked in this order.
func excuses() []excuse {
	return []excuse{
		{
			id:     "rules-unchecked",
			goOnly: func(v verdicts, e *field.Error) bool { return v.unchecked },
		},
		{
			id: "zero-is-set",
			serverOnly: func(v verdicts, e *field.Error) bool {
				// This is how the errors of keywords read, other than those of rules.
				return strings.Contains(e.Detail, " in body should ") &&
					isWrittenZero(v.value, strings.Split(pathOf(e), "."))
			},
		},
		{
			id: "slashes-accepted",
			serverOnly: func(v verdicts, e *field.Error) bool {
				text, isText := v.at(v.object, pathOf(e)).(string)
				kind := reflect.Indirect(v.value).Type().Name() // the one with texts of this format
				return isText && strings.Count(text, "/") > 1 && kind == "FormatResourceFullyQualifiedName"
			},
		},
		{
			id: "no-short-circuit",
			serverOnly: func(v verdicts, e *field.Error) bool {
				return slices.ContainsFunc(v.inGo, func(g *field.Error) bool {
					stopsList := isOfItem(g) || isTransition(g) && strings.HasSuffix(g.Field, "]")
					return isBelow(pathOf(e), pathOf(g)) || stopsList && isBelow(pathOf(e), parent(pathOf(g))) ||
						e.Type == field.ErrorTypeDuplicate && isBelow(pathOf(g), parent(pathOf(e)))
				})
			},
		},
		{
			id: "reported-as-a-whole",
			goOnly: func(v verdicts, e *field.Error) bool {
				return isOfItem(e) && slices.Contains(paths(v.inServer), parent(pathOf(e)))
			},
			serverOnly: func(v verdicts, e *field.Error) bool {
				return slices.ContainsFunc(v.inGo,
					func(g *field.Error) bool { return isOfItem(g) && parent(pathOf(g)) == pathOf(e) })
			},
		},
		{
			id: "added-parts",
			goOnly: func(v verdicts, e *field.Error) bool {
				path := pathOf(e)
				if isOfItem(e) {
					path = parent(path) // That an item is new is just what it says.
				}
				return v.old != nil && isTransition(e) && v.added(strings.Split(path, "."))
			},
		},
		{
			id: "required-was-missing",
			goOnly: func(v verdicts, e *field.Error) bool {
				return isTransition(e) && slices.ContainsFunc(v.against, func(old *field.Error) bool {
					return old.Type == field.ErrorTypeRequired && digits(old.Field) == digits(e.Field)
				})
			},
		},
		{
			id: "duplicates-reported-once",
			goOnly: func(v verdicts, e *field.Error) bool {
				return e.Type == field.ErrorTypeDuplicate && slices.ContainsFunc(v.inServer, func(s *field.Error) bool {
					return s.Type == field.ErrorTypeDuplicate && parent(pathOf(s)) == parent(pathOf(e))
				})
			},
		},
		{
			id: "duplicates-kept",
			goOnly: func(v verdicts, e *field.Error) bool {
				return e.Type == field.ErrorTypeDuplicate && v.oldHasDuplicates()
			},
		},
		{
			id: "duplicates-unequal",
			goOnly: func(v verdicts, e *field.Error) bool {
				isKept := v.old != nil && v.unchanged(strings.Split(pathOf(e), "."))
				return (isTransition(e) || isKept) && isNearDuplicates(e, v.against) ||
					v.old != nil && isNearDuplicates(e, v.inServer)
			},
			serverOnly: func(v verdicts, e *field.Error) bool { return isNearDuplicates(e, v.against) },
		},
		{
			id: "less-ratcheting",
			serverOnly: func(v verdicts, e *field.Error) bool {
				return slices.ContainsFunc(v.against, func(old *field.Error) bool {
					return digits(old.Field) == digits(e.Field) && old.Type == e.Type
				})
			},
		},
		{
			id: "order-ignored",
			goOnly: func(v verdicts, e *field.Error) bool {
				p := pathOf(e)
				is, was := v.at(v.object, p), v.at(v.old, p)
				return is != nil && !reflect.DeepEqual(is, was) && reflect.DeepEqual(sorted(is), sorted(was))
			},
		},
	}
}

// verdicts are the errors about one object.
type verdicts struct {
	// object and old are JSON; old is nil where the object is created.
	object, old map[string]any
	// value is the object in Go.
	value          reflect.Value
	inGo, inServer field.ErrorList
	// unchecked is whether the server left out the rules in CEL.
	unchecked bool
	// against is what the server would say against creating the old object.
	against field.ErrorList
	// added reports whether the value at a path is new as a whole: server.Resource.Added. unchanged reports whether the
	// server takes it for the old one: server.Resource.Unchanged.
	added, unchanged func(path []string) bool
}

func (v verdicts) oldHasDuplicates() bool {
	return slices.ContainsFunc(v.against, func(e *field.Error) bool { return e.Type == field.ErrorTypeDuplicate })
}

// isNearDuplicates reports whether an error stands at, within or around a list of which what is reported says that it
// has equal items.
func isNearDuplicates(e *field.Error, told field.ErrorList) bool {
	return slices.ContainsFunc(told, func(d *field.Error) bool {
		list := parent(pathOf(d))
		return d.Type == field.ErrorTypeDuplicate && (pathOf(e) == list || isBelow(pathOf(e), list) ||
			isBelow(list, pathOf(e)))
	})
}

// differences are the IDs of the excuses for all that differs; ok is false where something is without an excuse.
func (v verdicts) differences() (ids []string, ok bool) {
	inGo, inServer := paths(v.inGo), paths(v.inServer)
	ok = true
	note := func(list field.ErrorList, other []string, applies func(excuse) func(verdicts, *field.Error) bool) {
		for _, e := range list {
			if slices.Contains(other, pathOf(e)) {
				continue
			}
			at := slices.IndexFunc(excuses(), func(x excuse) bool { return applies(x) != nil && applies(x)(v, e) })
			if at < 0 {
				ok = false
				continue
			}
			ids = append(ids, excuses()[at].id)
		}
	}
	note(v.inGo, inServer, func(x excuse) func(verdicts, *field.Error) bool { return x.goOnly })
	note(v.inServer, inGo, func(x excuse) func(verdicts, *field.Error) bool { return x.serverOnly })
	slices.Sort(ids)
	return slices.Compact(ids), ok
}

// pathOf is the path of an error, with map.key for map[key].
func pathOf(e *field.Error) string {
	return strings.NewReplacer("[", ".", "]", "").Replace(e.Field)
}

// isOfItem reports whether Go tells an error of one item of a list or one entry of a map, which a rule in CEL about
// several of them can only tell of the whole.
func isOfItem(e *field.Error) bool {
	return strings.HasSuffix(e.Field, "]") && (e.Type == field.ErrorTypeDuplicate || e.Type == field.ErrorTypeForbidden)
}

// isTransition reports whether an error of Go's is about a change.
func isTransition(e *field.Error) bool {
	return e.Origin == "immutable" || e.Origin == "update" || e.Origin == "monotonic"
}

func isBelow(path, other string) bool { return strings.HasPrefix(path, other+".") }

func parent(path string) string { return path[:max(0, strings.LastIndex(path, "."))] }

// at is the value at a path, or nil.
func (verdicts) at(object any, path string) any {
	for _, key := range strings.Split(path, ".") {
		switch o := object.(type) {
		case map[string]any:
			object = o[key]
		case []any:
			object = nil
			for i := range o {
				if key == itoa(i) {
					object = o[i]
				}
			}
		default:
			return nil
		}
	}
	return object
}

func itoa(n int) string { data, _ := json.Marshal(n); return string(data) }

// sorted is a value with all lists in one order.
func sorted(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, item := range v {
			out[key] = sorted(item)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = sorted(item)
		}
		slices.SortFunc(out, func(a, b any) int { return cmp.Compare(text(a), text(b)) })
		return out
	}
	return v
}

func text(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // it was JSON
	}
	return string(data)
}
