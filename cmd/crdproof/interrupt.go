package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// untilSignal returns a context that the first SIGINT or SIGTERM cancels; the second one ends the process. A signal
// that is ignored when the process starts stays ignored: shells start background jobs with SIGINT ignored.
func untilSignal() context.Context {
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
	context.AfterFunc(ctx, stop)
	return ctx
}
