package expr

import (
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	kubecel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// isResource reports whether a place is the root of a resource, whose apiVersion, kind and name CEL can access even if
// the schema does not have them (cel/model, WithTypeAndObjectMeta).
func isResource(p *schema.Place) bool {
	return p.Above == nil || p.Schema.EmbeddedResource.True()
}

// resourceOf returns the resource that a place has its type from: one of apiVersion, kind and metadata has not the type
// that its own schema says but that of every resource, if there are rules on the resource or above it. The API server
// comes upon it by way of their types then (apis/apiextensions/validation, CELSchemaContext.TypeInfo).
func resourceOf(p *schema.Place) *schema.Place {
	for ; p.Above != nil; p = p.Above {
		isMeta := schema.IsMetaField(p.Name)
		if p.Step == schema.InProperty && isMeta && isResource(p.Above) {
			for q := p.Above; q != nil; q = q.Above {
				if len(q.Schema.Rules) > 0 {
					return p.Above
				}
			}
		}
	}
	return nil
}

// declOf returns the type of self at a place, whose schema and whose root's are given; nil if CEL cannot access
// it.
func declOf(root, self *structural.Structural, p *schema.Place) *kubecel.DeclType {
	if resource := resourceOf(p); resource != nil {
		if d := declBelow(model.SchemaDeclType(kube.Below(root, resource), true), p, resource); d != nil {
			return d
		}
	}
	return model.SchemaDeclType(self, isResource(p))
}

// declBelow returns the type of a place below another one, whose type is given.
func declBelow(d *kubecel.DeclType, p, above *schema.Place) *kubecel.DeclType {
	if p == above || d == nil {
		return d
	}
	d = declBelow(d, p.Above, above)
	switch {
	case d == nil:
	case p.Step == schema.InItems, p.Step == schema.InValues:
		return d.ElemType
	default:
		if name, ok := kubecel.Escape(p.Name); ok && d.Fields[name] != nil {
			return d.Fields[name].Type
		}
	}
	return nil
}

// A reach is the type of a place as the API server finds it on its way down an object, and whether it comes there.
type reach struct {
	decl *kubecel.DeclType
	ok   bool
}

// reached returns the reach of a place: the server goes no further where there is a field without a type, and starts
// anew at one whose name CEL cannot write (schema/cel/validation.go, validator).
func (c *compiler) reached(p *schema.Place) reach {
	if known, ok := c.reaches[p]; ok {
		return known
	}
	var out reach
	switch {
	case p.Above == nil:
		out = reach{model.SchemaDeclType(c.structure, true), true}
	case p.Step != schema.InProperty:
		above := c.reached(p.Above)
		out = reach{declBelow(above.decl, p, p.Above), above.ok}
	default:
		if above := c.reached(p.Above); above.ok {
			if _, hasName := kubecel.Escape(p.Name); hasName {
				out.decl = declBelow(above.decl, p, p.Above)
			} else {
				out.decl = model.SchemaDeclType(kube.Below(c.structure, p), isResource(p))
			}
			out.ok = out.decl != nil
		}
	}
	c.reaches[p] = out
	return out
}

// IsName reports whether a path of an expression, without its variable, leads to metadata.name or metadata.generateName
// of a resource, whose type is not what the schema says (cel/model, WithTypeAndObjectMeta).
func (r *Rule) IsName(path []string) bool {
	p, node, name := r.Place, r.Self, r.Place.Name
	if len(path) > 0 {
		name = path[len(path)-1]
	}
	if name != "name" && name != "generateName" {
		return false
	}
	if resource := resourceOf(p); resource != nil {
		switch {
		case p.Above == resource:
			return p.Name == "metadata" && len(path) == 1
		case p.Above.Above == resource:
			return p.Above.Name == "metadata" && len(path) == 0
		}
		return false
	}
	isResource := isResource(p)
	for i, step := range path {
		if isResource && step == "metadata" {
			return i+2 == len(path)
		}
		if node = structureBelow(node, step); node == nil {
			return false
		}
		isResource = node.XEmbeddedResource
	}
	return false
}

// IsEnum reports whether a path of an expression, without its variable, leads to a string with an enum and without a
// maximum length.
func (r *Rule) IsEnum(path []string) bool {
	node := r.Self
	for _, step := range path {
		if node = structureBelow(node, step); node == nil {
			return false
		}
	}
	v := node.ValueValidation
	return node.Type == "string" && v != nil && len(v.Enum) > 0 && v.MaxLength == nil
}

// structureBelow returns the schema one step of a path below another, or nil.
func structureBelow(s *structural.Structural, step string) *structural.Structural {
	switch {
	case step == "@items":
		return s.Items
	case step == "@values" && s.AdditionalProperties != nil:
		return s.AdditionalProperties.Structural
	}
	name, ok := kubecel.Unescape(step)
	if property, found := s.Properties[name]; ok && found {
		return &property
	}
	return nil
}
