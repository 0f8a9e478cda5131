package support

import (
	"encoding/json"
	"fmt"
	"net"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// A price is what each rule costs.
type price uint64

func (p price) cost(int, bool, any, any, uint64) uint64 { return uint64(p) }

func (p price) budget(*Validation, int) spender { return &budget{costs: p, left: objectBudget} }

func (p price) isLight(most int, values ...any) bool { return new(Costs).isLight(most, values...) }

// TestBudgetOfTyped shows that rules of Go values are counted as those of their JSON are, and only for large objects.
func TestBudgetOfTyped(t *testing.T) {
	const spent = "no further validation rules will be run"
	for _, test := range []struct {
		name  string
		size  int
		each  price
		wants bool
	}{
		{"a small object", 1, objectBudget, false},
		{"a large object", 10_000, 10, false},
		{"a large object with expensive rules", 10_000, objectBudget/2 + 1, true},
	} {
		k := boxes()
		k.JSON.Counter, k.JSON.Uncounted = test.each, 1000
		replaceRules(k, func() bool { return true })
		k.Certain = func(_, _, _ *box) bool { return true }
		x := &box{}
		x.Name, x.Spec.Size = strings.Repeat("x", test.size), 1
		for _, errs := range []string{fmt.Sprint(k.Validate(x)), fmt.Sprint(k.ValidateUpdate(x, x))} {
			if strings.Contains(errs, spent) != test.wants {
				t.Errorf("%s: %s", test.name, errs)
			}
		}
	}
}

// FuzzWeigh holds that the size of a Go value is not less than that of its JSON, also for types with an encoding of
// their own.
func FuzzWeigh(f *testing.F) {
	type valued struct {
		Text     string            `json:"text"`
		Texts    []string          `json:"texts"`
		Map      map[string]string `json:"map"`
		Bytes    []byte            `json:"bytes"`
		Time     metav1.Time       `json:"time"`
		Micro    metav1.MicroTime  `json:"micro"`
		Duration metav1.Duration   `json:"duration"`
		Quantity resource.Quantity `json:"quantity"`
		Either   intstr.IntOrString
		Raw      runtime.RawExtension
		IP       net.IP
		Addr     netip.Addr
	}
	f.Add("red", 3, "a", int64(5))
	f.Add("re\x80\x90\x80", 2, "\xff", int64(-1<<62))
	f.Fuzz(func(t *testing.T, text string, items int, item string, number int64) {
		x := valued{Text: text, Map: map[string]string{item: text}, Bytes: []byte(text)}
		for range min(max(items, 0), 100) {
			x.Texts = append(x.Texts, item)
		}
		x.Time, x.Micro = metav1.Unix(number%(1<<37), 0), metav1.MicroTime{Time: time.Unix(number%(1<<37), 1000)}
		x.Duration = metav1.Duration{Duration: time.Duration(number)}
		x.Quantity = *resource.NewMilliQuantity(number, resource.DecimalSI)
		x.Either = intstr.FromString(text)
		x.Raw.Raw, _ = json.Marshal(item) // a string always has JSON
		x.IP = net.ParseIP(text)
		x.Addr, _ = netip.ParseAddr(text) // most texts are none
		data, err := json.Marshal(x)
		if err != nil {
			t.Skip(err) // a year of five digits
		}
		var object map[string]any
		if err := utiljson.Unmarshal(data, &object); err != nil {
			t.Fatal(err)
		}
		const enough = 1 << 40
		ofJSON, ofGo := enough, enough
		weigh(object, &ofJSON)
		for name := range object { // the names of fields have no cost
			ofJSON += len(name)
		}
		weighGo(reflect.ValueOf(x), &ofGo)
		if ofGo > ofJSON {
			t.Errorf("%s has the size %d, and %d as JSON", data, enough-ofGo, enough-ofJSON)
		}
	})
}
