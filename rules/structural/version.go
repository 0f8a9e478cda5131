package structural

import (
	"unicode"
	"unicode/utf8"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
)

// warningLimit is the most bytes that a deprecation warning may have.
const warningLimit = 256

// versionRows are the checks of the list of versions.
func versionRows() []row {
	return []row{
		{
			Check: diag.Check{
				ID: "version-name", Verdict: true,
				Doc:  "The name of a version is a DNS label: small letters, digits and dashes, the first a letter.",
				Bad:  "// +groupName=shop.example.com\n// +versionName=v1_beta1\npackage v1",
				Good: "// +groupName=shop.example.com\n// +versionName=v1beta1\npackage v1",
			},
			ofVersion: checkVersionName,
		},
		{
			Check: diag.Check{
				ID: "version-duplicate", Verdict: true,
				Doc:  "The names of a CRD's versions differ.",
				Bad:  "spec:\n  versions:\n  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}\n  - {name: v1, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}",
				Good: "spec:\n  versions:\n  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}\n  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}",
			},
			ofCRD: checkVersionNames,
		},
		{
			Check: diag.Check{
				ID: "version-storage", Verdict: true,
				Doc:  "Exactly one version is the one that objects are stored in.",
				Bad:  "spec:\n  versions:\n  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}\n  - {name: v2, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}",
				Good: "spec:\n  versions:\n  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}\n  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}",
			},
			ofCRD: ofSpec(checkStorage),
		},
		{
			Check: diag.Check{
				ID: "version-served", Accepted: true,
				Doc:  "A CRD of which no version is served is accepted, but nobody can read or write its objects.",
				Bad:  "spec:\n  versions:\n  - {name: v1, served: false, storage: true, schema: {openAPIV3Schema: {type: object}}}",
				Good: "spec:\n  versions:\n  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}",
			},
			ofCRD: checkServed,
		},
		{
			Check: diag.Check{
				ID: "schema-missing", Verdict: true,
				Doc:  "Every version has a schema.",
				Bad:  "spec:\n  versions:\n  - name: v1\n    served: true\n    storage: true",
				Good: "spec:\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema: {type: object}",
			},
			ofVersion: checkHasSchema,
		},
		{
			Check: diag.Check{
				ID: "deprecation-warning", Verdict: true,
				Doc:  "Only a deprecated version has a warning; it is a line of 1 to 256 bytes that can be printed.",
				Bad:  "// +kubebuilder:deprecatedversion:warning=\"\"\ntype Widget struct { … }",
				Good: "// +kubebuilder:deprecatedversion:warning=\"use v2\"\ntype Widget struct { … }",
			},
			ofVersion: checkDeprecationWarning,
		},
	}
}

func checkVersionName(v *version) []finding {
	why, start, end := nameFault(v.Name.V, false)
	if why == "" || v.of.namelessForGroup(v.Version) {
		return nil
	}
	return one(v.badVersionName(why, v.named(v.Name.Range(start, end))))
}

// named is the place of the version's name, or of its declaration where the name has none.
func (v *version) named(at diag.Span) diag.Span {
	if at.IsValid() {
		return at
	}
	return v.of.named(v.At)
}

func checkVersionNames(c *crd) []finding {
	var out []finding
	first := map[string]*schema.Version{}
	for i := range c.Versions {
		v := &c.Versions[i]
		if first[v.Name.V] == nil {
			first[v.Name.V] = v
			continue
		}
		out = append(out, c.versionTwice(v, first[v.Name.V]))
	}
	return out
}

func checkStorage(c *crd) []finding {
	var out []finding
	var stored *schema.Version
	for i := range c.Versions {
		v := &c.Versions[i]
		switch {
		case !v.Storage:
		case stored == nil:
			stored = v
		default:
			out = append(out, c.storedTwice(v, stored))
		}
	}
	if stored == nil {
		return one(c.notStored())
	}
	return out
}

func checkServed(c *crd) []finding {
	for i := range c.Versions {
		if c.Versions[i].Served {
			return nil
		}
	}
	if len(c.Versions) == 0 {
		return nil // which is said of the stored one
	}
	return one(c.notServed())
}

func checkHasSchema(v *version) []finding {
	if v.Schema != nil {
		return nil
	}
	return one(v.noSchema())
}

func checkDeprecationWarning(v *version) []finding {
	w := v.DeprecationWarning
	if w == nil {
		return nil
	}
	why, start, end := "", 0, len(w.V)
	switch {
	case !v.Deprecated:
		return one(v.notDeprecated())
	case w.V == "":
		why = "is empty"
	case len(w.V) > warningLimit:
		why, start = tooLong(len(w.V), warningLimit), warningLimit
	}
	for i, c := range w.V {
		size := utf8.RuneLen(c)
		if invalid := c == utf8.RuneError && w.V[i] != "\uFFFD"[0]; invalid {
			size = 1
		} else if unicode.IsPrint(c) {
			continue
		}
		why, start, end = "has the character "+quoted(c)+", which cannot be printed", i, i+size
		break
	}
	if why == "" {
		return nil
	}
	return one(v.badWarning(why, v.named(w.Range(start, end))))
}
