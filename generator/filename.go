package generator

import (
	"path/filepath"
	"strings"
	"unicode"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// fileName is reported if a file would be written to another folder than that of the output rule.
var fileName = &diag.Check{ID: "file-name", Mistake: true}

// checkFileName reports a CRD whose name cannot be part of a file name.
func checkFileName(c *schema.CRD) (found []diag.Diagnostic) {
	for _, part := range []struct {
		what, example string
		name          schema.Text
	}{{"group", "example.com", c.Group}, {"plural", "widgets", c.Plural}, {"singular", "widget", c.Singular}} {
		if name := part.name.V; !isElement(name) {
			found = append(found, diag.Errorf(diag.Nearest(part.name.At, c.At), fileName,
				"the %s %q cannot be part of a file name: expected a name such as %s", part.what, name, part.example))
		}
	}
	return found
}

// isElement reports whether a text can be part of a single element of a path, on all systems.
func isElement(text string) bool {
	return !strings.ContainsAny(text, `/\:`) && !strings.ContainsFunc(text, unicode.IsControl) &&
		filepath.IsLocal("x"+text)
}
