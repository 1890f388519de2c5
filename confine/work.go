package confine

import (
	"fmt"
	"io"
	"time"
)

// Work is a parser that runs in a child process.
type Work struct {
	// Name is the argument of the child.
	Name   string
	Limits Limits
	// Do reads a request and writes its answer. An error refuses the content. Its text stays in the child, because it may quote the content.
	Do func(in io.Reader, out io.Writer) error
}

// Limits bound a child. Every limit is required.
type Limits struct {
	// Memory bounds the objects of the child, in bytes. The operating system bounds its writable memory at twice that.
	Memory int64
	// Processor bounds the time on processors, in whole seconds.
	Processor time.Duration
	// Time bounds the time from the start of the child to its kill.
	Time time.Duration
	// Output bounds the answer, in bytes.
	Output int64
}

// Reason is the reason why a content cannot be used.
type Reason string

// The reasons.
const (
	Refused  Reason = "the parser refused it"
	TooLong  Reason = "it exceeded the limit of time"
	TooMuch  Reason = "it exceeded the limit of memory"
	TooDeep  Reason = "it exceeded the limit of nesting"
	TooLarge Reason = "its result exceeded the limit of output"
	Crashed  Reason = "the parser crashed"
)

// ContentError reports a content that cannot be used. It contains no part of the content.
type ContentError struct {
	Work   string
	Reason Reason
}

// Error returns the reason.
func (e *ContentError) Error() string { return fmt.Sprintf("%s: %s", e.Work, e.Reason) }
