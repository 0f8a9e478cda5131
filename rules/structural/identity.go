package structural

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
)

// identityRows are the checks of what the CRD and its kind are called.
func identityRows() []row {
	return []row{
		{
			Check: diag.Check{
				ID: "spec-missing", Verdict: true,
				Doc:  "A CRD has a spec, which names its group, its kind and its versions.",
				Bad:  "spec: {group: \"\", scope: \"\", names: {kind: \"\", plural: \"\"}, versions: []}",
				Good: "spec:\n  group: example.com\n  scope: Namespaced",
			},
			ofCRD: checkHasSpec,
		},
		{
			Check: diag.Check{
				ID: "group-missing", Verdict: true,
				Doc:  "A CRD belongs to an API group.",
				Bad:  "// +groupName=\"\"\npackage v1",
				Good: "// +groupName=tools.example.com\npackage v1",
			},
			ofCRD: ofSpec(checkHasGroup),
		},
		{
			Check: diag.Check{
				ID: "group-invalid", Verdict: true,
				Doc:  "The API group is a DNS name with at least one dot, all in lower case.",
				Bad:  "// +groupName=example\npackage v1",
				Good: "// +groupName=apps.example.com\npackage v1",
			},
			ofCRD: checkGroup,
		},
		{
			Check: diag.Check{
				ID: "api-approved", Verdict: true,
				Doc: "The groups k8s.io and kubernetes.io belong to Kubernetes: a CRD in them, or in a group below, says in an annotation " +
					"where it was approved, or that it was not.",
				Bad:  "// +groupName=widgets.k8s.io\npackage v1",
				Good: "// +groupName=widgets.example.com\npackage v1",
			},
			ofCRD: checkApproval,
		},
		{
			Check: diag.Check{
				ID: "names-invalid", Verdict: true,
				Doc:  "The names of a resource are DNS labels: small letters, digits and dashes, at most 63, the first a letter. Kinds may have capitals.",
				Bad:  "// +kubebuilder:resource:path=Widgets\ntype Widget struct { … }",
				Good: "// +kubebuilder:resource:path=widgets\ntype Widget struct { … }",
			},
			ofCRD: ofSpec(checkNames),
		},
		{
			Check: diag.Check{
				ID: "scope-invalid", Verdict: true,
				Doc:  "A resource is Namespaced or Cluster.",
				Bad:  "// +kubebuilder:resource:scope=Namespace\ntype Widget struct { … }",
				Good: "// +kubebuilder:resource:scope=Namespaced\ntype Widget struct { … }",
			},
			ofCRD: ofSpec(checkScope),
		},
		{
			Check: diag.Check{
				ID: "metadata-invalid", Verdict: true,
				Doc:  "Labels and annotations of the CRD are held to the same rules as those of any object.",
				Bad:  "// +kubebuilder:metadata:labels=\"team=a b\"\ntype Widget struct { … }",
				Good: "// +kubebuilder:metadata:labels=\"team=a-b\"\ntype Widget struct { … }",
			},
			ofCRD: checkMetadata,
		},
		{
			Check: diag.Check{
				ID: "preserve-unknown-fields", Verdict: true,
				Doc:  "A CRD cannot keep unknown fields everywhere any more; the fields that shall keep them say so.",
				Bad:  "spec:\n  preserveUnknownFields: true",
				Good: "type: object\nx-kubernetes-preserve-unknown-fields: true",
			},
			ofCRD: checkPreserveUnknownFields,
		},
	}
}

// hasSpec reports whether the spec says anything of what each CRD has to say.
func (c *crd) hasSpec() bool {
	return c.Group.V != "" || c.Scope.V != "" || c.Kind.V != "" || c.Plural.V != "" || len(c.Versions) > 0
}

// checkHasSpec stands for all that the checks of a spec's parts find in one that is not there.
func checkHasSpec(c *crd) []finding {
	if c.hasSpec() {
		return nil
	}
	var refused []string
	for _, of := range []func(*crd) []finding{checkHasGroup, checkNames, checkScope, checkStorage} {
		for _, f := range of(c) {
			refused = append(append(refused, f.path), f.also...)
		}
	}
	return one(c.noSpec(refused))
}

// ofSpec is a check of what every spec has, where there is a spec.
func ofSpec(of func(*crd) []finding) func(*crd) []finding {
	return func(c *crd) []finding {
		if !c.hasSpec() {
			return nil
		}
		return of(c)
	}
}

func checkHasGroup(c *crd) []finding {
	if c.Group.V != "" {
		return nil
	}
	return one(c.noGroup())
}

func checkGroup(c *crd) []finding {
	if c.Group.V == "" {
		return nil
	}
	why, start, end := nameFault(c.Group.V, true)
	if why == "" && !strings.Contains(c.Group.V, ".") {
		why, end = "has no dot", len(c.Group.V)
	}
	if why == "" {
		return nil
	}
	return one(c.badGroup(why, c.named(c.Group.Range(start, end)), c.alsoName()))
}

func checkApproval(c *crd) []finding {
	if !apihelpers.IsProtectedCommunityGroup(c.Group.V) {
		return nil
	}
	const key = apiext.KubeAPIApprovedAnnotation
	annotation := schema.KeyValue{At: c.Group.At}
	for _, kv := range c.Annotations {
		if kv.Key == key {
			annotation = kv
		}
	}
	switch state, _ := apihelpers.GetAPIApprovalState(map[string]string{key: annotation.Value}); state {
	case apihelpers.APIApproved, apihelpers.APIApprovalBypassed:
		return nil
	}
	return one(c.notApproved(annotation))
}

// A name is one of the resource's names.
type name struct {
	schema.Text
	what, path string
	// isKind reports that capital letters are permitted, isDerived that the API server makes a missing name from the kind.
	isKind, isDerived bool
}

const pluralPath = "spec.names.plural"

// checkNames looks at each name. One that was made from the kind is as wrong as the kind: it is not told as well.
func checkNames(c *crd) []finding {
	kind := name{c.Kind, "kind", "spec.names.kind", true, false}
	kindFault, start, end := kind.fault()
	var out []finding
	if kindFault != "" {
		out = append(out, c.badName(kind, kindFault, c.named(c.Kind.Range(start, end))))
	}
	names := []name{
		{c.Plural, "plural", pluralPath, false, false}, {c.Singular, "singular", "spec.names.singular", false, true},
		{c.ListKind, "list kind", "spec.names.listKind", true, true},
	}
	for i, t := range c.ShortNames {
		names = append(names, name{t, "short name", fmt.Sprintf("spec.names.shortNames[%d]", i), false, false})
	}
	for i, t := range c.Categories {
		names = append(names, name{t, "category", fmt.Sprintf("spec.names.categories[%d]", i), false, false})
	}
	for _, n := range names {
		why, start, end := n.fault()
		isMade := !n.At.IsValid() || n.V == ""
		switch {
		case isMade && kindFault != "" && why != "":
			out[0].also = append(out[0].also, n.path)
			if n.path == pluralPath {
				out[0].also = append(out[0].also, c.alsoName()...)
			}
		case why == "", n.V == "" && n.isDerived:
		default:
			out = append(out, c.badName(n, why, c.named(n.Range(start, end))))
		}
	}
	if c.Kind.V != "" && c.Kind.V == c.ListKind.V {
		out = append(out, c.kindIsListKind())
	}
	return append(out, checkObjectName(c, len(out) > 0)...)
}

// checkObjectName looks at metadata.name, which is made of plural and group: what is wrong with them is wrong with it.
func checkObjectName(c *crd, namesAreBad bool) []finding {
	want := c.Plural.V + "." + c.Group.V
	groupFault, _, _ := nameFault(c.Group.V, true)
	switch {
	case c.ObjectName() != want:
		return one(c.nameNotMade())
	case len(want) > validation.DNS1123SubdomainMaxLength && !namesAreBad && groupFault == "":
		return one(c.nameTooLong(want))
	}
	return nil
}

// alsoName is the path of metadata.name, where the API server refuses it as well.
func (c *crd) alsoName() []string {
	if len(apivalidation.NameIsDNSSubdomain(c.ObjectName(), false)) > 0 {
		return []string{"metadata.name"}
	}
	return nil
}

// named is the place of a name, or of the kind where the name has none.
func (c *crd) named(at diag.Span) diag.Span {
	if at.IsValid() {
		return at
	}
	return c.At
}

func (n *name) fault() (why string, start, end int) {
	if n.isKind {
		return nameFault(strings.ToLower(n.V), false)
	}
	return nameFault(n.V, false)
}

// nameFault says what is wrong with a DNS name, and where in it: with a subdomain, whose parts are joined by dots (RFC
// 1123), or with a label that begins with a letter (RFC 1035).
func nameFault(text string, isSubdomain bool) (why string, start, end int) {
	limit, errs := validation.DNS1035LabelMaxLength, validation.IsDNS1035Label(text)
	if isSubdomain {
		limit, errs = validation.DNS1123SubdomainMaxLength, validation.IsDNS1123Subdomain(text)
	}
	switch {
	case len(errs) == 0:
		return "", 0, 0
	case text == "":
		return "is missing", 0, 0
	case len(text) > limit:
		return tooLong(len(text), limit), 0, len(text)
	}
	atStart := true
	for i := 0; i < len(text); {
		c, size := utf8.DecodeRuneInString(text[i:])
		isLetter, isDigit := 'a' <= c && c <= 'z', '0' <= c && c <= '9'
		end := i + size
		atEnd := end == len(text) || isSubdomain && text[end] == '.'
		switch {
		case 'A' <= c && c <= 'Z':
			return "has the capital letter " + quoted(c), i, end
		case isSubdomain && c == '.' && !atEnd && !atStart:
			atStart, i = true, end
			continue
		case !isLetter && !isDigit && c != '-':
			return "has the character " + quoted(c), i, end
		case atStart && !isLetter && !(isSubdomain && isDigit):
			return "begins with " + quoted(c) + " instead of a letter", i, end
		case c == '-' && atEnd:
			return "ends with " + quoted(c), i, end
		}
		atStart, i = false, end
	}
	return "is no DNS name", 0, len(text)
}

func checkScope(c *crd) []finding {
	switch c.Scope.V {
	case string(apiext.ClusterScoped), string(apiext.NamespaceScoped):
		return nil
	}
	return one(c.badScope())
}

// checkMetadata holds labels and annotations against the rules for those of all objects, one by one.
func checkMetadata(c *crd) []finding {
	var out []finding
	size := 0
	for _, kv := range c.Annotations {
		size += len(kv.Key) + len(kv.Value)
		for _, err := range apivalidation.ValidateAnnotations(map[string]string{kv.Key: ""}, field.NewPath("metadata", "annotations")) {
			out = append(out, c.badMetadata("annotation", kv, kv.Key, err))
		}
	}
	for _, kv := range c.Labels {
		at := field.NewPath("metadata", "labels")
		for _, err := range metavalidation.ValidateLabelName(kv.Key, at) {
			out = append(out, c.badMetadata("label", kv, kv.Key, err))
		}
		for _, err := range metavalidation.ValidateLabels(map[string]string{"key": kv.Value}, at) {
			out = append(out, c.badMetadata("value of label "+kv.Key, kv, kv.Value, err))
		}
	}
	if size > apivalidation.TotalAnnotationSizeLimitB {
		out = append(out, c.annotationsTooLong(size))
	}
	return out
}

func checkPreserveUnknownFields(c *crd) []finding {
	if !isSet(c.PreserveUnknownFields) {
		return nil
	}
	return one(c.preservesUnknownFields())
}
