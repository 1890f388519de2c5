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

// BusyError is the error of [Turns] if no place becomes free. The content was not parsed.
type BusyError struct {
	// RetryAfter is the time after which a place is likely to be free.
	RetryAfter time.Duration
}

// Error describes the refusal.
func (e *BusyError) Error() string {
	return fmt.Sprintf("too many contents are being parsed, retry after %s", e.RetryAfter)
}

// Turns give the places of children to groups in turns.
type Turns interface {
	// Enter waits for a place of the group. The error is a [*BusyError] if none becomes free, or that of the context.
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
	var answer bytes.Buffer
	if err := r.Stream(ctx, group, request, &answer); err != nil {
		return nil, err
	}
	return answer.Bytes(), nil
}

// Stream is [Runner.Run] with an answer that need not fit in memory. A part of it may be written before an error, which can also be that
// of the writer.
func (r *Runner) Stream(ctx context.Context, group string, request io.Reader, answer io.Writer) error {
	leave, err := r.turns.Enter(ctx, group)
	if err != nil {
		return err
	}
	defer leave()
	limited, cancel := context.WithTimeout(ctx, r.work.Limits.Time)
	defer cancel()
	in := &source{from: request}
	var text bytes.Buffer
	output, failures := &bounded{to: answer, room: r.work.Limits.Output}, &bounded{to: &text, room: maxErrors, rest: true}
	child := exec.CommandContext(limited, r.program, r.arguments...) //nolint:gosec // this program
	child.Env = []string{"GOMAXPROCS=1", "GOTRACEBACK=none"}
	child.SysProcAttr = attributes()
	child.Stdin, child.Stdout, child.Stderr, child.WaitDelay = in, output, failures, killWait
	err = run(child)
	switch failure := in.failure(); {
	case ctx.Err() != nil:
		return ctx.Err()
	case failure != nil:
		return fmt.Errorf("read the content: %w", failure)
	case output.err != nil:
		return fmt.Errorf("write the answer: %w", output.err)
	case err == nil:
		return nil
	case errors.Is(err, errOutput) || output.full:
		return r.refuse(TooLarge)
	case limited.Err() != nil && !in.ended.Load():
		return fmt.Errorf("read the content: %w", context.DeadlineExceeded)
	case limited.Err() != nil:
		return r.refuse(TooLong)
	}
	return r.ended(err, text.String())
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

// bounded passes the first bytes of an output on. It has no embedded writer, whose ReadFrom would go around the limit.
type bounded struct {
	to   io.Writer
	room int64
	rest bool // ignore the rest instead of failing
	full bool
	err  error // of the writer
}

// Write passes on the bytes within the limit.
func (b *bounded) Write(p []byte) (n int, err error) {
	length := len(p)
	if int64(length) > b.room {
		b.full = true
		if !b.rest {
			return 0, errOutput
		}
		p = p[:b.room]
	}
	n, b.err = b.to.Write(p)
	b.room -= int64(n)
	if b.err != nil {
		return n, b.err
	}
	return length, nil
}
