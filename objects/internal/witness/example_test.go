package witness_test

import (
	"context"
	"fmt"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/internal/witness"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

const things = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  names: {kind: Thing, listKind: ThingList, plural: things, singular: thing}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            properties:
              size: {type: integer, maximum: 9}
              host: {type: string, pattern: "^[a-c]+$", minLength: 3}
            x-kubernetes-validations:
            - rule: "!has(self.size) || self.size < 5 || has(self.host)"
`

// newSearch returns a search for objects of the CRD.
func newSearch() *witness.Search {
	docs, found := read.Documents(&diag.Source{Path: "crd.yaml", Data: []byte(things)})
	if len(found) > 0 {
		panic(found[0].Message)
	}
	crd := crds.CRD{IR: docs[0].CRD, Object: kube.Object(docs[0].CRD)}
	side := &witness.Side{CRD: crd, Version: &crd.IR.Versions[0], Minor: kube.Latest()}
	work := witness.NewWork(context.Background())
	return witness.NewSearch(side, witness.NewBuilder(work, side.Version.Schema, nil))
}

// A plan says what an object must be like. The API server rejects the first object, because of the rule: it has no
// host. The search adds one.
func ExampleSearch_Find() {
	s := newSearch()
	size := schema.Path{schema.Key("spec"), schema.Key("size")}
	for _, value := range []int64{7, 10} {
		plans := []witness.Plan{{{At: size, Value: value}}}
		found := s.Find(s.Minimal(), plans, func(witness.Written) bool { return true })
		if found == nil {
			fmt.Println(value, "none")
			continue
		}
		fmt.Println(value, witness.JSON(found.Answer.Object["spec"]))
	}
	// Output:
	// 7 {"host":"aaa","size":7}
	// 10 none
}

// Solve decides about values that one schema accepts and another rejects.
func ExampleSolver_Solve() {
	s := newSearch()
	host := s.SchemaAt(s.Root, schema.Path{schema.Key("spec"), schema.Key("host")})
	shorter := *host
	shorter.MaxLength = host.MinLength
	found, _ := s.Solve(host, &shorter)
	fmt.Println(found[0])
	found, decided := s.Solve(&shorter, host)
	fmt.Println(len(found), decided)
	// Output:
	// aaaa
	// 0 true
}
