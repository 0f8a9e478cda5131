package structural

import (
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// warningLimit is the maximum length of a deprecation warning in bytes.
const warningLimit = 256

// versionRows returns the checks of the list of versions.
func versionRows() []session.Row {
	return []session.Row{
		explained(diag.Check{ID: "version-name"}, reason{"spec.versions[].name", "", "", explainVersionName}),
		explained(diag.Check{ID: "version-duplicate"},
			reason{"spec.versions", "", "must contain unique version names", explainVersionNames}),
		explained(diag.Check{ID: "version-storage"},
			reason{"spec.versions", "", "must have exactly one version marked as storage version", explainStorage}),
		{Check: diag.Check{ID: "version-served", Accepted: true}, Needs: session.CRD, Run: checkServed},
		explained(diag.Check{ID: "schema-missing"},
			reason{"spec.versions[].schema.openAPIV3Schema", required, "", explainNoSchema}),
		explained(diag.Check{ID: "deprecation-warning"},
			reason{"spec.versions[].deprecationWarning", "", "", explainDeprecationWarning}),
	}
}

func explainVersionName(r *rejection) {
	name := r.Version.Name
	if namelessForGroup(r.Pass, r.Version.Version) {
		return
	}
	why, start, end := nameFault(name.V, false)
	help := "use lowercase letters and digits, as in v1beta1" + r.Write().Choose(
		": rename the package, or put // +versionName=v1beta1 above the package clause", "")
	if name.V == "" {
		r.errorf(name.Range(0, 0), "a version has no name").Help("%s", help)
		return
	}
	f := r.errorf(name.Range(start, end), "version %q %s", name.V, why).Help("%s", help)
	if r.Version.Index == 0 {
		f.Also("spec.version") // in which the internal version names the first one
	}
}

func explainVersionNames(r *rejection) {
	first := map[string]*schema.Version{}
	for _, v := range r.Versions {
		if earlier := first[v.Name.V]; earlier != nil {
			r.errorf(v.Name.At, "duplicate version %s", v.Name.V).Help("rename or remove one of the two").
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
		r.errorf(r.CRD.At, "%s has no storage version", kindName(r.CRD)).
			Help("add %s to one version", mark).Also("status.storedVersions")
		return
	}
	for _, v := range r.Versions[i+1:] {
		if isStored(v) {
			r.errorf(v.At, "versions %s and %s of %s are both marked as the storage version",
				r.Versions[i].Name.V, v.Name.V, r.CRD.Kind.V).
				Help("keep %s on one of them", mark).See(r.Versions[i].At, "the other version").
				Also("status.storedVersions")
		}
	}
}

// kindName names the kind of a CRD, if it has one.
func kindName(crd *schema.CRD) string {
	if crd.Kind.V == "" {
		return "the CRD"
	}
	return "kind " + crd.Kind.V
}

func isStored(v *session.Version) bool { return v.Storage }

func checkServed(p *session.Pass) {
	if len(p.Versions) > 0 && !slices.ContainsFunc(p.Versions, func(v *session.Version) bool { return v.Served }) {
		p.Reportf(p.CRD.At, "spec.versions", "no version of %s is served", kindName(p.CRD)).
			Help("%s", p.Write().Choose(
				"remove +kubebuilder:unservedversion from one of them", "set served: true in one of them"))
	}
}

func explainNoSchema(r *rejection) {
	r.errorf(r.Version.Name.At, "version %s has no schema", r.Version.Name.V).
		Help("add schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}} " +
			"to permit every object")
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
		why, start, end = "contains the unprintable character "+strconv.Quote(string(c)), i, i+size
		break
	}
	r.errorf(w.Range(start, end), "the deprecation warning of version %s %s", name, why).
		Help("write one line of at most 256 bytes, or remove the warning: API servers have a default")
}
