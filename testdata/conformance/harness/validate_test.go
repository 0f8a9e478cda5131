package harness

import (
	"encoding/json"
	"flag"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/objects/crds"
	ours "github.com/crdproof/crdproof/objects/sample"
	"github.com/crdproof/crdproof/schema/read"
	"github.com/crdproof/crdproof/testdata/conformance/server"
)

var (
	samplesSeed = flag.Uint64("samples-seed", 1, "mutate objects from this number")
	samplesEach = flag.Int("samples-each", 40, "how many mutations of each object to send")
	realCRDs    = flag.String("samples-crds", "", "a pattern of CRD files, whose objects -samples names")
	realSamples = flag.String("samples", "", "arguments that name files of objects, separated by commas")
)

const sampleCases = "../../../objects/sample/testdata"

// TestValidate compares the answers of crdproof validate with those of a real API server, for the objects of the cases
// and for mutations of them. Both must reject the same objects, for the same reasons.
func TestValidate(t *testing.T) {
	paths, err := filepath.Glob(sampleCases + "/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	v := validator{s: start(t), random: rand.New(rand.NewPCG(*samplesSeed, 0))}
	var all []validated
	for _, path := range paths {
		if c := readValidated(t, path); c != nil {
			c.collections = createSampled(t, v.s, c.files)
			all = append(all, *c)
		}
	}
	time.Sleep(2 * time.Second) // or else each case waits by itself
	for _, c := range all {
		t.Run(c.name, func(t *testing.T) { v.validate(t, c) })
	}
	if v.accepted < 100 || v.rejected < 100 {
		t.Errorf("%d objects are accepted, %d rejected", v.accepted, v.rejected)
	}
}

// TestValidateFiles does so for files that the flags name.
func TestValidateFiles(t *testing.T) {
	if *realCRDs == "" {
		t.Skip("no -samples-crds")
	}
	v := validator{s: start(t), random: rand.New(rand.NewPCG(*samplesSeed, 0))}
	c := validated{name: "files"}
	where := crds.Where{Files: strings.Split(*realCRDs, ",")}
	list, problems := crds.Find(t.Context(), where)
	if len(list) == 0 {
		t.Fatal(problems)
	}
	for _, crd := range list {
		data, err := yaml.Marshal(crd.Object)
		if err != nil {
			t.Fatal(err)
		}
		c.files = append(c.files, emit.File{Path: crd.Object.Name, Data: data})
	}
	c.crds = list
	c.objects = objectsIn(t, strings.Split(*realSamples, ","))
	c.collections = createSampled(t, v.s, c.files)
	time.Sleep(2 * time.Second)
	v.validate(t, c)
	t.Logf("%d accepted, %d rejected", v.accepted, v.rejected)
}

// A validated is a case: CRDs, objects, and where these go.
type validated struct {
	name        string
	files       []emit.File
	crds        []crds.CRD
	objects     []read.Object
	collections map[string]string
}

// readValidated reads a case, whose groups get its name so that no two cases have the same. It is nil for a case whose
// CRD is rejected.
func readValidated(t *testing.T, path string) *validated {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c := &validated{name: strings.TrimSuffix(filepath.Base(path), ".txtar")}
	group := strings.ReplaceAll(c.name, "_", "-") + ".example.com"
	for _, f := range archive.Files {
		data := []byte(strings.ReplaceAll(string(f.Data), "example.com", group))
		switch f.Name {
		case "crd.yaml":
			c.crds, _ = crds.Read(t.Context(), []*diag.Source{{Path: f.Name, Data: data}}, nil)
			for _, text := range strings.Split(string(data), "\n---\n") {
				c.files = append(c.files, emit.File{Path: f.Name, Data: []byte(text)})
			}
		case "objects.yaml":
			c.objects, _ = read.Objects(&diag.Source{Path: f.Name, Data: data})
		}
	}
	if c.name == "crd_rejected" {
		return nil
	}
	return c
}

func objectsIn(t *testing.T, args []string) (out []read.Object) {
	t.Helper()
	sources, problems := input.Sources(t.Context(), args, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, src := range sources {
		objects, _ := read.Objects(src)
		out = append(out, objects...)
	}
	return out
}

// A validator asks both.
type validator struct {
	s                  *server.Server
	random             *rand.Rand
	accepted, rejected int
}

// validate sends the objects of a case, and mutations of each.
func (v *validator) validate(t *testing.T, c validated) {
	catalog := ours.NewCatalog(c.crds)
	for _, o := range c.objects {
		if len(o.Duplicates) > 0 {
			continue // which no client sends
		}
		v.compare(t, c, catalog, o)
		var object map[string]any
		if err := json.Unmarshal(o.JSON, &object); err != nil {
			t.Fatal(err)
		}
		for range *samplesEach {
			mutated, ok := v.mutate(object, 0).(map[string]any)
			if !ok {
				continue
			}
			data, err := yaml.Marshal(mutated)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range mustRead(t, data) {
				v.compare(t, c, catalog, o)
			}
		}
	}
}

func mustRead(t *testing.T, data []byte) []read.Object {
	t.Helper()
	objects, found := read.Objects(&diag.Source{Path: "mutated.yaml", Data: data})
	if diag.HasErrors(found) {
		t.Fatalf("%v\n%s", found, data)
	}
	return objects
}

// values are what values are replaced by.
func values() []any {
	return []any{nil, true, int64(-1), 1.5, "", "text", "Small", []any{}, []any{"a", "a"}, map[string]any{},
		map[string]any{"name": "x"}}
}

// mutate returns a copy of a value in which about one thing is changed: a value replaced, a key renamed, dropped or
// added, an item doubled.
func (v *validator) mutate(value any, depth int) any {
	if depth > 0 && v.random.IntN(6) == 0 {
		list := values()
		return list[v.random.IntN(len(list))]
	}
	switch value := value.(type) {
	case map[string]any:
		return v.mutateObject(value, depth)
	case []any:
		out := slices.Clone(value)
		if len(out) > 0 {
			i := v.random.IntN(len(out))
			if v.random.IntN(4) == 0 {
				return append(out, out[i])
			}
			out[i] = v.mutate(out[i], depth+1)
		}
		return out
	case string:
		return value + "X"
	}
	return value
}

func (v *validator) mutateObject(object map[string]any, depth int) map[string]any {
	out := map[string]any{}
	var keys []string
	for key, value := range object {
		out[key] = value
		keys = append(keys, key)
	}
	slices.Sort(keys)
	if len(keys) == 0 {
		out["added"] = "x"
		return out
	}
	key := keys[v.random.IntN(len(keys))]
	isType := depth == 0 && (key == "apiVersion" || key == "kind")
	switch choice := v.random.IntN(6); {
	case isType:
	case choice == 0:
		delete(out, key)
	case choice == 1:
		out[key+"s"] = out[key]
		delete(out, key)
	default:
		out[key] = v.mutate(out[key], depth+1)
	}
	return out
}

// compare asks both of an object of a kind that is served.
func (v *validator) compare(t *testing.T, c validated, catalog *ours.Catalog, o read.Object) {
	t.Helper()
	collection, ok := c.collections[o.APIVersion+" "+o.Kind]
	if !ok {
		return
	}
	if o.Namespace != "" {
		collection = strings.Replace(collection, "/namespaces/default/", "/namespaces/"+o.Namespace+"/", 1)
	}
	answer, err := catalog.Validate(t.Context(), &o, ours.Options{Validation: ours.Strict})
	if err != nil {
		t.Errorf("%v\n%s", err, o.JSON)
		return
	}
	isUnserved := slices.ContainsFunc(answer.Found, func(d diag.Diagnostic) bool {
		return d.Check == "object-version" && d.Severity == diag.Error
	})
	if answer.Webhook || isUnserved || strings.ContainsAny(o.Namespace, "/ ") {
		return // no server is running
	}
	real := v.ask(t, collection, o, metav1.FieldValidationStrict)
	if real.Status == nil {
		v.accepted++
	} else {
		v.rejected++
	}
	want := v.reasons(t, collection, o, real)
	if got := told(answer.Found); !slices.Equal(got, want) || (answer.Outcome == ours.Rejected) != (real.Status != nil) {
		t.Errorf("told is\n%s\nthe server says\n%s\nof\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"), o.JSON)
	}
}

// ask asks the server what it would do.
func (v *validator) ask(t *testing.T, collection string, o read.Object, validation string) server.Answer {
	t.Helper()
	answer, err := v.s.Ask(t.Context(), http.MethodPost, collection+"?dryRun=All&fieldValidation="+validation, o.JSON,
		"")
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// told are the findings that are a server's, sorted. A warning has no field of its own.
func told(list []diag.Diagnostic) (out []string) {
	for _, d := range list {
		switch {
		case d.Check == "yaml-key":
		case d.Severity == diag.Warning:
			out = append(out, "warning: "+d.Message)
		case d.Check == "object-field":
			message := d.Message
			if name, rest, ok := strings.Cut(message, ": "); ok && strings.HasSuffix(d.Path, name) {
				message = rest // what is missing is named in the message too
			}
			out = append(out, d.Path+": "+message)
		default:
			out = append(out, d.Message)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// unknownField is one of those that a server lists.
var unknownField = regexp.MustCompile(`unknown field "[^"]*"`)

// reasons are those of a server, as crdproof tells them. Where it stops at unknown fields it is asked again without
// them.
func (v *validator) reasons(t *testing.T, collection string, o read.Object, real server.Answer) (out []string) {
	t.Helper()
	for _, w := range real.Warnings {
		out = append(out, "warning: "+w)
	}
	if s := real.Status; s != nil && strings.Contains(s.Message, "strict decoding error: ") {
		for _, field := range unknownField.FindAllString(s.Message, -1) {
			out = append(out, "strict decoding error: "+field)
		}
		again := v.ask(t, collection, o, metav1.FieldValidationIgnore)
		for _, w := range again.Warnings {
			out = append(out, "warning: "+w)
		}
		real.Status = again.Status
	}
	if s := real.Status; s != nil {
		out = append(out, causes(s, o)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// causes are the parts of a rejection, except those that crdproof words differently.
func causes(s *metav1.Status, o read.Object) (out []string) {
	if s.Details == nil || len(s.Details.Causes) == 0 {
		return []string{s.Message}
	}
	for _, c := range s.Details.Causes {
		isOfMadeUpName := c.Field == "metadata.name" && o.Name == "" && strings.HasPrefix(c.Message, "Invalid value: ")
		if isOfMadeUpName ||
			strings.HasPrefix(c.Message, "Invalid value: null: some validation rules were not checked") {
			continue
		}
		field := c.Field
		if field == "<nil>" {
			field = ""
		}
		out = append(out, field+": "+c.Message)
	}
	return out
}
