package source

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// libraries are the imports that a kind may need, by the name that it knows them under.
var libraries = map[string]string{
	"apiextensionsv1": `apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"`,
	"big":             `"math/big"`,
	"intstr":          `"k8s.io/apimachinery/pkg/util/intstr"`,
	"json":            `"encoding/json"`,
	"metav1":          `metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"`,
	"net":             `"net"`,
	"netip":           `"net/netip"`,
	"resource":        `"k8s.io/apimachinery/pkg/api/resource"`,
	"runtime":         `"k8s.io/apimachinery/pkg/runtime"`,
	"time":            `"time"`,
	"unstructured":    `"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"`,
	"url":             `"net/url"`,
}

// qualified is a name of another package.
var qualified = regexp.MustCompile(`\b([a-z][a-z0-9]*)\.[A-Z]`)

// withHeader puts the package clause before declarations, and the imports that they use. Kinds is the package of the
// kinds that they belong to.
func withHeader(pkg, decls, kinds string) string {
	var paths []string
	for _, m := range qualified.FindAllStringSubmatch(decls, -1) {
		path := libraries[m[1]]
		if kinds != "" && m[1] == HelperPackage(kinds) {
			path = fmt.Sprintf("%q", Module+"/"+m[1])
		}
		if path != "" {
			paths = append(paths, "\t"+path+"\n")
		}
	}
	slices.Sort(paths)
	imports := strings.Join(slices.Compact(paths), "")
	if imports != "" {
		imports = "import (\n" + imports + ")\n\n"
	}
	return "package " + pkg + "\n\n" + imports + decls
}
