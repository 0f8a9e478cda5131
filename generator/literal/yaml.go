package literal

// YAML decodes a scalar as it stands in a YAML document.
func YAML(source string) (Decoded, bool) { return Decoded{}, false }
