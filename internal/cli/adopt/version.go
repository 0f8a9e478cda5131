package adopt

import (
	"context"
	"path/filepath"
	"regexp"

	"github.com/crdproof/crdproof/internal/input"
)

// versionOf returns the version of controller-gen in a repository: that of a call, that of a variable, that with which
// the program is installed, or that of a module file.
func versionOf(ctx context.Context, root string, files []*file, calls []Call) string {
	inCommand := regexp.MustCompile(`@(v\d[\w.\-+]*)`)
	for _, c := range calls {
		if groups := inCommand.FindStringSubmatch(c.Command); groups != nil {
			return groups[1]
		}
	}
	for _, pattern := range []string{
		`(?m)^\s*(?:export\s+)?CONTROLLER_(?:TOOLS|GEN)_VER(?:SION)?\s*[?:]*=\s*["']?(v\d[\w.\-+]*)`,
		`controller-tools/cmd/controller-gen@(v\d[\w.\-+]*)`,
		`(?m)^\s*CONTROLLER_(?:TOOLS|GEN)_VER(?:SION)?: *["']?(v\d[\w.\-+]*)`,
	} {
		re := regexp.MustCompile(pattern)
		for _, f := range files {
			if ctx.Err() != nil {
				return ""
			}
			if groups := re.FindSubmatch(f.data); groups != nil {
				return string(groups[1])
			}
		}
	}
	required := regexp.MustCompile(`(?m)^(?:require)?\s*sigs\.k8s\.io/controller-tools (v\d[\w.\-+]*)`)
	for _, name := range []string{"tools.mod", "hack/tools/go.mod", "tools/go.mod", "hack/go.mod", "go.mod"} {
		data, err := input.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if groups := required.FindSubmatch(data); err == nil && groups != nil {
			return string(groups[1])
		}
	}
	return ""
}
