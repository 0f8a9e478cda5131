package overlay

// frameSchema describes an entry of the list crds, for editors.
func frameSchema() map[string]any {
	text, texts := map[string]any{"type": "string"}, map[string]any{}
	texts["type"], texts["items"] = "array", text
	object := func(properties map[string]any, required ...string) map[string]any {
		out := map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
		if len(required) > 0 {
			out["required"] = required
		}
		return out
	}
	keyed := map[string]any{"type": "object",
		"additionalProperties": map[string]any{"type": []string{"string", "null"}}}
	service := object(map[string]any{"namespace": text, "name": text, "path": text,
		"port": map[string]any{"type": "integer", "minimum": 1, "maximum": 65535}}, "namespace", "name")
	webhook := object(map[string]any{
		"clientConfig":             object(map[string]any{"service": service, "url": text, "caBundle": text}),
		"conversionReviewVersions": texts,
	}, "clientConfig", "conversionReviewVersions")
	conversion := object(map[string]any{
		"strategy": map[string]any{"enum": []string{"None", "Webhook"}}, "webhook": webhook,
	}, "strategy")
	names := map[string]any{"anyOf": []any{texts, text}}
	return object(map[string]any{
		keyKind:                 described("The kinds; without it, all.", names),
		keyChannel:              described("Only in the CRDs of these channels.", names),
		keyGate:                 described("Only if one of these gates is on.", names),
		fieldLabels:             described("Labels of the CRD; null removes one of a marker.", keyed),
		fieldAnnotations:        described("Annotations of the CRD; null removes one of a marker.", keyed),
		"conversion":            described("How objects are converted between versions.", conversion),
		"preserveUnknownFields": described("spec.preserveUnknownFields.", map[string]any{"type": "boolean"}),
		"shortNames":            described("Short names, in place of those of markers.", texts),
		"categories":            described("Categories, in place of those of markers.", texts),
	})
}

// described returns a schema with a description.
func described(text string, s map[string]any) map[string]any {
	out := map[string]any{"description": text}
	for key, value := range s {
		out[key] = value
	}
	return out
}
