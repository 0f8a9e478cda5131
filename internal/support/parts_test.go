package support

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A house has rooms in all places in which a struct may be.
type house struct {
	metav1.TypeMeta `json:",inline"`
	Spec            houseSpec `json:"spec"`
}

type houseSpec struct {
	Doors   int64           `json:"doors,omitempty"`
	Names   []string        `json:"names,omitempty"`
	Hall    room            `json:"hall"`
	Kitchen *room           `json:"kitchen,omitempty"`
	Rooms   []room          `json:"rooms,omitempty"`
	Keyed   []room          `json:"keyed,omitempty"`
	Floors  map[string]room `json:"floors,omitempty"`
	Any     []room          `json:"any,omitempty"`
}

type room struct {
	Name  string  `json:"name,omitempty"`
	Color string  `json:"color,omitempty"`
	Size  float64 `json:"size,omitempty"`
	Desk  *desk   `json:"desk,omitempty"`
}

type desk struct {
	Name string `json:"name,omitempty"`
}

const longestName = 4

func deskIsValid(x *desk) bool { return len(x.Name) <= longestName }

func roomRulesHold(x *room) bool { return x.Name != cmp.Or(x.Color, "red") }

func roomIsValid(x, _ *room) bool {
	return roomRulesHold(x) && x.Name != "" && len(x.Name) <= longestName && IsNumber(x.Size) &&
		(x.Desk == nil || deskIsValid(x.Desk))
}

func roomsRulesHold(x []room) bool { return len(x) != 2 }

func specRulesHold(x *houseSpec) bool { return x.Doors != 3 }

// houses are the helpers as they are generated.
var houses = Kind[house]{
	JSON: &Resource{Version: "v1", Kind: "House", Types: typesOf(houseType),
		ScalePaths: &ScalePaths{Replicas: ".spec.doors", StatusReplicas: ".spec.hall.size"},
		Rules: &RuleSet{Checks: []func(self, oldSelf any) Result[bool]{
			func(self, _ any) Result[bool] { return OK(oldField(self, "name") != oldField(self, "color")) },
			func(self, _ any) Result[bool] { return OK(len(self.([]any)) != 2) },
			func(self, _ any) Result[bool] { return OK(oldField(self, "doors") != int64(3)) },
			func(self, _ any) Result[bool] { return OK(len(self.(map[string]any)) != 2) },
		}}},
	Certain: func(*house, *house, *house) bool { return false },
	Encoder: &Encoder{Parts: func() []TypedPart {
		return []TypedPart{StructPart(deskIsValid), RulesOfStruct(roomRulesHold), NewStructPart(roomIsValid),
			RulesOfItems(roomsRulesHold), RulesOfStruct(specRulesHold)}
	}},
}

var houseType = func() *Type {
	rule := func(at int) []Rule { return []Rule{{check: at, Type: "object", Text: fmt.Sprint("rule ", at)}} }
	name := &Type{Name: "string", MaxLength: longestName}
	inRoom := &Type{Name: "object", Has: withRules, rules: rule(1), Needs: []string{"name"},
		Defaults: []Default{{"color", "red"}},
		Fields: []TypeField{{"color", &Type{Name: "string"}},
			{"desk", &Type{Name: "object", Fields: []TypeField{{"name", name}}}},
			{"name", name}, {"size", &Type{Name: "number"}}}}
	rooms := func(t Type) *Type {
		t.Name, t.Items, t.Has, t.rules = "array", inRoom, t.Has|withRules, rule(2)
		return &t
	}
	floors := &Type{Name: "object", Values: inRoom, Has: withRules, rules: rule(4)}
	some := rooms(Type{})
	some.more = &constraints{anyOf: []*Type{{MinItems: 1}, {MaxItems: 3}}}
	return &Type{Name: "object", Embedded: true, Has: withRules | Lists, Fields: []TypeField{
		{"apiVersion", name}, {"kind", &Type{Name: "string"}},
		{"spec", &Type{Name: "object", Has: withRules | Lists, rules: rule(3), Fields: []TypeField{
			{"any", some}, {"doors", &Type{Name: "integer"}}, {"floors", floors}, {"hall", inRoom},
			{"keyed", rooms(Type{ListType: "map", ListKeys: []string{"name"}, Has: Lists})}, {"kitchen", inRoom},
			{"names", &Type{Name: "array", Items: name}}, {"rooms", rooms(Type{MaxItems: 3})},
		}}},
	}}
}()

// TestParts compares the errors of random objects, of which only the parts are encoded that may be invalid, with those
// of their JSON.
func TestParts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	valid, inParts := 0, 0
	for range 4000 {
		x := randomHouse(r)
		object, err := objectOf(x)
		if err != nil {
			t.Fatal(err)
		}
		houses.JSON.Prune(object)
		houses.JSON.Default(object)
		want := houses.JSON.Validate(object)
		if len(want) == 0 {
			valid++
		}
		if _, ok := houses.Encoder.encodeParts(x, houseType); ok {
			inParts++
		}
		if got := houses.Validate(x); !reflect.DeepEqual(got, want) {
			t.Fatalf("got\n\t%v, want\n\t%v, of\n\t%v", got, want, object)
		}
	}
	if least := 400; valid < least || inParts < least {
		t.Errorf("only %d objects are valid, and %d were encoded in parts", valid, inParts)
	}
}

// randomHouse returns a house in which a few things are wrong. Two places may have the same pointer.
func randomHouse(r *rand.Rand) *house {
	one := func(texts ...string) string { return texts[r.IntN(len(texts))] }
	inRoom := func() room {
		x := room{Name: one("a", "b", "c", "d", "e"), Color: one("", "", "blue"), Size: float64(r.IntN(2))}
		switch r.IntN(60) {
		case 0:
			x.Name = one("", "too long", "\xff", "red")
		case 1:
			x.Color = x.Name
		case 2:
			x.Size = math.Copysign(0, -1)
		case 3:
			x.Desk = &desk{one("ok", "too long", "\xff")}
		}
		return x
	}
	rooms := func() (list []room) {
		for range []int{0, 1, 3, 3, 1, 0, 0, 2, 4}[r.IntN(9)] {
			list = append(list, inRoom())
		}
		return list
	}
	shared := inRoom()
	x := &house{Spec: houseSpec{Doors: []int64{0, 1, 3, -1, 2, 2, 2, 2}[r.IntN(8)], Hall: shared, Rooms: rooms(),
		Any: rooms(), Names: []string{"a", one("b", "b", "b", "too long")}}}
	if r.IntN(2) == 0 {
		x.Spec.Kitchen = &shared
	}
	if r.IntN(2) == 0 {
		x.Spec.Keyed = []room{{Name: "x"}, {Name: "y"}, {Name: one("z", "z", "z", "x")}}
	}
	if r.IntN(2) == 0 {
		x.Spec.Floors = map[string]room{"1": inRoom()}
		if r.IntN(2) == 0 {
			x.Spec.Floors["2"] = inRoom()
		}
	}
	return x
}

// TestPartsAreFew encodes only what may be invalid.
func TestPartsAreFew(t *testing.T) {
	x := &house{Spec: houseSpec{Hall: room{Name: "a"}, Rooms: []room{{Name: "b"}, {Name: "too long"}, {Name: "c"}}}}
	object, ok := houses.Encoder.encodeParts(x, houseType)
	if !ok {
		t.Fatal("the object is not encoded in parts")
	}
	spec := uncertain(object["spec"]).(map[string]any)
	if hall := uncertain(spec["hall"]); hall != nil {
		t.Errorf("the hall is encoded: %v", hall)
	}
	for i, item := range uncertain(spec["rooms"]).([]any) {
		if value := uncertain(item); (value != nil) != (i == 1) {
			t.Errorf("room %d: %v", i, value)
		}
	}
}
