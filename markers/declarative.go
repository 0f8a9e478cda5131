package markers

// declarativeMarkers are the tags of Kubernetes' declarative validation (k8s.io/code-generator, validation-gen --docs).
func declarativeMarkers() []Definition { return nil }
