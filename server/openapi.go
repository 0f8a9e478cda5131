package server

import (
	_ "embed"
	"reflect"
	"slices"
	"strings"

	eventsv1 "k8s.io/api/events/v1"
	crdopenapi "k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	apiopenapi "k8s.io/apiserver/pkg/util/openapi"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/util"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// topology says how server-side apply merges the lists, maps and structs of the built-in kinds. Kubernetes has that in
// comments, which are not in the Go types. A line is:
//
//	<type> struct atomic            a struct that one manager owns as a whole
//	<type>.<field> list set         a list whose items are its keys
//	<type>.<field> list map <key>…  a list with items that these fields identify
//	<type>.<field> map atomic       a map that one manager owns as a whole
//	<type>.<field> default <value>  the default of a field, as JSON
//
// TestTopology compares it with the schema that client-go has for the same purpose, and writes it with -update.
//
//go:embed topology.txt
var topology string

// definitions returns the OpenAPI definitions of the built-in kinds, in addition to those of CRDs and metadata. Their
// structure is that of the Go types, and their descriptions are those that the types have for documentation.
func definitions(table []kind, questions []review) common.GetOpenAPIDefinitions {
	return func(ref common.ReferenceCallback) map[string]common.OpenAPIDefinition {
		d := definer{ref, apiopenapi.GetOpenAPIDefinitionsWithoutDisabledFeatures(
			crdopenapi.GetOpenAPIDefinitions)(ref), facts()}
		for _, k := range table {
			d.define(reflect.TypeOf(k.sample).Elem())
			d.define(reflect.TypeOf(k.list()).Elem())
		}
		for _, r := range questions {
			d.define(reflect.TypeOf(r.sample).Elem())
		}
		for _, more := range append(bodies(), &eventsv1.Event{}, &eventsv1.EventList{}) {
			d.define(reflect.TypeOf(more).Elem())
		}
		return d.known
	}
}

// facts reads the topology: the lines by their first word.
func facts() map[string][][]string {
	out := map[string][][]string{}
	for line := range strings.Lines(topology) {
		words := strings.Fields(line)
		out[words[0]] = append(out[words[0]], words[1:])
	}
	return out
}

// A definer makes definitions of Go types.
type definer struct {
	ref   common.ReferenceCallback
	known map[string]common.OpenAPIDefinition
	facts map[string][][]string
}

// A scalar is a struct whose JSON is not an object, such as a time.
type scalar interface {
	OpenAPISchemaType() []string
	OpenAPISchemaFormat() string
}

// define adds the definition of a struct and of the structs in it.
func (d definer) define(t reflect.Type) {
	sample := reflect.New(t).Interface()
	name := util.GetCanonicalTypeName(sample)
	if _, ok := d.known[name]; ok {
		return
	}
	docs := map[string]string{}
	if documented, ok := sample.(interface{ SwaggerDoc() map[string]string }); ok {
		docs = documented.SwaggerDoc()
	}
	s := spec.Schema{}
	s.Description = docs[""]
	if value, ok := sample.(scalar); ok {
		s.Type, s.Format = value.OpenAPISchemaType(), value.OpenAPISchemaFormat()
		d.known[name] = common.OpenAPIDefinition{Schema: s}
		return
	}
	s.Type = spec.StringOrArray{"object"}
	s.Properties = map[string]spec.Schema{}
	d.known[name] = common.OpenAPIDefinition{} // types refer to themselves
	var dependencies []string
	d.fields(name, t, docs, &s, &dependencies)
	for _, fact := range d.facts[name] {
		if slices.Equal(fact, []string{"struct", "atomic"}) {
			s.AddExtension("x-kubernetes-map-type", "atomic")
		}
	}
	d.known[name] = common.OpenAPIDefinition{Schema: s, Dependencies: dependencies}
}

// fields adds the properties of a struct, and the names of the definitions to which they refer.
func (d definer) fields(
	owner string, t reflect.Type, docs map[string]string, s *spec.Schema, dependencies *[]string,
) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" && (field.Anonymous || options == "inline") {
			embedded := field.Type
			more, ok := reflect.New(embedded).Interface().(interface{ SwaggerDoc() map[string]string })
			if ok && len(docs) <= 1 {
				docs = more.SwaggerDoc()
			}
			d.fields(owner, embedded, docs, s, dependencies)
			continue
		}
		if name == "" || name == "-" {
			continue
		}
		property := d.property(field.Type, dependencies)
		property.Description = docs[name]
		for key, extension := range map[string]string{
			"patchStrategy": "x-kubernetes-patch-strategy", "patchMergeKey": "x-kubernetes-patch-merge-key",
		} {
			if value := field.Tag.Get(key); value != "" {
				property.AddExtension(extension, value)
			}
		}
		for _, fact := range d.facts[owner+"."+name] {
			apply(&property, fact)
		}
		s.Properties[name] = property
		if !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero") {
			s.Required = append(s.Required, name)
		}
	}
}

// apply sets what a line of the topology says about a field.
func apply(property *spec.Schema, fact []string) {
	switch {
	case fact[0] == "list":
		property.AddExtension("x-kubernetes-list-type", fact[1])
		if fact[1] == "map" {
			keys := []any{}
			for _, key := range fact[2:] {
				keys = append(keys, key)
			}
			property.AddExtension("x-kubernetes-list-map-keys", keys)
		}
	case fact[0] == "map":
		property.AddExtension("x-kubernetes-map-type", fact[1])
	case fact[0] == "default":
		property.Default = strings.Trim(fact[1], `"`)
	}
}

// property returns the schema of a type, which refers to the definitions of structs.
func (d definer) property(t reflect.Type, dependencies *[]string) spec.Schema {
	sample := reflect.New(t).Interface()
	_, isScalar := sample.(scalar)
	switch t.Kind() {
	case reflect.Pointer:
		return d.property(t.Elem(), dependencies)
	case reflect.Struct:
		d.define(t)
		name := util.GetCanonicalTypeName(sample)
		*dependencies = append(*dependencies, name)
		return spec.Schema{SchemaProps: spec.SchemaProps{Ref: d.ref(name)}}
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return *spec.StrFmtProperty("byte")
		}
		if isScalar {
			break
		}
		item := d.property(t.Elem(), dependencies)
		return *spec.ArrayProperty(&item)
	case reflect.Map:
		item := d.property(t.Elem(), dependencies)
		return *spec.MapProperty(&item)
	case reflect.String:
		return *spec.StringProperty()
	case reflect.Bool:
		return *spec.BoolProperty()
	case reflect.Int32:
		return *spec.Int32Property()
	case reflect.Int, reflect.Int64:
		return *spec.Int64Property()
	case reflect.Float64:
		return *spec.Float64Property()
	}
	return spec.Schema{SchemaProps: spec.SchemaProps{Type: spec.StringOrArray{"object"}}}
}
