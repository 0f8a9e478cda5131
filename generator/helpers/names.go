package helpers

import (
	"strings"

	"github.com/crdproof/crdproof/emit/gocode"
	"github.com/crdproof/crdproof/schema"
)

// groupSuffixes returns the suffixes of the names of kinds that several groups have: the beginning of the group, as
// many of its labels as are needed to tell these groups apart. Widget of example.com and of other.example.com are
// WidgetExample and WidgetOther.
func groupSuffixes(kinds []gocode.Kind) map[*schema.CRD]string {
	groups := map[string]map[string]bool{} // kind name → its groups
	for _, k := range kinds {
		if groups[k.Name] == nil {
			groups[k.Name] = map[string]bool{}
		}
		groups[k.Name][k.CRD.Group.V] = true
	}
	out := map[*schema.CRD]string{}
	for _, k := range kinds {
		if shared := groups[k.Name]; len(shared) > 1 {
			out[k.CRD] = groupSuffix(k.CRD.Group.V, shared)
		}
	}
	return out
}

// groupSuffix returns the name of the shortest beginning of a group for which all groups differ.
func groupSuffix(group string, groups map[string]bool) string {
	for labels := 1; labels <= strings.Count(group, "."); labels++ {
		names := map[string]bool{}
		for g := range groups {
			names[beginning(g, labels)] = true
		}
		if len(names) == len(groups) {
			return beginning(group, labels)
		}
	}
	return gocode.GoName(group)
}

// beginning returns the name of the first labels of a group.
func beginning(group string, labels int) string {
	parts := strings.Split(group, ".")
	return gocode.GoName(strings.Join(parts[:min(labels, len(parts))], "."))
}
