package structural

import (
	"fmt"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// requiredRows returns the checks of required fields that can never be present.
func requiredRows() []session.Row {
	return []session.Row{
		{Check: diag.Check{ID: "required-unknown", Accepted: true}, Needs: session.EachSchema, Run: checkRequired},
		{Check: diag.Check{ID: "required-status", Accepted: true},
			Needs: session.EachSchema, Run: checkRequiredStatus},
	}
}

func checkRequired(p *session.Pass) {
	s := p.Schema
	if p.Nested || len(s.Required) == 0 || s.Type.V != "object" || s.PreserveUnknownFields != nil || hasValues(s) ||
		s.AdditionalAllowed {
		return
	}
	for i, r := range s.Required {
		isKept := schema.IsMetaField(r.V) && (isRoot(p.Place) || s.EmbeddedResource.True())
		if s.Property(r.V) == nil && !isKept {
			p.Reportf(p.At(r.At), p.Key(fmt.Sprintf("required[%d]", i)),
				"%s requires %q, which the schema does not have: the API server rejects every object",
				what(p.Place), r.V).
				Help("%s", near(r.V, s.PropertyNames(), "add it to the properties, or remove it from required")).
				Changes(diag.AcceptsMore, "")
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
				"status is required, but the API server drops it from new objects, since it is a subresource: no "+
					"object can be created").
				Help("%s", p.Write().Choose("add omitzero to the tag, or add +optional",
					"remove status from required")).
				Changes(diag.AcceptsMore, "status becomes optional")
			return
		}
	}
}
