// Package crd encodes a schema.CRD as the YAML of a CustomResourceDefinition.
//
// The input is a finished IR, the output is the content of one file. The bytes are those of controller-gen v0.23: the
// header, a document marker, and what sigs.k8s.io/yaml prints for the JSON form of apiextensions.k8s.io/v1 after a
// round trip through the internal version. The package appends them directly, in a single pass, without JSON and
// reflection. Only the character U+0085 needs a YAML library. The files, from the outermost part inward:
//
//  1. crd.go: the object, its metadata, names and versions
//  2. schema.go: one node of the structural schema
//  3. value.go: defaults, examples and enum values
//  4. order.go: the order of keys that are not known in advance
//  5. encoder.go: lines, indentation, keys and items
//  6. scalar.go, resolve.go: which style a string gets
//  7. style.go: how each style is written
//  8. join.go: several CRDs in one file
//  9. template.go: a CRD as a template of a Helm chart
//
// The package carries no promise, and may change in any release: see docs/stability.md.
package crd

import (
	"cmp"
	"slices"

	"github.com/crdproof/crdproof/schema"
)

// VersionAnnotation is the annotation that says which version of the tool wrote a file.
const VersionAnnotation = "crdproof.dev/version"

// ControllerGenAnnotation is that of controller-gen.
const ControllerGenAnnotation = "controller-gen.kubebuilder.io/version"

// Options are the parts of a file that do not come from the CRD.
type Options struct {
	// Header is written before everything else, as it is.
	Header []byte
	// ToolVersion is the value of the annotation, in place of any that the CRD has; "" adds none.
	ToolVersion string
	// VersionAnnotation is the annotation; "" is VersionAnnotation.
	VersionAnnotation string
}

// FileName returns the name that controller-gen gives the file of a CRD: <group>_<plural>.yaml.
func FileName(c *schema.CRD) string {
	return c.Group.V + "_" + c.Plural.V + ".yaml"
}

// Encode returns the YAML of a CRD. Strings that are not valid UTF-8 are written with the replacement character for
// each wrong byte, as encoding/json does.
func Encode(c *schema.CRD, opts Options) []byte {
	return Append(make([]byte, 0, len(opts.Header)+initialSize), c, opts)
}

// Append is Encode into a buffer, for callers that write many CRDs.
func Append(buffer []byte, c *schema.CRD, opts Options) []byte {
	e := encoder{bol: true, out: buffer}
	e.out = append(e.out, opts.Header...)
	e.out = append(e.out, "---\n"...)
	e.name("apiVersion:")
	e.raw("apiextensions.k8s.io/v1")
	e.name("kind:")
	e.raw("CustomResourceDefinition")
	e.metadata(c, opts)
	e.spec(c)
	return append(e.out, e.end()...)
}

// EncodeSchema returns the YAML of a schema alone.
func EncodeSchema(s *schema.Schema) []byte {
	e := encoder{bol: true}
	if e.node(s); len(e.out) == 0 {
		return []byte("{}\n")
	}
	return append(e.out, e.end()...)
}

func (e *encoder) metadata(c *schema.CRD, opts Options) {
	e.field("metadata:", func() {
		e.keyValues("annotations:", Annotations(c, opts))
		for _, name := range []string{"creationTimestamp", "deletionGracePeriodSeconds", "deletionTimestamp",
			"finalizers", "generateName", "generation"} {
			e.verbatim(name, c.Metadata)
		}
		e.keyValues("labels:", c.Labels)
		e.verbatim("managedFields", c.Metadata)
		e.text("name:", c.ObjectName())
		for _, name := range []string{"namespace", "ownerReferences", "resourceVersion", "selfLink", "uid"} {
			e.verbatim(name, c.Metadata)
		}
	})
}

// Annotations returns the annotations of a CRD's file: those of the CRD, with the tool's own among them.
func Annotations(c *schema.CRD, opts Options) []schema.KeyValue {
	if opts.ToolVersion == "" {
		return c.Annotations
	}
	key := cmp.Or(opts.VersionAnnotation, VersionAnnotation)
	out := slices.DeleteFunc(slices.Clone(c.Annotations),
		func(kv schema.KeyValue) bool { return kv.Key == key })
	return append(out, schema.KeyValue{Key: key, Value: opts.ToolVersion})
}

func (e *encoder) keyValues(name string, list []schema.KeyValue) {
	if len(list) > 0 {
		e.field(name, func() {
			e.sorted(len(list), func(i int) string { return list[i].Key }, func(i int) { e.scalar(list[i].Value) })
		})
	}
}

// spec writes spec. The omitted keys follow from the JSON tags of CustomResourceDefinitionSpec
// (k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/types.go), here and below.
func (e *encoder) spec(c *schema.CRD) {
	e.field("spec:", func() {
		e.conversion(c.Conversion)
		e.text("group:", c.Group.V)
		e.names(c)
		e.tristate("preserveUnknownFields:", c.PreserveUnknownFields)
		e.text("scope:", c.Scope.V)
		e.name("versions:")
		if c.Versions == nil {
			e.raw("null")
		} else {
			e.items(len(c.Versions), func(i int) { e.version(&c.Versions[i]) })
		}
	})
}

func (e *encoder) conversion(c *schema.Conversion) {
	if c == nil {
		return
	}
	e.field("conversion:", func() {
		e.text("strategy:", c.Strategy.V)
		w := c.Webhook
		if w == nil {
			return
		}
		e.field("webhook:", func() {
			e.webhookClient(w.Client)
			e.texts("conversionReviewVersions:", w.ReviewVersions)
			if len(w.ReviewVersions) == 0 {
				e.name("conversionReviewVersions:")
				e.raw("null")
			}
		})
	})
}

func (e *encoder) webhookClient(c *schema.WebhookClient) {
	if c == nil {
		return
	}
	e.field("clientConfig:", func() {
		e.optional("caBundle:", c.CABundle.V)
		if s := c.Service; s != nil {
			e.field("service:", func() {
				e.text("name:", s.Name.V)
				e.text("namespace:", s.Namespace.V)
				e.pointer("path:", s.Path)
				e.limit("port:", s.Port)
			})
		}
		e.pointer("url:", c.URL)
	})
}

func (e *encoder) names(c *schema.CRD) {
	e.field("names:", func() {
		e.texts("categories:", c.Categories)
		e.text("kind:", c.Kind.V)
		e.optional("listKind:", c.ListKind.V)
		e.text("plural:", c.Plural.V)
		e.texts("shortNames:", c.ShortNames)
		e.optional("singular:", c.Singular.V)
	})
}

func (e *encoder) version(v *schema.Version) {
	e.mapping(func() {
		e.list("additionalPrinterColumns:", len(v.Columns), func(i int) { e.column(&v.Columns[i]) })
		if v.Deprecated {
			e.name("deprecated:")
			e.bool(true)
		}
		e.pointer("deprecationWarning:", v.DeprecationWarning)
		e.text("name:", v.Name.V)
		if v.Schema != nil {
			e.field("schema:", func() { e.below("openAPIV3Schema:", v.Schema) })
		}
		e.list("selectableFields:", len(v.SelectableFields), func(i int) {
			e.mapping(func() { e.text("jsonPath:", v.SelectableFields[i].V) })
		})
		e.name("served:")
		e.bool(v.Served)
		e.name("storage:")
		e.bool(v.Storage)
		e.subresources(v.Subresources)
	})
}

func (e *encoder) column(c *schema.Column) {
	e.mapping(func() {
		e.optional("description:", c.Description.V)
		e.optional("format:", c.Format.V)
		e.text("jsonPath:", c.JSONPath.V)
		e.text("name:", c.Name.V)
		if c.Priority != 0 {
			e.name("priority:")
			e.integer(int64(c.Priority))
		}
		e.text("type:", c.Type.V)
	})
}

func (e *encoder) subresources(s *schema.Subresources) {
	if s == nil {
		return
	}
	e.field("subresources:", func() {
		if s.Scale != nil {
			e.field("scale:", func() {
				e.pointer("labelSelectorPath:", s.Scale.LabelSelectorPath)
				e.text("specReplicasPath:", s.Scale.SpecReplicasPath.V)
				e.text("statusReplicasPath:", s.Scale.StatusReplicasPath.V)
			})
		}
		if s.Status != nil {
			e.name("status:")
			e.raw("{}")
		}
	})
}
