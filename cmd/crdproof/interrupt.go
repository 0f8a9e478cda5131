package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/crdproof/crdproof/internal/stage"
)

// grace is how long a command may take to return after the first signal.
const grace = 500 * time.Millisecond

// untilSignal returns a context that the first SIGINT or SIGTERM cancels; the second one ends the process. If the
// command has not returned a moment after the first one, exit is called, which must end the process. A signal that is
// ignored when the process starts stays ignored: shells start background jobs with SIGINT ignored.
func untilSignal(exit func()) context.Context {
	var asks []os.Signal
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		if !signal.Ignored(s) {
			asks = append(asks, s)
		}
	}
	if len(asks) == 0 { // NotifyContext without signals means all signals
		return context.Background()
	}
	ctx, stop := signal.NotifyContext(context.Background(), asks...)
	ending := new(stage.Ending)
	context.AfterFunc(ctx, func() {
		stop()
		time.Sleep(grace)
		ending.End(exit)
	})
	return stage.WithEnding(ctx, ending)
}
