package describe

import "github.com/crdproof/crdproof/generator/diag"

var (
	tooSmall = &diag.Check{
		ID: "crd-budget", Severity: diag.Error,
		Doc: "The CRD is above the budget that the option maxSize sets, even without any description. " +
			"Where it is kept, a note says which descriptions have been left out for it.",
		Bad:  "Template corev1.PodTemplateSpec `json:\"template\"` // with crd:maxSize=64Ki",
		Good: "Template corev1.PodTemplateSpec `json:\"template\"` // with crd:maxSize=256Ki",
	}
	unmatchedPattern = &diag.Check{
		ID: "crd-descriptions", Severity: diag.Warning,
		Doc: "A pattern of the option dropDescriptions matches no package that a description of these CRDs comes " +
			"from.",
		Bad:  "Template corev1.PodTemplateSpec `json:\"template\"` // with crd:dropDescriptions=k8s.io/api",
		Good: "Template corev1.PodTemplateSpec `json:\"template\"` // with crd:dropDescriptions=k8s.io/api/...",
	}
)

// Checks is the table of what is said about descriptions that are left out.
func Checks() []*diag.Check { return []*diag.Check{tooSmall, unmatchedPattern} }
