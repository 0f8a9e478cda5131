package arguments

import (
	"go/token"
	"slices"

	"github.com/crdproof/crdproof/generator/lower"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/rules/kube"
)

// An option is a row of the table of options of crd and helpers. The command line, settings files and their JSON
// Schema, completion and docs/options.md read it.
type option struct {
	markers.Param
	scope scope
	// moreOfHelpers is appended to the documentation for helpers.
	moreOfHelpers string
	// standard is the value that counts without the option, and underCompat that under compat=controller-gen if it
	// differs; "" if no value does the same.
	standard, underCompat string
	// offers are the values that completion offers besides those of the type and Values.
	offers Offer
	// set sets the option.
	set func(*settings, *markers.Value)
}

// A scope says which generators have an option, and which CRDs it is about.
type scope uint8

const (
	// ofCRD and ofHelpers options belong to one generator, ofFiles options to both, separately.
	ofCRD scope = iota
	ofHelpers
	ofFiles
	// ofGo options say how both generators make CRDs from Go, ofValidation options how they validate CRDs. They have
	// no effect on helpers if crd generates the CRDs in the same run.
	ofGo
	ofValidation
)

// An Offer is a set of values that depends on more than the option.
type Offer uint8

// The offers of completion.
const (
	NoOffer Offer = iota
	OfferVersions
	OfferIgnorable
	OfferRaisable
	OfferFiles
	OfferDirectories
)

// options returns the table, in the order of the documentation.
func options() []option {
	return slices.Concat(ownOptions(), fileOptions(), goOptions(), variantOptions(), validationOptions())
}

// ownOptions returns the options that only one of the generators has.
func ownOptions() []option {
	return []option{
		{scope: ofCRD, set: (*settings).crdVersions, Param: markers.Param{Name: "crdVersions", Shape: list(),
			Optional: true,
			Values:   []string{"v1"}, Doc: "Versions of the CRD API; only v1 exists."}},
		{scope: ofCRD, Param: integer("maxDescLen", "Cuts descriptions to this number of characters; 0 drops them."),
			set: func(s *settings, v *markers.Value) { s.CRD.MaxDescLen = s.length(v) }},
		{scope: ofCRD, Param: boolean("deprecatedV1beta1CompatibilityPreserveUnknownFields",
			"Writes spec.preserveUnknownFields."),
			set: func(s *settings, v *markers.Value) { s.CRD.PreserveUnknownFields = new(v.Text == "true") }},
		{scope: ofCRD, standard: "false", Param: boolean("omitToolVersion",
			"Omits the annotation with the version of crdproof."),
			set: func(s *settings, v *markers.Value) {
				if v.Text == "true" {
					s.CRD.ToolVersion = ""
				}
			}},
		{scope: ofCRD, standard: "crdproof", set: (*settings).versionAnnotation,
			Param: choice("versionAnnotation", []string{"crdproof", controllerGen, "none"}, "The annotation with the "+
				"version of the tool. The value controller-gen writes that of controller-gen with the version that "+
				"crdproof is compatible with; controller-gen@v0.17.2 writes another version. The default is "+
				"crdproof.")},
		{scope: ofCRD, set: (*settings).dropDescriptions, Param: texts("dropDescriptions", "Drops descriptions that "+
			"come from these Go packages, written as patterns such as k8s.io/api/...; the descriptions of your own "+
			"fields remain.")},
		{scope: ofCRD, set: (*settings).descDepth, Param: integer("descDepth", "Drops descriptions of fields below "+
			"this level; spec is level 1, spec.template level 2.")},
		{scope: ofCRD, set: (*settings).maxSize, Param: text("maxSize", "Drops descriptions until the file, and the "+
			"annotation that kubectl apply adds, have at most this size, such as 300000 or 256Ki. It drops those of "+
			"imported types first, and those of deeper fields before others. The value apply limits only the "+
			"annotation, to what kubectl apply can send.")},

		{scope: ofHelpers, offers: OfferFiles, Param: texts("crds", "Files, directories or patterns of CRDs to write "+
			"helpers for, instead of Go types."),
			set: func(s *settings, v *markers.Value) { s.Helpers.CRDs = textsOf(v) }},
		{scope: ofHelpers,
			Param: text("package", "Name of the Go package, if the helpers are in a package of their own."),
			set: func(s *settings, v *markers.Value) {
				if s.Helpers.Package = v.Text; !token.IsIdentifier(v.Text) {
					s.fail(input.Errorf("option package: %q is not a valid name of a Go package", v.Text))
				}
			}},
		flag(ofHelpers, "jsonOnly", "Writes the helpers for JSON, but not those for Go types.",
			func(s *settings) *bool { return &s.Helpers.JSONOnly }),
		flag(ofHelpers, "importedAsData", "Validates the Go values of types of other modules, such as pod templates, "+
			"as JSON, which is shorter and slower.", func(s *settings) *bool { return &s.Helpers.ImportedAsData }),
		{scope: ofHelpers, standard: "import", Param: choice("runtime", []string{"import", "copy"}, "Whether the "+
			"helpers import the module github.com/crdproof/crdproof/crd, or have a copy of what they use of it in a "+
			"second file. The default is import."),
			set: func(s *settings, v *markers.Value) {
				s.Helpers.Copy = v.Text == "copy"
				s.checkValue("runtime", v.Text)
			}},
		{scope: ofHelpers, Param: text("variant", "The variant whose CRDs the helpers are for, if there are several: "+
			"the name of a channel, or of an entry of variants."),
			set: func(s *settings, v *markers.Value) { s.Helpers.Variant, s.Helpers.variantAt = v.Text, s.preset }},
	}
}

// variantOptions returns the options of channels and feature gates.
func variantOptions() []option {
	return []option{
		{scope: ofGo, set: func(s *settings, v *markers.Value) { s.channels = v }, Param: texts("channels", "Channels "+
			"that have CRDs of their own, such as standard;experimental. The files of each are in a directory of its "+
			"name.")},
		{scope: ofGo, set: func(s *settings, v *markers.Value) { s.gates = v }, Param: texts("gates", "Feature gates "+
			"that are on; all others are off.")},
		{scope: ofGo, set: func(s *settings, v *markers.Value) { s.variants = v }, Param: markers.Param{
			Name: "variants", Optional: true, Shape: markers.Shape{Kind: markers.Map, Elem: new(list())},
			Doc: "Sets of channels and feature gates that have CRDs of their own, such as {Default: {}, TechPreview: " +
				"{NodeSwap}}. The files of each are in a directory of its name."}},
	}
}

// fileOptions returns the options of the header of files.
func fileOptions() []option {
	return []option{
		{scope: ofFiles, offers: OfferFiles, Param: text("headerFile", "File with the text that precedes the output, "+
			"such as a license."),
			set: func(s *settings, v *markers.Value) { s.headerFile, s.headerAt = v.Text, s.preset }},
		{scope: ofFiles, Param: text("year", "Replaces YEAR in the header."),
			set: func(s *settings, v *markers.Value) { s.year = v.Text }},
	}
}

// goOptions returns the options that decide which CRDs Go types become.
func goOptions() []option {
	mistakes := switched("mistakes", []string{"error", "warn"}, "error", "The value warn only warns about mistakes "+
		"that controller-gen accepts. The default is error, and warn if no CRDs are generated.",
		func(s *settings) *bool { return &s.CRD.Tolerate })
	mistakes.underCompat = "warn"
	return []option{
		flag(ofGo, "allowDangerousTypes", "Allows float32 and float64.",
			func(s *settings) *bool { return &s.CRD.AllowDangerousTypes }),
		flag(ofGo, "ignoreUnexportedFields", "Ignores fields that Go does not export.",
			func(s *settings) *bool { return &s.CRD.IgnoreUnexportedFields }),
		flag(ofGo, "generateEmbeddedObjectMeta", "Writes the schema of embedded ObjectMeta.",
			func(s *settings) *bool { return &s.CRD.GenerateEmbeddedObjectMeta }),
		switched("compat", []string{controllerGen, "none"}, "none", "The value controller-gen writes the same CRDs as "+
			"controller-gen, and only warns about mistakes that controller-gen accepts and about CRDs that an API "+
			"server rejects, unless mistakes or unproved say otherwise. The value none, the default, writes "+
			"crdproof's own CRDs.", func(s *settings) *bool { return &s.CRD.Compat }),
		{scope: ofGo, set: (*settings).without, Param: texts("without", "Names of deviations to switch off, such as "+
			"number-ranges;known-types: in these ways the CRDs are the same as controller-gen's. The names are the "+
			"sections of docs/deviations.md.")},
		{scope: ofGo, set: (*settings).with, Param: texts("with", "Names of optional deviations to switch on: "+
			"number-formats, time-patterns, int-or-string-ranges and union-markers. They are sections of "+
			"docs/deviations.md.")},
		switched("declarative", []string{"own", "all"}, "own", "The value all enforces the tags of declarative "+
			"validation (+k8s:) in imported types too, and those that are alpha or beta. The default is own: the "+
			"stable tags in your own types.", func(s *settings) *bool { return &s.CRD.Declarative }),
		{scope: ofGo, set: (*settings).declarativePrefix, Param: text("declarativePrefix", "Another prefix of the "+
			"tags of declarative validation in your own types, such as example: for +example:required, as in "+
			"validation-gen's --tag-prefix.")},
		{scope: ofGo, offers: OfferFiles, set: (*settings).declarativeFormats, Param: texts("declarativeFormats",
			"YAML files with formats of your own for the tag +k8s:format, as in validation-gen's "+
				"--validation-extensions-file.")},
		{scope: ofGo, offers: OfferFiles, set: (*settings).overlay, Param: texts("overlay",
			"YAML files with changes of schemas, and with what the objects of CRDs carry, which are made before "+
				"anything else: see docs/overlays.md.")},
		mistakes,
	}
}

// validationOptions returns the options for validating CRDs.
func validationOptions() []option {
	unproved := flag(ofValidation, "unproved", "Writes CRDs even if an API server rejects them, and only warns about "+
		"the reasons.", func(s *settings) *bool { return &s.CRD.Unproved })
	unproved.underCompat = "true"
	return []option{
		{scope: ofValidation, offers: OfferVersions, Param: text("kube", "Kubernetes versions to validate for, "+
			kube.Supported()+", such as 1.31 or 1.30..1.37."),
			moreOfHelpers: " The helpers answer as the API server of the last one does.",
			set: func(s *settings, v *markers.Value) {
				versions, err := kube.ParseRange(v.Text)
				if s.CRD.Validation.Kube = versions; err != nil {
					s.fail(input.Errorf("option kube: %v", err))
				}
			}},
		unproved,
		{scope: ofValidation, offers: OfferIgnorable, Param: texts("ignore", "Ids of checks or groups to ignore, or "+
			"their beginnings, such as json-*; what an API server rejects is always reported."),
			set: func(s *settings, v *markers.Value) { s.CRD.Policy.Ignored = textsOf(v) }},
		{scope: ofValidation, offers: OfferRaisable, Param: texts("fail", "Ids of checks or groups whose warnings "+
			"become errors, or their beginnings, such as json-*; all makes errors of all warnings."),
			set: func(s *settings, v *markers.Value) { s.CRD.Policy.Raised = textsOf(v) }},
		{scope: ofValidation, set: (*settings).costShare, Param: integer("costShare", "Warns if a rule costs more "+
			"than this percentage of its budget; the default is 50.")},
	}
}

func list() markers.Shape {
	return markers.Shape{Kind: markers.List, Elem: &markers.Shape{Kind: markers.String}}
}

func param(kind markers.Kind, name, doc string) markers.Param {
	return markers.Param{Name: name, Shape: markers.Shape{Kind: kind}, Optional: true, Doc: doc}
}

func boolean(name, doc string) markers.Param { return param(markers.Bool, name, doc) }
func integer(name, doc string) markers.Param { return param(markers.Int, name, doc) }
func text(name, doc string) markers.Param    { return param(markers.String, name, doc) }
func texts(name, doc string) markers.Param {
	return markers.Param{Name: name, Shape: list(), Optional: true, Doc: doc}
}

// choice declares an option with the only values that it may have.
func choice(name string, values []string, doc string) markers.Param {
	p := text(name, doc)
	p.Values = values
	return p
}

// flag declares an option that sets a bool.
func flag(in scope, name, doc string, target func(*settings) *bool) option {
	return option{scope: in, standard: "false", Param: boolean(name, doc),
		set: func(s *settings, v *markers.Value) { *target(s) = v.Text == "true" }}
}

// switched declares an option with two values that sets a bool: to false for the standard value.
func switched(name string, values []string, standard, doc string, target func(*settings) *bool) option {
	return option{scope: ofGo, standard: standard, Param: choice(name, values, doc),
		set: func(s *settings, v *markers.Value) {
			*target(s) = v.Text != standard && slices.Contains(values, v.Text)
			s.checkValue(name, v.Text)
		}}
}

// optionNamed returns the row of an option of crd or helpers, nil for any other name.
func optionNamed(name string) *option {
	table := options()
	if i := slices.IndexFunc(table, func(o option) bool { return o.Name == name }); i >= 0 {
		return &table[i]
	}
	return nil
}

// Values returns the values that an option may have, or nil if it accepts others too.
func Values(name string) []string {
	if o := optionNamed(name); o != nil {
		return o.Values
	}
	return nil
}

// Offers returns the values that completion offers for an option, each with its meaning after a tab if it has one, and
// what it offers besides.
func Offers(name string, isBool bool) ([]string, Offer) {
	switch o := optionNamed(name); {
	case name == "without" || name == "with":
		return deviations(name == "with"), NoOffer
	case name == "maxSize":
		return []string{"apply"}, NoOffer
	case name == "config" || name == "code" || name == "manifests": // of output rules and schemapatch
		return nil, OfferDirectories
	case o != nil && o.offers != NoOffer:
		return nil, o.offers
	case isBool:
		return []string{"true", "false"}, NoOffer
	default:
		return Values(name), NoOffer
	}
}

// deviations returns the values of the option with or without, each with what it means after a tab.
func deviations(optional bool) (out []string) {
	for _, d := range lower.Deviations() {
		if lower.IsOptional(d.Name) == optional {
			out = append(out, d.Name+"\t"+d.Doc)
		}
	}
	return out
}

// Table returns the table of the command line: generators, paths and output rules. They follow the grammar of
// markers, without the '+' (controller-tools, cmd/controller-gen/main.go), on target Package.
func Table() *markers.Table {
	crd := markers.Definition{Name: CRD, Doc: "Generates CustomResourceDefinitions.",
		Example: "crd:maxDescLen=0,generateEmbeddedObjectMeta=true"}
	helpers := markers.Definition{Name: Helpers, Example: "helpers:headerFile=hack/boilerplate.go.txt",
		Doc: "Generates Go functions that prune, default and validate objects as an API server does."}
	for _, o := range options() {
		if o.scope != ofHelpers {
			crd.Params = append(crd.Params, o.Param)
		}
		if o.Doc += o.moreOfHelpers; o.scope != ofCRD {
			helpers.Params = append(helpers.Params, o.Param)
		}
	}
	defs := []markers.Definition{crd, helpers, {Name: "paths", Params: []markers.Param{{Shape: list()}},
		Example: "paths=./api/...;./pkg/...", Doc: "Names the packages or directories to read."}}
	defs = append(defs, outputRules("output:")...)
	for _, prefix := range []string{"output:", "output:" + CRD + ":"} {
		defs = append(defs, markers.Definition{Name: prefix + ToProfile,
			Params: []markers.Param{{Shape: markers.Shape{Kind: markers.String}}}, Example: prefix + "profile=release",
			Doc: "Writes CRDs in all forms of a profile of the settings file."})
	}
	for _, name := range Generators() {
		defs = append(defs, outputRules("output:"+name+":")...)
	}
	for i := range defs {
		defs[i].Targets, defs[i].Category = markers.Package, markers.OptionCategory
	}
	return markers.NewTable(defs)
}

func outputRules(prefix string) []markers.Definition {
	return []markers.Definition{
		{Name: prefix + ToDir, Params: []markers.Param{{Shape: markers.Shape{Kind: markers.String}}},
			Example: prefix + "dir=config/crd", Doc: "Writes all files into a directory."},
		{Name: prefix + ToStdout, Doc: "Writes to standard output."},
		{Name: prefix + ToNone, Doc: "Writes nothing."},
		{Name: prefix + ToArtifacts,
			Params: []markers.Param{
				{Name: "config", Shape: markers.Shape{Kind: markers.String}, Doc: "Directory for configuration."},
				text("code", "Directory for Go code; by default that of its package."),
			},
			Example: prefix + "artifacts:config=config/crd",
			Doc:     "Writes configuration and Go code into separate directories."},
	}
}
