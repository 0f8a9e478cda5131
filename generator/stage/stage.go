// Package stage runs n tasks in parallel, at most one for each processor. It reports progress and propagates
// cancellation and panics.
//
// A panic is a bug in crdproof. In a goroutine it would end the process before other tasks are finished and reported.
// Here it reaches the caller that waits for the goroutine.
package stage

import (
	"context"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/crdproof/crdproof/generator/diag"
)

// A Progress is told how many things of a stage are done, and of how many; total is 0 where that is not known. It may
// be called from several goroutines at a time.
type Progress func(stage string, done, total int)

// Report tells it, if there is anybody to tell.
func (p Progress) Report(stage string, done, total int) {
	if p != nil {
		p(stage, done, total)
	}
}

// Internal is the check of what is a bug of crdproof's.
var Internal = &diag.Check{
	ID: "internal", Mistake: true,
	Doc: "This is a bug of crdproof's, and the notes say where it came to light. What is reported beside it is " +
		"incomplete.",
}

// Checks is the table of bugs.
func Checks() []*diag.Check { return []*diag.Check{Internal} }

// A Panic is one that was caught, with the place where it happened.
type Panic struct {
	// Value is what the panic was called with, Stack that of its goroutine.
	Value any
	Stack []byte
}

// Finding tells the user of the bug; what is to be reported beside it, the caller knows.
func (p *Panic) Finding(at diag.Span, beside string) diag.Diagnostic {
	d := diag.Errorf(at, Internal, "crdproof has a bug: %v", p.Value).
		Help("please report it together with the lines above and %s", beside)
	d.Notes = strings.Split(strings.TrimSpace(string(p.Stack)), "\n")
	return d
}

// Catch calls do, and returns its panic, or nil.
func Catch(do func()) (caught *Panic) {
	defer func() {
		if value := recover(); value != nil {
			caught = Caught(value)
		}
	}()
	do()
	return nil
}

// Caught is what recover has returned in a deferred function, which must not be nil. What was a Panic before keeps its
// stack.
func Caught(value any) *Panic {
	if p, ok := value.(*Panic); ok {
		return p
	}
	return &Panic{Value: value, Stack: debug.Stack()}
}

// InFile is deferred by what is done with a file: a panic of it becomes what was found.
func InFile(found *[]diag.Diagnostic, src *diag.Source) {
	if bug := recover(); bug != nil {
		*found = []diag.Diagnostic{Caught(bug).Finding(diag.At(src, 0, 0), "the file")}
	}
}

// Run is Each for a stage that has a name: it begins nothing once the context has ended, and tells how far it has come.
// Who calls it has to ask the context afterwards whether all was done.
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

// Each calls do for each number below n, several at a time, and returns when all calls have. Where one of them panics,
// no further ones are begun, and Each panics with a *Panic.
func Each(n int, do func(int)) {
	group := NewGroup()
	for i := range n {
		group.Go(func() { do(i) })
	}
	group.Wait()
}

// A Group does several things at a time, as many as there are processors.
type Group struct {
	running sync.WaitGroup
	// busy holds a token for each processor that is.
	busy  chan struct{}
	first atomic.Pointer[Panic]
}

// NewGroup returns a group that does nothing yet.
func NewGroup() *Group { return &Group{busy: make(chan struct{}, runtime.GOMAXPROCS(0))} }

// Go begins to do something. It waits for a free processor, so that not all that is to be done has to be in memory at
// once. After a panic nothing more is begun.
func (g *Group) Go(do func()) {
	g.busy <- struct{}{}
	g.running.Go(func() {
		defer func() { <-g.busy }()
		if g.first.Load() == nil {
			g.first.CompareAndSwap(nil, Catch(do))
		}
	})
}

// Wait returns when all is done. Where something panicked, Wait panics with a *Panic.
func (g *Group) Wait() {
	g.running.Wait()
	if caught := g.first.Load(); caught != nil {
		panic(caught)
	}
}
