package support

import (
	"strings"

	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// embeddedResource validates the common fields of an embedded resource (apiextensions-apiserver,
// pkg/apiserver/schema/objectmeta/validation.go). The errors of the metadata are those of the apimachinery that the
// program is built with. Its declarative rules are ignored, since they are all alpha there.
func (v *Validation) embeddedResource(object map[string]any) {
	if v.isFull() {
		return
	}
	path := v.path.fieldPath
	for _, name := range []string{"apiVersion", "kind"} {
		if _, ok := object[name]; !ok {
			v.embeds(field.Required(path().Child(name), ""))
		}
	}
	if value, ok := object["apiVersion"]; ok {
		v.resourceText(value, "apiVersion", func(version string) string {
			if _, err := schema.ParseGroupVersion(version); err != nil {
				return err.Error()
			}
			return ""
		})
	}
	if value, ok := object["kind"]; ok {
		v.resourceText(value, "kind", func(kind string) string {
			if wrong := utilvalidation.IsDNS1035Label(strings.ToLower(kind)); len(wrong) > 0 {
				return "may have mixed case, but should otherwise match: " + strings.Join(wrong, ",")
			}
			return ""
		})
	}
	if value, ok := object["metadata"]; ok {
		v.embeds(checkObjectMeta(value, path().Child("metadata"))...)
	}
}

// resourceText validates apiVersion or kind.
func (v *Validation) resourceText(value any, name string, wrong func(string) string) {
	text, isText := value.(string)
	detail := "must be a string"
	switch {
	case isText && text == "":
		detail = "must not be empty"
	case isText:
		detail = wrong(text)
	}
	if detail != "" {
		v.embeds(field.Invalid(v.path.fieldPath().Child(name), shown(value), detail))
	}
}

// embeds reports errors of an embedded resource.
func (v *Validation) embeds(errs ...*field.Error) {
	for _, err := range errs {
		if v.fails() {
			v.errs = append(v.errs, withOrigin(err, "x-kubernetes-embedded-resource"))
		}
	}
}

// checkObjectMeta validates metadata of a resource with a name, and with a namespace if it has one.
func checkObjectMeta(metadata any, path *field.Path) field.ErrorList {
	if isDeep(metadata) {
		return field.ErrorList{field.Invalid(path, shown(metadata), "exceeded max depth")}
	}
	meta, err := readMeta(metadata)
	if err != nil {
		return field.ErrorList{field.Invalid(path, metadata, err.Error())}
	}
	if meta.Name == "" {
		meta.Name = "fakename" // any that is valid
	}
	return validation.ValidateObjectMeta(&meta, meta.Namespace != "", pathSegment, path)
}

// readMeta reads metadata into Go. Those with a name or a namespace only are read without JSON.
func readMeta(metadata any) (meta metav1.ObjectMeta, err error) {
	object, ok := metadata.(map[string]any)
	for name, field := range object {
		text, isText := field.(string)
		switch ok = ok && isText; name {
		case "name":
			meta.Name = text
		case "namespace":
			meta.Namespace = text
		default:
			ok = false
		}
	}
	if ok {
		return meta, nil
	}
	data, err := utiljson.Marshal(metadata)
	if err != nil {
		return meta, err
	}
	meta = metav1.ObjectMeta{}
	return meta, utiljson.Unmarshal(data, &meta)
}

// pathSegment returns the errors of a name, or the beginning of one, as a part of a URL's path (apimachinery,
// pkg/api/validate/content/path.go).
func pathSegment(name string, prefix bool) (wrong []string) {
	if !prefix && (name == "." || name == "..") {
		return []string{"may not be '" + name + "'"}
	}
	for _, illegal := range []string{"/", "%"} {
		if strings.Contains(name, illegal) {
			wrong = append(wrong, "may not contain '"+illegal+"'")
		}
	}
	return wrong
}
