package objects

import (
	"encoding/json"
	"math/rand/v2"
)

// Oddity is something in metadata.
func Oddity(random *rand.Rand) map[string]any {
	all := []string{
		`{"labels":{"a":"b"}}`, `{"labels":{"a b":"c"}}`, `{"labels":{"a":1}}`, `{"annotations":{"a":"b"}}`,
		`{"annotations":{"a":null}}`,
		`{"finalizers":["a"]}`, `{"finalizers":["example.com/a","a b"]}`, `{"unknown":1}`, `{"name":"Bad_Name"}`,
		`{"name":null}`,
		`{"generateName":"gen-"}`, `{"name":null,"generateName":"gen-"}`, `{"uid":"x"}`, `{"generation":7}`,
		`{"creationTimestamp":"x"}`,
		`{"creationTimestamp":null}`, `{"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"u"},` +
			`{"apiVersion":"v1","kind":"Pod","name":"p","uid":"u"}]}`,
		`{"ownerReferences":[{}]}`, `{"managedFields":[]}`, `{"selfLink":"x"}`, `{"resourceVersion":"7"}`,
		`{"deletionGracePeriodSeconds":3}`,
		`{"namespace":"default"}`, `{"namespace":null}`, `{"deletionTimestamp":"2020-01-01T00:00:00Z"}`,
	}
	var out map[string]any
	if err := json.Unmarshal([]byte(all[random.IntN(len(all))]), &out); err != nil {
		panic(err)
	}
	return out
}
