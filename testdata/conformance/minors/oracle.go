package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"go/version"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/crdproof/crdproof/rules/kube"
)

// sources has the program of the oracles, and a file <minor>.mod for each minor that it can be built for.
const sources = "../minors"

// An oracle is a process with the API server's code of one minor.
type oracle struct {
	minor  kube.Minor
	input  io.WriteCloser
	output *bufio.Reader
	wait   func() error
}

// minors are those that oracles can be built for.
func minors() (out []kube.Minor, err error) {
	files, err := filepath.Glob(filepath.Join(sources, "*.mod"))
	for _, file := range files {
		r, err := kube.ParseRange(strings.TrimSuffix(filepath.Base(file), ".mod"))
		if err == nil { // otherwise it is go.mod
			out = append(out, r.First)
		}
	}
	return out, err
}

// start builds the oracle of a minor, if it has not been built, and starts it. The first time, it takes minutes.
func start(ctx context.Context, minor kube.Minor) (*oracle, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	name := kube.Range{First: minor, Last: minor}.String()
	program := filepath.Join(dir, "crdproof-minors", name)
	if err := build(ctx, name+".mod", program); err != nil {
		return nil, fmt.Errorf("building the oracle of %s: %w", minor, err)
	}
	run := exec.CommandContext(ctx, program)
	run.Stderr = os.Stderr
	input, err := run.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := run.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &oracle{minor, input, bufio.NewReader(output), run.Wait}, run.Start()
}

// build builds the program with the modules of a file. If they require a newer Go than this program was built with, the
// go command downloads it.
func build(ctx context.Context, file, program string) error {
	data, err := os.ReadFile(filepath.Join(sources, file))
	if err != nil {
		return err
	}
	mod, err := modfile.Parse(file, data, nil)
	if err != nil {
		return err
	}
	for _, r := range mod.Replace {
		if r.Old.Path == typesModule {
			if err := writeTypes(ctx, filepath.Join(sources, r.New.Path)); err != nil {
				return err
			}
		}
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-ldflags=-s -w", "-modfile="+file, "-o", program, ".")
	cmd.Dir, cmd.Stderr = sources, os.Stderr
	if needs := "go" + mod.Go.Version; version.Compare(needs, runtime.Version()) > 0 {
		cmd.Env = append(cmd.Environ(), "GOTOOLCHAIN="+needs)
	}
	return cmd.Run()
}

// stop ends the process.
func (o *oracle) stop() error {
	if err := o.input.Close(); err != nil {
		return err
	}
	return o.wait()
}

// An answer is what an oracle prints about a CRD (../../minors/main.go).
type answer struct {
	Errors             []reason
	Undecodable, Panic string
	Costs              []ruleCost
}

// A ruleCost is what a server says of a rule.
type ruleCost struct {
	Path, Rule, Message       string
	Each, MessageCost, Values uint64
}

type reason struct{ Type, Field, Message string }

// judge returns the server's answer to a CRD, given as JSON on one line.
func (o *oracle) judge(crd []byte) (out answer, err error) { return out, o.ask(crd, &out) }

// ask sends one line to the oracle, and decodes the line that it answers.
func (o *oracle) ask(line []byte, out any) error {
	if _, err := o.input.Write(append(line, '\n')); err != nil {
		return err
	}
	line, err := o.output.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("the oracle of %s: %w", o.minor, err)
	}
	return json.Unmarshal(line, out)
}

// reasons are the fields for which a CRD is rejected, each with the server's sentence.
func (a answer) reasons() (out []verdictReason) {
	switch {
	case a.Panic != "":
		return []verdictReason{{"", "panic: " + a.Panic}}
	case a.Undecodable != "":
		return []verdictReason{{"", a.Undecodable}}
	}
	for _, e := range a.Errors {
		// The server picks these at random among rules of equal cost, and crdproof leaves them out.
		if !strings.Contains(e.Message, "contributed to estimated rule cost total") {
			out = append(out, verdictReason{e.Field, e.Message})
		}
	}
	return out
}
