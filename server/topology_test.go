package server

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/client-go/applyconfigurations"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/structured-merge-diff/v6/schema"
)

var update = flag.Bool("update", false, "rewrite topology.txt")

// TestTopology compares topology.txt with what client-go knows about merging the built-in kinds.
func TestTopology(t *testing.T) {
	converter := applyconfigurations.NewTypeConverter(clientscheme.Scheme)
	var all *schema.Schema
	lines, seen := []string{}, map[string]bool{}
	var visit func(name string)
	atom := func(ref schema.TypeRef) (out schema.Atom) {
		if ref.NamedType != nil {
			visit(*ref.NamedType)
		}
		out, _ = all.Resolve(ref)
		return out
	}
	visit = func(name string) {
		if seen[name] || !strings.HasPrefix(name, "io.k8s.api.") {
			return
		}
		seen[name] = true
		def, _ := all.FindNamedType(name)
		if def.Map == nil {
			return
		}
		if def.Map.ElementRelationship == schema.Atomic {
			lines = append(lines, name+" struct atomic")
		}
		for _, f := range def.Map.Fields {
			at := name + "." + f.Name
			value := atom(f.Type)
			if list := value.List; list != nil {
				atom(list.ElementType)
				switch {
				case list.ElementRelationship == schema.Atomic:
				case len(list.Keys) == 0:
					lines = append(lines, at+" list set")
				default:
					lines = append(lines, at+" list map "+strings.Join(list.Keys, " "))
				}
			}
			if m := value.Map; m != nil && f.Type.NamedType == nil {
				atom(m.ElementType)
				if m.ElementRelationship == schema.Atomic && value.List == nil {
					lines = append(lines, at+" map atomic")
				}
			}
			// Other defaults do not matter for merging.
			if text, ok := f.Default.(string); ok && text != "" {
				data, err := json.Marshal(text)
				if err != nil {
					t.Fatal(err)
				}
				lines = append(lines, fmt.Sprintf("%s default %s", at, data))
			}
		}
	}
	for _, k := range append(kinds(), kind{sample: &eventsv1.Event{}}) {
		sample := k.sample.DeepCopyObject()
		sample.GetObjectKind().SetGroupVersionKind(gvk(sample))
		typed, err := converter.ObjectToTyped(sample)
		if err != nil {
			t.Fatal(err)
		}
		all = typed.Schema()
		visit(*typed.TypeRef().NamedType)
	}
	slices.Sort(lines)
	want := strings.Join(slices.Compact(lines), "\n") + "\n"
	if *update {
		if err := os.WriteFile("topology.txt", []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if topology != want {
		t.Error("topology.txt differs from client-go's schema; go test -run TestTopology -update rewrites it")
	}
}
