package read

import "github.com/crdproof/crdproof/diag"

// Checks returns the table of findings in a file that precede the validation of its CRDs.
func Checks() []*diag.Check {
	return []*diag.Check{syntax, template, templateSkipped, duplicate, renamed, noCRD, badType, unknown}
}

var (
	syntax = &diag.Check{
		ID: "yaml-syntax", Severity: diag.Error, Verdict: true,
		Doc: "The file is not valid YAML, has a value that no client can send, or is larger than an API server reads.",
	}
	template = &diag.Check{
		ID: "yaml-template", Severity: diag.Error, Verdict: true,
		Doc: "The file is a template, which must be rendered first.",
	}
	templateSkipped = &diag.Check{
		ID: "template-skipped", Severity: diag.Warning, Mistake: true,
		Doc: "A template of a CRD must be rendered before it can be validated. It is skipped, as templates " +
			"of other objects are.",
		Hurts:  "Everyone who installs the chart: its CRDs are not validated here.",
		Unless: "you validate the rendered CRDs, too",
	}
	duplicate = &diag.Check{
		ID: "yaml-duplicate", Severity: diag.Warning,
		Doc: "An object has a duplicate key. Clients silently drop all values but the last, and servers with strict " +
			"decoding reject the file.",
		Hurts:  "Everyone who installs the file: some values are dropped.",
		Unless: "the last value is the one that you mean",
	}
	renamed = &diag.Check{
		ID: "yaml-key", Severity: diag.Warning,
		Doc: "In YAML 1.1, which clients read, a key without quotes can be a boolean or a number. It is sent as " +
			"another key: on as true, n as false.",
		Hurts:  "Everyone who installs the file: the key is another one.",
		Unless: "the other key is the one that you mean",
	}
	noCRD = &diag.Check{
		ID: "crd-unknown", Severity: diag.Error, Verdict: true,
		Doc: "The document is a CRD of an API version that Kubernetes does not serve, or has no apiVersion.",
	}
	badType = &diag.Check{
		ID: "field-type", Severity: diag.Error, Verdict: true,
		Doc: "A value has another type than the field, so that no API server can decode the object.",
	}
	unknown = &diag.Check{
		ID: "field-unknown", Severity: diag.Warning,
		Doc:    "API servers drop an unknown field, and kubectl rejects the file unless validation is off.",
		Hurts:  "Everyone who installs the file with kubectl, which rejects it.",
		Unless: "the field is for another tool",
	}
)
