package harness

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/testdata/circle/fill"
	"github.com/crdproof/crdproof/testdata/circle/program"
	"github.com/crdproof/crdproof/testdata/circle/server"
	"github.com/crdproof/crdproof/testdata/circle/source"
)

// The classes of failures.
const (
	// classNeedless is a kind that crdproof rejects although all of its shapes have a schema.
	classNeedless = "needless rejection"
	// classUnrejected is a shape without a schema that crdproof does not reject.
	classUnrejected = "not rejected"
	// classCRD is a CRD that the server rejects.
	classCRD = "bad CRD"
	// classWrite is a value that Go cannot write.
	classWrite = "not writable"
	// classRejected is what Go writes and the server rejects.
	classRejected = "rejected"
	// classPruned and classChanged are what the server does not store as Go writes it.
	classPruned, classChanged = "pruned", "changed"
	// classUnreadable is what the server accepts and Go cannot read.
	classUnreadable = "unreadable"
	// classLost and classTruncated are what Go reads and does not write again.
	classLost, classTruncated = "lost", "truncated"
	// classAlarm is a warning that no value confirms.
	classAlarm = "false alarm"
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
	rejected           map[string]int // by rule
	announced          map[string]int // by rule
	values, mutations  int
	accepted, readable int            // of the mutations
	lenient            map[string]int // mutations that no schema can forbid, by the reason
	alarms             int            // warnings that were looked at
	failures           []Failure
}

// checker is the state of checking one kind.
type checker struct {
	cfg       Config
	process   *program.Process
	resource  *server.Resource
	announcer *announcer
	result    result
	// value, mutation and json are what is being looked at, and unset are the keys of fields that are unset in it.
	value    uint64
	mutation int
	json     []byte
	unset    []string
	failed   map[string]bool // classes and paths
}

// checkKind closes the circle for one kind.
func checkKind(cfg Config, process *program.Process, kind source.Kind, o outcome) (result, error) {
	file, err := source.Locate(kind)
	if err != nil {
		return result{}, err
	}
	c := &checker{cfg: cfg, process: process, announcer: newAnnouncer(file, o.warnings), failed: map[string]bool{},
		result: result{kind: kind, rejected: map[string]int{}, announced: map[string]int{}, lenient: map[string]int{}}}
	if len(o.errors) > 0 {
		c.checkRejection(o.errors)
		return c.result, nil
	}
	if must := kind.MustReject(); must != "" {
		c.failAt(classUnrejected, strings.Split(must, "."), kind.Shapes[must].Name, "crdproof does not reject it")
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
	for i := range cfg.Values {
		if err := c.checkValue(uint64(i)); err != nil {
			return result{}, err
		}
	}
	err = c.checkAlarms(o.warnings)
	return c.result, err
}

// checkRejection makes sure that one of the shapes may be rejected by this rule.
func (c *checker) checkRejection(errors []remark) {
	for _, e := range errors {
		c.result.rejected[e.rule]++
		if c.result.kind.MayReject(e.rule) {
			continue
		}
		place := c.announcer.file.At(e.at)
		name := strings.TrimSpace(fmt.Sprintf("%s [%s]", c.result.kind.ShapeOf(place.Type, place.Field).Name, e.rule))
		c.failAt(classNeedless, []string{place.Type, place.Field}, name, e.message)
	}
}

// checkValue makes a value, has it stored, reads it back, and does the same with changes of it.
func (c *checker) checkValue(number uint64) error {
	c.value, c.mutation = c.cfg.Seed<<20^number, 0
	made, err := c.process.Make(c.result.kind.Name, c.value, c.cfg.NilElements)
	if err != nil {
		return err
	}
	c.result.values++
	c.json, c.unset = made.JSON, made.Unset
	if made.Error != "" {
		c.fail(classWrite, nil, made.Error)
		return nil
	}
	answer := c.resource.Create(made.JSON)
	for _, f := range c.writeFindings(made.JSON, answer) {
		if reason := c.wide(made.JSON, f); reason != "" {
			c.result.lenient[reason]++
			continue
		}
		c.fail(f.class, f.path, f.said)
	}
	if len(answer.Rejected) > 0 {
		return nil
	}
	if _, err := c.readBack(answer.Stored); err != nil {
		return err
	}
	return c.checkMutations(answer.Stored)
}

// writeFindings are where the server rejects what Go wrote, or does not store it as it was.
func (c *checker) writeFindings(data []byte, answer server.Answer) []finding {
	var list []finding
	if answer.Stored != nil {
		list = lossOnWrite(exact(data)["spec"], answer.Stored["spec"], c.specSchema(), []string{"spec"})
	}
	for _, e := range answer.Rejected {
		list = append(list, finding{classRejected, rejectedPath(e, any(answer.Stored)), e.Error()})
	}
	return list
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
		if len(answer.Rejected) > 0 {
			continue
		}
		c.result.accepted++
		c.mutation, c.json, c.unset = i+1, body, nil
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
		if reason := c.leniency(stored, path, reply.Error); reason != "" {
			c.result.lenient[reason]++
		} else {
			c.fail(classUnreadable, path, reply.Error)
		}
		return false, nil
	}
	again := exact(reply.JSON)
	for _, f := range lossOnRead(stored["spec"], again["spec"], []string{"spec"}) {
		c.fail(f.class, f.path, f.said)
	}
	return true, nil
}

// durations are the texts that time.ParseDuration reads, but for those that are too long to hold.
var durations = regexp.MustCompile(`^[+-]?(0|(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$`)

// fractions are quantities that the pattern lets pass which every CRD in the world has for them.
var fractions = regexp.MustCompile(`^[+-]?[0-9.]+[eE][+-]?[0-9]*\.[0-9]*$`)

// leniency returns why no schema can forbid the value at a path, though Go does not read it; "" if one can.
func (c *checker) leniency(stored map[string]any, path []string, said string) string {
	var v any = stored
	s := c.resource.Schema
	for _, key := range path {
		v = child(v, key)
		if s, _ = below(s, key); s == nil {
			return ""
		}
		// The library does so whatever the format is (typeValidator in k8s.io/kube-openapi/pkg/validation/validate).
		if _, isList := v.([]any); isList && s.Type == "string" && s.Format != "" {
			return "the server takes a list for a string with a format"
		}
	}
	text, ok := v.(string)
	if _, err := strconv.ParseFloat(text, 32); ok && errors.Is(err, strconv.ErrRange) {
		return "a number in a string is larger than Go can hold"
	}
	if ok && durations.MatchString(text) {
		return "a duration is longer than Go can hold"
	}
	if ok && fractions.MatchString(text) {
		return "a quantity has a fraction in its exponent"
	}
	if c.result.kind.Options.Plain {
		return c.unwritten(v, s, said)
	}
	return ""
}

// unwritten returns the optional deviation that would forbid a value that Go does not read, "" if none would.
func (c *checker) unwritten(v any, s *apiextensionsv1.JSONSchemaProps, said string) string {
	number, err := strconv.ParseFloat(fmt.Sprint(v), 64)
	isNumber := err == nil && s.Type != "string"
	switch _, isText := v.(string); {
	case isText && s.Type == "string" && s.Pattern == "" && (s.Format == "" || s.Format == "date-time") &&
		timeErrors.MatchString(said):
		return "time-patterns is off: a text is not a time or a duration"
	case isNumber && s.XIntOrString && s.Maximum == nil && math.Abs(number) > math.MaxInt32:
		return "int-or-string-ranges is off: an integer does not fit int32"
	case isNumber && s.Type == "number" && s.Format == "" && math.Abs(number) > math.MaxFloat32:
		return "number-formats is off: a number does not fit float32"
	}
	return ""
}

// timeErrors matches what package time says of texts that are not times or durations.
var timeErrors = regexp.MustCompile(`timezone hour outside|parsing time "|time: (invalid|missing unit in|unknown unit .* in) duration`)

// wide returns the optional deviation with which the server would accept an integer that Go writes, "" if none.
func (c *checker) wide(data []byte, f finding) string {
	number, err := strconv.ParseInt(fmt.Sprint(at(any(exact(data)), f.path)), 10, 64)
	if err != nil || f.class != classRejected || !c.result.kind.Options.Plain || number <= math.MaxInt32 ||
		number > math.MaxUint32 {
		return ""
	}
	s := c.resource.Schema
	for _, key := range f.path {
		if s, _ = below(s, key); s == nil {
			return ""
		}
	}
	if s.Type == "integer" && s.Format == "int32" {
		return "number-formats is off: an integer of uint32 does not fit int32"
	}
	return ""
}

func (c *checker) read(object any) (fill.Reply, error) {
	data, err := json.Marshal(object)
	if err != nil {
		return fill.Reply{}, err
	}
	return c.process.Read(c.result.kind.Name, data)
}

// fail notes a failure at a path, unless a warning at the field announced it.
func (c *checker) fail(class string, path []string, said string) {
	var value any
	if len(path) > 0 && len(c.json) > 0 {
		value = at(any(exact(c.json)), path)
	}
	if rule := c.announcer.announced(class, path, value, c.unset); rule != "" {
		c.result.announced[rule]++
		return
	}
	if reason := unsaid(class, path, value, c.unset); reason != "" {
		c.result.lenient[reason]++
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

// unsaid returns why nothing is said of a value that Go writes, although a server rejects or changes it; "" if something
// should be said. These are values that programs do not write, or that a server rejects with reason: with other help than
// to set the field, it would accept what is not meant.
func unsaid(class string, path []string, value any, unset []string) string {
	switch {
	case (class == classRejected || class == classChanged) && isLarge(value):
		return "an unsigned integer is larger than a server can hold"
	case class == classRejected && slices.ContainsFunc(path, func(key string) bool { return slices.Contains(unset, key) }):
		return "a field is unset"
	case class == classRejected && isAbsent(value):
		return "a required field is omitted"
	case class == classRejected && value == "":
		return "a text is empty"
	case (class == classRejected || class == classPruned) && value == nil:
		return "an element is nil"
	}
	return ""
}

// failAt notes a failure, once for a class and field.
func (c *checker) failAt(class string, path []string, shape, said string) {
	key := class + " " + c.announcer.key(path)
	if class == classNeedless || class == classAlarm {
		key += " " + shape
	}
	if c.failed[key] {
		return
	}
	c.failed[key] = true
	f := Failure{Kind: c.result.kind, Class: class, Path: slices.Clone(path), Shape: shape, Said: said, Value: c.value,
		Mutation: c.mutation,
		JSON:     slices.Clone(c.json)}
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
