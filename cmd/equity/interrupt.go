package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// interruptible returns a context that ends with the first SIGINT or SIGTERM,
// which requests an orderly stop. After that the signals have their default
// effect: a second one ends the process at once.
func interruptible(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(parent, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
