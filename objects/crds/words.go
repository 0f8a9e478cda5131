package crds

import (
	"fmt"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/rules"
)

// lookedFor lists what has been looked for from a directory upwards, one list after the other.
func lookedFor(dir string, lists ...[]string) []string {
	if dir = input.Shown(dir); dir == "." {
		dir = "the working directory"
	}
	notes := []string{fmt.Sprintf("looked in %s and above it, up to the root of the repository or module, for", dir)}
	for _, list := range lists {
		notes = append(notes, "- "+strings.Join(list, ", "))
	}
	return notes
}

// NameThem is the help if CRDs are not found.
const NameThem = "set --crds to their files, such as --crds=config/crd/bases, or --paths to their Go packages, such " +
	"as --paths=./..."

// nameFiles is the help if files of CRDs are not found.
const nameFiles = "name the files of CRDs, for example: crdproof check config/crd/bases"

// String returns what messages call the files and packages.
func (w Where) String() string {
	var out []string
	for _, file := range w.Files {
		out = append(out, input.Shown(file))
	}
	if len(w.Paths) > 0 {
		out = append(out, "the Go packages "+strings.Join(w.Paths, ", "))
	}
	if len(w.Paths) > 0 && w.Dir != "" {
		out[len(out)-1] += " of " + input.Shown(w.Dir)
	}
	return strings.Join(out, " and ")
}

// notDecoded says which CRDs were validated only in part.
func notDecoded(names []string) diag.Diagnostic {
	return diag.Warningf(diag.Span{}, rules.NotValidated,
		"validated without the values that no API server can decode: %s", diag.And(names)).
		Help("repair what is reported there, and run again")
}

// Undecodable reports that an API server cannot decode a CRD.
func Undecodable(at diag.Span, err error) diag.Diagnostic {
	return diag.Errorf(at, rules.Server, "the API server cannot decode the CRD: %v", err)
}
