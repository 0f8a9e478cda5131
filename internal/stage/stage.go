// Package stage runs n tasks in parallel, reports progress, propagates cancellation and panics, and ends commands that
// are blocked.
//
// A panic is a bug in crdproof. In a goroutine it would end the process before the findings are printed. Here it
// reaches the caller that waits for the goroutine.
package stage

import (
	"context"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/crdproof/crdproof/diag"
)

// A Progress receives how many tasks of a stage are done, and their total, 0 if it is unknown. It must be safe for
// concurrent use.
type Progress func(stage string, done, total int)

// Report calls p if it is not nil.
func (p Progress) Report(stage string, done, total int) {
	if p != nil {
		p(stage, done, total)
	}
}

// Internal is the check of bugs in crdproof.
var Internal = &diag.Check{ID: "internal", Mistake: true}

// Checks returns the check of bugs.
func Checks() []*diag.Check { return []*diag.Check{Internal} }

// A Panic is a recovered panic with the place where it happened.
type Panic struct {
	// Value is the argument of the panic, Stack the stack of its goroutine.
	Value any
	Stack []byte
}

// Finding reports the bug. attachment names what the user must send with the report.
func (p *Panic) Finding(at diag.Span, attachment string) diag.Diagnostic {
	d := diag.Errorf(at, Internal, "crdproof has a bug: %v", p.Value).
		Help("please report it with the lines above and %s", attachment)
	d.Notes = strings.Split(strings.TrimSpace(string(p.Stack)), "\n")
	return d
}

// Catch calls do and returns its panic, or nil.
func Catch(do func()) (caught *Panic) {
	defer func() {
		if value := recover(); value != nil {
			caught = Caught(value)
		}
	}()
	do()
	return nil
}

// Caught wraps the value that recover returned in a deferred function, which must not be nil. A value that is already a
// Panic keeps its stack.
func Caught(value any) *Panic {
	if p, ok := value.(*Panic); ok {
		return p
	}
	return &Panic{Value: value, Stack: debug.Stack()}
}

// InFile is deferred by functions that process a file: it turns a panic into a finding.
func InFile(found *[]diag.Diagnostic, src *diag.Source) {
	if bug := recover(); bug != nil {
		*found = []diag.Diagnostic{Caught(bug).Finding(diag.At(src, 0, 0), "the file")}
	}
}

// Run is Each for a stage with a name: it reports progress, and starts no task after the context has ended. The caller
// must check the context afterwards.
func Run(ctx context.Context, progress Progress, name string, n int, do func(int)) {
	var count sync.Mutex // also makes the numbers rise
	done := 0
	progress.Report(name, 0, n)
	Each(n, func(i int) {
		if ctx.Err() != nil {
			return
		}
		do(i)
		count.Lock()
		defer count.Unlock()
		done++
		progress.Report(name, done, n)
	})
}

// Stream calls produce in parallel for each number below n, with a function that runs the tasks of what is produced in
// parallel too: it waits for a free processor, so that few of the products are in memory. Progress counts these tasks,
// of which none starts after the context has ended. The caller must check the context afterwards.
func Stream(ctx context.Context, progress Progress, name string, n int, produce func(i int, run func(task func()))) {
	var count sync.Mutex
	done := 0
	progress.Report(name, 0, 0)
	tasks := NewGroup()
	Run(ctx, nil, name, n, func(i int) {
		produce(i, func(task func()) {
			if ctx.Err() != nil {
				return
			}
			tasks.Go(func() {
				task()
				count.Lock()
				defer count.Unlock()
				done++
				progress.Report(name, done, 0)
			})
		})
	})
	tasks.Wait()
}

// Each calls do in parallel for each number below n, and returns when all calls have returned. If one of them panics,
// Each starts no more and panics with a *Panic.
func Each(n int, do func(int)) {
	group := NewGroup()
	for i := range n {
		group.Go(func() { do(i) })
	}
	group.Wait()
}

// A Group runs functions in parallel, one for each processor.
type Group struct {
	running sync.WaitGroup
	// busy holds a token for each busy processor.
	busy  chan struct{}
	first atomic.Pointer[Panic]
}

// NewGroup returns an empty group.
func NewGroup() *Group { return &Group{busy: make(chan struct{}, runtime.GOMAXPROCS(0))} }

// Go starts a function in a goroutine. It first waits for a free processor, to limit the memory in use. After a panic
// it starts nothing.
func (g *Group) Go(do func()) {
	g.busy <- struct{}{}
	g.running.Go(func() {
		defer func() { <-g.busy }()
		if g.first.Load() == nil {
			g.first.CompareAndSwap(nil, Catch(do))
		}
	})
}

// Wait waits for all functions. If one of them panicked, Wait panics with a *Panic.
func (g *Group) Wait() {
	g.running.Wait()
	if caught := g.first.Load(); caught != nil {
		panic(caught)
	}
}
