package main

import (
	"context"
	"io"
	"os"
	"os/exec"
)

// unseen runs read while the terminal behind in does not show what is typed. Where in
// is no terminal, there is nothing to hide.
func unseen(ctx context.Context, in io.Reader, read func() error) error {
	terminal, ok := in.(*os.File)
	if !ok {
		return read()
	}
	if info, err := terminal.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return read()
	}
	echo(ctx, terminal, "-echo")
	defer echo(context.WithoutCancel(ctx), terminal, "echo") // also after an interrupt
	return read()
}

// echo tells the terminal whether to show what is typed. A device that cannot be told
// so, such as the null device, shows nothing anyway.
func echo(ctx context.Context, terminal *os.File, mode string) {
	stty := exec.CommandContext(ctx, "stty", mode) //nolint:gosec // one of two constants
	stty.Stdin = terminal
	_ = stty.Run()
}
