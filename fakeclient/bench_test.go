package fakeclient_test

import (
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	v1 "github.com/crdproof/crdproof/fakeclient/internal/example/v1"
)

// BenchmarkCreate creates objects with and without enforcing.
func BenchmarkCreate(b *testing.B) {
	s := newScheme(b)
	for name, c := range map[string]client.Client{
		"plain": fake.NewClientBuilder().WithScheme(s).Build(), "enforced": newClient(b),
	} {
		b.Run(name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				// An object of its own namespace: the fake client looks at all of a namespace.
				g := &v1.Garden{ObjectMeta: metav1.ObjectMeta{Name: "g", Namespace: fmt.Sprint("n", i)}}
				g.Spec.Owner = "me"
				g.Spec.Beds = []v1.Bed{{Name: "a", Plant: "rose"}, {Name: "b"}}
				if err := c.Create(b.Context(), g); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
