package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// Addresses is what the measured process tells when it is ready: where the server
// listens, and where the same stack listens with the plain handlers in it.
type Addresses struct {
	Server   string `json:"server"`
	Baseline string `json:"baseline"`
	// Email and Password are of a user who can sign in at both.
	Email    string `json:"email"`
	Password string `json:"password"`
}

// Announce tells the addresses to the process that measures.
func Announce(out io.Writer, a Addresses) error {
	return json.NewEncoder(out).Encode(a) //nolint:gosec // a password made up for this run, told to the parent alone
}

// child is the measured process.
type child struct {
	Addresses
	command *exec.Cmd
	stdin   io.Closer
}

// startChild starts this program once more, with the arguments that make it serve to
// be measured, and waits until it is ready. It ends when its standard input does.
func startChild(ctx context.Context, arguments, environment []string, log io.Writer) (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	command := exec.CommandContext(ctx, self, arguments...) //nolint:gosec // this program itself
	command.Env = append(os.Environ(), environment...)
	command.Stderr = log
	stdin, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("measured process: %w", err)
	}
	c := &child{command: command, stdin: stdin}
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &c.Addresses)
	}
	if err != nil {
		_ = command.Process.Kill()
		_ = command.Wait()
		return nil, fmt.Errorf("measured process did not start: %w", err)
	}
	return c, nil
}

func (c *child) stop() error {
	_ = c.stdin.Close()
	return c.command.Wait()
}

// processorTime gives what this process has used of the processors so far.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
