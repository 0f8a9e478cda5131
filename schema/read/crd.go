package read

import (
	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// The functions below return the fields of all objects of a CRD
// (k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/types.go).

// ignored reads a field with no meaning for the CRD.
func ignored[T any](*reader, *T, *schema.Member) {}

// same returns the place of an object whose fields are stored with those of the enclosing object.
func same[T any](into *T, _ diag.Span) *T { return into }

func crdFields() fields[schema.CRD] {
	return fields[schema.CRD]{
		"apiVersion": ignored[schema.CRD],
		"kind":       ignored[schema.CRD],
		"metadata":   object(same[schema.CRD], metadataFields()),
		"status":     ignored[schema.CRD], // clients do not set it
		"spec":       object(same[schema.CRD], specFields()),
	}
}

func specFields() fields[schema.CRD] {
	return fields[schema.CRD]{
		"group":                 text(func(c *schema.CRD) *schema.Text { return &c.Group }),
		"scope":                 text(func(c *schema.CRD) *schema.Text { return &c.Scope }),
		"preserveUnknownFields": flag(func(c *schema.CRD) **schema.Flag { return &c.PreserveUnknownFields }),
		"versions":              versions(versionFields()),
		"names":                 object(same[schema.CRD], namesFields()),
		"conversion": object(func(c *schema.CRD, at diag.Span) *schema.Conversion {
			c.Conversion = &schema.Conversion{At: at}
			return c.Conversion
		}, conversionFields()),
	}
}

func namesFields() fields[schema.CRD] {
	return fields[schema.CRD]{
		"plural":     text(func(c *schema.CRD) *schema.Text { return &c.Plural }),
		"singular":   text(func(c *schema.CRD) *schema.Text { return &c.Singular }),
		"kind":       text(func(c *schema.CRD) *schema.Text { return &c.Kind }),
		"listKind":   text(func(c *schema.CRD) *schema.Text { return &c.ListKind }),
		"shortNames": texts(func(c *schema.CRD) *[]schema.Text { return &c.ShortNames }),
		"categories": texts(func(c *schema.CRD) *[]schema.Text { return &c.Categories }),
	}
}

func metadataFields() fields[schema.CRD] {
	out := fields[schema.CRD]{
		"name":        text(func(c *schema.CRD) *schema.Text { return &c.Name }),
		"annotations": func(r *reader, c *schema.CRD, m *schema.Member) { c.Annotations = r.keyValues(&m.Value) },
		"labels":      func(r *reader, c *schema.CRD, m *schema.Member) { c.Labels = r.keyValues(&m.Value) },
	}
	// The values of these do not matter, only whether API servers can decode them.
	for _, other := range []struct {
		read  func(*reader, *schema.Value)
		names []string
	}{
		{func(r *reader, n *schema.Value) { r.time(n) }, []string{"creationTimestamp", "deletionTimestamp"}},
		{func(r *reader, n *schema.Value) { r.text(n) }, []string{"generateName", "namespace", "resourceVersion",
			"selfLink", "uid"}},
		{func(r *reader, n *schema.Value) { r.integer(n, 64) }, []string{"deletionGracePeriodSeconds", "generation"}},
		{func(r *reader, n *schema.Value) { r.texts(n) }, []string{"finalizers"}},
		{func(r *reader, n *schema.Value) {
			r.each(n, func(item *schema.Value) {
				if item.Kind != schema.Null {
					r.hasKind(item, schema.Object)
				}
			})
		}, []string{"managedFields", "ownerReferences"}},
	} {
		for _, name := range other.names {
			out[name] = func(r *reader, c *schema.CRD, m *schema.Member) {
				other.read(r, &m.Value)
				c.Metadata = append(c.Metadata, asVerbatim(m))
			}
		}
	}
	return out
}

func versions(known fields[schema.Version]) field[schema.CRD] {
	return func(r *reader, c *schema.CRD, m *schema.Member) {
		c.Versions = []schema.Version{}
		r.each(&m.Value, func(n *schema.Value) {
			v := schema.Version{At: n.Start()}
			readObject(r, n, &v, known)
			if v.Name.At.IsValid() {
				v.At = v.Name.At
			}
			c.Versions = append(c.Versions, v)
		})
	}
}

func versionFields() fields[schema.Version] {
	return fields[schema.Version]{
		"name":               text(func(v *schema.Version) *schema.Text { return &v.Name }),
		"served":             boolean(func(v *schema.Version) *bool { return &v.Served }),
		"storage":            boolean(func(v *schema.Version) *bool { return &v.Storage }),
		"deprecated":         boolean(func(v *schema.Version) *bool { return &v.Deprecated }),
		"deprecationWarning": optionalText(func(v *schema.Version) **schema.Text { return &v.DeprecationWarning }),
		"schema":             object(same[schema.Version], validationFields()),
		"subresources": object(func(v *schema.Version, _ diag.Span) *schema.Subresources {
			v.Subresources = &schema.Subresources{}
			return v.Subresources
		}, subresourcesFields()),
		"additionalPrinterColumns": objects(func(v *schema.Version) *[]schema.Column { return &v.Columns },
			func(at diag.Span) schema.Column { return schema.Column{At: at} }, columnFields()),
		"selectableFields": objects(func(v *schema.Version) *[]schema.Text { return &v.SelectableFields },
			func(at diag.Span) schema.Text { return schema.Text{At: at} },
			selectableFields()),
	}
}

func validationFields() fields[schema.Version] {
	return fields[schema.Version]{
		"openAPIV3Schema": func(r *reader, v *schema.Version, m *schema.Member) {
			v.Schema = r.schemaAt(&m.Value, m.KeyAt)
		},
	}
}

func subresourcesFields() fields[schema.Subresources] {
	return fields[schema.Subresources]{
		"status": func(r *reader, s *schema.Subresources, m *schema.Member) {
			s.Status = &m.KeyAt
			readObject(r, &m.Value, s, fields[schema.Subresources]{})
		},
		"scale": object(func(s *schema.Subresources, at diag.Span) *schema.Scale {
			s.Scale = &schema.Scale{At: at}
			return s.Scale
		}, scaleFields()),
	}
}

func scaleFields() fields[schema.Scale] {
	return fields[schema.Scale]{
		"specReplicasPath":   text(func(s *schema.Scale) *schema.Text { return &s.SpecReplicasPath }),
		"statusReplicasPath": text(func(s *schema.Scale) *schema.Text { return &s.StatusReplicasPath }),
		"labelSelectorPath":  optionalText(func(s *schema.Scale) **schema.Text { return &s.LabelSelectorPath }),
	}
}

func columnFields() fields[schema.Column] {
	return fields[schema.Column]{
		"name":        text(func(c *schema.Column) *schema.Text { return &c.Name }),
		"type":        text(func(c *schema.Column) *schema.Text { return &c.Type }),
		"jsonPath":    text(func(c *schema.Column) *schema.Text { return &c.JSONPath }),
		"description": text(func(c *schema.Column) *schema.Text { return &c.Description }),
		"format":      text(func(c *schema.Column) *schema.Text { return &c.Format }),
		"priority": func(r *reader, c *schema.Column, m *schema.Member) {
			if v := r.integer(&m.Value, 32); v != nil {
				c.Priority = int32(v.V)
			}
		},
	}
}

func selectableFields() fields[schema.Text] {
	return fields[schema.Text]{"jsonPath": text(func(t *schema.Text) *schema.Text { return t })}
}

func conversionFields() fields[schema.Conversion] {
	return fields[schema.Conversion]{
		"strategy": text(func(c *schema.Conversion) *schema.Text { return &c.Strategy }),
		"webhook": object(func(c *schema.Conversion, at diag.Span) *schema.Webhook {
			c.Webhook = &schema.Webhook{At: at}
			return c.Webhook
		}, webhookFields()),
	}
}

func webhookFields() fields[schema.Webhook] {
	return fields[schema.Webhook]{
		"conversionReviewVersions": texts(func(w *schema.Webhook) *[]schema.Text { return &w.ReviewVersions }),
		"clientConfig": object(func(w *schema.Webhook, at diag.Span) *schema.WebhookClient {
			w.Client = &schema.WebhookClient{At: at}
			return w.Client
		}, clientFields()),
	}
}

func clientFields() fields[schema.WebhookClient] {
	return fields[schema.WebhookClient]{
		"url":      optionalText(func(c *schema.WebhookClient) **schema.Text { return &c.URL }),
		"caBundle": base64Text(func(c *schema.WebhookClient) *schema.Text { return &c.CABundle }),
		"service": object(func(c *schema.WebhookClient, at diag.Span) *schema.Service {
			c.Service = &schema.Service{At: at}
			return c.Service
		}, serviceFields()),
	}
}

func serviceFields() fields[schema.Service] {
	return fields[schema.Service]{
		"namespace": text(func(s *schema.Service) *schema.Text { return &s.Namespace }),
		"name":      text(func(s *schema.Service) *schema.Text { return &s.Name }),
		"path":      optionalText(func(s *schema.Service) **schema.Text { return &s.Path }),
		"port":      integer(32, func(s *schema.Service) **schema.Int { return &s.Port }),
	}
}
