// Command equity is an equity management server with command line tools for
// its store.
//
// This package contains the wiring. Each command has its own file, which reads
// the settings, opens the required parts and connects them. The domain logic is
// in the imported packages.
package main

import (
	"context"
	"crypto/rand"
	"os"
	"time"

	"github.com/google/uuid"
)

func main() {
	uuid.EnableRandPool() // fewer system calls; ids need not be secret
	ctx, stop := interruptible(context.Background())
	defer stop()
	p := program{
		in: os.Stdin, out: os.Stdout, errors: os.Stderr,
		environment: os.LookupEnv, now: time.Now, random: rand.Reader, schema: schema(),
	}
	if status := p.run(ctx, os.Args[1:]); status != 0 {
		stop()
		os.Exit(status) //nolint:gocritic // stop has run
	}
}
