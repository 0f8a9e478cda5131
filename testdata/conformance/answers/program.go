package answers

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/diag"
	gohelpers "github.com/crdproof/crdproof/generator/helpers"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
	"github.com/crdproof/crdproof/testdata/conformance/exchange"
)

// programModule is the module of a program of helpers.
const programModule = "helpers.test"

// A Program is a Go program of the helpers of many kinds, in a directory of its own.
type Program struct {
	dir, root, binary string
	// packages are those of helpers, kinds the entries of the table of helpers.
	packages, kinds []string
	// count numbers the packages.
	count int
}

// NewProgram starts a program in an empty directory, with the requirements of crdproof's own module, whose directory is
// given.
func NewProgram(dir, root string) (*Program, error) {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return nil, err
	}
	_, requirements, _ := strings.Cut(string(mod), "\n")
	p := &Program{dir: dir, root: root, binary: filepath.Join(dir, "program")}
	if err := p.write("go.mod", []byte("module "+programModule+"\n"+requirements)); err != nil {
		return nil, err
	}
	if err := p.write("go.sum", sum); err != nil {
		return nil, err
	}
	const own = "testdata/conformance/exchange"
	files, err := filepath.Glob(filepath.Join(root, own, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if err := p.write("exchange/"+filepath.Base(path), data); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *Program) write(name string, data []byte) error {
	path := filepath.Join(p.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o666)
}

// Read reads the CRDs of a file.
func Read(name string, data []byte) []*schema.CRD {
	docs, _ := read.Documents(&diag.Source{Path: name, Data: data})
	var crds []*schema.CRD
	for _, doc := range docs {
		crds = append(crds, doc.CRD)
	}
	return crds
}

// exported finds the names of kinds in helpers.
var exported = regexp.MustCompile(`(?m)^var (\w+)Helpers = `)

// Add writes the helpers of CRDs as one package, and returns the keys of their versions, in their order. The
// diagnostics are reasons why there are none.
func (p *Program) Add(crds []*schema.CRD) ([]string, []diag.Diagnostic, error) {
	p.count++
	name := fmt.Sprintf("p%d", p.count)
	var sessions []*session.Session
	for _, c := range crds {
		sessions = append(sessions, session.New(
			c, nil, session.Options{Kube: kube.Range{First: kube.Latest(), Last: kube.Latest()}}))
	}
	out, found := gohelpers.Write(context.Background(), sessions, gohelpers.Options{
		Dir: filepath.Join(p.dir, name), Package: name, Copy: true,
	})
	if len(out) != 1 || diag.HasErrors(found) {
		return nil, found, nil
	}
	var keys []string
	for _, f := range out[0].Files {
		if err := p.write(name+"/"+f.Path, f.Data); err != nil {
			return nil, nil, err
		}
		for _, m := range exported.FindAllSubmatch(f.Data, -1) {
			key := name + "." + string(m[1])
			keys = append(keys, key)
			p.kinds = append(p.kinds, fmt.Sprintf("%q: {%s},", key, helpers(name, string(m[1]))))
		}
	}
	p.packages = append(p.packages, name)
	return keys, nil, nil
}

// helpers writes a composite literal of exchange.Helpers.
func helpers(pkg, kind string) string {
	return fmt.Sprintf("Prune: %[1]s.%[2]sHelpers.Prune, Default: %[1]s.%[2]sHelpers.Default, Validate: "+
		"%[1]s.%[2]sHelpers.Validate, Update: %[1]s.%[2]sHelpers.ValidateUpdate, Admit: %[1]s.%[2]sHelpers.Admit, "+
		"Request: %[1]s.%[2]sHelpers.ValidateRequest", pkg, kind)
}

// brokenPackage names a package that does not compile.
var brokenPackage = regexp.MustCompile(`(?m)^# ` + regexp.QuoteMeta(programModule) + `/(p\d+)$`)

// Build writes what is left and builds the program. It returns the compiler's errors about packages, and leaves those
// out.
func (p *Program) Build(ctx context.Context) (map[string]string, error) {
	broken := map[string]string{}
	for {
		p.drop(broken)
		if err := p.write("main.go", p.main()); err != nil {
			return broken, err
		}
		cmd := exec.CommandContext(ctx, "go", "build", "-o", p.binary, ".")
		cmd.Dir, cmd.Env = p.dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off")
		output, err := cmd.CombinedOutput()
		if err == nil {
			return broken, nil
		}
		found := brokenPackage.FindAllSubmatchIndex(output, -1)
		if len(found) == 0 {
			return broken, fmt.Errorf("the helpers do not compile: %w\n%s", err, output)
		}
		for i, m := range found {
			end := len(output)
			if i+1 < len(found) {
				end = found[i+1][0]
			}
			broken[string(output[m[2]:m[3]])] = p.excerpts(output[m[0]:end])
		}
	}
}

// excerpts adds the line of the source to the compiler's message.
func (p *Program) excerpts(output []byte) string {
	return compilerLine.ReplaceAllStringFunc(string(output), func(line string) string {
		m := compilerLine.FindStringSubmatch(line)
		data, err := os.ReadFile(filepath.Join(p.dir, filepath.FromSlash(m[1])))
		number, _ := strconv.Atoi(m[2])
		if lines := strings.Split(string(data), "\n"); err == nil && number <= len(lines) {
			line += "\n\t" + strings.TrimSpace(lines[number-1])
		}
		return line
	})
}

var compilerLine = regexp.MustCompile(`(?m)^(p\d+/\w[\w.]*\.go):(\d+):.*$`)

// drop leaves packages out.
func (p *Program) drop(broken map[string]string) {
	p.packages = slices.DeleteFunc(p.packages, func(name string) bool { return broken[name] != "" })
	p.kinds = slices.DeleteFunc(p.kinds, func(line string) bool {
		name, _, _ := strings.Cut(line[1:], ".")
		return broken[name] != ""
	})
}

// main is the source of the program.
func (p *Program) main() []byte {
	var out strings.Builder
	out.WriteString("package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\n\t\"" + programModule + "/exchange\"\n")
	for _, name := range p.packages {
		fmt.Fprintf(&out, "\t%q\n", programModule+"/"+name)
	}
	out.WriteString(")\n\nfunc main() {\n\terr := exchange.Serve(os.Stdin, os.Stdout, map[string]exchange.Helpers{\n")
	for _, line := range p.kinds {
		out.WriteString("\t\t" + line + "\n")
	}
	out.WriteString("\t})\n\tif err != nil {\n\t\tfmt.Fprintln(os.Stderr, err)\n\t\tos.Exit(1)\n\t}\n}\n")
	return []byte(out.String())
}

// A Process is a program while it runs. It answers one request after the other.
type Process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	writer *bufio.Writer
	out    *json.Decoder
}

// Start runs the program, which has been built.
func (p *Program) Start(ctx context.Context) (*Process, error) {
	cmd := exec.CommandContext(ctx, p.binary)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &Process{cmd, in, bufio.NewWriterSize(in, 1<<16), json.NewDecoder(bufio.NewReaderSize(out, 1<<16))}, nil
}

// Close ends the program.
func (p *Process) Close() error {
	p.in.Close()
	return p.cmd.Wait()
}

// Ask returns the helpers' answer to a request.
func (p *Process) Ask(r exchange.Request) (exchange.Answer, error) {
	var a exchange.Answer
	line, err := json.Marshal(r)
	if err != nil {
		return a, err
	}
	p.writer.Write(append(line, '\n'))
	if err := p.writer.Flush(); err != nil {
		return a, err
	}
	if err := p.out.Decode(&a); err != nil {
		return a, fmt.Errorf("the program of helpers ended: %w", err)
	}
	return a, nil
}
