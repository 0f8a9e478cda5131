// Package names compares what crdproof finds about the names of CRDs with the API server's controller that accepts them.
package names

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/fake"
	"k8s.io/apiextensions-apiserver/pkg/client/informers/externalversions"
	"k8s.io/apiextensions-apiserver/pkg/controller/status"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/klog/v2"

	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/schema"
)

// TestNames compares the clashes of names of two CRDs of a group with the answer of the API server's controller.
func TestNames(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	rounds, clashes := 60, 0
	for range rounds {
		first, second := randomNames(r, "a"), randomNames(r, "b")
		isFound := false
		for _, d := range rules.CommonNames([]rules.Names{namesOf(first), namesOf(second)}) {
			isFound = isFound || d.Check == "names-clash"
		}
		isAccepted := acceptsNames(t, first, second)
		if isFound == isAccepted {
			t.Errorf("%+v and %+v: a clash is found: %v, the API server accepts the second one: %v", first, second, isFound,
				isAccepted)
		}
		if isFound {
			clashes++
		}
	}
	if clashes < rounds/5 || clashes > rounds*4/5 {
		t.Errorf("%d of %d pairs of CRDs have a name in common", clashes, rounds)
	}
}

// randomNames returns names, some of which another CRD may have, too. Its plural is its own: it is the name of the CRD.
func randomNames(r *rand.Rand, own string) apiext.CustomResourceDefinitionNames {
	name := func(kind string) string {
		switch r.IntN(8) {
		case 0:
			return "common" + kind
		case 1:
			return []string{"as", "bs"}[r.IntN(2)]
		}
		return own + kind
	}
	kind := name("kind")
	return apiext.CustomResourceDefinitionNames{Plural: own + "s", Singular: name("one"),
		ShortNames: []string{name("x"), name("y")}[:r.IntN(3)], Kind: kind, ListKind: kind + "list",
		Categories: []string{name("s")}[:r.IntN(2)]}
}

func namesOf(names apiext.CustomResourceDefinitionNames) rules.Names {
	c := &schema.CRD{Group: schema.Text{V: "example.com"}, Plural: schema.Text{V: names.Plural},
		Singular: schema.Text{V: names.Singular}, Kind: schema.Text{V: names.Kind}, ListKind: schema.Text{V: names.ListKind}}
	for _, name := range names.ShortNames {
		c.ShortNames = append(c.ShortNames, schema.Text{V: name})
	}
	for _, name := range names.Categories {
		c.Categories = append(c.Categories, schema.Text{V: name})
	}
	return rules.NamesOf(c)
}

// acceptsNames runs the API server's controller for two CRDs, one after the other.
func acceptsNames(t *testing.T, list ...apiext.CustomResourceDefinitionNames) (isAccepted bool) {
	t.Helper()
	client := fake.NewClientset()
	informers := externalversions.NewSharedInformerFactory(client, 0)
	controller := status.NewNamingConditionController(klog.Background(), informers.Apiextensions().V1().CustomResourceDefinitions(),
		client.ApiextensionsV1())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	informers.Start(ctx.Done())
	informers.WaitForCacheSync(ctx.Done())
	go controller.RunWithContext(ctx)
	crds := client.ApiextensionsV1().CustomResourceDefinitions()
	for _, names := range list {
		name := names.Plural + ".example.com"
		crd := &apiext.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: name},
			Spec: apiext.CustomResourceDefinitionSpec{Group: "example.com", Names: names}}
		if _, err := crds.Create(ctx, crd, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		if err := wait.PollUntilContextCancel(ctx, time.Millisecond, true, func(ctx context.Context) (bool, error) {
			got, err := crds.Get(ctx, name, metav1.GetOptions{})
			if err != nil {
				return false, err
			}
			for _, c := range got.Status.Conditions {
				if c.Type == apiext.NamesAccepted {
					isAccepted = c.Status == apiext.ConditionTrue
					return true, nil
				}
			}
			return false, nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	return isAccepted
}
