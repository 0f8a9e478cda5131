package server

import (
	"testing"
	"time"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestSettle: a CRD was established long enough ago for its objects to be created at once, and an informer may
// transform the same object twice.
func TestSettle(t *testing.T) {
	now := time.Now()
	for _, test := range []struct {
		status apiext.ConditionStatus
		at     time.Time
		want   time.Time
	}{
		{apiext.ConditionTrue, now, now.Add(-settled)},
		{apiext.ConditionTrue, now.Add(-2 * settled), now.Add(-2 * settled)},
		{apiext.ConditionFalse, now, now},
	} {
		crd := &apiext.CustomResourceDefinition{}
		crd.Status.Conditions = []apiext.CustomResourceDefinitionCondition{
			{Type: apiext.NamesAccepted, Status: apiext.ConditionTrue, LastTransitionTime: metav1.NewTime(now)},
			{Type: apiext.Established, Status: test.status, LastTransitionTime: metav1.NewTime(test.at)},
		}
		for range 2 {
			if _, err := settle(crd); err != nil {
				t.Fatal(err)
			}
		}
		if got := crd.Status.Conditions[1].LastTransitionTime.Time; !got.Equal(test.want) {
			t.Errorf("%s since %v: got %v, want %v", test.status, test.at, got, test.want)
		}
		if got := crd.Status.Conditions[0].LastTransitionTime.Time; !got.Equal(now) {
			t.Errorf("another condition has changed: %v", got)
		}
	}
}
