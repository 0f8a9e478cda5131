package config

import (
	"encoding/json"

	"github.com/crdproof/crdproof/internal/cli/arguments"
)

// JSONSchema returns a JSON Schema of settings files, with which editors complete and check them.
func JSONSchema() ([]byte, error) {
	root := objectSchema(keys())
	root["$schema"] = "http://json-schema.org/draft-07/schema#"
	root["title"] = "Settings of crdproof (" + Name + ")"
	data, err := json.MarshalIndent(root, "", "  ") // maps are written in the order of their keys
	return append(data, '\n'), err
}

// objectSchema describes a mapping with the keys.
func objectSchema(table []key) map[string]any {
	properties := map[string]any{}
	var required []string
	for _, k := range table {
		s := k.value.schema()
		s["description"] = k.doc
		properties[k.name] = s
		if k.required != "" {
			required = append(required, k.name)
		}
	}
	out := map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}

func (s shape) schema() map[string]any {
	switch {
	case s.members != nil:
		return objectSchema(s.members)
	case s.items != nil:
		return map[string]any{"type": "array", "items": objectSchema(s.items)}
	case s.named != nil:
		lists := map[string]any{"type": "array", "items": objectSchema(s.named)}
		return map[string]any{"type": "object", "additionalProperties": lists}
	case s.option == nil:
		return map[string]any{"type": "string"}
	}
	switch s.option.Type {
	case "bool":
		return map[string]any{"type": "boolean"}
	case "int":
		return map[string]any{"type": "integer"}
	case "string":
		out := map[string]any{"type": []string{"string", "number"}}
		if values := arguments.Values(s.option.Name); len(values) > 0 {
			out["examples"] = values
		}
		return out
	}
	item := map[string]any{"type": []string{"string", "number"}}
	list := map[string]any{"anyOf": []any{map[string]any{"type": "array", "items": item}, item}}
	if s.option.Type == "map" {
		return map[string]any{"type": "object", "additionalProperties": list}
	}
	return list
}
