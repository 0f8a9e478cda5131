package suite_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/suite"
)

const sizes = `crdName: widgets.example.com
tests:
  onCreate:
  - name: a size of ten
    initial: |
      apiVersion: example.com/v1
      kind: Widget
      spec: {size: 10}
    expectedError: "spec.size: Invalid value: 10: spec.size in body should be less than or equal to 9"
  - name: no size
    initial: |
      apiVersion: example.com/v1
      kind: Widget
      spec: {}
    expected: |
      apiVersion: example.com/v1
      kind: Widget
      spec: {size: 2}
`

// Suites say what an API server makes of objects. In go test, Test runs all suites of a folder.
func ExampleRun() {
	suites, found := suite.ParseAll(context.Background(), []*diag.Source{
		{Path: "widgets.yaml", Data: []byte(sizes), Syntax: diag.YAML},
	})
	if diag.HasErrors(found) {
		log.Fatal(diag.Summary(found))
	}
	report := suite.Run(context.Background(), suites, suite.Options{
		Where: crds.Where{Files: []string{"testdata/example/crd.yaml"}},
	})
	if err := diag.Text(os.Stdout, report.Findings(), diag.TextOptions{}); err != nil {
		log.Fatal(err)
	}
	passed, failed := report.Count()
	fmt.Println(passed, "passed,", failed, "failed")
	// Output:
	// widgets.yaml:15:5: error: widgets/onCreate/no size: the resulting object differs from the expected one [suite-expected]
	//    15 |  expected: |
	//       |  ^^^^^^^^
	//    --- expected
	//    +++ got
	//    @@ -1,4 +1,4 @@
	//     apiVersion: example.com/v1
	//     kind: Widget
	//     spec:
	//    -  size: 2
	//    +  size: 1
	//
	// 1 error
	// 1 passed, 1 failed
}
