// Package measure times helpers and the API server's library, in one process and on the same objects. The program that
// bench generates contains the helpers and calls Main.
package measure

import (
	"embed"
	"flag"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	k8s "k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"
)

// A Kind is one that is measured.
type Kind struct {
	// CRD is the path of the CRD. The sample below samples is named for the kind.
	CRD     string
	Helpers Helpers
}

// Helpers are those of one kind.
type Helpers struct {
	Prune    func(map[string]any) []string
	Default  func(map[string]any)
	Validate func(map[string]any) field.ErrorList
	Update   func(old, object map[string]any) (field.ErrorList, []string)
}

//go:embed samples/*.yaml
var samples embed.FS

// Main measures the kinds and prints a table. The exit code is 1 where a goal is missed.
func Main(kinds []Kind) {
	rounds := flag.Int("rounds", 20, "measured rounds of each operation")
	profile := flag.String("profile", "",
		"profile only the helpers, for `operation` (prune, default, validate or update), into cpu.pprof")
	flag.Parse()
	printHead(os.Stdout, *rounds)
	reached := true
	for _, k := range kinds {
		s, err := newSubject(k)
		if err == nil && *profile != "" {
			err = s.profile(*profile)
		} else if err == nil {
			reached = s.measure(*rounds) && reached
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", k.CRD, err)
			os.Exit(1)
		}
	}
	if !reached {
		os.Exit(1)
	}
}

// A subject is a sample, and both ways to process it.
type subject struct {
	name string
	// sent is the sample as a client sends it; stored as it is once it is pruned and defaulted, which is what is
	// validated.
	sent, stored map[string]any
	theirs, ours Helpers
}

func newSubject(k Kind) (*subject, error) {
	data, err := os.ReadFile(k.CRD)
	if err != nil {
		return nil, err
	}
	crd := &apiext.CustomResourceDefinition{}
	if err := yaml.Unmarshal(data, crd); err != nil {
		return nil, err
	}
	s := &subject{name: crd.Spec.Names.Kind, ours: k.Helpers}
	if data, err = samples.ReadFile("samples/" + strings.ToLower(s.name) + ".yaml"); err != nil {
		return nil, err
	}
	if data, err = yaml.YAMLToJSON(data); err != nil {
		return nil, err
	}
	if err := utiljson.Unmarshal(data, &s.sent); err != nil {
		return nil, err
	}
	if s.theirs, err = newLibrary(crd,
		(&unstructured.Unstructured{Object: s.sent}).GroupVersionKind().Version); err != nil {
		return nil, err
	}
	return s, s.check()
}

// check makes sure that both do the same, and that there is nothing wrong with the sample.
func (s *subject) check() error {
	theirs, ours := k8s.DeepCopyJSON(s.sent), k8s.DeepCopyJSON(s.sent)
	if p := s.theirs.Prune(theirs); len(p) > 0 || len(s.ours.Prune(ours)) > 0 {
		return fmt.Errorf("the sample has unknown fields: %q", p)
	}
	s.theirs.Default(theirs)
	s.ours.Default(ours)
	if !reflect.DeepEqual(theirs, ours) {
		return fmt.Errorf("the defaults differ:\n%v\n%v", theirs, ours)
	}
	s.stored = theirs
	if errs := s.theirs.Validate(theirs); len(errs) > 0 {
		return fmt.Errorf("the sample is not valid: %v", errs)
	}
	if errs := s.ours.Validate(theirs); len(errs) > 0 {
		return fmt.Errorf("the helper has something against the sample: %v", errs)
	}
	return nil
}

// An operation is one call of a helper or of the library.
type operation struct {
	name string
	// on is what is processed, or copied before where that changes it.
	on      map[string]any
	changes bool
	run     func(h *Helpers, object, old map[string]any)
}

func (s *subject) operations() []operation {
	return []operation{
		{"prune", s.sent, false, func(h *Helpers, object, _ map[string]any) { h.Prune(object) }},
		{"default", s.sent, true, func(h *Helpers, object, _ map[string]any) { h.Default(object) }},
		{"validate", s.stored, false, func(h *Helpers, object, _ map[string]any) { h.Validate(object) }},
		{"update", s.stored, false, func(h *Helpers, object, old map[string]any) { h.Update(old, object) }},
	}
}

// measure times all operations, both ways in turn, so that a busy moment of the machine hits both, and reports whether
// all reach their goals.
func (s *subject) measure(rounds int) bool {
	reached := true
	for _, op := range s.operations() {
		var theirs, ours []sample
		for range rounds {
			theirs = append(theirs, op.sample(&s.theirs))
			ours = append(ours, op.sample(&s.ours))
		}
		if !printRow(os.Stdout, s.name, op.name, median(theirs), median(ours)) {
			reached = false
		}
	}
	return reached
}

// A sample is what one call takes.
type sample struct {
	nanoseconds, allocations float64
}

// least is how long one measurement takes.
const least = 5 * time.Millisecond

// sample measures calls, with the garbage that they leave but without the copying.
func (op *operation) sample(h *Helpers) sample {
	runtime.GC()
	object, calls, took := op.on, 0, time.Duration(0)
	for took < least {
		start := time.Now()
		if op.changes {
			object = k8s.DeepCopyJSON(op.on)
			start = time.Now()
			op.run(h, object, op.on)
			calls++
		} else {
			for range 10 {
				op.run(h, object, op.on)
			}
			calls += 10
		}
		took += time.Since(start)
	}
	if op.changes {
		object = k8s.DeepCopyJSON(op.on)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	op.run(h, object, op.on)
	runtime.ReadMemStats(&after)
	return sample{float64(took) / float64(calls), float64(after.Mallocs - before.Mallocs)}
}

// median returns the median of each figure.
func median(list []sample) sample {
	middle := func(figure func(sample) float64) float64 {
		var all []float64
		for _, s := range list {
			all = append(all, figure(s))
		}
		slices.Sort(all)
		return all[len(all)/2]
	}
	return sample{
		middle(func(s sample) float64 { return s.nanoseconds }),
		middle(func(s sample) float64 { return s.allocations }),
	}
}

// profile runs one operation of the helpers for some seconds.
func (s *subject) profile(operation string) error {
	file, err := os.Create(s.name + "." + operation + ".pprof")
	if err != nil {
		return err
	}
	defer file.Close()
	if err := pprof.StartCPUProfile(file); err != nil {
		return err
	}
	defer pprof.StopCPUProfile()
	for _, op := range s.operations() {
		if op.name == operation {
			object := k8s.DeepCopyJSON(op.on)
			for start := time.Now(); time.Since(start) < 3*time.Second; {
				for range 100 {
					op.run(&s.ours, object, op.on)
				}
			}
		}
	}
	return nil
}
