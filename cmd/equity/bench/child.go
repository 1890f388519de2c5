package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// Addresses are reported by the measured process when it is ready: the address of the server
// and of the same stack with the baseline handlers.
type Addresses struct {
	Server   string `json:"server"`
	Baseline string `json:"baseline"`
	// Plain is the address of the handler of [NewPlainFiles].
	Plain string `json:"plain"`
	// Email and Password are the credentials of a user of both.
	Email    string `json:"email"`
	Password string `json:"password"`
}

// WriteAddresses writes the addresses for the measuring process.
func WriteAddresses(out io.Writer, a Addresses) error {
	return json.NewEncoder(out).Encode(a) //nolint:gosec // a password generated for this run, sent to the parent only
}

// child is the measured process.
type child struct {
	Addresses
	command *exec.Cmd
	stdin   io.Closer
}

// startChild starts this program as the measured process with the given arguments
// and waits until it is ready. It ends when its standard input is closed.
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
