package harness

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/crdproof/crdproof/testdata/declarative/subject"
)

// Answer is all that a program of generated kinds does: it reads a Config and writes the Report, both as JSON.
func Answer(kinds []subject.Kind) {
	var cfg Config
	err := json.NewDecoder(os.Stdin).Decode(&cfg)
	if err == nil {
		var report *Report
		if report, err = Run(context.Background(), cfg, kinds); err == nil {
			err = json.NewEncoder(os.Stdout).Encode(report)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
