package generator_test

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/api/resource"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/internal/moduletest"
	"github.com/crdproof/crdproof/rules/kube"
)

const scalarTypes = `package v1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

type Spec struct {
	// +crdproof:duration
	Duration metav1.Duration ` + "`json:\"duration,omitempty\"`" + `
	// +crdproof:duration:minimum=-1.5s,maximum=24h
	DurationBetween metav1.Duration ` + "`json:\"durationBetween,omitempty\"`" + `
	// +crdproof:duration:minimum=1m
	DurationText string ` + "`json:\"durationText,omitempty\"`" + `
	// +crdproof:quantity
	Quantity resource.Quantity ` + "`json:\"quantity,omitempty\"`" + `
	// +crdproof:quantity:minimum=-1500m,maximum=1Gi
	QuantityBetween resource.Quantity ` + "`json:\"quantityBetween,omitempty\"`" + `
	// +crdproof:percent:minimum=7,maximum=120
	Percent intstr.IntOrString ` + "`json:\"percent,omitempty\"`" + `
}
`

// TestScalars compares what the API server's library accepts under the CRD for durations, quantities and percentages
// with Go's and Kubernetes' own parsers.
func TestScalars(t *testing.T) {
	permits := validator(t, scalarTypes)
	r := rand.New(rand.NewPCG(1, 2))
	accepted := map[string]int{}
	try := func(field string, value any, want bool) {
		t.Helper()
		if want {
			accepted[field]++
		}
		if got := permits(field, value); got != want {
			t.Errorf("%s: %v is accepted: %t, want %t", field, value, got, want)
		}
	}
	for range 3000 {
		text := durationText(r)
		d, err := time.ParseDuration(text)
		try("duration", text, err == nil)
		try("durationBetween", text, err == nil && d >= -1500*time.Millisecond && d <= 24*time.Hour)
		try("durationText", text, err == nil && d >= time.Minute)

		text = quantityText(r)
		q, err := resource.ParseQuantity(text)
		short := utf8.RuneCountInString(text) <= 64
		between := q.Cmp(resource.MustParse("-1.5")) >= 0 && q.Cmp(resource.MustParse("1024Mi")) <= 0
		try("quantity", text, err == nil && short)
		try("quantityBetween", text, err == nil && short && between)

		i := int64(r.Uint64()) >> r.IntN(64)
		try("quantity", i, true)
		try("quantityBetween", i, i >= -1 && i <= 1<<30)

		text = strconv.Itoa(r.IntN(200)-10) + []string{"%", "%", "%", "", " %", "%%"}[r.IntN(6)]
		p, err := strconv.Atoi(strings.TrimSuffix(text, "%"))
		try("percent", text, strings.HasSuffix(text, "%") && err == nil && p >= 7 && p <= 120)
		try("percent", int64(p), true)
	}
	for field, n := range accepted {
		if n < 100 {
			t.Errorf("%s: only %d are accepted", field, n)
		}
	}
}

// validator returns a function that reports whether an API server accepts an object of Widget with one field in spec.
func validator(t *testing.T, source string) func(field string, value any) bool {
	t.Helper()
	dir := t.TempDir()
	moduletest.Write(t, dir, caseModule, nil)
	writeFile(t, filepath.Join(dir, "v1", "types.go"), []byte(source))
	writeFile(t, filepath.Join(dir, "v1", "kind.go"), []byte(moduletest.Kind("example")))
	result, err := generator.Run(t.Context(), generator.Config{Dir: dir, Paths: []string{"./..."}, Env: moduletest.Env()})
	if err != nil || len(result.Files) != 1 {
		t.Fatal(err, renderAll(t, result.Diagnostics, dir))
	}
	sent, err := yaml.YAMLToJSON(result.Files[0].Data)
	if err != nil {
		t.Fatal(err)
	}
	object, err := kube.Decode(sent)
	if err != nil {
		t.Fatal(err)
	}
	crd, err := kube.Internal(object)
	if err != nil {
		t.Fatal(err)
	}
	props := crd.Spec.Validation.OpenAPIV3Schema
	structural, err := schema.NewStructural(props)
	if err != nil {
		t.Fatal(err)
	}
	keywords, _, err := validation.NewSchemaValidator(props)
	if err != nil {
		t.Fatal(err)
	}
	rules := cel.NewValidator(structural, true, celconfig.PerCallLimit)
	return func(field string, value any) bool {
		object := map[string]any{"spec": map[string]any{field: value}}
		errs, _ := rules.Validate(context.Background(), nil, structural, object, nil, celconfig.RuntimeCELCostBudget)
		return len(errs) == 0 && len(validation.ValidateCustomResource(nil, object, keywords)) == 0
	}
}

// durationText is often a duration, and sometimes one that is a little too long for Go.
func durationText(r *rand.Rand) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	if r.IntN(4) == 0 {
		return pick("", "", "-", "+") + pick("9223372036854775807ns", "9223372036854775808ns", "9223372036854775809ns",
			"2562047h47m16.854775807s", "2562047h47m16.854775808s", "2562047h47m16.8547758075s", "2562048h", "106751d",
			"0", "00", "", "1.s", ".5s", ".s", "9223372036854.775808ms", "1h 1m")
	}
	text := pick("", "", "", "-", "+")
	for range 1 + r.IntN(3) {
		text += strconv.FormatUint(r.Uint64()>>r.IntN(64), 10)
		text += pick("", "", ".", ".5", ".000000001", ".99999999999999999999")
		text += pick("ns", "us", "µs", "μs", "ms", "s", "m", "h", "s", "m", "h", "d", "")
	}
	return text
}

// quantityText is often a quantity.
func quantityText(r *rand.Rand) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	text := pick("", "", "", "-", "+") + strconv.FormatUint(r.Uint64()>>r.IntN(64), 10)
	if r.IntN(20) == 0 {
		text += strings.Repeat("0", r.IntN(70))
	}
	text += pick("", "", ".", ".5", ".0000000001", "."+strings.Repeat("0", r.IntN(40))+"1")
	return text + pick("", "", "m", "u", "n", "k", "M", "G", "E", "Ki", "Mi", "Gi", "Ei", "K", "mi", "e3", "e-3", "E2",
		"e", "e1.5", "e300", "Mi ", "\n")
}
