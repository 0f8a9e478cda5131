package diff_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/diff"
	"github.com/crdproof/crdproof/rules/kube"
)

const before = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {kind: Widget, listKind: WidgetList, plural: widgets, singular: widget}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer, maximum: 9}
`

// readCRD returns the CRD of a text.
func readCRD(path, text string) crds.CRD {
	list, found := crds.Read(context.Background(),
		[]*diag.Source{{Path: path, Data: []byte(text), Syntax: diag.YAML}}, nil)
	if diag.HasErrors(found) || len(list) != 1 {
		log.Fatal(diag.Summary(found))
	}
	return list[0]
}

// Two CRDs are compared for all objects. A no comes with an object that the API server's code treats differently.
func ExampleCompare() {
	after := strings.Replace(before, "maximum: 9", "maximum: 8", 1)
	comparison, err := diff.Compare(context.Background(),
		readCRD("before.yaml", before), readCRD("after.yaml", after), kube.DefaultRange())
	if err != nil {
		log.Fatal(err)
	}
	for _, question := range diff.Questions() {
		fmt.Printf("%s: %s\n", question, comparison.Answer(question))
	}
	for _, change := range comparison.Changes {
		fmt.Println(change.Path, change.Message)
		for _, finding := range change.Findings {
			fmt.Println(" ", finding.Question, finding.Answer, finding.Reason)
		}
	}
	// Output:
	// create: no
	// stored: yes
	// kept: yes
	// meaning: yes
	// readers: yes
	// crd: yes
	// spec.size maximum is 8, was 9
	//   create no stored objects can still be written, since the API server ratchets the value
}

// Findings are the changes that a policy reports. Here, tighter maximums below spec are errors.
func ExampleReport_Findings() {
	after := strings.Replace(before, "size: {type: integer, maximum: 9}",
		"size: {type: integer, maximum: 8}\n              name: {type: string}", 1)
	comparison, err := diff.Compare(context.Background(),
		readCRD("before.yaml", before), readCRD("after.yaml", after), kube.DefaultRange())
	if err != nil {
		log.Fatal(err)
	}
	report := &diff.Report{Comparisons: []*diff.Comparison{comparison}}
	policy := &diff.Policy{Fail: diff.ClassStored, Severities: []diff.Severity{
		{Question: "create", Keyword: "maximum", Path: "spec.**", Level: diff.Error}}}
	report.WriteSummary(os.Stdout, policy)
	for _, finding := range report.Findings(policy, diff.Detail{}) {
		fmt.Println(finding.Severity, finding.Message)
	}
	for _, addition := range comparison.Additions {
		fmt.Println("+", addition.Path, addition.Message)
	}
	// Output:
	// breaks users who create objects: objects are rejected (1 change of widgets.example.com)
	// error v1 spec.size: maximum is 8, was 9
	// + spec.name new field
}
