package structural

import (
	apivalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	kubeversion "k8s.io/apimachinery/pkg/util/version"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/kube"
)

// featureRows are the checks of what API servers of some versions do not know, or of none.
func featureRows() []row {
	return []row{
		{
			Check: diag.Check{
				ID: "kube-feature",
				Doc: "Each version of Kubernetes that the CRD has to work on knows all that it uses; older API servers drop the " +
					"fields that they do not know, and pass over the formats.",
				Bad:  "// +kubebuilder:validation:Format=k8s-short-name\nName string `json:\"name,omitempty\"`",
				Good: "// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`\nName string `json:\"name,omitempty\"`",
			},
			ofVersion: checkSelectableFeature,
			ofSchema:  checkFeatures,
		},
		{
			Check: diag.Check{
				ID: "format-unknown", Severity: diag.Warning,
				Doc:  "API servers pass over formats that they do not know; from 1.34 on they warn of them.",
				Bad:  "// +kubebuilder:validation:Format=ip\nAddress string `json:\"address,omitempty\"`",
				Good: "// +kubebuilder:validation:Format=ipv4\nAddress string `json:\"address,omitempty\"`",
			},
			ofSchema: checkFormat,
		},
	}
}

func checkSelectableFeature(v *version) []finding {
	if len(v.SelectableFields) == 0 || !v.of.lacks(kube.SelectableFields) {
		return nil
	}
	return one(v.selectableTooNew())
}

// lacks reports whether a version in the range does not know a feature.
func (c *crd) lacks(f kube.Feature) bool { return c.kube.First < f.Since() }

func checkFeatures(n *node) []finding {
	c := n.in.of
	var out []finding
	if c.lacks(kube.NameFormats) && isNameFormat(n.s) {
		out = append(out, n.formatTooNew())
	}
	for i, r := range n.s.Rules {
		for _, f := range []struct {
			text    schema.Text
			keyword string
			feature kube.Feature
		}{
			{r.MessageExpression, "messageExpression", kube.MessageExpression}, {r.Reason, "reason", kube.RuleReason},
			{r.FieldPath, "fieldPath", kube.RuleFieldPath},
		} {
			if f.text.V != "" && c.lacks(f.feature) {
				out = append(out, n.ruleTooNew(i, f.keyword, f.text.At, f.feature))
			}
		}
		if r.OptionalOldSelf != nil && c.lacks(kube.OptionalOldSelf) {
			out = append(out, n.ruleTooNew(i, "optionalOldSelf", r.OptionalOldSelf.At, kube.OptionalOldSelf))
		}
	}
	return out
}

// isNameFormat reports whether a schema has one of the formats of names.
func isNameFormat(s *schema.Schema) bool {
	return isOneOf(s.Format.V, []string{"k8s-short-name", "k8s-long-name"}) && isOneOf(s.Type.V, []string{"", "string"})
}

func checkFormat(n *node) []finding {
	if n.s.Format.V == "" || isOneOf(n.s.Format.V, knownFormats(n.s.Type.V)) {
		return nil
	}
	latest := kubeversion.MajorMinor(1, uint(kube.Latest()))
	asked := &spec.Schema{SchemaProps: spec.SchemaProps{Format: n.s.Format.V, Type: []string{n.s.Type.V}}}
	if len(apivalidation.GetUnrecognizedFormats(asked, latest)) == 0 {
		return nil
	}
	return one(n.unknownFormat())
}

// knownFormats are those that API servers check (pkg/apiserver/validation/formats.go), where it is they that decide.
func knownFormats(jsonType string) []string {
	switch jsonType {
	case "string", "":
		return []string{
			"bsonobjectid", "byte", "cidr", "creditcard", "date", "date-time", "datetime", "duration", "email", "hexcolor", "hostname",
			"ipv4", "ipv6", "isbn", "isbn10", "isbn13", "k8s-long-name", "k8s-short-name", "mac", "password", "rgbcolor", "ssn", "uri",
			"uuid", "uuid3", "uuid4", "uuid5",
		}
	case "integer":
		return []string{"int32", "int64"}
	case "number":
		return []string{"double", "float"}
	}
	return nil
}
