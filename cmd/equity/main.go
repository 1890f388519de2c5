// Command equity is an equity management server: it keeps organizations' cap
// tables, and everything that can be done to them from a shell.
//
// This package is the wiring. Each command has a file of its own, which reads
// the settings, opens what the command needs and joins it; what there is to
// know about equity lies in the packages it joins.
package main

import (
	"context"
	"crypto/rand"
	"os"
	"time"

	"github.com/google/uuid"
)

func main() {
	uuid.EnableRandPool() // one system call serves many ids; they are names, not secrets
	ctx, stop := interruptible(context.Background())
	defer stop()
	p := program{
		in: os.Stdin, out: os.Stdout, errors: os.Stderr,
		environment: os.LookupEnv, now: time.Now, random: rand.Reader,
	}
	if status := p.run(ctx, os.Args[1:]); status != 0 {
		stop()
		os.Exit(status) //nolint:gocritic // stop has run
	}
}
