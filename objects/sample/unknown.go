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
		around := parent.Schema(j.version.Schema)
		switch other := j.elsewhere(parent, name); {
		case around != nil && around.Type.V != "" && around.Type.V != "object":
			d = d.Note("%s is of type %s, which has no fields", namePath(parent), around.Type.V)
		case other != "":
			d.HelpText = other
		case near != "" && !slices.Contains(j.namesAt(parent), near):
			d.HelpText = diag.Meant(near)
		default:
			d = d.Note("%s", fieldsThere(namePath(parent), known))
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

func inAnother(name string, way schema.Path) string {
	return fmt.Sprintf("move %s to %s", name, namePath(way))
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

// fieldsAt returns the names of the fields that an object at a path can have.
func (j *judgement) fieldsAt(way schema.Path) (out []string) {
	if n := len(way); n > 0 && way[n-1].Name == "metadata" {
		if s := way[:n-1].Schema(j.version.Schema); n == 1 || s != nil && s.EmbeddedResource.True() {
			return metadataFields()
		}
	}
	s := way.Schema(j.version.Schema)
	if s == nil {
		return nil
	}
	out = s.PropertyNames()
	if len(way) == 0 || s.EmbeddedResource.True() {
		for _, name := range []string{"apiVersion", "kind", "metadata"} {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// namesAt returns the names of the fields that the object has at a path.
func (j *judgement) namesAt(way schema.Path) (out []string) {
	if n := way.Value(j.object.Root); n != nil {
		for i := range n.Members {
			out = append(out, n.Members[i].Key)
		}
	}
	return out
}

// elsewhere is a help that says where the schema has a field of that name: in a parent, in a child of the object, or in
// another version of the kind. It is "" if there is none nearby.
func (j *judgement) elsewhere(parent schema.Path, name string) string {
	around := schemasAlong(j.version.Schema, parent)
	for i := min(len(parent), len(around)) - 1; i >= 0; i-- {
		if around[i].Property(name) != nil {
			return inAnother(name, parent[:i])
		}
	}
	if s := parent.Schema(j.version.Schema); s != nil {
		if way := inside(s, name); way != nil {
			return inAnother(name, parent.Then(way...))
		}
	}
	for i := range j.kind.crd.IR.Versions {
		v := &j.kind.crd.IR.Versions[i]
		if s := parent.Schema(v.Schema); v.Served && v != j.version && s != nil && s.Property(name) != nil {
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

// inside returns the path to the nearest object below a schema that has a field, nil if there is none. It does not
// enter lists, since it cannot know which item is meant.
func inside(s *schema.Schema, name string) schema.Path {
	type place struct {
		way    schema.Path
		schema *schema.Schema
	}
	level := []place{{nil, s}}
	for range depth {
		var next []place
		for _, p := range level {
			for _, child := range p.schema.Properties {
				way := p.way.Then(schema.Key(child.Name))
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
