package structural

import (
	"fmt"
	"strconv"
	"strings"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/kube"
)

// This file holds the texts of findings about a CRD and its list of versions.

func quoted(c rune) string { return strconv.Quote(string(c)) }

func tooLong(length, limit int) string {
	return fmt.Sprintf("has %d bytes, and the most is %d", length, limit)
}

// near suggests a name that was meant, or says the other sentence.
func near(name string, candidates []string, otherwise string) string {
	if n := diag.Near(name, candidates); n != "" && n != name {
		return diag.Meant(n)
	}
	return otherwise
}

func useOneOf(list []string) string { return "use one of " + strings.Join(list, ", ") }

// namelessForGroup reports whether a version has no name since its package has no group: in Go it then has neither.
func (c *crd) namelessForGroup(v *schema.Version) bool {
	return v.Name.V == "" && c.Group.V == "" && c.write.Choose("Go", "") != ""
}

func (c *crd) noGroup() finding {
	if c.Group.At.IsValid() {
		return finding{
			at: c.Group.At, path: "spec.group", also: c.alsoName(), message: "the group is empty",
			help: "write a DNS name, such as " + c.write.Choose("// +groupName=apps.example.com", "group: apps.example.com"),
		}
	}
	also := c.alsoName()
	for i := range c.Versions {
		if c.namelessForGroup(&c.Versions[i]) {
			also = append(also, fmt.Sprintf("spec.versions[%d].name", i))
		}
	}
	return finding{
		at: c.named(c.Group.At), path: "spec.group", also: also, message: c.write.Choose(
			"kind "+c.Kind.V+" has no API group: its package has no +groupName marker", "the CRD has no group"),
		help: c.write.Choose(
			"add // +groupName=<your.group> above the package clause, or // +kubebuilder:skip to leave the package out", "add group: <your.group>"),
	}
}

func (c *crd) badGroup(why string, at diag.Span, also []string) finding {
	return finding{
		at: at, path: "spec.group", also: also, message: fmt.Sprintf("group %q %s", c.Group.V, why),
		help: "write a DNS name in small letters, such as " + c.write.Choose("// +groupName=apps.example.com", "group: apps.example.com"),
	}
}

func (c *crd) notApproved(annotation schema.KeyValue) finding {
	const key = apiext.KubeAPIApprovedAnnotation
	f := finding{
		at: c.named(annotation.At), path: "metadata.annotations[" + key + "]",
		message: fmt.Sprintf("group %s belongs to Kubernetes, and the CRD does not say where it was approved", c.Group.V),
		help: "use a group of your own, or add " + c.write.Choose(
			"+kubebuilder:metadata:annotations=\""+key+"=<address of the pull request, or unapproved>\"",
			key+": <address of the pull request, or unapproved>"),
	}
	if annotation.Value != "" {
		f.message = fmt.Sprintf("group %s belongs to Kubernetes, and %q is no address of where the CRD was approved", c.Group.V, annotation.Value)
		f.help = "give the address of the pull request, or begin with \"unapproved\""
	}
	return f
}

func (c *crd) badName(n name, why string, at diag.Span) finding {
	f := finding{at: at, path: n.path, message: fmt.Sprintf("%s %q %s", n.what, n.V, why)}
	f.help = "use small letters, digits and dashes, and begin with a letter"
	if n.isKind {
		f.help = "use letters and digits, and begin with a letter"
	}
	if small := strings.ToLower(n.V); n.V == "" {
		f.message, f.help = n.what+" "+why, "give the kind a name"
	} else if fault, _, _ := nameFault(small, false); fault == "" && !n.isKind {
		f.help = "write " + small
	}
	if n.path == pluralPath {
		f.also = c.alsoName()
	}
	return f
}

func (c *crd) kindIsListKind() finding {
	return finding{
		at: c.named(c.ListKind.At), path: "spec.names.listKind", message: fmt.Sprintf("list kind %q is the kind itself", c.ListKind.V),
		help: "call it " + c.Kind.V + "List",
	}
}

func (c *crd) nameNotMade() finding {
	f := finding{
		at: c.named(c.Name.At), path: "metadata.name", message: fmt.Sprintf("the CRD is called %q, and must be called by its plural and group", c.Name.V),
		help: "correct the plural and the group, and write both with a dot between them",
	}
	plural, group := strings.ToLower(c.Plural.V), strings.ToLower(c.Group.V)
	pluralFault, _, _ := nameFault(plural, false)
	groupFault, _, _ := nameFault(group, true)
	if pluralFault == "" && groupFault == "" {
		f.help = "write " + plural + "." + group
	}
	return f
}

func (c *crd) noSpec(refused []string) finding {
	return finding{
		at: c.At, path: refused[0], also: refused[1:], message: "the CRD has no spec",
		help: "add spec: {group: …, scope: …, names: {kind: …, plural: …}, versions: […]}",
	}
}

func (c *crd) nameTooLong(name string) finding {
	return finding{
		at: c.named(c.Plural.At), path: "metadata.name", message: "the name " + name + ", of plural and group, " + tooLong(len(name), 253),
		help: "shorten the group or the plural",
	}
}

func (c *crd) badScope() finding {
	list := []string{string(apiext.ClusterScoped), string(apiext.NamespaceScoped)}
	f := finding{
		at: c.named(c.Scope.At), path: "spec.scope", message: fmt.Sprintf("scope %q is not known", c.Scope.V),
		help: near(c.Scope.V, list, useOneOf(list)),
	}
	if c.Scope.V == "" {
		f.message = "the CRD has no scope"
	}
	return f
}

func (c *crd) badMetadata(what string, kv schema.KeyValue, text string, err *field.Error) finding {
	return finding{at: c.named(kv.At), path: err.Field, message: fmt.Sprintf("%s %q is refused: %s", what, text, shortened(err.Detail))}
}

// shortened is a sentence of the API server's without the regular expression in parentheses.
func shortened(detail string) string {
	if i := strings.Index(detail, " (e.g."); i > 0 {
		return detail[:i]
	}
	return detail
}

func (c *crd) annotationsTooLong(size int) finding {
	return finding{at: c.named(c.Annotations[0].At), path: "metadata.annotations", message: "the annotations together " + strings.TrimPrefix(tooLong(size, 256<<10), "has ")}
}

func (c *crd) preservesUnknownFields() finding {
	return finding{
		at: c.named(c.PreserveUnknownFields.At), path: "spec.preserveUnknownFields", message: "a CRD cannot keep unknown fields everywhere any more",
		help: c.write.Choose("run without crd:deprecatedV1beta1CompatibilityPreserveUnknownFields=true, and add ", "remove it, and add ") +
			c.write.Set("x-kubernetes-preserve-unknown-fields", "true") + " to the fields that shall keep them",
	}
}

func (v *version) badVersionName(why string, at diag.Span) finding {
	f := finding{at: at, path: v.key("name"), message: fmt.Sprintf("version %q %s", v.Name.V, why)}
	if v.Name.V == "" {
		f.message = "a version has no name"
	} else if v.path == "spec.versions[0]" {
		f.also = []string{"spec.version"} // where the internal version names the first one
	}
	f.help = "use small letters and digits, as in v1beta1"
	if v.of.write.Choose("go", "") == "go" {
		f.help += ": rename the package, or put // +versionName=v1beta1 above the package clause"
	}
	return f
}

func (c *crd) versionTwice(v, first *schema.Version) finding {
	return finding{
		at: c.named(v.Name.At), path: "spec.versions", message: "there are two versions " + v.Name.V, help: "rename or remove one of them",
		related: related(first.Name.At, "the other version"),
	}
}

func (c *crd) storedTwice(v, first *schema.Version) finding {
	return finding{
		at: c.named(v.At), path: "spec.versions", also: []string{"status.storedVersions"},
		message: fmt.Sprintf("versions %s and %s of %s are both the storage version", first.Name.V, v.Name.V, c.Kind.V),
		help:    "keep " + c.write.Choose("+kubebuilder:storageversion", "storage: true") + " on one of them",
		related: related(first.At, "the other version"),
	}
}

func (c *crd) notStored() finding {
	return finding{
		at: c.At, path: "spec.versions", also: []string{"status.storedVersions"},
		message: "kind " + c.Kind.V + " has no storage version",
		help:    "put " + c.write.Choose("+kubebuilder:storageversion", "storage: true") + " on the version that is to be stored",
	}
}

func (c *crd) notServed() finding {
	return finding{
		at: c.At, path: "spec.versions", message: "no version of kind " + c.Kind.V + " is served",
		help: c.write.Choose("remove +kubebuilder:unservedversion from one of them", "set served: true on one of them"),
	}
}

func (v *version) noSchema() finding {
	return finding{
		at: v.named(v.Name.At), path: v.key("schema.openAPIV3Schema"), message: "version " + v.Name.V + " has no schema",
		help: "to permit anything, write openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}",
	}
}

func (v *version) notDeprecated() finding {
	return finding{
		at: v.named(v.DeprecationWarning.At), path: v.key("deprecationWarning"), message: "version " + v.Name.V + " has a deprecation warning, but is not deprecated",
		help: "remove the warning, or add " + v.of.write.Choose("+kubebuilder:deprecatedversion", "deprecated: true"),
	}
}

func (v *version) badWarning(why string, at diag.Span) finding {
	return finding{
		at: at, path: v.key("deprecationWarning"), message: "the deprecation warning of version " + v.Name.V + " " + why,
		help: "write one line of at most 256 bytes, or no warning at all: API servers have one of their own",
	}
}

func (c *crd) badStrategy() finding {
	list := []string{string(apiext.NoneConverter), string(apiext.WebhookConverter)}
	return finding{
		at: c.named(c.Conversion.Strategy.At), path: conversionPath + "strategy", message: fmt.Sprintf("conversion strategy %q is not known", c.Conversion.Strategy.V),
		help: near(c.Conversion.Strategy.V, list, useOneOf(list)),
	}
}

func (c *crd) conversionPreserves() finding {
	return finding{
		at: c.named(c.Conversion.Strategy.At), path: conversionPath + "strategy", message: "a CRD that keeps unknown fields cannot be converted by a webhook",
		help: "remove preserveUnknownFields", related: related(c.PreserveUnknownFields.At, "unknown fields are kept"),
	}
}

func (c *crd) noWebhook() finding {
	return finding{
		at: c.named(c.Conversion.Strategy.At), path: conversionPath + "webhookClientConfig", also: []string{conversionPath + "conversionReviewVersions"},
		message: "conversion by webhook needs a webhook",
		help:    "add webhook: {clientConfig: {service: {namespace: …, name: …}}, conversionReviewVersions: [v1]}",
	}
}

func (c *crd) idleWebhook(key string, at diag.Span) finding {
	return finding{
		at: c.named(at), path: conversionPath + key, message: fmt.Sprintf("conversion strategy %s has no webhook, but one is described", c.Conversion.Strategy.V),
		help: "remove it, or write strategy: Webhook",
	}
}

func (c *crd) urlOrService() finding {
	f := finding{
		at: c.named(c.Conversion.Webhook.At), path: conversionPath + "webhookClientConfig", message: "a webhook is reached by a URL or by a service, and this one has neither",
		help: "add clientConfig: {service: {namespace: …, name: …}}",
	}
	if client := c.Conversion.Webhook.Client; client != nil && client.URL != nil {
		f.at, f.message, f.help = c.named(client.URL.At), "a webhook is reached by a URL or by a service, and this one has both", "keep one of them"
		f.related = related(client.Service.At, "the service")
	}
	return f
}

func (c *crd) badClient(name string, err *field.Error, at diag.Span) finding {
	return finding{at: c.named(at), path: err.Field, message: "the webhook's " + name + " is refused: " + lowerFirst(err.ErrorBody())}
}

func (c *crd) reviewTwice(i int, v, first schema.Text) finding {
	return finding{
		at: c.named(v.At), path: reviewPath(i), message: "conversion review version " + v.V + " is listed twice", help: "remove one of them",
		related: related(first.At, "first listed here"),
	}
}

func reviewPath(i int) string {
	return fmt.Sprintf("%sconversionReviewVersions[%d]", conversionPath, i)
}

func (c *crd) badReview(i int, v schema.Text, why string, at diag.Span) finding {
	return finding{at: c.named(at), path: reviewPath(i), message: fmt.Sprintf("conversion review version %q %s", v.V, why), help: "write v1"}
}

func (c *crd) unknownReview() finding {
	f := finding{
		at: c.named(c.Conversion.Webhook.At), path: conversionPath + "conversionReviewVersions",
		message: "the webhook takes no version of the conversion review that API servers send", help: "add v1 to conversionReviewVersions",
	}
	if list := c.Conversion.Webhook.ReviewVersions; len(list) > 0 {
		f.at = c.named(list[0].At)
	}
	return f
}

// tooNew says that a version in the range lacks something.
func (c *crd) tooNew(what string, f kube.Feature) string {
	return fmt.Sprintf("Kubernetes %s does not know %s, which came with %s", c.kube.First, what, f.Since())
}

// newer says which range would do.
func (c *crd) newer(f kube.Feature) string {
	if c.kube.Last < f.Since() {
		return "do without"
	}
	return "do without, or support Kubernetes " + kube.Range{First: f.Since(), Last: c.kube.Last}.String() + " only"
}
