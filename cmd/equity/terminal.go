package main

import (
	"context"
	"io"
	"os"
	"os/exec"
)

// withoutEcho runs read while the terminal in does not echo input. If in
// is not a terminal, it just runs read.
func withoutEcho(ctx context.Context, in io.Reader, read func() error) error {
	terminal, ok := in.(*os.File)
	if !ok {
		return read()
	}
	if info, err := terminal.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return read()
	}
	echo(ctx, terminal, "-echo")
	defer echo(context.WithoutCancel(ctx), terminal, "echo") // even after an interrupt
	return read()
}

// echo sets the echo mode of the terminal. It ignores errors: a device without an echo mode,
// such as the null device, does not echo input.
func echo(ctx context.Context, terminal *os.File, mode string) {
	stty := exec.CommandContext(ctx, "stty", mode) //nolint:gosec // one of two constants
	stty.Stdin = terminal
	_ = stty.Run()
}
