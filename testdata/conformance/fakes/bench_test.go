package fakes

import (
	"fmt"
	"os"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	gateway "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/crdproof/crdproof/fakeclient"
	"github.com/crdproof/crdproof/fakeclient/crds"
)

// BenchmarkCreate creates objects of a real kind, with the fake client and with one that enforces CRDs.
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
	for name, c := range map[string]client.Client{
		"plain": fake.NewClientBuilder().WithScheme(scheme).Build(), "enforced": enforced,
	} {
		b.Run(name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				// An object of its own namespace: the fake client looks at all of a namespace.
				obj := route.DeepCopy()
				obj.Name, obj.Namespace = "a", fmt.Sprint("n", i)
				if err := c.Create(b.Context(), obj); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
