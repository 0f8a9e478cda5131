// Command golangci is golangci-lint with the plugins of crdproof and of kube-api-linter, as `golangci-lint custom`
// builds it: its main function, and an import for each plugin. Tests run it without a clone of golangci-lint.
package main

import (
	"fmt"
	"os"

	"github.com/golangci/golangci-lint/v2/pkg/commands"
	"github.com/golangci/golangci-lint/v2/pkg/exitcodes"
	_ "sigs.k8s.io/kube-api-linter"

	_ "github.com/crdproof/crdproof/analyzer/plugin"
)

func main() {
	// Without a version, golangci-lint identifies its cache by the bytes of the program.
	if err := commands.Execute(commands.BuildInfo{GoVersion: "unknown"}); err != nil {
		fmt.Fprintf(os.Stderr, "The command is terminated due to an error: %v\n", err)
		os.Exit(exitcodes.Failure)
	}
}
