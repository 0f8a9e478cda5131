package fakes

import (
	"os"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	gateway "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/crdproof/crdproof/fakeclient"
	"github.com/crdproof/crdproof/fakeclient/crds"
)

// BenchmarkCreate creates objects of a real kind, with the fake client and with one that enforces CRDs, in turn.
func BenchmarkCreate(b *testing.B) {
	scheme := runtime.NewScheme()
	if err := gateway.Install(scheme); err != nil {
		b.Fatal(err)
	}
	enforced, err := fakeclient.New(fake.NewClientBuilder().WithScheme(scheme), crds.WithCRDs(os.DirFS(gatewayCRDs(b))))
	if err != nil {
		b.Fatal(err)
	}
	weight := int32(3)
	backend := gateway.HTTPBackendRef{BackendRef: gateway.BackendRef{Weight: &weight,
		BackendObjectReference: gateway.BackendObjectReference{Name: "web", Port: new(gateway.PortNumber(80))}}}
	route := &gateway.HTTPRoute{Spec: gateway.HTTPRouteSpec{
		CommonRouteSpec: gateway.CommonRouteSpec{ParentRefs: []gateway.ParentReference{{Name: "gateway"}}},
		Hostnames:       []gateway.Hostname{"a.example.com", "*.example.com"},
		Rules:           []gateway.HTTPRouteRule{{BackendRefs: []gateway.HTTPBackendRef{backend, backend}}},
	}}
	clients := []client.Client{fake.NewClientBuilder().WithScheme(scheme).Build(), enforced}
	var took [2]time.Duration
	for b.Loop() {
		for i, c := range clients {
			obj := route.DeepCopy()
			obj.Name, obj.Namespace = "a", "default"
			start := time.Now()
			err := c.Create(b.Context(), obj)
			took[i] += time.Since(start)
			if err != nil {
				b.Fatal(err)
			}
			if err := c.Delete(b.Context(), obj); err != nil {
				b.Fatal(err)
			}
		}
	}
	each := func(d time.Duration) float64 { return float64(d.Microseconds()) / float64(b.N) }
	b.ReportMetric(each(took[0]), "µs/plain")
	b.ReportMetric(each(took[1]), "µs/enforced")
}
