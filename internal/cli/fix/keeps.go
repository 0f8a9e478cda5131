package fix

import (
	"io/fs"
	"os"
	"regexp"
)

// generated matches the line that marks generated files, and the annotations of generated CRDs.
var generated = regexp.MustCompile(`(?m)^(?://|#) Code generated .* DO NOT EDIT\.\r?$|` +
	`^\s+"?(?:controller-gen\.kubebuilder\.io|crdproof\.dev)/version"?: `)

// Keeps returns why a file is not changed, "" if it may be.
func Keeps(path string) string {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return "it is not a file on disk"
	case info.Mode()&fs.ModeSymlink != 0:
		return "the file is a link"
	case info.Mode()&0o200 == 0:
		return "the file is read-only"
	}
	data, err := os.ReadFile(path)
	if err != nil || generated.Match(data) {
		return "the file is generated"
	}
	return ""
}
