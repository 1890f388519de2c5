package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/pprof"
	"strings"
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
	stdin   io.WriteCloser
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

// profile starts a CPU profile of the process in a file of the folder. A later one of the same name replaces it.
func (c *child) profile(folder, name string) error {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	file := strings.NewReplacer(" ", "-", ",", "", "/", "-").Replace(name) + ".pprof"
	_, err = fmt.Fprintln(c.stdin, filepath.Join(folder, file))
	return err
}

// endProfile ends the present CPU profile.
func (c *child) endProfile() error {
	_, err := fmt.Fprintln(c.stdin)
	return err
}

// WriteProfiles writes CPU profiles of this process. Each line of the input is the path of the next profile, or empty to end the present one.
// It returns at the end of the input.
func WriteProfiles(in io.Reader) error {
	var file *os.File
	end := func() error {
		if file == nil {
			return nil
		}
		pprof.StopCPUProfile()
		err := file.Close()
		file = nil
		return err
	}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if err := end(); err != nil {
			return err
		}
		path := lines.Text()
		if path == "" {
			continue
		}
		var err error
		if file, err = os.Create(path); err != nil { //nolint:gosec // a path of the process that started this one
			return err
		}
		if err := pprof.StartCPUProfile(file); err != nil {
			return errors.Join(err, end())
		}
	}
	return errors.Join(lines.Err(), end())
}
