package harness

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/testdata/circle/fill"
	"github.com/crdproof/crdproof/testdata/circle/program"
	"github.com/crdproof/crdproof/testdata/circle/server"
	"github.com/crdproof/crdproof/testdata/circle/source"
)

// The classes of failures.
const (
	// classNeedless is a kind that crdproof refuses although all of its shapes have a schema.
	classNeedless = "needless refusal"
	// classUnrefused is a shape without a schema of which crdproof says nothing.
	classUnrefused = "not refused"
	// classCRD is a CRD that the server refuses.
	classCRD = "bad CRD"
	// classWrite is a value that Go cannot write.
	classWrite = "not writable"
	// classRefused is what Go writes and the server refuses.
	classRefused = "refused"
	// classDecode is what the server accepts and Go cannot read.
	classDecode = "unreadable"
	// Further classes are those of findings: pruned and changed by the server, lost and truncated by Go.
)

// A Failure is one place at which the circle does not close.
type Failure struct {
	Kind  source.Kind
	Class string
	// Path is where in the object; Shape is that of the field it leads to.
	Path  []string
	Shape string
	// Said is what the server, Go or crdproof says.
	Said string
	// Value is the seed of the value, Mutation the number of the change on it, 0 for none.
	Value    uint64
	Mutation int
	JSON     []byte
	// Schema is the schema of the path, as YAML.
	Schema string
}

// result is what came of one kind.
type result struct {
	kind               source.Kind
	refused            map[string]int // by rule
	announced          map[string]int // by rule
	values, mutations  int
	accepted, readable int // of the mutations
	lenient            int // mutations that no schema can forbid
	failures           []Failure
}

// checker is the state of checking one kind.
type checker struct {
	cfg       Config
	process   *program.Process
	resource  *server.Resource
	announcer *announcer
	result    result
	// value, mutation and json are what is being looked at.
	value    uint64
	mutation int
	json     []byte
	failed   map[string]bool // classes and paths
}

// checkKind closes the circle for one kind.
func checkKind(cfg Config, process *program.Process, kind source.Kind, o outcome) (result, error) {
	file, err := source.Locate(kind.Source)
	if err != nil {
		return result{}, err
	}
	c := &checker{cfg: cfg, process: process, announcer: newAnnouncer(file, o.warnings), failed: map[string]bool{},
		result: result{kind: kind, refused: map[string]int{}, announced: map[string]int{}}}
	if len(o.errors) > 0 {
		c.checkRefusal(file, o.errors)
		return c.result, nil
	}
	if o.crd == nil {
		c.fail(classNeedless, nil, "crdproof writes no CRD and gives no reason")
		return c.result, nil
	}
	if c.resource, err = server.Establish(o.crd); err != nil {
		c.json = o.crd
		c.fail(classCRD, nil, err.Error())
		return c.result, nil
	}
	c.checkSilence(file, o.warnings)
	for i := range cfg.Values {
		if err := c.checkValue(uint64(i)); err != nil {
			return result{}, err
		}
	}
	return c.result, nil
}

// checkRefusal demands that errors stand where one of the shapes is that may be refused.
func (c *checker) checkRefusal(file *source.File, errors []diag.Diagnostic) {
	for _, d := range errors {
		c.result.refused[d.Rule]++
		place := source.Place{}
		if d.Span.IsValid() {
			place = file.At(int(d.Span.Start))
		}
		shape := c.result.kind.ShapeOf(place.Type, place.Field)
		if shape.Refuse == source.Never && c.result.kind.Shapes[place.Type].Refuse == source.Never {
			name := strings.TrimSpace(fmt.Sprintf("%s [%s]", shape.Name, d.Rule))
			c.failAt(classNeedless, []string{place.Type, place.Field}, name, d.Message)
		}
	}
}

// checkSilence demands a warning where a shape has no schema and was not refused.
func (c *checker) checkSilence(file *source.File, warnings []diag.Diagnostic) {
	must := c.result.kind.MustRefuse()
	if must == "" {
		return
	}
	for _, d := range warnings {
		if place := file.At(int(d.Span.Start)); excuses(d.Rule) && (must == place.Type || must == place.Type+"."+place.Field) {
			return
		}
	}
	c.failAt(classUnrefused, strings.Split(must, "."), c.result.kind.Shapes[must].Name, "crdproof neither refuses it nor warns of it")
}

// checkValue makes a value, has it stored, reads it back, and does the same with changes of it.
func (c *checker) checkValue(number uint64) error {
	c.value, c.mutation = c.cfg.Seed<<20^number, 0
	kind := c.result.kind.Name
	made, err := c.process.Make(kind, c.value, c.cfg.NilElements)
	if err != nil {
		return err
	}
	c.result.values++
	c.json = made.JSON
	if made.Error != "" {
		c.fail(classWrite, nil, made.Error)
		return nil
	}
	answer := c.resource.Create(made.JSON)
	before := exact(made.JSON)
	if answer.Stored != nil {
		for _, f := range lossOnWrite(before["spec"], answer.Stored["spec"], c.specSchema(), []string{"spec"}) {
			c.fail(f.class, f.path, f.said)
		}
	}
	for _, e := range answer.Refused {
		c.fail(classRefused, refusedPath(e), e.Error())
	}
	if len(answer.Refused) > 0 || answer.Stored == nil {
		return nil
	}
	if _, err := c.readBack(answer.Stored); err != nil {
		return err
	}
	return c.checkMutations(answer.Stored)
}

// pathInText is where the server names a path in the text alone.
var pathInText = regexp.MustCompile(` in (spec[.\[].*)$`)

func refusedPath(e *field.Error) []string {
	if m := pathInText.FindStringSubmatch(e.Detail); m != nil && !strings.HasPrefix(e.Field, "spec") {
		return split(m[1])
	}
	return split(e.Field)
}

// exact is JSON with its numbers as they were written.
func exact(data []byte) map[string]any {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var object map[string]any
	if err := decoder.Decode(&object); err != nil {
		panic(err) // encoding/json wrote it
	}
	return object
}

func (c *checker) specSchema() *apiextensionsv1.JSONSchemaProps {
	spec := c.resource.Schema.Properties["spec"]
	return &spec
}

// checkMutations changes a stored object; what the server accepts of it, Go has to read.
func (c *checker) checkMutations(stored map[string]any) error {
	r := rand.New(rand.NewPCG(c.value, 11))
	for i := range c.cfg.Mutations {
		object := runtime.DeepCopyJSON(stored)
		for range pick(r, 1, 1, 1, 2, 3) {
			mutate(r, object, c.resource.Schema)
		}
		body, err := json.Marshal(object)
		if err != nil {
			return err
		}
		c.result.mutations++
		answer := c.resource.Create(body)
		if len(answer.Refused) > 0 {
			continue
		}
		c.result.accepted++
		c.mutation, c.json = i+1, body
		readable, err := c.readBack(answer.Stored)
		if err != nil {
			return err
		}
		if readable {
			c.result.readable++
		}
	}
	return nil
}

// readBack has Go read what the server stores.
func (c *checker) readBack(stored map[string]any) (bool, error) {
	reply, err := c.read(stored)
	if err != nil {
		return false, err
	}
	if reply.Error != "" {
		path, err := c.culprit(stored)
		if err != nil {
			return false, err
		}
		if c.listForText(stored, path) {
			c.result.lenient++
		} else {
			c.fail(classDecode, path, reply.Error)
		}
		return false, nil
	}
	again := exact(reply.JSON)
	for _, f := range lossOnRead(stored["spec"], again["spec"], []string{"spec"}) {
		c.fail(f.class, f.path, f.said)
	}
	return true, nil
}

// listForText reports whether the server has taken a list for a string with a format, which its library does whatever the
// format is (typeValidator in k8s.io/kube-openapi/pkg/validation/validate). No schema can forbid it.
func (c *checker) listForText(stored map[string]any, path []string) bool {
	var v any = stored
	s := c.resource.Schema
	for _, key := range path {
		v = child(v, key)
		if s, _ = below(s, key); s == nil {
			return false
		}
		if _, isList := v.([]any); isList && s.Type == "string" && s.Format != "" {
			return true
		}
	}
	return false
}

func (c *checker) read(object any) (fill.Reply, error) {
	data, err := json.Marshal(object)
	if err != nil {
		return fill.Reply{}, err
	}
	return c.process.Read(c.result.kind.Name, data)
}

// culprit returns the path of the smallest part that Go cannot read even alone. Keys and indices are those of the object.
func (c *checker) culprit(object map[string]any) ([]string, error) {
	var path []string
	rebuild := func(v any) any { return v } // the object around a value, without all that stands beside it
	var here any = object
	for {
		found := false
		for _, key := range children(here) {
			value, around := child(here, key), rebuild
			inner := func(v any) any { return around(map[string]any{key: v}) }
			if _, isList := here.([]any); isList {
				inner = func(v any) any { return around([]any{v}) }
			}
			reply, err := c.read(inner(value))
			if err != nil {
				return nil, err
			}
			if reply.Error != "" {
				path, here, rebuild, found = append(path, key), value, inner, true
				break
			}
		}
		if !found {
			return path, nil
		}
	}
}

// children are the keys or indices of a value.
func children(v any) []string {
	var list []string
	switch v := v.(type) {
	case map[string]any:
		list = slices.Sorted(maps.Keys(v))
	case []any:
		for i := range v {
			list = append(list, strconv.Itoa(i))
		}
	}
	return list
}

func child(v any, key string) any {
	if object, ok := v.(map[string]any); ok {
		return object[key]
	}
	i, _ := strconv.Atoi(key)
	return v.([]any)[i]
}

// fail notes a failure at a path, unless a warning at the field announced it.
func (c *checker) fail(class string, path []string, said string) {
	if rule := c.announcer.announced(path); rule != "" {
		c.result.announced[rule]++
		return
	}
	shape := ""
	for _, place := range c.announcer.file.FieldsOf(c.announcer.key(path)) {
		if s := c.result.kind.ShapeOf(place.Type, place.Field); s.Name != "" {
			shape = s.Name
		}
	}
	c.failAt(class, path, shape, said)
}

// failAt notes a failure, once for a class and field.
func (c *checker) failAt(class string, path []string, shape, said string) {
	key := class + " " + c.announcer.key(path)
	if class == classNeedless {
		key += " " + shape
	}
	if c.failed[key] {
		return
	}
	c.failed[key] = true
	f := Failure{Kind: c.result.kind, Class: class, Path: slices.Clone(path), Shape: shape, Said: said, Value: c.value, Mutation: c.mutation,
		JSON: slices.Clone(c.json)}
	if c.resource != nil && len(path) > 0 && path[0] == "spec" {
		f.Schema = c.schemaOf(path)
	}
	c.result.failures = append(c.result.failures, f)
}

// schemaOf is the YAML of the innermost schema on a path that is at most a screen long.
func (c *checker) schemaOf(path []string) string {
	s := c.resource.Schema
	for _, key := range path {
		sub, _ := below(s, key)
		if sub == nil {
			break
		}
		s = sub
	}
	data, err := yaml.Marshal(s)
	if err != nil {
		return err.Error()
	}
	lines := strings.SplitAfter(string(data), "\n")
	return strings.Join(lines[:min(len(lines), 40)], "")
}
