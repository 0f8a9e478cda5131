package program

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"

	"github.com/crdproof/crdproof/testdata/circle/fill"
)

// A Process is the program while it runs. It answers one request after the other.
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

// Make returns the JSON of a value at random.
func (p *Process) Make(kind string, seed uint64, nilElements bool) (fill.Reply, error) {
	return p.ask(fill.Request{Kind: kind, Seed: seed, NilElements: nilElements})
}

// Show returns the JSON of a value with something special in it.
func (p *Process) Show(kind string, seed uint64, show fill.Show) (fill.Reply, error) {
	return p.ask(fill.Request{Kind: kind, Seed: seed, Show: show})
}

// Read returns what Go writes of the JSON that it has read into the kind.
func (p *Process) Read(kind string, data []byte) (fill.Reply, error) {
	return p.ask(fill.Request{Kind: kind, JSON: data})
}

func (p *Process) ask(request fill.Request) (fill.Reply, error) {
	line, err := json.Marshal(request)
	if err != nil {
		return fill.Reply{}, err
	}
	p.writer.Write(line)
	p.writer.WriteByte('\n')
	if err := p.writer.Flush(); err != nil {
		return fill.Reply{}, err
	}
	var reply fill.Reply
	if err := p.out.Decode(&reply); err != nil {
		return fill.Reply{}, fmt.Errorf("the program of generated kinds ended: %w", err)
	}
	return reply, nil
}
