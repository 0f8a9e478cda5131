package generator_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator"
)

// Run reads Go packages and returns files; it writes nothing.
func ExampleRun() {
	result, err := generator.Run(context.Background(), generator.Config{
		Dir:   "../testdata/quickstart",
		Paths: []string{"./v1"},
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := diag.Text(os.Stdout, result.Diagnostics, diag.TextOptions{}); err != nil {
		log.Fatal(err)
	}
	for _, file := range result.Files {
		fmt.Println(file.Path, len(file.Data) > 0)
	}
	// Output:
	// operations.example.com_maintenancenightlyjobs.yaml true
}
