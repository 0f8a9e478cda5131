// Package random writes random Go API packages, reproducibly from a seed, over the shapes, markers and comment layouts
// that controller-gen supports. Its test runs controller-gen and crdproof on them and compares the bytes.
package random

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A Module is a set of Go files by path, without a go.mod.
type Module map[string]string

// gen is the state of writing one module.
type gen struct {
	*rand.Rand
	out   strings.Builder
	types []named         // types declared so far in this package
	other []named         // types of the sibling package
	kinds map[string]bool // kinds declared so far in this package
}

// named is a declared type that fields can have.
type named struct {
	name string // as written in this package
	kind string // string, int, bool, struct, slice, map, other
}

// Generate writes the packages of one API group: v1, sometimes v1beta1, and a package of shared types.
func Generate(seed uint64) Module {
	g := &gen{Rand: rand.New(rand.NewPCG(seed, 42))}
	m := Module{}
	m["shared/types.go"] = g.shared()
	shared := g.types
	versions := []string{"v1"}
	if g.IntN(4) == 0 {
		versions = append(versions, "v1beta1")
	}
	for i, v := range versions {
		g.types, g.other, g.kinds = nil, nil, map[string]bool{}
		for _, t := range shared {
			kind := t.kind
			if kind != "struct" && kind != "slice" && g.chance(80) {
				kind = "other" // controller-gen does not know the type of an imported scalar
			}
			g.other = append(g.other, named{"shared." + t.name, kind})
		}
		m[v+"/types.go"] = g.version(v, i == 0)
	}
	return m
}

func (g *gen) p(format string, args ...any) { fmt.Fprintf(&g.out, format+"\n", args...) }

func (g *gen) chance(percent int) bool { return g.IntN(100) < percent }

func pick[T any](g *gen, list ...T) T { return list[g.IntN(len(list))] }

func (g *gen) shared() string {
	g.out.Reset()
	g.types = nil
	g.p("package shared\n")
	g.imports("")
	for range 1 + g.IntN(4) {
		g.typeDecl()
	}
	return g.finish()
}

func (g *gen) imports(more string) {
	g.p(`import (
	%s
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

var _ resource.Quantity
var _ metav1.Time
var _ runtime.RawExtension
var _ intstr.IntOrString
var _ apiextensionsv1.JSON

type unusedReceiver struct{}
`, more)
}

func (g *gen) finish() string {
	if g.chance(10) {
		g.p("// +kubebuilder:validation:Optional")
	}
	return g.out.String()
}

func (g *gen) version(name string, storage bool) string {
	g.out.Reset()
	if g.chance(50) {
		g.p("// Package %s has types.", name)
		g.p("// +groupName=test.example.com")
	} else {
		g.p("// +groupName=test.example.com\n")
	}
	if g.chance(10) {
		g.p("// +kubebuilder:validation:Optional\n")
	}
	if g.chance(10) {
		g.p("// +versionName=%s\n", name)
	}
	g.p("package %s\n", name)
	g.imports("\"parity.example.com/random/shared\"")
	g.p("type unused struct { A %s `json:\"a\"` }\n", g.other[0].name)
	for range 2 + g.IntN(5) {
		g.typeDecl()
	}
	for range 1 + g.IntN(2) {
		g.kind(storage)
	}
	return g.finish()
}

// kind writes a struct with both metas.
func (g *gen) kind(storage bool) {
	name := pick(g, "Widget", "Proxy", "Gateway", "Status")
	if g.kinds[name] {
		return
	}
	g.kinds[name] = true
	g.doc("")
	if storage {
		g.p("// +kubebuilder:storageversion")
	}
	for range g.IntN(4) {
		g.p("// %s", pick(g,
			"+kubebuilder:subresource:status",
			"+kubebuilder:object:root=true",
			"+kubebuilder:resource:path=things,shortName=th;tn,categories={all,some},scope=Namespaced",
			"+kubebuilder:resource:scope=Cluster",
			"+kubebuilder:resource:singular=thing",
			"+kubebuilder:printcolumn:name=\"Age\",type=date,JSONPath=`.metadata.creationTimestamp`",
			"+kubebuilder:printcolumn:name=Ready,type=string,JSONPath=.status.ready,description=\"a, b\","+
				"priority=1,format=byte",
			"+kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,"+
				"selectorpath=.status.selector",
			"+kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas",
			"+kubebuilder:metadata:annotations=\"a.b/c=d=e\",labels={x=y,z=}",
			"+kubebuilder:metadata:labels=app=thing",
			"+kubebuilder:selectablefield:JSONPath=.spec.name",
			"+kubebuilder:deprecatedversion:warning=\"use \\\"v2\\\"\"",
			"+kubebuilder:deprecatedversion",
			"+kubebuilder:externalDocs:url=\"https://example.com/a?b=c\",description=docs",
			"+kubebuilder:title=Thing",
		))
	}
	g.p("type %s struct {", name)
	g.p("\tmetav1.TypeMeta `json:\",inline\"`")
	if g.chance(30) {
		g.p("\t// Standard object metadata.")
		g.p("\t// +optional")
	}
	g.p("\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n")
	for _, f := range []string{"Spec", "Status"} {
		if g.chance(80) {
			g.field(f, strings.ToLower(f), g.structType())
		}
	}
	g.p("}\n")
}

// structType returns the name of a struct type, declaring one where there is none.
func (g *gen) structType() named {
	var list []named
	for _, t := range append(append([]named(nil), g.types...), g.other...) {
		if t.kind == "struct" {
			list = append(list, t)
		}
	}
	if len(list) == 0 {
		return named{"metav1.LabelSelector", "struct"}
	}
	return pick(g, list...)
}
