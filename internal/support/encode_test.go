package support

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// A shapes is a Go type of all shapes.
type shapes struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	*embeddedShapes
	hiddenShapes `json:",inline"`
	Text         shapeName            `json:"text"`
	Number       *int32               `json:"number,omitempty"`
	Unsigned     uint64               `json:"unsigned,omitempty"`
	Float        float64              `json:"float"`
	Bytes        []byte               `json:"bytes,omitempty"`
	Array        [2]byte              `json:"array"`
	Null         []string             `json:"null"`
	When         metav1.Time          `json:"when,omitempty,omitzero"`
	Port         intstr.IntOrString   `json:"port"`
	Size         *resource.Quantity   `json:"size,omitempty"`
	Raw          runtime.RawExtension `json:"raw,omitempty,omitzero"`
	Any          any                  `json:"any,omitempty"`
	Values       map[shapeName]*metav1.Duration
	Structs      map[string]hiddenShapes `json:"structs,omitempty"`
	Ports        map[int]string          `json:"ports,omitempty"`
	Sizes        map[string]pointerText  `json:"sizes,omitempty"`
	List         []embeddedShapes        `json:"list,omitempty"`
	Below        *shapes                 `json:"below,omitempty"`
	Odd          struct {
		Quoted int `json:"quoted,string"`
	} `json:"odd"`
	Skipped string `json:"-"`
}

type shapeName string

type embeddedShapes struct {
	Inner string       `json:"inner,omitempty"`
	Each  []*shapeName `json:"each,omitempty"`
}

type hiddenShapes struct {
	Hidden bool        `json:"hidden,omitempty"`
	Own    pointerText `json:"own,omitempty"`
}

// A pointerText encodes itself if Go has a pointer to it.
type pointerText struct{ text string }

func (p *pointerText) MarshalJSON() ([]byte, error) {
	if p.text == "bad" {
		return nil, fmt.Errorf("it is %s", p.text)
	}
	return []byte(`{"unknown": [{"a": 1}], "text": "` + p.text + `"}`), nil
}

// TestEncoder compares the JSON of random values with what encoding/json and a decoder make of them.
func TestEncoder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	encoder := &Encoder{}
	made := 0
	for range 3000 {
		var x shapes
		fillShape(r, reflect.ValueOf(&x).Elem(), 0)
		typ := randomShape(r, 0)
		typ.Embedded = r.IntN(2) == 0
		got, ok := encoder.encode(&x, typ)
		if !ok {
			continue
		}
		made++
		want, err := objectOf(&x)
		if err != nil {
			t.Fatalf("encoding/json: %v, but there is JSON: %v", err, got)
		}
		before := fmt.Sprint(want)
		prune(want, typ)
		typ.setDefaults(want)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("got\n\t%#v, want\n\t%#v, of\n\t%s", got, want, before)
		}
	}
	if made < 1000 {
		t.Errorf("only %d values were encoded", made)
	}
}

// TestEncoderLeaves leaves to encoding/json what only this can encode, and what nothing can.
func TestEncoderLeaves(t *testing.T) {
	loop := &shapes{}
	loop.Below = loop
	for name, x := range map[string]any{
		"bad UTF-8":        &shapes{Text: "\xff"},
		"a bad key":        &shapes{Values: map[shapeName]*metav1.Duration{"\xff": nil}},
		"a large integer":  &shapes{Unsigned: math.MaxUint64},
		"not a number":     &shapes{Float: math.NaN()},
		"a failing method": &shapes{hiddenShapes: hiddenShapes{Own: pointerText{"bad"}}},
		"bad JSON":         &shapes{Raw: runtime.RawExtension{Raw: []byte("{")}},
		"a loop":           loop,
		"nil":              (*shapes)(nil),
		"a text":           new("a"),
	} {
		if object, ok := (*Encoder)(nil).encode(x, &Type{Open: true}); ok {
			t.Errorf("%s: %v", name, object)
		}
	}
}

// fillShape sets a value to a random one.
func fillShape(r *rand.Rand, v reflect.Value, depth int) {
	if !v.CanSet() || r.IntN(4) == 0 || depth > 3 {
		return
	}
	switch x := v.Addr().Interface().(type) {
	case *metav1.Time:
		*x = metav1.NewTime(time.Unix(r.Int64N(2e9), 0))
		return
	case *resource.Quantity:
		*x = resource.MustParse("1500m")
		return
	case *runtime.RawExtension:
		x.Raw = []byte([]string{`{"a": {"b": 1.0, "": null}}`, `"\u00e9"`, `null`, `[{"a": 1e3}]`}[r.IntN(4)])
		return
	case *any:
		*x = []any{nil, 1, 2.5, "a<b>", map[string]any{"a": []int{3}}, shapeName("c"), []byte("d")}[r.IntN(7)]
		return
	case *pointerText:
		x.text = "own"
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString([]string{"a", "é<&>", "日本\u2028"}[r.IntN(3)])
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int32, reflect.Int64, reflect.Int:
		v.SetInt([]int64{1, -1, math.MaxInt32}[r.IntN(3)])
	case reflect.Uint8, reflect.Uint64:
		v.SetUint([]uint64{1, 200}[r.IntN(2)])
	case reflect.Float64:
		v.SetFloat([]float64{1, 0.1, 1e21, 1e-7, 1 << 62, 1e19, math.Copysign(0, -1)}[r.IntN(7)])
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillShape(r, v.Elem(), depth+1)
	case reflect.Struct:
		for i := range v.NumField() {
			fillShape(r, v.Field(i), depth+1)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), r.IntN(3), 3))
		for i := range v.Len() {
			fillShape(r, v.Index(i), depth+1)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range r.IntN(3) {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fillShape(r, key, depth)
			fillShape(r, value, depth+1)
			v.SetMapIndex(key, value)
		}
	}
}

// randomShape makes a structure with some of the fields of values.
func randomShape(r *rand.Rand, depth int) *Type {
	t := &Type{Nullable: r.IntN(3) == 0}
	if depth > 3 {
		return t
	}
	text := "default"
	switch r.IntN(6) {
	case 0:
		t.Open = true
	case 1:
		t.Preserve, t.Items = true, randomShape(r, depth+1)
	case 2:
		t.Items = randomShape(r, depth+1)
		if r.IntN(2) == 0 {
			t.ItemDefault = text
		}
	case 3:
		t.Values = randomShape(r, depth+1)
		if r.IntN(2) == 0 {
			t.ValueDefault = text
		}
	}
	if t.Items != nil || r.IntN(8) == 0 && depth > 0 {
		return t
	}
	for _, name := range strings.Fields("Values a any array below bytes each float hidden inner kind list metadata null " +
		"number odd own port raw size sizes structs text unsigned when") {
		if r.IntN(5) == 0 {
			continue
		}
		t.Fields = append(t.Fields, TypeField{name, randomShape(r, depth+1)})
		if r.IntN(4) == 0 {
			t.Defaults = append(t.Defaults, Default{name, text})
		}
	}
	return t
}
