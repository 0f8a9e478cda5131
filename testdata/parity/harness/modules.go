// Package harness runs controller-gen and crdproof on real API modules: the list of modules, the two binaries, and a
// run with its time and memory. The parity and bench commands use it.
package harness

import "path/filepath"

// A Case is one module at its pinned version with one set of options. The version stands in modules/<Dir>/go.mod, a
// module of its own because the requirements of the APIs contradict each other.
type Case struct {
	// Name is what -run selects; where it differs from Dir, the case repeats a module with other options.
	Name string
	// Dir is the folder below modules.
	Dir string
	// Paths is the value of paths=.
	Paths string
	// Options are passed to crd: of both tools. Those of a module's first case are its own, as in its Makefile.
	Options []string
	// Small marks the cases that are quick enough for every `make test`.
	Small bool
}

// Repeats reports whether the case is a module's second one, which a measurement of speed can skip.
func (c Case) Repeats() bool { return c.Name != c.Dir }

// WorkDir is the directory both tools are started in.
func (c Case) WorkDir(parityDir string) string { return filepath.Join(parityDir, "modules", c.Dir) }

// Cases returns the list in the order of the printed table: the modules, then those that are run again with options
// that change their output.
func Cases() []Case {
	dangerous := []string{"allowDangerousTypes=true"}
	embedded := []string{"generateEmbeddedObjectMeta=true"}
	return []Case{
		{Name: "gateway-api", Dir: "gateway-api", Paths: gatewayAPI, Options: dangerous, Small: true},
		{Name: "cluster-api", Dir: "cluster-api", Paths: "sigs.k8s.io/cluster-api/api/..."},
		{Name: "cert-manager", Dir: "cert-manager", Paths: "github.com/cert-manager/cert-manager/pkg/apis/..."},
		{Name: "prometheus-operator", Dir: "prometheus-operator", Paths: prometheusOperator},
		{Name: "source-controller", Dir: "source-controller", Paths: sourceController, Small: true},
		{Name: "keda", Dir: "keda", Paths: keda, Options: embedded},
		{Name: "karpenter", Dir: "karpenter", Paths: "sigs.k8s.io/karpenter/pkg/apis/..."},
		{Name: "velero", Dir: "velero", Paths: "github.com/vmware-tanzu/velero/pkg/apis/velero/..."},
		{Name: "envoy-gateway", Dir: "envoy-gateway", Paths: "github.com/envoyproxy/gateway/api/...",
			Options: dangerous},
		{Name: "cilium", Dir: "cilium", Paths: "github.com/cilium/cilium/pkg/k8s/apis/..."},
		{Name: "capa", Dir: "capa", Paths: "sigs.k8s.io/cluster-api-provider-aws/v2/api/..."},
		{Name: "eck", Dir: "eck", Paths: "github.com/elastic/cloud-on-k8s/v3/pkg/apis/...",
			Options: embedded},
		{Name: "snapshotter", Dir: "snapshotter", Paths: snapshotter, Small: true},

		{Name: "source-controller-short", Dir: "source-controller", Paths: sourceController,
			Options: []string{"maxDescLen=60", "generateEmbeddedObjectMeta=true"}, Small: true},
		{Name: "gateway-api-bare", Dir: "gateway-api", Paths: gatewayAPI,
			Options: append([]string{"maxDescLen=0"}, dangerous...)},
		{Name: "prometheus-operator-short", Dir: "prometheus-operator", Paths: prometheusOperator,
			Options: []string{"maxDescLen=120", "generateEmbeddedObjectMeta=true"}},
		{Name: "keda-embedded", Dir: "keda", Paths: keda,
			Options: []string{"ignoreUnexportedFields=true", "generateEmbeddedObjectMeta=true"}},
	}
}

// The patterns that more than one case has.
const (
	keda               = "github.com/kedacore/keda/v2/apis/..."
	gatewayAPI         = "sigs.k8s.io/gateway-api/apis/..."
	prometheusOperator = "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/..."
	sourceController   = "github.com/fluxcd/source-controller/api/..."
	snapshotter        = "github.com/kubernetes-csi/external-snapshotter/client/v8/apis/..."
)
