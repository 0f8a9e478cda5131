package structural

import (
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/session"
)

// warningLimit is the most bytes that a deprecation warning may have.
const warningLimit = 256

// versionRows are the checks of the list of versions.
func versionRows() []session.Row {
	return []session.Row{
		explained(diag.Check{
			ID:   "version-name",
			Doc:  "The name of a version is a DNS label: small letters, digits and dashes, the first a letter.",
			Bad:  "// +groupName=shop.example.com\n// +versionName=v1_beta1\npackage v1",
			Good: "// +groupName=shop.example.com\n// +versionName=v1beta1\npackage v1",
		}, reason{"spec.versions[].name", "", "", explainVersionName}),
		explained(diag.Check{
			ID:   "version-duplicate",
			Doc:  "The names of a CRD's versions differ.",
			Bad:  exampleVersions("v1, served: true, storage: true", "v1, served: true, storage: false"),
			Good: exampleVersions("v1, served: true, storage: true", "v2, served: true, storage: false"),
		}, reason{"spec.versions", "", "must contain unique version names", explainVersionNames}),
		explained(diag.Check{
			ID:   "version-storage",
			Doc:  "Exactly one version is the one that objects are stored in.",
			Bad:  exampleVersions("v1, served: true, storage: true", "v2, served: true, storage: true"),
			Good: exampleVersions("v1, served: true, storage: true", "v2, served: true, storage: false"),
		}, reason{"spec.versions", "", "must have exactly one version marked as storage version", explainStorage}),
		{Check: diag.Check{
			ID: "version-served", Accepted: true,
			Doc:  "A CRD of which no version is served is accepted, but nobody can read or write its objects.",
			Bad:  exampleVersions("v1, served: false, storage: true"),
			Good: exampleVersions("v1, served: true, storage: true"),
		}, Needs: session.CRD, Run: checkServed},
		explained(diag.Check{
			ID:   "schema-missing",
			Doc:  "Every version has a schema.",
			Bad:  "spec:\n  versions:\n  - name: v1\n    served: true\n    storage: true",
			Good: inSchema + "{type: object}",
		}, reason{"spec.versions[].schema.openAPIV3Schema", required, "", explainNoSchema}),
		explained(diag.Check{
			ID:   "deprecation-warning",
			Doc:  "Only a deprecated version has a warning; it is a line of 1 to 256 bytes that can be printed.",
			Bad:  "// +kubebuilder:deprecatedversion:warning=\"\"\ntype Widget struct { … }",
			Good: "// +kubebuilder:deprecatedversion:warning=\"use v2\"\ntype Widget struct { … }",
		}, reason{"spec.versions[].deprecationWarning", "", "", explainDeprecationWarning}),
	}
}

// exampleVersions are versions of a CRD, given by their names and flags.
func exampleVersions(list ...string) string {
	out := "spec:\n  versions:"
	for _, v := range list {
		out += "\n  - {name: " + v + ", schema: {openAPIV3Schema: {type: object}}}"
	}
	return out
}

func explainVersionName(r *rejection) {
	name := r.Version.Name
	if namelessForGroup(r.Pass, r.Version.Version) {
		return
	}
	why, start, end := nameFault(name.V, false)
	help := "use small letters and digits, as in v1beta1" + r.Write().Choose(
		": rename the package, or put // +versionName=v1beta1 above the package clause", "")
	if name.V == "" {
		r.errorf(name.Range(0, 0), "a version has no name").Help("%s", help)
		return
	}
	f := r.errorf(name.Range(start, end), "version %q %s", name.V, why).Help("%s", help)
	if r.Version.Index == 0 {
		f.Also("spec.version") // where the internal version names the first one
	}
}

func explainVersionNames(r *rejection) {
	first := map[string]*schema.Version{}
	for _, v := range r.Versions {
		if earlier := first[v.Name.V]; earlier != nil {
			r.errorf(v.Name.At, "there are two versions %s", v.Name.V).Help("rename or remove one of them").
				See(earlier.Name.At, "the other version")
			continue
		}
		first[v.Name.V] = v.Version
	}
}

func explainStorage(r *rejection) {
	if !hasSpec(r.CRD) {
		return
	}
	mark := r.Write().Choose("+kubebuilder:storageversion", "storage: true")
	i := slices.IndexFunc(r.Versions, isStored)
	if i < 0 {
		r.errorf(r.CRD.At, "kind %s has no storage version", r.CRD.Kind.V).
			Help("put %s on the version that is to be stored", mark).Also("status.storedVersions")
		return
	}
	for _, v := range r.Versions[i+1:] {
		if isStored(v) {
			r.errorf(v.At, "versions %s and %s of %s are both the storage version", r.Versions[i].Name.V, v.Name.V,
				r.CRD.Kind.V).
				Help("keep %s on one of them", mark).See(r.Versions[i].At, "the other version").
				Also("status.storedVersions")
		}
	}
}

func isStored(v *session.Version) bool { return v.Storage }

func checkServed(p *session.Pass) {
	if len(p.Versions) > 0 && !slices.ContainsFunc(p.Versions, func(v *session.Version) bool { return v.Served }) {
		p.Reportf(p.CRD.At, "spec.versions", "no version of kind %s is served", p.CRD.Kind.V).
			Help("%s", p.Write().Choose(
				"remove +kubebuilder:unservedversion from one of them", "set served: true on one of them"))
	}
}

func explainNoSchema(r *rejection) {
	r.errorf(r.Version.Name.At, "version %s has no schema", r.Version.Name.V).
		Help("to permit anything, write openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}")
}

func explainDeprecationWarning(r *rejection) {
	w, name := r.Version.DeprecationWarning, r.Version.Name.V
	if !r.Version.Deprecated {
		r.errorf(w.At, "version %s has a deprecation warning, but is not deprecated", name).
			Help("remove the warning, or add %s",
				r.Write().Choose("+kubebuilder:deprecatedversion", "deprecated: true"))
		return
	}
	why, start, end := "is empty", 0, len(w.V)
	if len(w.V) > warningLimit {
		why, start = tooLong(len(w.V), warningLimit), warningLimit
	}
	for i, c := range w.V {
		size := utf8.RuneLen(c)
		if invalid := c == utf8.RuneError && w.V[i] != "\uFFFD"[0]; invalid {
			size = 1
		} else if unicode.IsPrint(c) {
			continue
		}
		why, start, end = "has the character "+strconv.Quote(string(c))+", which cannot be printed", i, i+size
		break
	}
	r.errorf(w.Range(start, end), "the deprecation warning of version %s %s", name, why).
		Help("write one line of at most 256 bytes, or no warning at all: API servers have one of their own")
}
