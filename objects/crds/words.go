package crds

import (
	"fmt"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/rules"
)

// looked lists where CRDs have been looked for, from a directory upwards.
func looked(dir string) []string {
	if dir = input.Shown(dir); dir == "." {
		dir = "the working directory"
	}
	list := folders()
	return []string{
		fmt.Sprintf("looked for: %s and %s in %s and above it,", strings.Join(list[:len(list)-1], ", "),
			list[len(list)-1], dir),
		"up to the root of the repository or module; and Go packages in api, apis and pkg/apis there, or else all of " +
			"the module",
	}
}

// NameThem is the help if CRDs are not found.
const NameThem = "set --crds to their files, such as --crds=config/crd/bases, or --paths to their Go packages, such " +
	"as --paths=./..."

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
