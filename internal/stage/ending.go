package stage

import (
	"context"
	"os"
	"sync"
)

// An Ending ends the process if a command does not return soon after its context has ended: a library may be busy, or
// a read may block, without a look at the context.
type Ending struct {
	mu sync.Mutex
	// finished is set once the command looks at the context itself until it returns.
	finished bool
	// temporary are the directories to remove before the process ends.
	temporary map[string]bool
}

type endingKey struct{}

// WithEnding returns a context for which TempDir and Finish work with an Ending.
func WithEnding(ctx context.Context, e *Ending) context.Context {
	return context.WithValue(ctx, endingKey{}, e)
}

// End removes temporary directories and calls exit, which must end the process, unless the command has finished.
func (e *Ending) End(exit func()) {
	e.mu.Lock() // for good: what waits for it must not go on
	if e.finished {
		e.mu.Unlock()
		return
	}
	for dir := range e.temporary {
		const attempts = 10 // other goroutines may still write files there
		for i := 0; i < attempts && os.RemoveAll(dir) != nil; i++ {
		}
	}
	exit()
}

// Finish keeps the process from being ended from now on: the command writes files or returns. It does not return if the
// process is being ended.
func Finish(ctx context.Context) {
	if e, ok := ctx.Value(endingKey{}).(*Ending); ok {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.finished = true
	}
}

// TempDir creates a temporary directory as os.MkdirTemp does. The caller must call remove; End does so as well.
func TempDir(ctx context.Context, pattern string) (dir string, remove func(), err error) {
	e, ok := ctx.Value(endingKey{}).(*Ending)
	if !ok {
		dir, err = os.MkdirTemp("", pattern)
		return dir, func() { _ = os.RemoveAll(dir) }, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if dir, err = os.MkdirTemp("", pattern); err != nil {
		return "", nil, err
	}
	if e.temporary == nil {
		e.temporary = map[string]bool{}
	}
	e.temporary[dir] = true
	return dir, func() {
		_ = os.RemoveAll(dir)
		e.mu.Lock()
		defer e.mu.Unlock()
		delete(e.temporary, dir)
	}, nil
}
