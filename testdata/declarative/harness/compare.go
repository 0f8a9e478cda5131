package harness

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/testdata/declarative/fill"
	"github.com/crdproof/crdproof/testdata/declarative/server"
	"github.com/crdproof/crdproof/testdata/declarative/subject"
)

// A Failure is an object for which the results of the generated Go and of the CRD differ.
type Failure struct {
	Kind string
	// Value is the number of the value.
	Value int
	// Object is what is written; Old is what it takes the place of, "" for none.
	Object, Old string
	// Go is what the generated Go says against it, Server what the API server does under the CRD.
	Go, Server field.ErrorList
}

// result is what came of one kind.
type result struct {
	creates, updates int
	rejected         int            // by Go
	unread           int            // objects that Go does not read back as they are stored
	excused          map[string]int // by the difference
	failures         []Failure
}

// comparer is the state of comparing one kind.
type comparer struct {
	kind     subject.Kind
	resource *server.Resource
	number   int
	result   result
}

// stored is one object as the server stores it, and as Go reads it from there.
type stored struct {
	object map[string]any
	value  any
	text   string
}

// compare makes so many values of a kind, changes them, and compares the errors about creating them and of updating one
// to the other.
func compare(seed uint64, values int, kind subject.Kind, resource *server.Resource) (result, error) {
	c := &comparer{kind: kind, resource: resource, result: result{excused: map[string]int{}}}
	for c.number = range values {
		if err := c.value(fill.Filler{Rand: rand.New(rand.NewPCG(seed, uint64(c.number)))}); err != nil {
			return result{}, fmt.Errorf("%s: %w", kind.Name, err)
		}
	}
	return c.result, nil
}

// tries is how many values may be made until Go accepts one.
const tries = 20

// value makes one value, mostly one that Go accepts, and another by changing it.
func (c *comparer) value(f fill.Filler) error {
	value := c.kind.New()
	for range pick(f, 1, tries) {
		value = c.kind.New()
		f.Spec(value, c.kind.Name, c.kind.APIVersion)
		errs, err := c.kind.Create(value)
		if err != nil {
			return err
		}
		if len(errs) == 0 {
			break
		}
	}
	one, err := c.store(value)
	if err != nil {
		return err
	}
	for range pick(f, 0, 1, 1, 1, 2, 4) {
		f.Change(value)
	}
	other, err := c.store(value)
	if err != nil || one == nil || other == nil {
		return err
	}
	return errors.Join(c.create(one), c.create(other), c.update(other, one), c.update(one, other))
}

func pick[T any](f fill.Filler, list ...T) T { return list[f.IntN(len(list))] }

// store has the server read what Go writes of a value, and Go what the server would store; nil where that is not the
// same.
func (c *comparer) store(value any) (*stored, error) {
	body, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	object, err := c.resource.Read(body)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	s := &stored{object: object, value: c.kind.New(), text: string(text)}
	if err := json.Unmarshal(text, s.value); err != nil {
		return nil, err
	}
	again, err := json.Marshal(s.value)
	if err != nil {
		return nil, err
	}
	var back map[string]any
	var was map[string]any
	if err := json.Unmarshal(again, &back); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &was); err != nil {
		return nil, err
	}
	if !reflect.DeepEqual(back["spec"], was["spec"]) {
		c.result.unread++
		return nil, nil
	}
	return s, nil
}

func (c *comparer) create(s *stored) error {
	c.result.creates++
	inGo, err := c.kind.Create(s.value)
	c.judge(s, nil, inGo, c.resource.Create(s.object))
	return err
}

func (c *comparer) update(s, old *stored) error {
	c.result.updates++
	inGo, err := c.kind.Update(s.value, old.value)
	c.judge(s, old, inGo, c.resource.Update(s.object, old.object))
	return err
}

// judge compares the two verdicts.
func (c *comparer) judge(s, old *stored, inGo, inServer field.ErrorList) {
	if len(inGo) > 0 {
		c.result.rejected++
	}
	v := verdicts{object: s.object, value: reflect.ValueOf(s.value), inGo: inGo}
	for _, e := range inServer {
		if e.Field == notChecked {
			v.unchecked = true
		} else {
			v.inServer = append(v.inServer, e)
		}
	}
	if slices.Equal(paths(v.inGo), paths(v.inServer)) {
		return
	}
	f := Failure{Kind: c.kind.Name, Value: c.number, Object: s.text, Go: inGo, Server: inServer}
	if old != nil {
		f.Old, v.old = old.text, old.object
		v.against = c.resource.Against(old.object)
		v.added = func(path []string) bool { return c.resource.Added(s.object, old.object, path) }
		v.unchanged = func(path []string) bool { return c.resource.Unchanged(s.object, old.object, path) }
	}
	ids, ok := v.differences()
	for _, id := range ids {
		c.result.excused[id]++
	}
	if !ok {
		c.result.failures = append(c.result.failures, f)
	}
}

// notChecked is the path of the error by which the server says that it left out the rules in CEL.
const notChecked = "<nil>"

// paths are the fields of the errors, sorted.
func paths(list field.ErrorList) []string {
	set := map[string]bool{}
	for _, e := range list {
		set[pathOf(e)] = true
	}
	return slices.Sorted(maps.Keys(set))
}
