package structural

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// identityRows returns the checks of the names of the CRD and its kind.
func identityRows() []session.Row {
	return []session.Row{
		explained(diag.Check{ID: "spec-missing"}, reason{"spec.group", required, "", explainNoSpec}),
		explained(diag.Check{ID: "group-missing"}, reason{"spec.group", required, "", explainNoGroup}),
		explained(diag.Check{ID: "group-invalid"}, reason{"spec.group", invalid, "", explainGroup}),
		explained(diag.Check{ID: "api-approved"}, reason{"metadata.annotations[]", "", "", explainApproval}),
		explained(diag.Check{ID: "names-invalid"},
			reason{"spec.names.kind", "", "", explainKind},
			reason{"spec.names.plural", "", "", explainPlural},
			reason{"spec.names.singular", "", "", explainSingular},
			reason{"spec.names.listKind", "", "", explainListKind},
			reason{"spec.names.shortNames[]", "", "", explainShortName},
			reason{"spec.names.categories[]", "", "", explainCategory},
			reason{"metadata.name", "", "", explainObjectName},
		),
		explained(diag.Check{ID: "scope-invalid"}, reason{"spec.scope", "", "", explainScope}),
		explained(diag.Check{ID: "metadata-invalid"},
			reason{"metadata.annotations", invalid, "", explainAnnotation},
			reason{"metadata.annotations", field.ErrorTypeTooLong, "", explainAnnotations},
			reason{"metadata.labels", "", "", explainLabel},
		),
		explained(diag.Check{ID: "preserve-unknown-fields"},
			reason{"spec.preserveUnknownFields", "", "cannot set to true*", explainPreserve}),
	}
}

// hasSpec reports whether the spec has any of the fields that each CRD needs.
func hasSpec(c *schema.CRD) bool {
	return c.Group.V != "" || c.Scope.V != "" || c.Kind.V != "" || c.Plural.V != "" || len(c.Versions) > 0
}

// explainNoSpec replaces all findings about the parts of a missing spec.
func explainNoSpec(r *rejection) {
	if !hasSpec(r.CRD) {
		r.errorf(r.CRD.At, "missing field spec").
			Help("add spec with group, scope, names and versions").
			Also("spec.names.kind", "spec.names.plural", "spec.names.singular", "spec.names.listKind", "metadata.name",
				"spec.scope", "spec.versions", "status.storedVersions")
	}
}

// namelessForGroup reports whether a version has no name because its package has no group: in Go it then has neither.
func namelessForGroup(p *session.Pass, v *schema.Version) bool {
	return v.Name.V == "" && p.CRD.Group.V == "" && p.Write().Choose("Go", "") != ""
}

func explainNoGroup(r *rejection) {
	c := r.CRD
	switch {
	case !hasSpec(c):
	case c.Group.At.IsValid():
		r.errorf(c.Group.At, "the group is empty").Also(alsoName(c)...).
			Help("set it to a DNS name, such as %s", groupOf(c))
	default:
		f := r.errorf(c.At, "%s", r.Write().Choose(
			"kind "+c.Kind.V+" has no API group: its package has no +groupName marker", "missing field group"))
		f.Also(alsoName(c)...).Help("%s", r.Write().Choose("add +groupName=example.com above the package clause, "+
			"or add +kubebuilder:skip above the package clause to leave the package out", "add group: "+groupOf(c)))
		for i := range c.Versions {
			if namelessForGroup(r.Pass, &c.Versions[i]) {
				f.Also(fmt.Sprintf("spec.versions[%d].name", i))
			}
		}
	}
}

// groupOf returns the group that the name of a CRD contains, or an example.
func groupOf(c *schema.CRD) string {
	if _, group, ok := strings.Cut(c.Name.V, "."); ok && len(validation.IsDNS1123Subdomain(group)) == 0 {
		return group
	}
	return "example.com"
}

func explainGroup(r *rejection) {
	group := r.CRD.Group
	why, start, end := nameFault(group.V, true)
	if why == "" {
		why, end = "has no dot", len(group.V)
	}
	r.errorf(group.Range(start, end), "group %q %s", group.V, why).Also(alsoName(r.CRD)...).
		Help("change it to a DNS name in lowercase letters, such as apps.example.com")
}

func explainApproval(r *rejection) {
	const key = apiext.KubeAPIApprovedAnnotation
	group := r.CRD.Group
	for _, kv := range r.CRD.Annotations {
		if kv.Key == key && kv.Value != "" {
			r.errorf(kv.At, "group %s is reserved for Kubernetes: expected the URL of an approval, got %q",
				group.V, kv.Value).
				Help("write the URL of the approving pull request, or %s", r.Write().Choose(
					"a text that starts with \"unapproved\"", "write "+key+": unapproved"))
			return
		} else if kv.Key == key {
			group.At = kv.At
		}
	}
	r.errorf(group.At, "group %s is reserved for Kubernetes: the CRD needs the annotation %s", group.V, key).
		Help("use your own group, or put %s; a project of Kubernetes writes the URL of the approving pull request "+
			"in place of unapproved", r.Write().Choose(
			"+kubebuilder:metadata:annotations=\""+key+"=unapproved\" on the kind",
			key+": unapproved into the annotations"))
}

func explainKind(r *rejection) {
	c := r.CRD
	f := explainName(r, "kind", c.Kind, true)
	if f == nil {
		return
	}
	// Names that were made from the kind are as wrong as the kind: they are not reported as well.
	if isMade(c.Plural) && fault(c.Plural, false) != "" {
		f.Also("spec.names.plural").Also(alsoName(c)...)
	}
	if isMade(c.Singular) && fault(c.Singular, false) != "" {
		f.Also("spec.names.singular")
	}
	if isMade(c.ListKind) && fault(c.ListKind, true) != "" {
		f.Also("spec.names.listKind")
	}
}

func explainPlural(r *rejection) {
	if c := r.CRD; !isMade(c.Plural) || fault(c.Kind, true) == "" {
		if f := explainName(r, "plural", c.Plural, false); f != nil {
			f.Also(alsoName(c)...)
		}
	}
}

func explainSingular(r *rejection) {
	if c := r.CRD; c.Singular.V != "" && (!isMade(c.Singular) || fault(c.Kind, true) == "") {
		explainName(r, "singular", c.Singular, false)
	}
}

func explainListKind(r *rejection) {
	c := r.CRD
	if c.Kind.V != "" && c.Kind.V == c.ListKind.V {
		r.errorf(c.ListKind.At, "list kind %q is the same as the kind", c.ListKind.V).Help("write %sList", c.Kind.V)
	}
	if c.ListKind.V != "" && (!isMade(c.ListKind) || fault(c.Kind, true) == "") {
		explainName(r, "list kind", c.ListKind, true)
	}
}

func explainShortName(r *rejection) {
	explainName(r, "short name", r.CRD.ShortNames[r.Rejection.Index], false)
}

func explainCategory(r *rejection) {
	explainName(r, "category", r.CRD.Categories[r.Rejection.Index], false)
}

// isMade reports whether a name was made from the kind.
func isMade(name schema.Text) bool { return !name.At.IsValid() || name.V == "" }

// fault says what is wrong with a name of the resource. Those of kinds may have capital letters.
func fault(name schema.Text, isKind bool) string {
	if isKind {
		name.V = strings.ToLower(name.V)
	}
	why, _, _ := nameFault(name.V, false)
	return why
}

// explainName explains what is wrong with one of the resource's names, and returns nil if nothing is.
func explainName(r *rejection, what string, name schema.Text, isKind bool) *session.Finding {
	small := strings.ToLower(name.V)
	text := name.V
	if isKind {
		text = small
	}
	why, start, end := nameFault(text, false)
	if why == "" || !hasSpec(r.CRD) {
		return nil
	}
	if name.V == "" {
		f := r.errorf(name.Range(0, 0), "%s %s", what, why).Help("add the missing name")
		return &f
	}
	f := r.errorf(name.Range(start, end), "%s %q %s", what, name.V, why)
	smallFault, _, _ := nameFault(small, false)
	switch {
	case isKind:
		f.Help("use letters and digits, starting with a letter")
	case smallFault == "":
		f.Write(small)
	default:
		f.Help("use lowercase letters, digits and dashes, starting with a letter")
	}
	return &f
}

// explainObjectName explains metadata.name, which consists of plural and group and shares their mistakes.
func explainObjectName(r *rejection) {
	c := r.CRD
	want := c.Plural.V + "." + c.Group.V
	plural, group := strings.ToLower(c.Plural.V), strings.ToLower(c.Group.V)
	groupFault, _, _ := nameFault(c.Group.V, true)
	switch {
	case !hasSpec(c):
	case c.ObjectName() != want:
		f := r.errorf(c.Name.At, "metadata.name must be the plural and the group joined by a dot, got %q", c.Name.V).
			Help("fix the plural and the group, then join both with a dot")
		groupFault, _, _ = nameFault(group, true)
		if pluralFault, _, _ := nameFault(plural, false); pluralFault == "" && groupFault == "" {
			f.Help("write %s.%s", plural, group)
		}
	case len(want) > validation.DNS1123SubdomainMaxLength && fault(c.Plural, false) == "" && groupFault == "":
		r.errorf(c.Plural.At, "the name %s, made of plural and group, %s", want,
			tooLong(len(want), validation.DNS1123SubdomainMaxLength)).
			Help("shorten the group or the plural")
	}
}

// alsoName returns the path of metadata.name, where the API server rejects it as well.
func alsoName(c *schema.CRD) []string {
	if len(apivalidation.NameIsDNSSubdomain(c.ObjectName(), false)) > 0 {
		return []string{"metadata.name"}
	}
	return nil
}

// nameFault explains what is wrong with a DNS name, and where: a subdomain, whose parts are joined by dots (RFC 1123),
// or a label that starts with a letter (RFC 1035).
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
			return "contains the uppercase letter " + strconv.Quote(string(c)), i, end
		case isSubdomain && c == '.' && !atEnd && !atStart:
			atStart, i = true, end
			continue
		case !isLetter && !isDigit && c != '-':
			return "contains the character " + strconv.Quote(string(c)), i, end
		case atStart && !isLetter && !(isSubdomain && isDigit):
			return "starts with " + strconv.Quote(string(c)) + " instead of a letter", i, end
		case c == '-' && atEnd:
			return "ends with " + strconv.Quote(string(c)), i, end
		}
		atStart, i = false, end
	}
	return "is not a DNS name", 0, len(text)
}

func tooLong(length, limit int) string {
	return fmt.Sprintf("has %d bytes; at most %d are allowed", length, limit)
}

// near suggests the name that was meant, or gives another help.
func near(name string, candidates []string, otherwise string) string {
	if n := diag.Near(name, candidates); n != "" && n != name {
		return diag.Meant(n)
	}
	return otherwise
}

func useOneOf(list []string) string { return "use one of " + strings.Join(list, ", ") }

func explainScope(r *rejection) {
	scopes := []string{string(apiext.ClusterScoped), string(apiext.NamespaceScoped)}
	switch scope := r.CRD.Scope; {
	case !hasSpec(r.CRD):
	case scope.V == "":
		r.errorf(scope.At, "missing field scope").
			Help("add scope: Namespaced to spec, or add scope: Cluster to spec")
	default:
		r.unknown("scope", scope, scopes)
	}
}

func explainAnnotation(r *rejection) {
	key, _ := r.Rejection.Err.BadValue.(string)
	for _, kv := range r.CRD.Annotations {
		if kv.Key == key {
			explainMetadata(r, kv, "annotation", key)
		}
	}
}

func explainLabel(r *rejection) {
	text, _ := r.Rejection.Err.BadValue.(string)
	for _, kv := range r.CRD.Labels {
		if kv.Key == text && slices.Contains(validation.IsQualifiedName(text), r.says()) {
			explainMetadata(r, kv, "label", text)
		}
		if kv.Value == text && slices.Contains(validation.IsValidLabelValue(text), r.says()) {
			explainMetadata(r, kv, "the value of label "+kv.Key, text)
		}
	}
}

// explainMetadata repeats the API server's sentence about a label or an annotation, without the regular expression in
// parentheses.
func explainMetadata(r *rejection, kv schema.KeyValue, what, text string) {
	says := r.says()
	if i := strings.Index(says, " (e.g."); i > 0 {
		says = says[:i]
	}
	r.errorf(kv.At, "the API server rejects %s %q: %s", what, text, says)
}

func explainAnnotations(r *rejection) {
	size := 0
	for _, kv := range r.CRD.Annotations {
		size += len(kv.Key) + len(kv.Value)
	}
	r.errorf(r.CRD.Annotations[0].At, "all annotations together have %d bytes; at most %d are allowed",
		size, apivalidation.TotalAnnotationSizeLimitB)
}

func explainPreserve(r *rejection) {
	r.errorf(r.CRD.PreserveUnknownFields.At, "preserveUnknownFields: true is not allowed in v1 CRDs").
		Help("%s%s to the fields that must preserve unknown fields",
			check.In(r.CRD.PreserveUnknownFields.At).Choose(
				"run without crd:deprecatedV1beta1CompatibilityPreserveUnknownFields=true, and add ",
				"remove it, and add "),
			r.Write().Set("x-kubernetes-preserve-unknown-fields", "true"))
}
