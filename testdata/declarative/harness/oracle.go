package harness

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/testdata/declarative/subject"
)

// An oracle is a process with the validators of another version (../next).
type oracle struct {
	mu     sync.Mutex
	input  io.WriteCloser
	asks   *json.Encoder
	output *json.Decoder
	wait   func() error
}

// startOracle starts a program.
func startOracle(ctx context.Context, program string) (*oracle, error) {
	cmd := exec.CommandContext(ctx, program)
	cmd.Stderr = os.Stderr
	input, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	o := &oracle{input: input, asks: json.NewEncoder(input), output: json.NewDecoder(output), wait: cmd.Wait}
	return o, cmd.Start()
}

// stop ends the process.
func (o *oracle) stop() error {
	if err := o.input.Close(); err != nil {
		return err
	}
	return o.wait()
}

// ask returns what a validator says of an object in JSON, and of the one that it takes the place of, if there is one.
func (o *oracle) ask(kind string, object, old any) (out field.ErrorList, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	question := map[string]any{"Kind": kind, "Object": object}
	if old != nil {
		question["Old"] = old
	}
	if err := o.asks.Encode(question); err != nil {
		return nil, err
	}
	if err := o.output.Decode(&out); err != nil {
		return nil, fmt.Errorf("the validators of %s: %w", kind, err)
	}
	return out, nil
}

// kinds returns the kinds with the validators of the process.
func (o *oracle) kinds(list []subject.Kind) []subject.Kind {
	list = slices.Clone(list)
	for i := range list {
		name := list[i].Name
		list[i].Create = func(object any) (field.ErrorList, error) { return o.ask(name, object, nil) }
		list[i].Update = func(object, old any) (field.ErrorList, error) { return o.ask(name, object, old) }
	}
	return list
}
