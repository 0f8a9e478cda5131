// Package examples has the examples of all checks, as data: checks.txtar has two files for each, named by its id.
package examples

import (
	_ "embed"
	"strings"

	"golang.org/x/tools/txtar"
)

//go:embed checks.txtar
var checks []byte

// Of returns what the check of an id finds, and what to write instead: lines of Go, or of YAML if Go cannot express the
// mistake. Both are "" for a check without examples.
func Of(id string) (bad, good string) {
	for _, f := range txtar.Parse(checks).Files {
		switch f.Name {
		case id + " bad":
			bad = strings.TrimSuffix(string(f.Data), "\n")
		case id + " good":
			good = strings.TrimSuffix(string(f.Data), "\n")
		}
	}
	return bad, good
}

// IDs returns the ids of the checks that have examples, in the order of the file.
func IDs() (out []string) {
	for _, f := range txtar.Parse(checks).Files {
		if id, ok := strings.CutSuffix(f.Name, " bad"); ok {
			out = append(out, id)
		}
	}
	return out
}
