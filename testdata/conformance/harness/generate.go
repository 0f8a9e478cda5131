package harness

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	parity "github.com/crdproof/crdproof/testdata/parity/harness"
)

// A File is a CRD that crdproof wrote.
type File struct {
	// Case is the name of parity's case.
	Case string
	Name string
	Data []byte
	// Repeats says that the case repeats a module with other options: there is another CRD of the same name.
	Repeats bool
}

// Generate runs crdproof on cases of parity, whose directory is given, and returns what it writes.
func Generate(ctx context.Context, parityDir, binary, out string, cases []parity.Case) ([]File, error) {
	var files []File
	for _, c := range cases {
		job := parity.Job{
			Tool: binary,
			Dir:  c.WorkDir(parityDir),
			// What speaks against a CRD is for the judges to find, not for the generator.
			Options: append([]string{"mistakes=warn", "unproved=true", "omitToolVersion=true"}, c.Options...),
			Paths:   c.Paths,
			Out:     filepath.Join(out, c.Name),
		}
		if report, err := parity.Run(ctx, job); err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", c.Name, err, report.Output)
		}
		entries, err := os.ReadDir(job.Out)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			data, err := os.ReadFile(filepath.Join(job.Out, e.Name()))
			if err != nil {
				return nil, err
			}
			files = append(files, File{Case: c.Name, Name: e.Name(), Data: data, Repeats: c.Repeats()})
		}
	}
	return files, nil
}
