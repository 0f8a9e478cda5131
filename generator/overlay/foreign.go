package overlay

import (
	"regexp"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// People bring paths and words of other tools. What they mean here is said in the help.

// foreignIndex is a selection of items in yq and JSONPath: [0], [*] or ['name'].
var foreignIndex = regexp.MustCompile(`\[(?:[0-9]*|\*)\]|\['([^'\]]*)'\]`)

// pathFrom returns the path of an overlay for one of yq, JSONPath or JSON Pointer, from the root of a CRD, of its
// schema or of an object; "" if it is not certain.
func pathFrom(text string) string {
	isPointer := (strings.HasPrefix(text, "/") || strings.Contains(text, "/") && !strings.Contains(text, ".")) &&
		!strings.ContainsAny(text, "[]{}\"'|")
	if isPointer {
		text = strings.ReplaceAll(strings.Trim(text, "/"), ".", "\x00")
		text = strings.NewReplacer("/", ".", "~1", "/", "~0", "~").Replace(text)
	}
	text = strings.TrimPrefix(strings.TrimPrefix(text, "$"), ".")
	text = foreignIndex.ReplaceAllStringFunc(text, func(index string) string {
		if name, isName := strings.CutPrefix(index, "['"); isName {
			return "." + strings.TrimSuffix(name, "']")
		}
		return ".[]"
	})
	steps := strings.Split(strings.TrimPrefix(text, "."), ".")
	isSchema := false
	if i := slices.Index(steps, "openAPIV3Schema"); i >= 0 {
		steps, isSchema = steps[i+1:], true
	}
	out := ""
	for i := 0; i < len(steps); i++ {
		switch step := steps[i]; {
		case (isSchema || i == 0) && step == "properties" && i+1 < len(steps):
			i, isSchema = i+1, true
			out += "." + nameStep(steps[i])
		case isSchema && step == "items":
			out += "[]"
		case isSchema && step == "additionalProperties":
			out += "{}"
		case isSchema: // a keyword of the schema
			return written(out, i+1 == len(steps) && schema.KeywordOf(step) != nil)
		case isPointer && step == "items", step == "[]", isPointer && isNumber(step):
			out += "[]"
		default:
			out += "." + nameStep(step)
		}
	}
	return written(out, true)
}

// written returns the steps as a path, "" if the path cannot be read or is not whole.
func written(steps string, isWhole bool) string {
	out := strings.TrimPrefix(steps, ".")
	if _, fault := schema.ParsePattern(out); fault != nil || !isWhole {
		return ""
	}
	return out
}

func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// nameStep returns a name as a step has it: \x00 is a dot.
func nameStep(name string) string {
	if strings.ContainsAny(name, "\x00/ ") {
		return `["` + strings.ReplaceAll(name, "\x00", ".") + `"]`
	}
	return name
}

// keywordNear returns the keyword that a word may mean: as markers, Go fields or merged words have it.
func keywordNear(word string) string {
	var names []string
	for _, k := range schema.Keywords() {
		if plainKeyword(k.Name) == plainKeyword(word) {
			return k.Name
		}
		names = append(names, k.Name)
	}
	return diag.Near(word, names)
}

// plainKeyword returns a keyword without what markers and Go fields write otherwise.
func plainKeyword(name string) string {
	name = name[strings.LastIndexByte(name, ':')+1:]
	name = strings.TrimPrefix(name, "x-kubernetes-")
	if len(name) > 1 && name[0] == 'X' && name[1] >= 'A' && name[1] <= 'Z' {
		name = name[1:]
	}
	return strings.ToLower(strings.ReplaceAll(name, "-", ""))
}

// meantKey returns the help for a key that an entry does not have, "" without one.
func meantKey(name string) string {
	if schema.KeywordOf(name) != nil {
		return "write tighten: or set: and the keyword below it"
	}
	const patch = "an overlay has no operations: write path: and below it the change, such as set: {maxLength: 63}"
	switch strings.ToLower(name) {
	case "op", "value":
		return patch
	case "delete", "unset":
		return "write remove: with keywords, or drop: with fields"
	case "allow", "keep", "include":
		return "write only: with the fields to retain"
	case "exclude", "omit":
		return "write drop: with the fields"
	case "rules", "validations", "xvalidations":
		return "write addRules:"
	}
	if near := keywordNear(name); near != "" {
		return "write tighten: or set: and below it " + near + ":"
	}
	return ""
}
