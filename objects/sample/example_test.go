package sample_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/sample"
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
            required: [size]
            properties:
              size: {type: integer, maximum: 9}
              owner: {type: string, maxLength: 20}
            x-kubernetes-validations:
            - rule: self.size >= oldSelf.size
              message: widgets do not shrink
`

func source(path, text string) *diag.Source {
	return &diag.Source{Path: path, Data: []byte(text), Syntax: diag.YAML}
}

// Objects are created, and updated, as a server with these CRDs would do it; no server runs.
func ExampleRun_Validate() {
	ctx := context.Background()
	list, found := crds.Read(ctx, []*diag.Source{source("crd.yaml", widgets)}, nil)
	if diag.HasErrors(found) {
		log.Fatal(diag.Summary(found))
	}
	stored := source("stored.yaml", `{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, spec: {size: 5}}`)
	sent := source("sent.yaml", `apiVersion: example.com/v1
kind: Widget
metadata: {name: w}
spec:
  size: 3
  ownr: team-a
`)
	run := &sample.Run{Catalog: sample.NewCatalog(list), Validation: sample.Strict}
	found = run.Store(ctx, []*diag.Source{stored})
	files, more := run.Validate(ctx, []*diag.Source{sent})
	for _, file := range files {
		for _, answer := range file.Answers {
			fmt.Println(answer.Name, answer.Outcome == sample.Accepted)
		}
	}
	found = append(append(found, more...), sample.Findings(files)...)
	if err := diag.Text(os.Stdout, diag.Sort(found), diag.TextOptions{}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// widget.example.com/w false
	// sent.yaml:4:1: error: Invalid value: widgets do not shrink [object-field]
	//    4 |  spec:
	//      |  ^^^^
	//    at spec
	//    note: crd.yaml:23:21: the rule: self.size >= oldSelf.size
	//
	// sent.yaml:6:3: error: strict decoding error: unknown field "spec.ownr" [object-field-unknown]
	//    6 |  ownr: team-a
	//      |  ^^^^
	//    at spec.ownr
	//    help: did you mean "owner"?
	//
	// 2 errors
}
