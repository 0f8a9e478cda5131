package fakeclient_test

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/crdproof/crdproof/fakeclient"
	v1 "github.com/crdproof/crdproof/testdata/clients/v1"
)

// BenchmarkCreate creates objects with and without enforcing, in turn. The scheme is small: the fake client looks at
// all of it in each call.
func BenchmarkCreate(b *testing.B) {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypes(v1.GroupVersion, &v1.Garden{})
	enforced, err := fakeclient.New(fake.NewClientBuilder().WithScheme(scheme), fakeclient.WithKinds(v1.Kinds()))
	if err != nil {
		b.Fatal(err)
	}
	clients := []client.Client{fake.NewClientBuilder().WithScheme(scheme).Build(), enforced}
	var took [2]time.Duration
	for b.Loop() {
		for i, c := range clients {
			g := &v1.Garden{ObjectMeta: metav1.ObjectMeta{Name: "g", Namespace: "default"}}
			g.Spec.Owner = "me"
			g.Spec.Beds = []v1.Bed{{Name: "a", Plant: "rose"}, {Name: "b"}}
			start := time.Now()
			err := c.Create(b.Context(), g)
			took[i] += time.Since(start)
			if err != nil {
				b.Fatal(err)
			}
			if err := c.Delete(b.Context(), g); err != nil {
				b.Fatal(err)
			}
		}
	}
	each := func(d time.Duration) float64 { return float64(d.Microseconds()) / float64(b.N) }
	b.ReportMetric(each(took[0]), "µs/plain")
	b.ReportMetric(each(took[1]), "µs/enforced")
}
