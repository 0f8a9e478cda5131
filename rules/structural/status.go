package structural

import (
	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// statusRows returns the checks of a status subresource without a status, and the other way round.
func statusRows() []session.Row {
	return []session.Row{
		{Check: diag.Check{ID: "status-missing", Severity: diag.Warning, Group: diag.Future},
			Needs: session.EachVersion, Run: checkStatusMissing},
		{Check: diag.Check{ID: "status-writable", Severity: diag.Warning, Group: diag.Unlikely},
			Needs: session.EachVersion, Run: checkStatusWritable},
	}
}

// statusOf returns the status of a version, and whether all fields of its objects are known.
func statusOf(v *session.Version) (status *schema.Schema, isKnown bool) {
	root := v.Schema
	if root == nil || root.Incomplete != 0 || root.PreserveUnknownFields.True() || len(root.Properties) == 0 {
		return nil, false
	}
	return root.Property("status"), true
}

func checkStatusMissing(p *session.Pass) {
	status, isKnown := statusOf(p.Version)
	if !isKnown || status != nil || !hasStatus(p.Version) || p.Version.Subresources.Scale != nil {
		return
	}
	p.Reportf(p.At(*p.Version.Subresources.Status), p.Key("subresources.status"),
		"status is a subresource, but the object has no field status").
		Help("%s", p.Write().Choose("remove the marker, or add a field Status", "remove it")).Do(diag.Remove, "")
}

// checkStatusWritable leaves out kinds without a spec, which may be what someone has observed, and versions that are
// not served, which no client can write.
func checkStatusWritable(p *session.Pass) {
	status, isKnown := statusOf(p.Version)
	if !isKnown || !p.Version.Served || status == nil || hasStatus(p.Version) ||
		status.Type.V != "object" || len(status.Properties) == 0 || p.Version.Schema.Property("spec") == nil {
		return
	}
	f := p.Reportf(p.At(), p.Key("subresources"),
		"the status is not a subresource: whoever may write the spec may write it").See(status.At, "the status")
	for _, name := range p.Version.Schema.Required {
		if name.V == "status" {
			return // the API server would reject every new object
		}
	}
	inYAML := "subresources: {status: {}}"
	if p.Version.Subresources != nil {
		inYAML = "status: {} to subresources"
	}
	f.AddKey(p.Write().Choose("+kubebuilder:subresource:status", inYAML)).
		Changes(diag.AcceptsOther, "status is ignored but in writes to /status")
}
