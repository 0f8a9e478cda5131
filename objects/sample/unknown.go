package sample

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

// Dropped reports fields of an object that an API server drops because the schema of the CRD does not have them. The
// paths are those that the server reports.
func Dropped(crd crds.CRD, o *read.Object, paths []string) []diag.Diagnostic {
	k := newKind(crd)
	j := &judgement{object: o, kind: k, version: k.version(versionOf(o)), opts: Options{Validation: Warn}}
	if j.version != nil {
		j.unknown(paths)
	}
	return diag.Sort(j.found)
}

// unknown reports fields that are not in the schema, at their keys.
func (j *judgement) unknown(paths []string) {
	if j.opts.Validation == Ignore {
		return
	}
	for _, path := range paths {
		at := j.object.Root.Locate(path)
		d := diag.Errorf(diag.Span{}, undeclared, strictly+"unknown field %q", path)
		if j.opts.Validation != Strict {
			d = diag.Warningf(diag.Span{}, undeclared, "unknown field %q", path).Note("the API server drops it")
		}
		if len(at.Way) == 0 {
			j.report(at, path, d)
			continue
		}
		d.Span = at.Key
		name := at.Way[len(at.Way)-1].Name
		parent := at.Way[:len(at.Way)-1]
		known := j.fieldsAt(parent)
		near := nearField(name, known)
		around := schemaAt(j.version.Schema, parent)
		switch other := j.elsewhere(parent, name); {
		case around != nil && around.Type.V != "" && around.Type.V != "object":
			d = d.Note("%s is of type %s, which has no fields", written(parent), around.Type.V)
		case other != "":
			d.HelpText = other
		case near != "" && !slices.Contains(j.namesAt(parent), near):
			d.HelpText = diag.Meant(near)
		default:
			d = d.Note("%s", fieldsThere(written(parent), known))
		}
		j.report(at, path, d)
	}
}

// maxListed is how many fields a note lists.
const maxListed = 12

// fieldsThere lists the fields that an object could have.
func fieldsThere(where string, fields []string) string {
	switch n := len(fields); {
	case n == 0:
		return "the schema of " + where + " has no fields"
	case n == 1:
		return "the only field of " + where + " is " + fields[0]
	case n > maxListed:
		return fmt.Sprintf("%s has %d fields: %s, …", where, n, strings.Join(fields[:maxListed], ", "))
	}
	return "the fields of " + where + " are " + strings.Join(fields, ", ")
}

func inAnother(name string, way []schema.PathStep) string {
	return fmt.Sprintf("move %s to %s", name, written(way))
}

// nearField is the field that was probably meant: one with a similar name, or the only one that begins or ends with the
// name.
func nearField(name string, known []string) string {
	if near := diag.Near(name, known); near != "" || len(name) < 3 {
		return near
	}
	only := ""
	for _, k := range known {
		if a, b := strings.ToLower(k), strings.ToLower(name); strings.HasPrefix(a, b) || strings.HasSuffix(a, b) {
			if only != "" {
				return ""
			}
			only = k
		}
	}
	return only
}

// fieldsAt are the names of the fields that an object at the end of a way can have.
func (j *judgement) fieldsAt(way []schema.PathStep) (out []string) {
	if n := len(way); n > 0 && way[n-1].Name == "metadata" {
		if s := schemaAt(j.version.Schema, way[:n-1]); n == 1 || s != nil && isSet(s.EmbeddedResource) {
			return metadataFields()
		}
	}
	s := schemaAt(j.version.Schema, way)
	if s == nil {
		return nil
	}
	for _, p := range s.Properties {
		out = append(out, p.Name)
	}
	if len(way) == 0 || isSet(s.EmbeddedResource) {
		for _, name := range []string{"apiVersion", "kind", "metadata"} {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

func isSet(f *schema.Flag) bool { return f != nil && f.V }

// namesAt are the names of the fields that the object has at the end of a way.
func (j *judgement) namesAt(way []schema.PathStep) (out []string) {
	n := j.object.Root
	for _, step := range way {
		switch {
		case n == nil:
			return nil
		case !step.IsItem():
			n = n.Find(step.Name)
		case step.Index < len(n.Items):
			n = &n.Items[step.Index]
		default:
			return nil
		}
	}
	if n != nil {
		for i := range n.Members {
			out = append(out, n.Members[i].Key)
		}
	}
	return out
}

// elsewhere is a help that says where the schema has a field of that name: in a parent, in a child of the object, or in
// another version of the kind. It is "" if there is none nearby.
func (j *judgement) elsewhere(parent []schema.PathStep, name string) string {
	around := schemas(j.version.Schema, parent)
	for i := min(len(parent), len(around)) - 1; i >= 0; i-- {
		if around[i].Property(name) != nil {
			return inAnother(name, parent[:i])
		}
	}
	if s := schemaAt(j.version.Schema, parent); s != nil {
		if way := inside(s, name); way != nil {
			return inAnother(name, slices.Concat(parent, way))
		}
	}
	for i := range j.kind.crd.IR.Versions {
		v := &j.kind.crd.IR.Versions[i]
		if s := schemaAt(v.Schema, parent); v.Served && v != j.version && s != nil && s.Property(name) != nil {
			other := j.kind.group + "/" + v.Name.V
			if v.Deprecated {
				return fmt.Sprintf("remove it: only %s has the field, and that version is deprecated", other)
			}
			return fmt.Sprintf("remove it, or write apiVersion: %s", other)
		}
	}
	return ""
}

// depth is how far below an object a field is looked for.
const depth = 2

// inside is the way to the nearest object below a schema that has a field, nil if there is none. It does not enter
// lists, since it cannot know which item is meant.
func inside(s *schema.Schema, name string) []schema.PathStep {
	type place struct {
		way    []schema.PathStep
		schema *schema.Schema
	}
	level := []place{{nil, s}}
	for range depth {
		var next []place
		for _, p := range level {
			for _, child := range p.schema.Properties {
				way := append(slices.Clone(p.way), schema.PathStep{Name: child.Name, Index: schema.NoItem})
				if child.Schema.Property(name) != nil {
					return way
				}
				next = append(next, place{way, child.Schema})
			}
		}
		level = next
	}
	return nil
}
