package arguments

import (
	"cmp"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/genall"
	"sigs.k8s.io/controller-tools/pkg/genall/help"
	toolmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/crdproof/crdproof/internal/cli/tools"
	"github.com/crdproof/crdproof/markers"
)

// The documentation of markers and options has the types of controller-tools, so that tools that read the JSON of
// controller-gen can read that of crdproof.

// MarkerDocs documents the markers of the plan's generators, or of all generators if it names none.
func MarkerDocs(p Plan) []help.CategoryDoc {
	names := p.named()
	var docs []help.MarkerDoc
	if slices.Contains(names, CRD) || slices.Contains(names, Helpers) {
		for _, def := range markers.Known().Definitions() {
			if def.Forbidden == "" {
				docs = append(docs, docsOf(def)...)
			}
		}
	}
	registry := new(toolmarkers.Registry)
	for _, name := range names {
		if tool := tools.New(name); tool != nil {
			// The only possible error is an invalid target, which generators do not have.
			_ = tool.RegisterMarkers(registry)
		}
	}
	for _, category := range help.ByCategory(registry, help.SortByCategory) {
		docs = append(docs, category.Markers...)
	}
	return categories(docs)
}

// named returns the names of the plan's generators, or of all if it names none.
func (p *Plan) named() (out []string) {
	if len(p.Generators) == 0 {
		return Generators()
	}
	for _, g := range p.Generators {
		out = append(out, g.Name)
	}
	return out
}

// docsOf converts a row of crdproof's own table to one entry for each target.
func docsOf(def markers.Definition) []help.MarkerDoc {
	doc := help.MarkerDoc{
		Name:         def.Name,
		Category:     def.Category,
		DetailedHelp: help.DetailedHelp{Summary: def.Doc},
	}
	if def.Example != "" {
		doc.Details = "Example: " + strings.ReplaceAll(def.Example, "\n", "\n         ")
	}
	if def.Deprecated != "" {
		instead := strings.TrimPrefix(def.Deprecated, "-")
		doc.DeprecatedInFavorOf = &instead
	}
	for _, param := range def.Params {
		argument := argumentOf(param.Shape)
		argument.Optional = param.Optional
		doc.Fields = append(doc.Fields, help.FieldHelp{
			Name:         param.Name,
			Argument:     argument,
			DetailedHelp: help.DetailedHelp{Summary: param.Doc},
		})
	}
	var docs []help.MarkerDoc
	for _, target := range []struct {
		bit  markers.Target
		name string
	}{{markers.Field, "field"}, {markers.Package, "package"}, {markers.Type, "type"}} {
		if def.Targets&target.bit != 0 {
			doc.Target = target.name
			docs = append(docs, doc)
		}
	}
	return docs
}

func argumentOf(shape markers.Shape) help.Argument {
	names := map[markers.Kind]string{
		markers.Bool: "bool", markers.Int: "int", markers.Number: "number", markers.String: "string",
		markers.List: "slice", markers.Map: "map", markers.Any: "any", markers.Null: "any",
	}
	argument := help.Argument{Type: names[shape.Kind]}
	if shape.Kind == markers.List {
		item := help.Argument{Type: "any"}
		if shape.Elem != nil {
			item = argumentOf(*shape.Elem)
		}
		argument.ItemType = &item
	}
	return argument
}

// categories sorts and groups the entries. If controller-tools and crdproof both have a marker, the first entry is
// used, which must be crdproof's.
func categories(docs []help.MarkerDoc) []help.CategoryDoc {
	var kept []help.MarkerDoc
	seen := map[string]bool{}
	for _, d := range docs {
		if key := d.Target + " " + d.Name; !seen[key] {
			seen[key] = true
			kept = append(kept, d)
		}
	}
	slices.SortStableFunc(kept, func(a, b help.MarkerDoc) int {
		return cmp.Or(cmp.Compare(a.Category, b.Category), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Target, b.Target))
	})
	out := []help.CategoryDoc{}
	for _, d := range kept {
		if n := len(out) - 1; n < 0 || out[n].Category != d.Category {
			out = append(out, help.CategoryDoc{Category: d.Category})
		}
		last := &out[len(out)-1]
		last.Markers = append(last.Markers, d)
	}
	return out
}

// Option documents a generator, an output rule or another option of the command line, and Argument one of its
// arguments.
type (
	Option   = help.MarkerDoc
	Argument = help.FieldHelp
)

// OptionDocs documents the options of the command line in the groups of controller-gen. If the plan names generators,
// it only documents theirs.
func OptionDocs(p Plan) []help.CategoryDoc {
	own := map[string]help.MarkerDoc{}
	for _, def := range Table().Definitions() {
		doc := docsOf(def)[0]
		doc.Category = ""
		own[def.Name] = doc
	}
	var generators, rules []help.MarkerDoc
	for _, name := range Generators() {
		doc, ok := own[name]
		if !ok {
			doc = toolDoc(name)
		}
		if slices.Contains(p.named(), name) {
			generators = append(generators, doc)
		}
	}
	if len(p.Generators) > 0 {
		return []help.CategoryDoc{{Category: "generators", Markers: generators}}
	}
	for _, name := range forms() {
		rules = append(rules, own["output:"+name])
	}
	return []help.CategoryDoc{
		{Category: "generators", Markers: generators},
		{Category: "generic", Markers: []help.MarkerDoc{own["paths"]}},
		{Category: "output rules (optionally as output:<generator>:...)", Markers: rules},
	}
}

// toolDoc documents a generator of controller-tools. The summaries there are the first lines of comments, which may end
// in the middle of a sentence.
func toolDoc(name string) help.MarkerDoc {
	var texts *toolmarkers.DefinitionHelp
	if helper, ok := tools.New(name).(genall.HasHelp); ok {
		texts = helper.Help()
	}
	doc := help.ForDefinition(tools.Definition(name), texts)
	doc.DetailedHelp = wholeParagraph(doc.DetailedHelp)
	for i := range doc.Fields {
		doc.Fields[i].DetailedHelp = wholeParagraph(doc.Fields[i].DetailedHelp)
	}
	return doc
}

// wholeParagraph adds the rest of its paragraph to a summary, from the details.
func wholeParagraph(h help.DetailedHelp) help.DetailedHelp {
	if h.Details == "" || strings.HasSuffix(h.Summary, ".") {
		return h
	}
	first, rest, _ := strings.Cut(h.Details, "\n\n")
	h.Summary += " " + strings.ReplaceAll(first, "\n", " ")
	h.Details = rest
	return h
}
