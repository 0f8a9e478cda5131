package read

import (
	"github.com/crdproof/crdproof/generator/diag"
)

// Checks is the table of what is found in a file before there is a CRD to prove.
func Checks() []*diag.Check {
	return []*diag.Check{
		{
			ID: ruleSyntax, Severity: diag.Error, Verdict: true,
			Doc:  "The file is no YAML, or says something that no client could send.",
			Bad:  "maxLength: [1",
			Good: "maxLength: 1",
		},
		{
			ID: ruleTemplate, Severity: diag.Error, Verdict: true,
			Doc:  "The file is a template, which has to be rendered before it is YAML.",
			Bad:  "maxLength: {{ .Values.length }}",
			Good: "maxLength: 64",
		},
		{
			ID: ruleDuplicate, Severity: diag.Warning,
			Doc: "A key stands twice in one object, of which clients lose the first without a word; servers that " +
				"are asked to read strictly refuse it.",
			Bad:  "maxLength: 64\nmaxLength: 128",
			Good: "maxLength: 128",
		},
		{
			ID: ruleKey, Severity: diag.Warning,
			Doc: "A key without quotes is a boolean or a number to YAML 1.1, which is what clients read, and so " +
				"is sent as another key: on as true, n as false.",
			Bad:  "properties:\n  on: {type: string}",
			Good: "properties:\n  \"on\": {type: string}",
		},
		{
			ID: ruleNoCRD, Severity: diag.Error, Verdict: true,
			Doc:  "The document is meant to be a CRD, but of a version that no Kubernetes serves any more, or of none.",
			Bad:  "apiVersion: apiextensions.k8s.io/v1beta1",
			Good: "apiVersion: apiextensions.k8s.io/v1",
		},
		{
			ID: ruleType, Severity: diag.Error, Verdict: true,
			Doc:  "A value is of another type than the field, so that no API server can read the object.",
			Bad:  "maxLength: \"64\"",
			Good: "maxLength: 64",
		},
		{
			ID: ruleUnknown, Severity: diag.Warning,
			Doc: "No API server knows the field: it is dropped, and kubectl refuses the file unless it is told " +
				"not to.",
			Bad:  "maxLenght: 64",
			Good: "maxLength: 64",
		},
	}
}
