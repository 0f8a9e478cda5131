package structural

import "github.com/crdproof/crdproof/generator/diag"

// requiredRows are the checks of what is required though it cannot be there.
func requiredRows() []row {
	return []row{
		{
			Check: diag.Check{
				ID: "required-unknown", Accepted: true,
				Doc:  "A required field that the schema does not have is pruned from every object, which is then refused.",
				Bad:  "type: object\nrequired: [nmae]\nproperties:\n  name: {type: string}",
				Good: "type: object\nrequired: [name]\nproperties:\n  name: {type: string}",
			},
			ofSchema: checkRequired,
		},
		{
			Check: diag.Check{
				ID: "required-status", Accepted: true,
				Doc: "Where status is a subresource, API servers drop it from what is created, and then refuse the object if status is required: " +
					"none can be created.",
				Bad: "spec:\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    subresources: {status: {}}\n    schema:\n" +
					"      openAPIV3Schema: {type: object, required: [status], properties: {status: {type: object}}}",
				Good: "spec:\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    subresources: {status: {}}\n    schema:\n" +
					"      openAPIV3Schema: {type: object, properties: {status: {type: object}}}",
			},
			ofSchema: checkRequiredStatus,
		},
	}
}

func checkRequired(n *node) []finding {
	s := n.s
	if n.Nested || len(s.Required) == 0 || s.Type.V != "object" || s.PreserveUnknownFields != nil || hasValues(s) || s.AdditionalAllowed {
		return nil
	}
	var out []finding
	for i, r := range s.Required {
		isKept := isMetaField(r.V) && (n.isRoot() || isSet(s.EmbeddedResource))
		if s.Property(r.V) == nil && !isKept {
			out = append(out, n.requiredUnknown(i, r))
		}
	}
	return out
}

func checkRequiredStatus(n *node) []finding {
	if !n.isRoot() || !n.in.hasStatus() {
		return nil
	}
	for i, r := range n.s.Required {
		if r.V == "status" {
			return one(n.requiredStatus(i, r))
		}
	}
	return nil
}
