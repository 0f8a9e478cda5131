package fill

import "testing"

// TestPresent fills a required field with omitzero. If Go omitted it, the server would reject the object.
func TestPresent(t *testing.T) {
	type kind struct {
		Kind, APIVersion string
		ObjectMeta       struct{ Name string }
		Spec             struct {
			Parts struct {
				One bool `json:"one"`
				Two bool `json:"two"`
			} `json:"parts,omitzero" circle:"set"`
			Array [2]bool `json:"array,omitzero" circle:"set"`
		}
	}
	for seed := range uint64(100) {
		var k kind
		fillKind(&k, Kind{}, Request{Seed: seed}, nil)
		if k.Spec.Array == [2]bool{} {
			t.Errorf("seed %d: Go omits the array", seed)
		}
		if !k.Spec.Parts.One && !k.Spec.Parts.Two {
			t.Errorf("seed %d: Go omits the struct", seed)
		}
	}
}
