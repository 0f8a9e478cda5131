package crd_test

import (
	"bytes"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"text/template"

	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/emit/crd"
	"github.com/crdproof/crdproof/schema"
)

// The texts of these CRDs are full of what templates could read as their own.
var braces = append([]string{"{{", "}}", "{", "{{-", "{{/*", "{{ end }}", "\n  labels:\n", "\n  name: x\n", "`"},
	crd.Pieces...)

// TestRendered renders templates. Without expressions, the result is the file of the CRD, byte for byte. With all of
// them, it is the same CRD with what the chart adds.
func TestRendered(t *testing.T) {
	compared := 0
	for seed := range uint64(4000) {
		c, opts := crd.RandomCRD(seed, braces)
		plain := crd.Encode(c, opts)
		if got := render(t, crd.AppendTemplate(nil, c, opts, crd.Template{}), chart{}); got != string(plain) {
			t.Fatalf("seed %d: rendered\n%s\ninstead of\n%s", seed, got, plain)
		}
		if bytes.HasSuffix(plain, []byte("\n\n")) {
			continue // the last path in the CRD ends in line breaks, which the last action trims; no server accepts it
		}
		opts.Header = []byte("# {{ header }}\n\n")
		if seed%2 == 0 {
			text := func(s string) schema.Text { return schema.Text{V: s} }
			c.Conversion = &schema.Conversion{Strategy: text("Webhook"), Webhook: &schema.Webhook{
				ReviewVersions: []schema.Text{text("v1")},
				Client: &schema.WebhookClient{
					Service: &schema.Service{Name: text("a"), Namespace: text("{{ b }}")},
				},
			}}
		}
		values := chart{
			Enabled: seed%3 != 0, Keep: seed%5 < 2, Webhook: seed%7 < 3,
			Annotations: map[string]string{"chart/a": "{{ 1 }}"}, Namespace: "123",
		}
		if seed%4 == 0 {
			values.Annotations = nil
		}
		template := crd.AppendTemplate(nil, c, opts, crd.Template{
			Condition: ".Enabled", Keep: ".Keep", Labels: "labels", Annotations: ".Annotations", Conversion: ".Webhook",
			ServiceName: `printf "%s-service" .Namespace`, Namespace: ".Namespace",
		})
		var got, want any
		err := yaml.Unmarshal([]byte(render(t, template, values)), &got)
		if yaml.Unmarshal(values.installed(c, opts), &want) != nil {
			continue // not every text survives being written as YAML
		}
		if err != nil {
			t.Fatalf("seed %d: %v:\n%s", seed, err, template)
		}
		compared++
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: %+v: got %v, want %v:\n%s", seed, values, got, want, template)
		}
	}
	if compared < 3000 {
		t.Errorf("only %d CRDs are compared", compared)
	}
}

// A chart has the values of a template.
type chart struct {
	Enabled, Keep, Webhook bool
	Annotations            map[string]string
	Namespace              string
}

// installed returns the CRD that a chart installs, as the file of a CRD with what the chart adds.
func (v chart) installed(c *schema.CRD, opts crd.Options) []byte {
	if !v.Enabled {
		return nil
	}
	out := *c
	out.Labels = with(out.Labels, "chart", "{{ demo }}")
	if v.Keep {
		out.Annotations = with(out.Annotations, "helm.sh/resource-policy", "keep")
	}
	for key, value := range v.Annotations {
		out.Annotations = with(out.Annotations, key, value)
	}
	if out.Conversion != nil && v.Webhook {
		webhook := *out.Conversion.Webhook
		webhook.Client = &schema.WebhookClient{Service: &schema.Service{
			Name: schema.Text{V: v.Namespace + "-service"}, Namespace: schema.Text{V: v.Namespace},
		}}
		out.Conversion = &schema.Conversion{Strategy: out.Conversion.Strategy, Webhook: &webhook}
	} else {
		out.Conversion = nil
	}
	return crd.Encode(&out, opts)
}

func with(list []schema.KeyValue, key, value string) []schema.KeyValue {
	return append(list[:len(list):len(list)], schema.KeyValue{Key: key, Value: value})
}

// render renders a template with the functions that Helm adds.
func render(t *testing.T, text []byte, values chart) string {
	t.Helper()
	main := template.New("main")
	main.Funcs(template.FuncMap{
		"include": func(name string, data any) (string, error) {
			var out strings.Builder
			err := main.ExecuteTemplate(&out, name, data)
			return out.String(), err
		},
		"nindent": func(n int, text string) string {
			pad := "\n" + strings.Repeat(" ", n)
			return pad + strings.ReplaceAll(text, "\n", pad)
		},
		"quote": func(v any) string { return strconv.Quote(v.(string)) },
		"toYaml": func(v any) (string, error) {
			data, err := yaml.Marshal(v)
			return strings.TrimSuffix(string(data), "\n"), err
		},
	})
	template.Must(main.New("labels").Parse("chart: '{{ `{{ demo }}` }}'"))
	if _, err := main.Parse(string(text)); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	var out strings.Builder
	if err := main.Execute(&out, values); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	return out.String()
}

// TestJoin reads the items of a list as the documents that they are made of.
func TestJoin(t *testing.T) {
	compared := 0
	pieces := append([]string{"\u0085---", "a\u2028b"}, crd.Pieces...)
	for seed := range uint64(2000) {
		var docs [][]byte
		var want []any
		for i := range seed % 3 {
			c, opts := crd.RandomCRD(seed*3+i, pieces)
			opts.Header = nil
			var object any
			doc := crd.Encode(c, opts)
			if yaml.Unmarshal(doc, &object) == nil {
				docs, want = append(docs, doc), append(want, object)
			}
		}
		data := crd.Join([]byte("# header\n"), docs, true)
		var list struct{ Items []any }
		if err := yaml.Unmarshal(data, &list); err != nil {
			t.Fatalf("seed %d: %v:\n%s", seed, err, data)
		}
		if compared += len(want); !reflect.DeepEqual(list.Items, want) {
			t.Fatalf("seed %d: got %v, want %v:\n%s", seed, list.Items, want, data)
		}
		if joined := bytes.Join(docs, nil); !bytes.HasSuffix(crd.Join(nil, docs, false), joined) {
			t.Fatalf("seed %d: the documents change", seed)
		}
	}
	if compared < 1500 {
		t.Errorf("only %d CRDs are compared", compared)
	}
}
