package overlay_test

import (
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// This file applies overlays to schemas as encoding/json decodes them.

// applyEntry applies an entry to the schema of a version.
func applyEntry(root, e object) {
	seen := map[string]bool{}
	change := func(s object, at string) {
		if !seen[at] {
			seen[at] = true
			applyChanges(s, e)
		}
	}
	path, _ := e["path"].(string)
	typ, _ := e["type"].(string)
	if typ == "" {
		defer clean(root)
		follow(root, "", stepsOf(path), change)
		return
	}
	name, fields, _ := strings.Cut(strings.TrimPrefix(typ, "example.com/p."), ".")
	within, _ := e["within"].(string)
	defer clean(root)
	follow(root, "", stepsOf(within), func(s object, at string) {
		follow(s, at, []string{"**"}, func(s object, at string) {
			if s[typeKey] == name {
				follow(s, at, stepsOf(fields), func(s object, at string) { follow(s, at, stepsOf(path), change) })
			}
		})
	})
}

// clean forgets what the entry has replaced.
func clean(v any) {
	switch v := v.(type) {
	case object:
		delete(v, freshKey)
		for _, value := range v {
			clean(value)
		}
	case []any:
		for _, value := range v {
			clean(value)
		}
	}
}

var step = regexp.MustCompile(`\[\]|\{\}|\["[^"]*"\]|[^.\[{]+`)

func stepsOf(path string) []string { return step.FindAllString(path, -1) }

// follow calls visit for the schemas at the end of a path, from the outside in.
func follow(s object, at string, steps []string, visit func(s object, at string)) {
	if len(steps) == 0 {
		visit(s, at)
		return
	}
	if s[freshKey] != nil {
		return
	}
	first, rest := steps[0], steps[1:]
	below := func(kind string, match bool, then []string) {
		if child, ok := s[kind].(object); ok && match {
			follow(child, at+"/"+kind, then, visit)
		}
	}
	fields := func(match func(string) bool, then []string) {
		properties, _ := s["properties"].(object)
		for _, name := range keysOf(properties) {
			if child, ok := properties[name].(object); ok && match(name) {
				follow(child, at+"/"+name, then, visit)
			}
		}
	}
	every := func(string) bool { return true }
	switch {
	case first == "**":
		if follow(s, at, rest, visit); s[freshKey] != nil {
			return
		}
		fields(every, steps)
		below("items", true, steps)
		below("additionalProperties", true, steps)
	case first == "*":
		fields(every, rest)
	case first == "[]":
		below("items", true, rest)
	case first == "{}":
		below("additionalProperties", true, rest)
	default:
		name := strings.TrimSuffix(strings.TrimPrefix(first, `["`), `"]`)
		fields(func(field string) bool { return field == name }, rest)
	}
}

// applyChanges makes the changes of an entry in the order of its keys in JSON.
func applyChanges(s, e object) {
	for _, key := range keysOf(e) {
		list, _ := e[key].([]any)
		words, _ := e[key].(object)
		switch key {
		case "set":
			for k, v := range words {
				s[k] = copied(v)
			}
		case "tighten":
			for k, v := range words {
				tighten(s, k, v)
			}
		case "remove":
			for _, k := range list {
				delete(s, k.(string))
			}
		case "require", "optional", "drop", "only":
			applyFields(s, key, list)
		case "addRules":
			rules, _ := s["x-kubernetes-validations"].([]any)
			for _, rule := range list {
				if !contains(rules, rule) {
					rules = append(rules[:len(rules):len(rules)], rule)
				}
			}
			s["x-kubernetes-validations"] = rules
		case "removeRules":
			rules, _ := s["x-kubernetes-validations"].([]any)
			setList(s, "x-kubernetes-validations", without(rules, func(rule any) bool {
				return contains(list, rule.(object)["rule"])
			}))
		case "description":
			describe(s, words)
		case "replace":
			typ := s[typeKey]
			clear(s)
			for k, v := range words {
				s[k] = copied(v)
			}
			if s[freshKey] = true; typ != nil {
				s[typeKey] = typ
			}
		}
	}
}

func describe(s, how object) {
	before, _ := s["description"].(string)
	for k, v := range how {
		switch k {
		case "replace":
			s["description"] = v
		case "append":
			s["description"] = strings.TrimPrefix(before+"\n"+v.(string), "\n")
		case "drop":
			delete(s, "description")
		}
	}
}

func applyFields(s object, key string, names []any) {
	properties, _ := s["properties"].(object)
	required, _ := s["required"].([]any)
	for _, name := range names {
		field := name.(string)
		if properties[field] == nil && !contains(required, field) {
			continue
		}
		switch key {
		case "require":
			if !contains(required, field) {
				required = append(slices.Clone(required), field)
				slices.SortFunc(required, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
			}
		case "optional", "drop":
			required = without(required, func(r any) bool { return r == field })
		}
		if key == "drop" {
			delete(properties, field)
		}
	}
	if key == "only" {
		required = without(required, func(r any) bool { return !contains(names, r) })
		for _, field := range keysOf(properties) {
			if !contains(names, field) {
				delete(properties, field)
			}
		}
	}
	setList(s, "required", required)
	if properties != nil && len(properties) == 0 {
		delete(s, "properties")
	}
}

func tighten(s object, k string, v any) {
	before := s[k]
	switch {
	case before == nil:
		s[k] = copied(v)
	case strings.HasPrefix(k, "max"):
		s[k] = min(before.(float64), v.(float64))
	case strings.HasPrefix(k, "min"):
		s[k] = max(before.(float64), v.(float64))
	case k == "enum":
		if common := without(v.([]any), func(v any) bool { return !contains(before.([]any), v) }); len(common) > 0 &&
			len(common) < len(before.([]any)) {
			s[k] = common
		}
	case k == "required":
		list := slices.Clone(before.([]any))
		for _, name := range v.([]any) {
			if !contains(list, name) {
				list = append(list, name)
				slices.SortFunc(list, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
			}
		}
		s[k] = list
	case !reflect.DeepEqual(before, v):
		all, _ := s["allOf"].([]any)
		s["allOf"] = append(slices.Clone(all), object{k: v})
	}
}

func contains(list []any, v any) bool {
	return slices.ContainsFunc(list, func(w any) bool { return reflect.DeepEqual(v, w) })
}

func without(list []any, drop func(any) bool) []any {
	return slices.DeleteFunc(slices.Clone(list), drop)
}

func setList(s object, key string, list []any) {
	if len(list) > 0 {
		s[key] = list
	} else {
		delete(s, key)
	}
}

// copied returns a value with memory of its own.
func copied(v any) (out any) {
	data, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		panic(err)
	}
	return out
}
