// Package moved knows the packages that have two paths, because their module has moved. The program names them by the
// former path, and looks each path up with Former.
package moved

import "strings"

// A Module is one that has moved.
type Module struct{ Former, Path string }

// Modules returns the modules, or parts of a module, that have moved.
func Modules() []Module {
	return []Module{
		// with Kubernetes 1.38
		{"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions", "k8s.io/apiextensions-api/pkg/apis/apiextensions"},
		// with cel-go 0.32
		{"github.com/google/cel-go", "cel.dev/cel-go"},
	}
}

// The packages that are known by name.
const (
	ExtV1      = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	ExtV1beta1 = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
)

// Former returns the former path of a package that has moved, and the path of any other.
func Former(pkg string) string {
	for _, m := range Modules() {
		if rest, ok := strings.CutPrefix(pkg, m.Path); ok && (rest == "" || rest[0] == '/') {
			return m.Former + rest
		}
	}
	return pkg
}

// Paths returns all paths of a package whose former path is given.
func Paths(former string) []string {
	out := []string{former}
	for _, m := range Modules() {
		if rest, ok := strings.CutPrefix(former, m.Former); ok && (rest == "" || rest[0] == '/') {
			out = append(out, m.Path+rest)
		}
	}
	return out
}
