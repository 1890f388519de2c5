package confine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"
	"time"
)

const (
	maxErrors = 16 << 10 // bytes of the error output that are examined; they are not logged
	killWait  = 500 * time.Millisecond
)

var (
	// ErrLimits reports that the operating system does not permit the limits. The child ends before it reads the content.
	ErrLimits = errors.New("the operating system refuses the limits of a child process: permit the system calls setrlimit and prlimit64")
	// errChild reports a child that could not work.
	errChild = errors.New("the child process failed")
	// errOutput ends the answer of a child beyond its limit.
	errOutput = errors.New("too much output")
)

// Turns give the places of children to groups in turns.
type Turns interface {
	// Enter waits for a place of the group, or returns an error if none becomes free.
	Enter(ctx context.Context, group string) (leave func(), err error)
}

// Runner runs one kind of work. It is safe for concurrent use.
type Runner struct {
	work      Work
	turns     Turns
	program   string
	arguments []string
}

// NewRunner returns a Runner of the work. The program with the arguments and the name of the work must call [Child].
func NewRunner(work Work, turns Turns, program string, arguments ...string) *Runner {
	return &Runner{work, turns, program, append(arguments, work.Name)}
}

// Run returns the answer of a child for the request. The error is a [*ContentError] if the content is at fault, and otherwise that of the
// turns, of the context, of reading the request, or of the operating system.
func (r *Runner) Run(ctx context.Context, group string, request io.Reader) ([]byte, error) {
	leave, err := r.turns.Enter(ctx, group)
	if err != nil {
		return nil, err
	}
	defer leave()
	limited, cancel := context.WithTimeout(ctx, r.work.Limits.Time)
	defer cancel()
	in := &source{from: request}
	output, failures := &bounded{most: r.work.Limits.Output}, &bounded{most: maxErrors, rest: true}
	child := exec.CommandContext(limited, r.program, r.arguments...) //nolint:gosec // this program
	child.Env = []string{"GOMAXPROCS=1", "GOTRACEBACK=none"}
	child.SysProcAttr = attributes()
	child.Stdin, child.Stdout, child.Stderr, child.WaitDelay = in, output, failures, killWait
	err = run(child)
	switch failure := in.failure(); {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case failure != nil:
		return nil, fmt.Errorf("read the content: %w", failure)
	case err == nil:
		return output.kept.Bytes(), nil
	case errors.Is(err, errOutput) || output.full:
		return nil, r.refuse(TooLarge)
	case limited.Err() != nil && !in.ended.Load():
		return nil, fmt.Errorf("read the content: %w", context.DeadlineExceeded)
	case limited.Err() != nil:
		return nil, r.refuse(TooLong)
	}
	return nil, r.ended(err, failures.kept.String())
}

// run starts the child and waits for it. The child ends with the thread that started it, which must therefore remain.
func run(child *exec.Cmd) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return child.Run()
}

// ended returns the error of a child that ended by itself.
func (r *Runner) ended(err error, failures string) error {
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return fmt.Errorf("%w: %w", errChild, err)
	}
	switch status := exit.ExitCode(); {
	case status == statusRefused:
		return r.refuse(Refused)
	case status == statusTime:
		return r.refuse(TooLong)
	case status == statusMemory:
		return r.refuse(TooMuch)
	case status == statusLimits:
		return ErrLimits
	case status == statusUnknown || status == statusOutput:
		return fmt.Errorf("%w: %w", errChild, err)
	case strings.Contains(failures, "stack exceeds"):
		return r.refuse(TooDeep)
	case strings.Contains(failures, "out of memory") || strings.Contains(failures, "cannot allocate memory"):
		return r.refuse(TooMuch)
	case status >= 0:
		return r.refuse(Crashed)
	case exit.UserTime()+exit.SystemTime() > r.work.Limits.Processor*9/10: // killed by a signal; the system counts in ticks
		return r.refuse(TooLong)
	}
	return r.refuse(TooMuch)
}

func (r *Runner) refuse(reason Reason) error { return &ContentError{r.work.Name, reason} }

// source remembers the end and the error of a request.
type source struct {
	from  io.Reader
	ended atomic.Bool
	err   atomic.Pointer[error]
}

// Read reads from the request.
func (s *source) Read(p []byte) (int, error) {
	n, err := s.from.Read(p)
	switch {
	case errors.Is(err, io.EOF):
		s.ended.Store(true)
	case err != nil:
		s.err.Store(&err)
	}
	return n, err
}

func (s *source) failure() error {
	if err := s.err.Load(); err != nil {
		return *err
	}
	return nil
}

// bounded keeps the first bytes of an output. The buffer is no embedded field: its ReadFrom would go around the limit.
type bounded struct {
	kept bytes.Buffer
	most int64
	rest bool // ignore the rest instead of failing
	full bool
}

// Write keeps the bytes within the limit.
func (b *bounded) Write(p []byte) (int, error) {
	room := b.most - int64(b.kept.Len())
	if int64(len(p)) <= room {
		return b.kept.Write(p)
	}
	b.full = true
	if !b.rest {
		return 0, errOutput
	}
	_, _ = b.kept.Write(p[:room])
	return len(p), nil
}
