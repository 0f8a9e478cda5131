package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// untilSignal returns a context that ends with the first signal which asks the process to end; the second one ends the
// process. What the process was told to ignore, as what a script runs in the background is told of SIGINT, it goes on
// to ignore.
func untilSignal() context.Context {
	var asks []os.Signal
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		if !signal.Ignored(s) {
			asks = append(asks, s)
		}
	}
	if len(asks) == 0 { // of which Notify would make all signals
		return context.Background()
	}
	ctx, stop := signal.NotifyContext(context.Background(), asks...)
	context.AfterFunc(ctx, stop)
	return ctx
}
