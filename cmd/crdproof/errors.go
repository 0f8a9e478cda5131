package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/input"
	"github.com/crdproof/crdproof/generator/stage"
	"github.com/crdproof/crdproof/markers"
)

// The ids of findings about the command line itself.
const (
	ruleOption        = "option"
	ruleOptionUnknown = "option-unknown"
	// ruleLoad is for packages that cannot be read at all.
	ruleLoad = "load"
	// ruleFile is for files that cannot be read or written.
	ruleFile = "file"
)

// usagePointer follows every mistake on the command line.
const usagePointer = "run `crdproof --help` for the options, `crdproof <generator> -w` for the markers\n"

func optionError(help string, notes []string, format string, args ...any) diag.Diagnostic {
	return diag.Diagnostic{Check: ruleOption, Message: fmt.Sprintf(format, args...), Notes: notes, HelpText: help}
}

// commandPointer is the same for a command, which is named as it is called.
func commandPointer(command string) string {
	return fmt.Sprintf("run `%s --help` for its arguments, flags and examples\n", command)
}

func unknownFlag(err *pflag.NotExistError, known []string) diag.Diagnostic {
	if letters := err.GetSpecifiedShortnames(); letters != "" {
		if near := diag.Near(letters, known); near != "" {
			return optionError(diag.Meant("--"+near), nil, "unknown flag -%s", letters)
		}
		return optionError("", nil, "unknown flag %q in -%s", "-"+err.GetSpecifiedName(), letters)
	}
	help := ""
	if near := diag.Near(err.GetSpecifiedName(), known); near != "" {
		help = diag.Meant("--" + near)
	}
	return optionError(help, nil, "unknown flag --%s", err.GetSpecifiedName())
}

// optionForFlag says how an option of a generator is written, which was written as a flag; "" where there is none.
func optionForFlag(name string) string {
	for _, def := range markers.Options().Definitions() {
		for _, param := range def.Params {
			if param.Name == name && (def.Name == "crd" || def.Name == "helpers") {
				return "write " + def.Name + ":" + name + "=<value>"
			}
		}
	}
	return ""
}

// wordForFlag is about a word that is written as an option of generators. There may be a flag of that name.
func wordForFlag(word string, flag *pflag.Flag) diag.Diagnostic {
	help := "Go packages are read by: crdproof crd " + word + ", and crdproof explain " + word
	if flag != nil {
		help = diag.Meant("--" + word)
	}
	return optionError(help, nil, "there is no file %s", word)
}

func badFlagValue(err *pflag.InvalidValueError) diag.Diagnostic {
	flag, wanted := err.GetFlag(), err.Unwrap().Error()
	switch flag.Value.Type() {
	case "bool":
		wanted = "it is true or false"
	case "int", "count":
		wanted = "it is a whole number"
	}
	return optionError("", nil, "--%s: %q does not fit: %s", flag.Name, err.GetValue(), wanted)
}

func unknownFormat(format string) diag.Diagnostic {
	help := diag.DidYouMean(format, formats())
	return optionError(help, nil, "unknown format %q; there are %s", format, strings.Join(formats(), ", "))
}

func stdinTwice() diag.Diagnostic {
	return optionError("write one of them to a file", nil, "standard input can be read once, and - stands in two places")
}

func badShare(percent int) diag.Diagnostic {
	return optionError("", nil, "--cost-share: %d is no percentage from 1 to 100", percent)
}

func unknownOption(option, name string) diag.Diagnostic {
	known := append(generatorNames(), "paths", "output")
	d := diag.Diagnostic{
		Check:   ruleOptionUnknown,
		Message: fmt.Sprintf("unknown option %q", option),
		Notes:   []string{"there are " + strings.Join(known, ", ")},
	}
	switch near := diag.Near(name, known); {
	case option == "":
		d.Message = "an option is empty"
	case newFlags(new(settings)).Lookup(name) != nil:
		d.HelpText = diag.Meant("--" + option)
	case findCommand([]string{option}) != nil:
		c := findCommand([]string{option})
		d.HelpText = fmt.Sprintf("%s comes first: crdproof %s %s", c.name, c.name, c.arguments)
	case near == "" && diag.Near(option, commandNames()) != "":
		d.HelpText = diag.DidYouMean(option, commandNames())
	case near != "":
		d.HelpText = diag.Meant(near + strings.TrimPrefix(option, name))
	case strings.ContainsAny(option, `/\.`) && !strings.Contains(option, "="):
		d.HelpText = "packages are named with paths=" + option
	}
	return d
}

func commandNames() []string {
	var out []string
	for _, c := range commands() {
		out = append(out, c.name)
	}
	return out
}

func withoutValue(option string) diag.Diagnostic {
	name, argument, _ := strings.Cut(option, ":")
	if argument == "" {
		return optionError("write "+name+" alone, or "+name+":<argument>=<value>", nil, "option %q: nothing follows the colon", option)
	}
	return optionError("write "+name+":"+argument+"=<value>, such as =true", nil, "option %q: %q of %s has no value", option, argument, name)
}

func unknownOutputOwner(option, owner string) diag.Diagnostic {
	help := diag.DidYouMean(owner, append(generatorNames(), ruleNames()...))
	return optionError(help, []string{
		"the generators are " + strings.Join(generatorNames(), ", "),
		"the rules are " + strings.Join(ruleNames(), ", "),
	}, "option %q: %q is neither a generator nor an output rule", option, owner)
}

func unknownOutputRule(option, rule string) diag.Diagnostic {
	help := diag.DidYouMean(rule, ruleNames())
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

func noSuchPath(option, path, base string) diag.Diagnostic {
	help := ""
	if near := input.Near(base, fs.DirEntry.IsDir); near != "" {
		help = diag.Meant(strings.TrimSuffix(base, filepath.Base(base)) + near + strings.TrimPrefix(path, base))
	}
	return optionError(help, nil, "option %q: there is no %s", option+"="+path, base)
}

func pathOfFile(option, path string) diag.Diagnostic {
	dir := filepath.ToSlash(filepath.Dir(path))
	if filepath.IsLocal(dir) && dir != "." {
		dir = "./" + dir
	}
	return optionError("write "+option+"="+dir+", for its package", nil,
		"option %q: this is a file; a package is all files of a directory", option+"="+path)
}

func unreadableHeader(err error) diag.Diagnostic {
	return optionError("headerFile is relative to the working directory", nil, "headerFile: %s", input.Trouble(err))
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

func badSize(text string) diag.Diagnostic {
	return optionError("write bytes, as 262144 or 256Ki, or apply for what kubectl apply can keep", nil, "option maxSize: %q is no number of bytes", text)
}

func pathAsPattern(pattern string) diag.Diagnostic {
	return optionError("write import paths, as in k8s.io/api/...", nil, "option dropDescriptions: %q is a place in the file system", pattern)
}

func notPermitted(option, value string, permitted []string) diag.Diagnostic {
	help := diag.DidYouMean(value, permitted)
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
		help = diag.DidYouMean(unknown, arguments)
	}
	return optionError(help, []string{"it is " + usage}, "option %q: %v", option, err)
}

// notWritable says which file cannot be written and why, without the temporary name that the system complains about.
func notWritable(path string, err error) error {
	return fmt.Errorf("%s cannot be written: %w", input.Shown(path), cause(err))
}

// cause is the error of a system call without the path that it names, which may be that of a temporary file or of a link's end.
func cause(err error) error {
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &at):
		return at.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// fileFailed is for files that cannot be read.
func fileFailed(err error) diag.Diagnostic {
	return diag.Diagnostic{Check: ruleFile, Message: input.Trouble(err)}
}

// writeFailed says what has become of the files as well.
func writeFailed(err error) diag.Diagnostic {
	d := fileFailed(err)
	var failed *writeError
	if !errors.As(err, &failed) {
		return d
	}
	for _, did := range []struct {
		what  string
		paths []string
	}{{"written", failed.changed}, {"removed", failed.removed}, {"as before", failed.unchanged}} {
		var paths []string
		for _, path := range did.paths {
			paths = append(paths, input.Shown(path))
		}
		if len(paths) > 0 {
			d.Notes = append(d.Notes, did.what+": "+strings.Join(paths, ", "))
		}
	}
	if len(failed.changed)+len(failed.removed) == 0 {
		d.Notes = []string{"no file was changed"}
	}
	return d
}

// removed says which stale file is gone, and why.
func removed(f *staleFile) string { return fmt.Sprintf("removed %s: %s", input.Shown(f.path), f.why) }

// internalError tells of a panic, which is what recover has returned.
func internalError(bug any) diag.Diagnostic {
	return stage.Caught(bug).Finding(diag.Span{}, "the files that crdproof was run on")
}

func notExplained(generator string) diag.Diagnostic {
	return optionError("leave it out", nil, "explain knows costs of CRDs, not of what %s writes", generator)
}

func noKindToExplain() diag.Diagnostic {
	return optionError("name the packages of the API, such as ./api/...", nil, "there is no kind to explain")
}

func noKindHere() diag.Diagnostic {
	return diag.Diagnostic{
		Check: ruleOption, Severity: diag.Warning, Message: "the working directory holds no kind, and no paths were given",
		HelpText: "name the packages of the API, such as paths=./api/...",
	}
}

func badKubeFlag(err error) diag.Diagnostic {
	return optionError("", nil, "--kube: %v", err)
}

// noCRDs says that the files that arguments name hold none.
func noCRDs(args []string, sources []*diag.Source) diag.Diagnostic {
	where := counted(len(sources), "file")
	if len(sources) == 1 {
		where = input.Shown(sources[0].Path)
	}
	help := cmp.Or(input.AllBelow(args), "name the files of CRDs, as in: crdproof check config/crd/bases")
	return optionError(help, nil,
		"there is no CustomResourceDefinition in %s", where)
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

// stageDoc says what rules are about that are no checks.
func stageDoc(rule string) diag.RuleDoc {
	text := map[string]string{
		"go-list":          "The go command finds all packages that are named or imported.",
		"go-read":          "The Go files of the packages can be read.",
		ruleSyntax:         "Go files are well-formed.",
		"go-redeclared":    "A package declares each of its types once.",
		"controller-tools": "The generators of controller-tools accept the packages.",
		ruleDiffers:        "A generated file is as the generators would write it.",
		ruleMissing:        "All files that the generators would write are there.",
		ruleStale:          "There is no generated file whose kind is gone.",
		"internal":         "crdproof has no bugs.",
		"api-server":       "An API server can decode the object, and finds no fault with it.",
	}[rule]
	if text == "" {
		text = "Something is wrong that crdproof calls " + rule + "."
	}
	return diag.RuleDoc{Short: strings.TrimSuffix(text, "."), Long: text, Markdown: text, URI: reference + "checks.md"}
}
