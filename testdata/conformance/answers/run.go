package answers

import (
	"context"
	"errors"
	"maps"
	"runtime"
	"slices"
	"sync"

	"github.com/crdproof/crdproof/testdata/conformance/exchange"
	"github.com/crdproof/crdproof/testdata/conformance/objects"
)

// Config says which objects to try.
type Config struct {
	Kinds []*Kind
	Seed  uint64
	// Objects is how many; First is the number of the first.
	Objects, First int
}

// Run makes objects and asks both judges. The error is I/O; the findings are in the report.
func Run(ctx context.Context, p *Program, cfg Config) (*Report, error) {
	if len(cfg.Kinds) == 0 {
		return nil, errors.New("there are no kinds")
	}
	workers := runtime.GOMAXPROCS(0)
	reports := make([]*Report, workers)
	errs := make([]error, workers)
	var wait sync.WaitGroup
	for w := range workers {
		reports[w] = &Report{}
		wait.Go(func() { errs[w] = reports[w].run(ctx, p, cfg, w, workers) })
	}
	wait.Wait()
	all := &Report{}
	for _, r := range reports {
		all.merge(r)
	}
	return all, errors.Join(errs...)
}

// run tries every objects whose number is the worker's.
func (r *Report) run(ctx context.Context, p *Program, cfg Config, worker, workers int) error {
	process, err := p.Start(ctx)
	if err != nil {
		return err
	}
	for number := cfg.First + worker; number < cfg.First+cfg.Objects && ctx.Err() == nil; number += workers {
		k := cfg.Kinds[number%len(cfg.Kinds)]
		prepared, err := k.prepare()
		if err != nil {
			return errors.Join(err, process.Close())
		}
		c := prepared.maker.Make(cfg.Seed, uint64(number))
		f := Finding{Kind: k.Name, Seed: cfg.Seed, Number: number, Case: c}
		if f.Server, f.Ours, f.Differences, err = ask(prepared.resource, process, requestOf(k.key, c)); err != nil {
			return errors.Join(err, process.Close())
		}
		if len(f.Differences) > 0 && len(r.Findings) < shrunk {
			if f, err = f.shrink(prepared.resource, process, k.key); err != nil {
				return errors.Join(err, process.Close())
			}
		}
		r.Add(f)
	}
	return errors.Join(ctx.Err(), process.Close())
}

// shrunk is how many findings each worker makes smaller, by so many tries.
const (
	shrunk      = 8
	shrinkTries = 60
)

// shrink takes away what is not needed for the same first difference.
func (f Finding) shrink(r *Resource, process *Process, key string) (Finding, error) {
	var failed error
	f.Case = objects.Shrink(f.Case, shrinkTries, func(c objects.Case) bool {
		if failed != nil {
			return false
		}
		server, ours, differences, err := ask(r, process, requestOf(key, c))
		if failed = err; len(differences) == 0 || differences[0] != f.Differences[0] {
			return false
		}
		f.Server, f.Ours, f.Differences = server, ours, differences
		return true
	})
	return f, failed
}

func requestOf(key string, c objects.Case) exchange.Request {
	r := exchange.Request{Kind: key, Object: exchange.Encode(c.Object)}
	if c.Old != nil {
		r.Old = exchange.Encode(c.Old)
	}
	return r
}

// tries is how often the server is asked where helpers say something else. It goes through maps, and which error it
// finds first in one differs from run to run.
const tries = 16

// ask asks both judges. What the server says every time has to be said, and what it says now and then may be.
func ask(r *Resource, p *Process, request exchange.Request) (server, ours exchange.Answer, differences []string,
	err error) {
	if ours, err = p.Ask(request); err != nil {
		return server, ours, nil, err
	}
	var errs, warnings said
	for range tries {
		server = r.Answer(request)
		if differences = Differences(server, ours); len(differences) == 0 {
			return server, ours, nil, nil
		}
		errs.add(texts(server.Errors))
		warnings.add(server.Warnings)
	}
	if errs.varies() || warnings.varies() {
		server.Errors, server.Warnings, server.Phases = ours.Errors, ours.Warnings, nil
		differences = Differences(server, ours)
		differences = append(differences, errs.differences("error", texts(ours.Errors))...)
		differences = append(differences, warnings.differences("warning", ours.Warnings)...)
	}
	return server, ours, differences, nil
}

// said is how often a text is said in one of several answers: at least and at most.
type said struct {
	least, most map[string]int
	answers     int
}

func (s *said) add(texts []string) {
	if s.answers == 0 {
		s.least, s.most = map[string]int{}, map[string]int{}
	}
	count := map[string]int{}
	for _, text := range texts {
		count[text]++
	}
	for text, n := range count {
		if s.answers == 0 {
			s.least[text] = n
		}
		s.most[text] = max(s.most[text], n)
	}
	for text, n := range s.least {
		s.least[text] = min(n, count[text])
	}
	s.answers++
}

// varies reports whether the answers differ.
func (s *said) varies() bool { return !maps.Equal(s.least, s.most) }

// differences are what is missing in every case, and what is too much in every case.
func (s *said) differences(what string, texts []string) (out []string) {
	count := map[string]int{}
	for _, text := range texts {
		if count[text]++; count[text] > s.most[text] {
			out = append(out, what+" too much: "+text)
		}
	}
	for text, n := range s.least {
		if count[text] < n {
			out = append(out, what+" missing: "+text)
		}
	}
	slices.Sort(out)
	return out
}
