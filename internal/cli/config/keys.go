package config

import (
	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/cli/baseline"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// A key is a row of the table of keys of a mapping.
type key struct {
	name, doc string
	// required says what the mapping lacks without the key, "" if it may be absent.
	required string
	// value describes the value for editors.
	value shape
	// read reads the value.
	read func(p *parser, m *schema.Member)
}

// A shape is the form of a value, as the JSON Schema states it.
type shape struct {
	// option is the option whose values the key has.
	option *arguments.Argument
	// items are the keys of the mappings in a list, members those of a mapping, and named those of the mappings in
	// lists, each of which has a name. Without any of these, the value is a string.
	items, members, named []key
}

// The keys of entries.
const (
	keyKube      = "kube"
	keyCostShare = "costShare"
	keyBuildTags = "buildTags"
	keyCRDs      = "crds"
	keyFail      = "fail"
	keyIgnore    = "ignore"
	keyOverrides = "overrides"
	keyBaseline  = "baseline"
	keyNewFrom   = "newFrom"
	keyCheck     = "check"
	keyReason    = "reason"
	keyPaths     = "paths"
	keyProfiles  = "profiles"
)

// keys returns the keys of a settings file, in the order of the documentation.
func keys() []key {
	out := []key{
		optionKey(keyKube,
			"Kubernetes versions to validate for, "+kube.Supported()+", such as 1.31 or 1.30..1.37.", "kube"),
		optionKey(keyCostShare, "Warns if a rule costs more than this percentage of its budget.", "cost-share"),
		{name: keyBuildTags, doc: "Build tags for loading Go packages.", value: shape{option: list()},
			read: func(p *parser, m *schema.Member) {
				if v, ok := p.fit(m, *list()); ok {
					p.show(m.Key, v)
					p.settings.Flags = append(p.settings.Flags, Flag{FlagBuildTags, arguments.Plain(v), v.At})
				}
			}},
		{name: keyCRDs, doc: "Files, directories and patterns such as charts/*/crds of the CRDs, for commands that " +
			"search for CRDs.", value: shape{option: list()}, read: func(p *parser, m *schema.Member) { p.crds(m) }},
		{name: keyFail, doc: "Checks or groups whose warnings become errors, or all.", value: shape{option: list()},
			read: func(p *parser, m *schema.Member) {
				if raised, v, ok := p.raised(m); ok {
					p.settings.Policy.Raised = raised
					p.show(m.Key, v)
				}
			}},
		{name: keyIgnore, doc: "Checks or groups to ignore, each with a reason.", value: shape{items: ignoreKeys()},
			read: func(p *parser, m *schema.Member) { p.ignore(m, nil) }},
		flagKey(keyBaseline, "File of known findings, which are not reported; the default is "+baseline.Name+
			" beside the settings.", FlagBaseline),
		flagKey(keyNewFrom, "Git revision whose findings are not reported, such as origin/main.", FlagNewFrom),
	}
	out = append(out, key{name: keyProfiles, doc: "Outputs of crd by the name of a profile, for " +
		"output:crd:profile=<name>.", value: shape{named: outputKeys()},
		read: func(p *parser, m *schema.Member) { p.profiles(m) }})
	for _, name := range arguments.Generators() {
		out = append(out, key{name: name, doc: "Options of the generator " + name + ".",
			value: shape{members: generatorKeys(name)},
			read:  func(p *parser, m *schema.Member) { p.generator(m) }})
	}
	out = append(out, key{name: keyDiff, doc: "Severities of changes in crdproof diff. The last entry that covers a " +
		"change counts.", value: shape{items: diffKeys()}, read: func(p *parser, m *schema.Member) { p.diff(m) }})
	return append(out, key{name: keyOverrides, doc: "Severities of findings in some files.",
		value: shape{items: overrideKeys()},
		read:  func(p *parser, m *schema.Member) { p.overrides(m) }})
}

// optionKey returns the key of an option of crd and helpers that commands have as a flag.
func optionKey(name, doc, flag string) key {
	option := optionOf(arguments.CRD, name)
	return key{name: name, doc: doc, value: shape{option: option},
		read: func(p *parser, m *schema.Member) {
			if v, ok := p.fit(m, *option); ok && p.preset(arguments.CRD, m.Key, v) {
				p.show(m.Key, v)
				p.settings.Presets = append(p.settings.Presets,
					arguments.Preset{Generator: arguments.Helpers, Name: m.Key, Value: v})
				p.settings.Flags = append(p.settings.Flags, Flag{flag, arguments.Plain(v), v.At})
			}
		}}
}

// The flags that settings without an option set.
const (
	FlagBaseline  = "baseline-file"
	FlagNewFrom   = "new-from"
	FlagBuildTags = "load-build-tags"
)

// flagKey returns the key of a flag with a string, which is not an option.
func flagKey(name, doc, flag string) key {
	return key{name: name, doc: doc, read: func(p *parser, m *schema.Member) {
		switch v, ok := p.located(m.Key, m.Value); {
		case !ok:
		case v.Kind != schema.String || v.Text == "":
			p.errorf(diag.Nearest(v.At, m.KeyAt), "%s: expected a string, got %s", m.Key, v.Kind.InYAML()).HelpText =
				"write a value, or remove the key"
		default:
			p.show(m.Key, v)
			p.settings.Flags = append(p.settings.Flags, Flag{flag, v.Text, v.At})
		}
	}}
}

// generatorKeys returns the options of a generator, without those that are settings for all commands.
func generatorKeys(generator string) (out []key) {
	for _, f := range arguments.Fields(generator) {
		if isGeneral(generator, f.Name) {
			continue
		}
		out = append(out, key{name: f.Name, doc: f.Summary, value: shape{option: &f},
			read: func(p *parser, m *schema.Member) {
				v, ok := p.fit(m, f)
				if !ok {
					return
				}
				if v, ok = p.located(m.Key, v); ok {
					p.preset(generator, m.Key, v)
				}
			}})
	}
	return out
}

// isGeneral reports whether an option is a setting for all commands.
func isGeneral(generator, option string) bool {
	if generator != arguments.CRD && generator != arguments.Helpers {
		return false
	}
	return option == keyKube || option == keyCostShare || option == keyFail || option == keyIgnore
}

// ignoreKeys returns the keys of an entry of ignore.
func ignoreKeys() []key {
	return []key{
		{name: keyCheck, doc: "The check, as it is in brackets after a finding.", required: "name the check, for " +
			"example check: cel-absent"},
		{name: keyReason, doc: "Why its findings are intended.", required: "explain why the findings are intended, " +
			"for example reason: a webhook sets the field"},
		{name: keyPaths, doc: "Files, directories or patterns such as api/v1/..., relative to the settings file.",
			value: shape{option: list()}},
	}
}

// overrideKeys returns the keys of an entry of overrides.
func overrideKeys() []key {
	return []key{
		{name: keyPaths, doc: "Files, directories or patterns such as api/v1/..., relative to the settings file.",
			required: "name files or directories, for example paths: [api/v1alpha1/...]", value: shape{option: list()}},
		{name: keyFail, doc: "Replaces fail for these files.", value: shape{option: list()}},
		{name: keyIgnore, doc: "Checks or groups to ignore in these files, in addition.",
			value: shape{items: ignoreKeys()}},
	}
}

// optionOf returns the documentation of an option.
func optionOf(generator, name string) *arguments.Argument {
	for _, f := range arguments.Fields(generator) {
		if f.Name == name {
			return &f
		}
	}
	panic("the generator " + generator + " has no option " + name)
}

// list returns a list of strings.
func list() *arguments.Argument { return optionOf(arguments.CRD, keyFail) }
