package rules_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema/read"
)

const widgets = `apiVersion: apiextensions.k8s.io/v1
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
            required: [replicas, maxReplicas]
            properties:
              replicas: {type: integer}
              maxReplicas: {type: integer}
            x-kubernetes-validations:
            - rule: self.replica <= self.maxReplicas
`

// Each CRD of a file is validated by the API server's own code, for a range of Kubernetes versions.
func ExampleCheck() {
	versions, err := kube.ParseRange("1.30..1.37")
	if err != nil {
		log.Fatal(err)
	}
	documents, found := read.Documents(&diag.Source{Path: "widgets.yaml", Data: []byte(widgets), Syntax: diag.YAML})
	for _, doc := range documents {
		object, err := kube.Decode(doc.JSON)
		if err != nil {
			log.Fatal(err)
		}
		s := session.New(doc.CRD, object, session.Options{Kube: versions})
		found = append(found, rules.Check(context.Background(), s)...)
	}
	found = diag.Sort(found)
	fmt.Println("rejected:", diag.HasErrors(found))
	if err := diag.Text(os.Stdout, found, diag.TextOptions{}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// rejected: true
	// widgets.yaml:23:26: error: undefined field "replica" [cel-compile]
	//    23 |  - rule: self.replica <= self.maxReplicas
	//       |               ^^^^^^^
	//    at spec.versions[0].schema.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule
	//    fields of self: maxReplicas, replicas
	//    help: did you mean "replicas"?
	//
	// 1 error
}
