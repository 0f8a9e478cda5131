package typed

import (
	"go/types"
	"maps"
	"strings"

	"github.com/crdproof/crdproof/internal/gojson"
	"github.com/crdproof/crdproof/schema"
)

// fewFields is how many fields of an imported type, and of all types in it, are as short as code.
const fewFields = 10

// ImportedSchemas returns the schemas of the parts of a Go type whose types are structs of other modules, unless they
// are small.
func ImportedSchemas(typ types.Type, s *schema.Schema, module string) map[*schema.Schema]bool {
	out := map[*schema.Schema]bool{}
	addImported(typ, &schema.Place{Schema: s}, module, out)
	return out
}

func addImported(typ types.Type, at *schema.Place, module string, out map[*schema.Schema]bool) {
	for isPointer(typ) {
		typ = elemOf(typ)
	}
	switch shape := shapeOf(typ); shape {
	case structShape:
		pkg, _ := gojson.NameOf(typ)
		if isImported := pkg != "" && pkg != module && !strings.HasPrefix(pkg, module+"/"); isImported &&
			!isMetadata(typ) {
			if at.Above != nil && countFields(at.Schema) > fewFields {
				maps.Copy(out, AllSchemas(at.Schema))
			}
			return
		}
		for _, f := range fieldsOf(typ) {
			if child := childOf(at, f.Name); child != nil {
				addImported(f.Type(), child, module, out)
			}
		}
	case mapShape, listShape:
		elem := elemOf(typ)
		for _, child := range at.Children() {
			if child.Step == map[goShape]schema.Step{listShape: schema.InItems, mapShape: schema.InValues}[shape] {
				addImported(elem, child, module, out)
			}
		}
	}
}

// countFields returns the number of fields in a schema.
func countFields(s *schema.Schema) (n int) {
	schema.Walk(s, func(p *schema.Place) { n += len(p.Schema.Properties) })
	return n
}

// AllSchemas returns a schema and all that are in it.
func AllSchemas(s *schema.Schema) map[*schema.Schema]bool {
	out := map[*schema.Schema]bool{}
	schema.Walk(s, func(p *schema.Place) { out[p.Schema] = true })
	return out
}
