package overlay

import (
	"encoding/json"

	"github.com/crdproof/crdproof/schema"
)

// JSONSchema returns a JSON Schema of overlay files, with which editors complete and check them.
func JSONSchema() ([]byte, error) {
	properties := map[string]any{}
	for _, k := range keys() {
		s := k.form.schema()
		s["description"] = k.doc
		properties[k.name] = s
	}
	entry := map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
	root := map[string]any{
		"$schema": "http://json-schema.org/draft-07/schema#", "title": "Overlays of crdproof", "type": "object",
		"additionalProperties": false,
		"properties": map[string]any{keyOverlays: map[string]any{"type": "array", "items": entry,
			"description": "Changes of schemas, made in this order."}, keyCRDs: listOf(frameSchema())},
		"definitions": map[string]any{"schema": schemaOfSchemas()},
	}
	data, err := json.MarshalIndent(root, "", "  ") // maps are written in the order of their keys
	return append(data, '\n'), err
}

// reference refers to the schema of schemas.
func reference() map[string]any { return map[string]any{"$ref": "#/definitions/schema"} }

func listOf(items map[string]any) map[string]any {
	return map[string]any{"type": "array", "items": items}
}

func ofType(name string) map[string]any { return map[string]any{"type": name} }

// schema describes a value of the form.
func (f form) schema() map[string]any {
	switch f {
	case manyTexts:
		return map[string]any{"anyOf": []any{listOf(ofType("string")), ofType("string")}}
	case truth:
		return map[string]any{"enum": []any{true}}
	case keywords, wholeSchema: // editors do not describe what is beside a reference
		return map[string]any{"allOf": []any{reference()}}
	case schemas:
		return map[string]any{"type": "object", "additionalProperties": reference()}
	case rules:
		return listOf(ruleSchema())
	case description:
		return map[string]any{"type": "object", "additionalProperties": false, "minProperties": 1, "maxProperties": 1,
			"properties": map[string]any{keyReplace: ofType("string"), keyAppend: ofType("string"),
				keyDrop: map[string]any{"enum": []any{true}}}}
	}
	return ofType("string")
}

// schemaOfSchemas describes a schema of a CRD, by the table of keywords.
func schemaOfSchemas() map[string]any {
	properties := map[string]any{}
	for _, k := range schema.Keywords() {
		var s map[string]any
		switch k.Field.(type) {
		case schema.TextField:
			s = ofType("string")
		case schema.One[schema.Int]:
			s = ofType("integer")
		case schema.One[schema.Number]:
			s = ofType("number")
		case schema.One[schema.Flag]:
			s = ofType("boolean")
		case schema.Many[schema.Text]:
			s = listOf(ofType("string"))
		case schema.Many[schema.Value]:
			s = listOf(map[string]any{})
		case schema.One[schema.Value]:
			s = map[string]any{}
		case schema.One[schema.ExternalDocs]:
			s = ofType("object")
		case schema.One[schema.Schema], schema.ItemsField:
			s = reference()
		case schema.ValuesField:
			s = map[string]any{"anyOf": []any{reference(), map[string]any{"enum": []any{true}}}}
		case schema.Many[*schema.Schema]:
			s = listOf(reference())
		case schema.Many[schema.Property]:
			s = map[string]any{"type": "object", "additionalProperties": reference()}
		case schema.Many[schema.Rule]:
			s = listOf(ruleSchema())
		default: // API servers reject the keyword
			continue
		}
		properties[k.Name] = s
	}
	return map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
}

// ruleSchema describes an item of x-kubernetes-validations.
func ruleSchema() map[string]any {
	properties := map[string]any{"optionalOldSelf": ofType("boolean")}
	for _, name := range []string{"rule", "message", "messageExpression", "reason", "fieldPath"} {
		properties[name] = ofType("string")
	}
	return map[string]any{"type": "object", "additionalProperties": false, "required": []string{"rule"},
		"properties": properties}
}
