package object

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// A Writer collects the declarations of one file.
type Writer struct {
	// exported are the helpers, functions are the functions and variables that they use, in the order of completion.
	exported, functions []jen.Code
	// byText finds the function that has the same parameters and body.
	byText map[string]string
	// automata are those of regular expressions, nil for one without a small automaton.
	automata map[string]*automaton
	// names are the names in use, including those of internal/support, each with the last number that was added to it.
	names   map[string]int
	Support *carrier
	// Path is the import path of the package.
	Path string
	// Minor is the version of the API server that the helpers answer as.
	Minor kube.Minor
	// types are the names of the structures of schemas.
	types map[typeKey]string
	// Data is what the runtime reads.
	Data packageData
	// rules are those of the kind that is being written.
	rules RulesPass
	// kinds are those that have been written.
	kinds []listedKind
	// read are the names of fields and keys that rules read.
	read map[string]bool
	// contents say what is in the values of schemas.
	contents map[*schema.Schema]content

	Diagnostics []diag.Diagnostic
}

// NewWriter returns the writer of a file in the package with a path.
func NewWriter(path string, minor kube.Minor) *Writer {
	w := &Writer{byText: map[string]string{}, automata: map[string]*automaton{}, names: map[string]int{},
		types: map[typeKey]string{}, Data: newPackageData(), contents: map[*schema.Schema]content{},
		read: map[string]bool{}, Support: newCarrier(), Path: path, Minor: cmp.Or(minor, kube.Latest())}
	for name := range w.Support.byName {
		w.names[copyName(name)] = 1
	}
	for _, name := range []string{fieldsName, typesName, rulesName, costsName} {
		w.names[name] = 1
	}
	return w
}

// A Function is a function to write. Its body must not depend on its name.
type Function struct {
	// Name is its name if it is free and no other function is identical.
	Name string
	// Doc says what it does, without the name: "prunes spec.ports".
	Doc string
	// Text is appended to the comment, verbatim if possible; "" for nothing.
	Text string
	// Identity tells functions apart that have the same text but belong to different Go types; "" for most.
	Identity        string
	Params, Results []jen.Code
	Body            []jen.Code
}

// Function writes a function, or finds an identical one, and returns its name. Bodies name the functions that they
// call, so called functions are written first, and equal schemas share one function.
func (w *Writer) Function(f Function) string {
	text := f.Identity +
		fmt.Sprintf("%#v", jen.Func().Id("_").Params(f.Params...).Params(f.Results...).Block(f.Body...))
	if name, ok := w.byText[text]; ok {
		return name
	}
	name := w.free(f.Name)
	w.byText[text] = name
	end := "."
	if f.Text != "" {
		end = ":"
	}
	w.functions = append(w.functions, jen.Comment(name+" "+f.Doc+end))
	if f.Text != "" {
		w.functions = append(w.functions, jen.Comment("//"))
		for _, line := range strings.Split(strings.TrimSpace(f.Text), "\n") {
			line = Printable(strings.TrimSuffix(line, "\r"))
			if len(line) > longestLine {
				line = strings.ReplaceAll(filled(line, longestLine), "\n", "\n//\t")
			}
			w.functions = append(w.functions, jen.Comment("//\t"+line))
		}
	}
	w.functions = append(w.functions,
		jen.Func().Id(name).Params(f.Params...).Params(f.Results...).Block(f.Body...).Line())
	return name
}

// export writes the comment of an exported declaration.
func (w *Writer) export(name, doc string) {
	paragraphs := strings.Split(name+" "+doc, "\n\n")
	for i, text := range paragraphs {
		paragraphs[i] = filled(text, 116)
	}
	for _, line := range strings.Split(strings.Join(paragraphs, "\n\n"), "\n") {
		w.exported = append(w.exported, jen.Comment(line))
	}
}

// variable declares a package-level variable that never changes, such as a compiled pattern, once for each value.
func (w *Writer) variable(name, doc string, value jen.Code) string {
	text := fmt.Sprintf("%#v", jen.Var().Id("_").Op("=").Add(value))
	if name, ok := w.byText[text]; ok {
		return name
	}
	name = w.free(name)
	w.byText[text] = name
	w.functions = append(w.functions, jen.Comment(name+" "+doc+"."), jen.Var().Id(name).Op("=").Add(value).Line())
	return name
}

// DryRun calls a function and drops what it writes.
func (w *Writer) DryRun(write func()) {
	functions, byText, names, types := w.functions, maps.Clone(w.byText), maps.Clone(w.names), maps.Clone(w.types)
	data, read := w.Data.clone(), maps.Clone(w.read)
	write()
	w.functions, w.byText, w.names, w.types, w.Data = slices.Clip(functions), byText, names, types, data
	w.read = read
}

// free returns the name, with a number if it is in use.
func (w *Writer) free(name string) string {
	unique := name
	for w.names[unique] > 0 {
		w.names[name]++
		unique = name + strconv.Itoa(w.names[name])
	}
	w.names[unique] = 1
	return unique
}

// fieldsName is the variable that reads the fields and keys which rules name.
const fieldsName = "crdFields"

// reads returns the variable that reads fields and keys, and notes that it reads one.
func (w *Writer) reads(name string) *jen.Statement {
	w.read[name] = true
	return jen.Id(fieldsName)
}

// declareFields declares the variable that reads fields and keys.
func (w *Writer) declareFields() {
	if len(w.read) == 0 {
		return
	}
	names := literals(slices.Sorted(maps.Keys(w.read)))
	w.functions = append(w.functions, jen.Comment(fieldsName+" reads the fields and keys that rules name."),
		jen.Var().Id(fieldsName).Op("=").Add(Runtime("NewFieldReader")).Call(names...))
}

// isLocalName reports whether generated functions may have a variable of a name.
func isLocalName(name string) bool {
	return len(name) == 1 || slices.Contains([]string{"args", "old", "status", SelfName, OldName}, name) ||
		strings.HasPrefix(name, "each")
}

// File returns the finished file, which imports the runtime.
func (w *Writer) File(p Package) []byte {
	w.declareData()
	w.declareFields()
	f := jen.NewFilePathName(p.Path, p.Name)
	for path, name := range p.ImportNames {
		if IsThirdParty(path) && !isLocalName(name) {
			f.ImportAlias(path, name)
		}
	}
	if p.RuntimeName == "" {
		f.ImportName(RuntimePath, runtimeName)
	} else {
		f.ImportAlias(RuntimePath, p.RuntimeName)
	}
	if p.Alone {
		f.PackageComment("// Package " + p.Name +
			" prunes, defaults and validates objects as a Kubernetes API server does.")
	}
	for _, code := range append(w.exported, w.functions...) {
		f.Add(code)
	}
	var out bytes.Buffer
	out.WriteString(p.top())
	if err := f.Render(&out); err != nil {
		panic(err) // the code is valid Go for every schema
	}
	return broken(out.Bytes())
}
