package kube

import (
	"encoding/base64"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/crdproof/crdproof/schema"
)

// Decode returns a CRD as an API server decodes it from the JSON that a client sends, which drops the fields that it
// does not know. The error is the server's.
func Decode(sent []byte) (*apiext.CustomResourceDefinition, error) {
	out := &apiext.CustomResourceDefinition{}
	if err := utiljson.Unmarshal(sent, out); err != nil {
		return nil, err
	}
	return out, nil
}

// Object returns the CRD as an object of the API, as it is written to a file and applied.
func Object(c *schema.CRD) *apiext.CustomResourceDefinition {
	out := &apiext.CustomResourceDefinition{
		TypeMeta: metav1.TypeMeta{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition"},
		ObjectMeta: metav1.ObjectMeta{
			Name:        c.ObjectName(),
			Annotations: keyValues(c.Annotations),
			Labels:      keyValues(c.Labels),
		},
		Spec: apiext.CustomResourceDefinitionSpec{
			Group: c.Group.V,
			Names: apiext.CustomResourceDefinitionNames{
				Kind: c.Kind.V, ListKind: c.ListKind.V, Plural: c.Plural.V, Singular: c.Singular.V,
				ShortNames: schema.Texts(c.ShortNames), Categories: schema.Texts(c.Categories),
			},
			Scope:                 apiext.ResourceScope(c.Scope.V),
			PreserveUnknownFields: c.PreserveUnknownFields.True(),
		},
	}
	addVerbatim(&out.ObjectMeta, c.Metadata)
	out.Spec.Conversion = conversion(c.Conversion)
	if c.Versions != nil {
		out.Spec.Versions = []apiext.CustomResourceDefinitionVersion{}
	}
	for i := range c.Versions {
		out.Spec.Versions = append(out.Spec.Versions, objectVersion(&c.Versions[i]))
	}
	return out
}

func conversion(c *schema.Conversion) *apiext.CustomResourceConversion {
	if c == nil {
		return nil
	}
	out := &apiext.CustomResourceConversion{Strategy: apiext.ConversionStrategyType(c.Strategy.V)}
	if c.Webhook == nil {
		return out
	}
	out.Webhook = &apiext.WebhookConversion{ConversionReviewVersions: schema.Texts(c.Webhook.ReviewVersions)}
	client := c.Webhook.Client
	if client == nil {
		return out
	}
	out.Webhook.ClientConfig = &apiext.WebhookClientConfig{URL: textPointer(client.URL)}
	if client.CABundle.V != "" {
		// Invalid base64 was rejected when it was read.
		out.Webhook.ClientConfig.CABundle, _ = base64.StdEncoding.DecodeString(client.CABundle.V)
	}
	if s := client.Service; s != nil {
		out.Webhook.ClientConfig.Service = &apiext.ServiceReference{
			Namespace: s.Namespace.V, Name: s.Name.V, Path: textPointer(s.Path),
		}
		if s.Port != nil {
			port := int32(s.Port.V)
			out.Webhook.ClientConfig.Service.Port = &port
		}
	}
	return out
}

func objectVersion(v *schema.Version) apiext.CustomResourceDefinitionVersion {
	out := apiext.CustomResourceDefinitionVersion{
		Name: v.Name.V, Served: v.Served, Storage: v.Storage, Deprecated: v.Deprecated,
	}
	out.DeprecationWarning = textPointer(v.DeprecationWarning)
	if v.Schema != nil {
		out.Schema = &apiext.CustomResourceValidation{OpenAPIV3Schema: Props(v.Schema)}
	}
	if sub := v.Subresources; sub != nil {
		out.Subresources = &apiext.CustomResourceSubresources{}
		if sub.Status != nil {
			out.Subresources.Status = &apiext.CustomResourceSubresourceStatus{}
		}
		if sub.Scale != nil {
			out.Subresources.Scale = &apiext.CustomResourceSubresourceScale{
				SpecReplicasPath: sub.Scale.SpecReplicasPath.V, StatusReplicasPath: sub.Scale.StatusReplicasPath.V,
			}
			out.Subresources.Scale.LabelSelectorPath = textPointer(sub.Scale.LabelSelectorPath)
		}
	}
	for _, c := range v.Columns {
		out.AdditionalPrinterColumns = append(out.AdditionalPrinterColumns, apiext.CustomResourceColumnDefinition{
			Name: c.Name.V, Type: c.Type.V, JSONPath: c.JSONPath.V, Description: c.Description.V, Format: c.Format.V,
			Priority: c.Priority,
		})
	}
	for _, f := range v.SelectableFields {
		out.SelectableFields = append(out.SelectableFields, apiext.SelectableField{JSONPath: f.V})
	}
	return out
}

// fields are the positions of keywords in the API's Go type, by their positions in the IR's table.
var fields = fieldsOfKeywords()

func fieldsOfKeywords() []int {
	positions := map[string]int{}
	props := reflect.TypeFor[apiext.JSONSchemaProps]()
	for i := range props.NumField() {
		name, _, _ := strings.Cut(props.Field(i).Tag.Get("json"), ",")
		positions[name] = i
	}
	var out []int
	for _, k := range schema.Keywords() {
		out = append(out, positions[k.Name])
	}
	return out
}

// Props returns a node of the IR, with all below it, as a schema of the API.
func Props(s *schema.Schema) *apiext.JSONSchemaProps {
	out := &apiext.JSONSchemaProps{}
	setProps(out, s)
	return out
}

// setProps fills an empty schema of the API.
func setProps(out *apiext.JSONSchemaProps, s *schema.Schema) {
	if s.Properties != nil {
		out.Properties = make(map[string]apiext.JSONSchemaProps, len(s.Properties))
	}
	props := reflect.ValueOf(out).Elem()
	keywords := schema.Keywords()
	for i := range keywords {
		if k := &keywords[i]; k.IsSet(s) {
			setField(props.Field(fields[i]).Addr().Interface(), k, s)
		}
	}
	addVerbatim(out, s.Other)
}

// setField sets the field of a JSONSchemaProps for a keyword that a schema states, by the type of its value.
func setField(field any, k *schema.Keyword, s *schema.Schema) {
	switch at := k.Field.(type) {
	case schema.TextField:
		if text, ok := field.(**string); ok {
			*text = &at(s).V
		} else {
			*field.(*string) = at(s).V
		}
	case schema.Many[schema.Text]:
		*field.(*[]string) = schema.Texts(*at(s))
	case schema.One[schema.Int]:
		*field.(**int64) = &(*at(s)).V
	case schema.One[schema.Number]:
		*field.(**float64) = number(*at(s))
	case schema.One[schema.Flag]:
		if flag, ok := field.(**bool); ok {
			*flag = &(*at(s)).V
		} else {
			*field.(*bool) = (*at(s)).V
		}
	case schema.One[schema.Value]:
		*field.(**apiext.JSON) = &apiext.JSON{Raw: AppendJSON(nil, **at(s))}
	case schema.Many[schema.Value]:
		*field.(*[]apiext.JSON) = enum(*at(s))
	case schema.One[schema.ExternalDocs]:
		docs := *at(s)
		*field.(**apiext.ExternalDocumentation) = &apiext.ExternalDocumentation{URL: docs.URL.V,
			Description: docs.Description.V}
	case schema.One[schema.Schema]:
		*field.(**apiext.JSONSchemaProps) = Props(*at(s))
	case schema.ItemsField:
		*field.(**apiext.JSONSchemaPropsOrArray) = &apiext.JSONSchemaPropsOrArray{Schema: Props(*at.One(s))}
	case schema.ValuesField:
		values := &apiext.JSONSchemaPropsOrBool{Allows: true}
		if nested, _ := at(s); *nested != nil {
			values.Schema = Props(*nested)
		}
		*field.(**apiext.JSONSchemaPropsOrBool) = values
	case schema.Many[*schema.Schema]:
		*field.(*[]apiext.JSONSchemaProps) = propsList(*at(s))
	case schema.Many[schema.Property]:
		properties := *field.(*map[string]apiext.JSONSchemaProps)
		var one apiext.JSONSchemaProps // copied into the map, which allocates each value
		for _, p := range *at(s) {
			one = apiext.JSONSchemaProps{}
			setProps(&one, p.Schema)
			properties[p.Name] = one
		}
	case schema.Many[schema.Rule]:
		*field.(*apiext.ValidationRules) = validationRules(*at(s))
	default:
		panic("the keyword " + k.Name + " has a value that the API's object does not get")
	}
}

func enum(list []schema.Value) (out []apiext.JSON) {
	for _, e := range list {
		value := apiext.JSON{} // which is null
		if e.Kind != schema.Null {
			value.Raw = AppendJSON(nil, e)
		}
		out = append(out, value)
	}
	return out
}

func validationRules(list []schema.Rule) (out apiext.ValidationRules) {
	for _, r := range list {
		rule := apiext.ValidationRule{
			Rule: r.Rule.V, Message: r.Message.V, MessageExpression: r.MessageExpression.V, FieldPath: r.FieldPath.V,
		}
		if r.Reason.V != "" {
			rule.Reason = (*apiext.FieldValueErrorReason)(&r.Reason.V)
		}
		if r.OptionalOldSelf != nil {
			rule.OptionalOldSelf = &r.OptionalOldSelf.V
		}
		out = append(out, rule)
	}
	return out
}

// addVerbatim sets fields of an API object by their names in JSON. One whose value has the wrong type is left out.
func addVerbatim(object any, list []schema.Verbatim) {
	for _, k := range list {
		member := schema.Value{Kind: schema.Object, Members: []schema.Member{{Key: k.Name, Value: k.Value}}}
		// No API server decodes the wrong type either, so that there is nothing to lose.
		_ = utiljson.Unmarshal(AppendJSON(nil, member), object)
	}
}

func propsList(list []*schema.Schema) []apiext.JSONSchemaProps {
	out := make([]apiext.JSONSchemaProps, len(list))
	for i, s := range list {
		setProps(&out[i], s)
	}
	return out
}

func keyValues(list []schema.KeyValue) map[string]string {
	if list == nil {
		return nil
	}
	out := map[string]string{}
	for _, kv := range list {
		out[kv.Key] = kv.Value
	}
	return out
}

func textPointer(t *schema.Text) *string {
	if t == nil {
		return nil
	}
	return &t.V
}

func number(n *schema.Number) *float64 {
	// The literal is canonical. Beyond the range of float64 the nearest there is stands for it, as in the API server's
	// decoder.
	f, _ := strconv.ParseFloat(n.V, 64)
	return &f
}

// AppendJSON appends a value as JSON, numbers as they are written.
func AppendJSON(out []byte, v schema.Value) []byte {
	switch v.Kind {
	case schema.Null:
		return append(out, "null"...)
	case schema.Bool, schema.NumberKind:
		return append(out, v.Text...)
	case schema.String:
		return appendString(out, v.Text)
	case schema.Array:
		out = append(out, '[')
		for i, item := range v.Items {
			if i > 0 {
				out = append(out, ',')
			}
			out = AppendJSON(out, item)
		}
		return append(out, ']')
	}
	out = append(out, '{')
	for i, m := range v.Members {
		if i > 0 {
			out = append(out, ',')
		}
		out = AppendJSON(append(appendString(out, m.Key), ':'), m.Value)
	}
	return append(out, '}')
}

func appendString(out []byte, s string) []byte {
	quoted, _ := json.Marshal(s) // a string always has JSON
	return append(out, quoted...)
}
