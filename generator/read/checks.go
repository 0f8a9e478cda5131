package read

import "github.com/crdproof/crdproof/generator/diag"

// Checks is the table of what is found in a file before there is a CRD to prove.
func Checks() []*diag.Check {
	return []*diag.Check{syntax, template, duplicate, renamed, noCRD, badType, unknown}
}

var (
	syntax = &diag.Check{
		ID: "yaml-syntax", Severity: diag.Error, Verdict: true,
		Doc: "The file is no YAML, or says something that no client could send.",
		Bad: "maxLength: [1", Good: "maxLength: 1",
	}
	template = &diag.Check{
		ID: "yaml-template", Severity: diag.Error, Verdict: true,
		Doc: "The file is a template, which has to be rendered before it is YAML.",
		Bad: "maxLength: {{ .Values.length }}", Good: "maxLength: 64",
	}
	duplicate = &diag.Check{
		ID: "yaml-duplicate", Severity: diag.Warning,
		Doc: "A key stands twice in one object, of which clients lose the first without a word; servers that " +
			"are asked to read strictly refuse it.",
		Bad: "maxLength: 64\nmaxLength: 128", Good: "maxLength: 128",
	}
	renamed = &diag.Check{
		ID: "yaml-key", Severity: diag.Warning,
		Doc: "A key without quotes is a boolean or a number to YAML 1.1, which is what clients read, and so " +
			"is sent as another key: on as true, n as false.",
		Bad: "properties:\n  on: {type: string}", Good: "properties:\n  \"on\": {type: string}",
	}
	noCRD = &diag.Check{
		ID: "crd-unknown", Severity: diag.Error, Verdict: true,
		Doc: "The document is meant to be a CRD, but of a version that no Kubernetes serves any more, or of none.",
		Bad: "apiVersion: apiextensions.k8s.io/v1beta1", Good: "apiVersion: apiextensions.k8s.io/v1",
	}
	badType = &diag.Check{
		ID: "field-type", Severity: diag.Error, Verdict: true,
		Doc: "A value is of another type than the field, so that no API server can read the object.",
		Bad: "maxLength: \"64\"", Good: "maxLength: 64",
	}
	unknown = &diag.Check{
		ID: "field-unknown", Severity: diag.Warning,
		Doc: "No API server knows the field: it is dropped, and kubectl refuses the file unless it is told not to.",
		Bad: "maxLenght: 64", Good: "maxLength: 64",
	}
)
