package transform

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"runtime/debug"
	"strings"
	"time"

	"equity/hooks"
)

// The limits of all children.
const (
	mostChildren = 4
	mostOutput   = 1 << 20 // bytes of a response
	mostErrors   = 2048    // bytes of the error output that are logged
	killWait     = 500 * time.Millisecond
)

var (
	// ErrTransform reports that the module failed.
	ErrTransform = errors.New("the transform failed")
	// ErrLimit reports that the module exceeded a limit.
	ErrLimit = errors.New("the transform exceeded its time or its memory")

	errOutput = errors.New("too much output")
)

// Runner runs transforms in child processes, at most 4 at once. It is safe for concurrent use.
type Runner struct {
	program   string
	arguments []string
	slots     chan struct{}
}

// NewRunner returns a Runner. The program with the arguments must call [Child].
func NewRunner(program string, arguments ...string) *Runner {
	return &Runner{program, arguments, make(chan struct{}, mostChildren)}
}

// Transform runs the function of a module. The time includes the wait for other transforms.
func (p *Runner) Transform(ctx context.Context, module hooks.TransformModule, in hooks.TransformInput) (hooks.TransformResult, error) {
	ctx, cancel := context.WithTimeout(ctx, mostTime)
	defer cancel()
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-ctx.Done():
		return hooks.TransformResult{}, fmt.Errorf("%w: %w", ErrLimit, ctx.Err())
	}
	script, err := contained(module)
	if err != nil {
		return hooks.TransformResult{}, err
	}
	out, err := p.run(ctx, Request{
		Script: script, Export: module.Export, Payload: string(in.Payload), Headers: in.Headers, URL: in.URL, Path: in.Path,
	})
	switch {
	case err != nil:
		return hooks.TransformResult{}, err
	case out.Error != "":
		return hooks.TransformResult{}, fmt.Errorf("%w: %s", ErrTransform, out.Error)
	}
	return hooks.TransformResult{Skip: out.Skip, Override: out.Fields}, nil
}

// contained bundles a module. A panic of the bundler becomes an error.
func contained(module hooks.TransformModule) (script string, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("%w: %v\n%s", ErrModule, reason, debug.Stack())
		}
	}()
	return Bundle(module.Folder, module.Path)
}

// run starts a child with an empty environment and kills it at the end of the context.
func (p *Runner) run(ctx context.Context, in Request) (out Response, err error) {
	request, err := json.Marshal(in)
	if err != nil {
		return out, err
	}
	output, failures := &limited{most: mostOutput}, &limited{most: mostErrors, rest: true}
	child := exec.CommandContext(ctx, p.program, p.arguments...) //nolint:gosec // this program
	child.Env = []string{"GOMAXPROCS=1", "GOTRACEBACK=none"}
	child.Stdin, child.Stdout, child.Stderr, child.WaitDelay = bytes.NewReader(request), output, failures, killWait
	err = child.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && (ctx.Err() != nil || exit.ExitCode() == exitTime || exit.ExitCode() == exitMemory) {
		return out, ErrLimit
	}
	if err != nil {
		return out, fmt.Errorf("%w: %w: %s", ErrTransform, err, strings.TrimSpace(failures.String()))
	}
	if err := json.Unmarshal(output.Bytes(), &out); err != nil {
		return out, fmt.Errorf("%w: %w", ErrTransform, err)
	}
	return out, nil
}

// limited keeps the first bytes of an output.
type limited struct {
	bytes.Buffer
	most int
	rest bool // ignore the rest instead of failing
}

// Write keeps the bytes within the limit.
func (l *limited) Write(p []byte) (int, error) {
	room := l.most - l.Len()
	if len(p) <= room {
		return l.Buffer.Write(p)
	}
	if !l.rest {
		return 0, errOutput
	}
	_, _ = l.Buffer.Write(p[:room])
	return len(p), nil
}
