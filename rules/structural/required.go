package structural

import (
	"fmt"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/rules/session"
)

// requiredRows are the checks of what is required though it cannot be there.
func requiredRows() []session.Row {
	return []session.Row{
		{Check: diag.Check{
			ID: "required-unknown", Accepted: true,
			Doc:  "A required field that the schema does not have is pruned from every object, which is then refused.",
			Bad:  "type: object\nrequired: [nmae]\nproperties:\n  name: {type: string}",
			Good: "type: object\nrequired: [name]\nproperties:\n  name: {type: string}",
		}, Needs: session.EachSchema, Run: checkRequired},
		{Check: diag.Check{
			ID: "required-status", Accepted: true,
			Doc: "Where status is a subresource, API servers drop it from what is created, and then refuse the " +
				"object if status is required: none can be created.",
			Bad: "spec:\n  versions:\n  - name: v1\n    served: true\n    storage: true\n" +
				"    subresources: {status: {}}\n    schema:\n" +
				"      openAPIV3Schema: {type: object, required: [status], properties: {status: {type: object}}}",
			Good: "spec:\n  versions:\n  - name: v1\n    served: true\n    storage: true\n" +
				"    subresources: {status: {}}\n    schema:\n" +
				"      openAPIV3Schema: {type: object, properties: {status: {type: object}}}",
		}, Needs: session.EachSchema, Run: checkRequiredStatus},
	}
}

func checkRequired(p *session.Pass) {
	s := p.Schema
	if p.Nested || len(s.Required) == 0 || s.Type.V != "object" || s.PreserveUnknownFields != nil || hasValues(s) ||
		s.AdditionalAllowed {
		return
	}
	for i, r := range s.Required {
		isKept := isMetaField(r.V) && (isRoot(p.Place) || isSet(s.EmbeddedResource))
		if s.Property(r.V) == nil && !isKept {
			p.Reportf(p.At(r.At), p.Key(fmt.Sprintf("required[%d]", i)),
				"%s requires %q, which is pruned: the schema has no such field, and refuses every object",
				what(p.Place), r.V).
				Help("%s", near(r.V, names(s), "add it to the properties, or remove it from required"))
		}
	}
}

func checkRequiredStatus(p *session.Pass) {
	if !isRoot(p.Place) || !hasStatus(p.Version) {
		return
	}
	for i, r := range p.Schema.Required {
		if r.V == "status" {
			p.Reportf(p.At(r.At), p.Key(fmt.Sprintf("required[%d]", i)),
				"status is required, but API servers drop it from what is created, where it is a subresource: no "+
					"object can be created").
				Help("%s", p.Write().Choose("give the field the tag option omitempty or omitzero, or the marker "+
					"+optional", "remove status from required"))
			return
		}
	}
}
