package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
)

// The ids of findings about the command line itself.
const (
	ruleOption        = "option"
	ruleOptionUnknown = "option-unknown"
)

// usagePointer follows every mistake on the command line.
const usagePointer = "run `crdproof --help` for the options, `crdproof <generator> -w` for the markers\n"

func optionError(help string, notes []string, format string, args ...any) diag.Diagnostic {
	return diag.Diagnostic{Rule: ruleOption, Message: fmt.Sprintf(format, args...), Notes: notes, Help: help}
}

func unknownOption(option, name string) diag.Diagnostic {
	known := append(generatorNames(), "paths", "output")
	d := diag.Diagnostic{
		Rule:    ruleOptionUnknown,
		Message: fmt.Sprintf("unknown option %q", option),
		Notes:   []string{"there are " + strings.Join(known, ", ")},
	}
	switch near := diag.Near(name, known); {
	case option == "":
		d.Message = "an option is empty"
	case option == commandCheck:
		d.Help = "check comes first: crdproof check [flags] <file>…"
	case near != "":
		d.Help = fmt.Sprintf("did you mean %q?", near+strings.TrimPrefix(option, name))
	case strings.ContainsAny(option, `/\.`) && !strings.Contains(option, "="):
		d.Help = "packages are named with paths=" + option
	}
	return d
}

func withoutValue(option string) diag.Diagnostic {
	name, argument, _ := strings.Cut(option, ":")
	if argument == "" {
		return optionError("write "+name+" alone, or "+name+":<argument>=<value>", nil, "option %q: nothing follows the colon", option)
	}
	return optionError("write "+name+":"+argument+"=<value>, such as =true", nil, "option %q: %q of %s has no value", option, argument, name)
}

func unknownOutputOwner(option, owner string) diag.Diagnostic {
	help := ""
	if near := diag.Near(owner, append(generatorNames(), ruleNames()...)); near != "" {
		help = fmt.Sprintf("did you mean %q?", near)
	}
	return optionError(help, []string{
		"the generators are " + strings.Join(generatorNames(), ", "),
		"the rules are " + strings.Join(ruleNames(), ", "),
	}, "option %q: %q is neither a generator nor an output rule", option, owner)
}

func unknownOutputRule(option, rule string) diag.Diagnostic {
	help := ""
	if near := diag.Near(rule, ruleNames()); near != "" {
		help = fmt.Sprintf("did you mean %q?", near)
	}
	return optionError(help, []string{
		"output:dir=<directory>, output:artifacts:config=<directory>[,code=<directory>], output:stdout, output:none",
		"with a generator: output:crd:dir=<directory>",
	}, "option %q: no output rule %q", option, rule)
}

func ruleNames() []string {
	var out []string
	for _, k := range ruleKinds() {
		out = append(out, string(k))
	}
	return out
}

func ruleWithoutGenerator(name string) diag.Diagnostic {
	return optionError(fmt.Sprintf("name the generator %s as well, or drop its output rule", name), nil,
		"there is an output rule for %s, but %s is not to be run", name, name)
}

func generatorTwice(name string) diag.Diagnostic {
	return optionError(fmt.Sprintf("give all its options at once, as in %s:<option>=<value>,<option>=<value>", name), nil,
		"the generator %s is named twice", name)
}

func noGenerator(hasOptions bool) diag.Diagnostic {
	help := "crdproof crd paths=./api/... output:crd:dir=config/crd/bases"
	if hasOptions {
		help = "add one, such as crd"
	}
	return optionError(help, []string{"the generators are " + strings.Join(generatorNames(), ", ")},
		"no generator is named")
}

func noSuchPath(path, base string) diag.Diagnostic {
	help := ""
	if entries, err := os.ReadDir(filepath.Dir(base)); err == nil {
		var names []string
		for _, e := range entries {
			if e.IsDir() {
				names = append(names, e.Name())
			}
		}
		if near := diag.Near(filepath.Base(base), names); near != "" {
			parent := strings.TrimSuffix(base, filepath.Base(base))
			help = fmt.Sprintf("did you mean %q?", parent+near+strings.TrimPrefix(path, base))
		}
	}
	return optionError(help, nil, "option %q: there is no %s", "paths="+path, base)
}

func pathOfFile(path string) diag.Diagnostic {
	return optionError("write paths="+filepath.Dir(path)+", for its package", nil, "option %q: this is a file; a package is all files of a directory", "paths="+path)
}

func unreadableHeader(err error) diag.Diagnostic {
	return optionError("headerFile is relative to the working directory", nil, "headerFile cannot be read: %v", err)
}

func wrongCRDVersion(version string) diag.Diagnostic {
	help := ""
	if version == "v1beta1" {
		help = "Kubernetes serves v1 alone since 1.22; leave crdVersions out"
	}
	return optionError(help, nil, "crdVersions may only be v1, not %q", version)
}

func badNumber(option, text string) diag.Diagnostic {
	return optionError("", nil, "option %q: %q is no number that fits", option, text)
}

func notPermitted(option, value string, permitted []string) diag.Diagnostic {
	help := ""
	if near := diag.Near(value, permitted); near != "" {
		help = fmt.Sprintf("did you mean %q?", near)
	}
	return optionError(help, nil, "%s may only be %s, not %q", option, strings.Join(permitted, " or "), value)
}

func badKube(err error) diag.Diagnostic {
	return optionError("", nil, "option kube: %v", err)
}

func badToolOption(name, option string, err error) diag.Diagnostic {
	usage, arguments := toolUsage(name)
	help := ""
	if _, unknown, ok := strings.Cut(err.Error(), "unknown argument "); ok {
		unknown, _, _ = strings.Cut(strings.TrimPrefix(unknown, `"`), `"`)
		if near := diag.Near(unknown, arguments); near != "" {
			help = fmt.Sprintf("did you mean %q?", near)
		}
	}
	return optionError(help, []string{"it is " + usage}, "option %q: %v", option, err)
}

func internalError(bug any, stack []byte) diag.Diagnostic {
	return diag.Diagnostic{
		Rule: "internal", Message: fmt.Sprintf("crdproof has a bug: %v", bug),
		Notes: strings.Split(strings.TrimSpace(string(stack)), "\n"),
		Help:  "please report it together with the lines above and the Go types; no file was written",
	}
}

func notExplained(generator string) diag.Diagnostic {
	return optionError("leave it out", nil, "explain knows costs of CRDs, not of what %s writes", generator)
}

func noKindToExplain() diag.Diagnostic {
	return optionError("name the packages of the API, such as ./api/...", nil, "there is no kind to explain")
}

func noKindHere() diag.Diagnostic {
	return diag.Diagnostic{
		Rule: ruleOption, Severity: diag.Warning, Message: "the working directory holds no kind, and no paths were given",
		Help: "name the packages of the API, such as paths=./api/...",
	}
}

func badKubeFlag(err error) diag.Diagnostic {
	return optionError("", nil, "--kube: %v", err)
}

func noFiles() diag.Diagnostic {
	return optionError("crdproof check config/crd/bases", nil, "no file is named")
}

func unreadableFile(err error) diag.Diagnostic {
	return optionError("", nil, "a file cannot be read: %v", err)
}

func noSuchFile(arg, path string, err error) diag.Diagnostic {
	if strings.ContainsAny(arg, "*?[") {
		return optionError("", nil, "no file fits %s", arg)
	}
	d := optionError("", nil, "there is no file %s", arg)
	if !os.IsNotExist(err) {
		d.Message = fmt.Sprintf("%s cannot be read: %v", arg, err)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err == nil {
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
		}
		if near := diag.Near(filepath.Base(path), names); near != "" {
			d.Help = fmt.Sprintf("did you mean %q?", filepath.Join(filepath.Dir(arg), near))
		}
	}
	return d
}

func noManifests(arg, below string) diag.Diagnostic {
	help := ""
	if below != "" {
		help = "for all below it write " + below
	}
	return optionError(help, nil, "there is no *.yaml, *.yml or *.json in %s", arg)
}

func noCRDs(sources []*diag.Source) diag.Diagnostic {
	return optionError("name the files of CRDs, as in: crdproof check config/crd/bases", nil,
		"there is no CustomResourceDefinition in %s", counted(len(sources), "file"))
}

func undecodable(at diag.Span, err error) diag.Diagnostic {
	return diag.Diagnostic{Span: at, Rule: "api-server", Message: "no API server can decode the object: " + err.Error()}
}

func badPackageName(name string) diag.Diagnostic {
	return optionError("", nil, "option package: %q is no name of a Go package", name)
}

func optionOfCRD(name string) diag.Diagnostic {
	return optionError("write crd:"+name+"=…", nil, "option %s of helpers: crd makes the CRDs in this run, and the helpers are those of its CRDs", name)
}

func optionOfGo(name string) diag.Diagnostic {
	return optionError("leave it out", nil, "option %s of helpers: it is about Go types, and the helpers are those of the files of crds", name)
}
