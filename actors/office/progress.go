package office

import (
	"context"
	"fmt"
	"io"
	"time"
)

// errStalled reports a transfer without progress.
var errStalled = fmt.Errorf("the transfer made no progress: %w", context.DeadlineExceeded)

// progress ends a request that makes no progress for some time.
type progress struct {
	timer *time.Timer
	end   context.CancelFunc
}

// watch returns a context that ends after the time, unless the time is extended before.
func watch(ctx context.Context, d time.Duration) (context.Context, *progress) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(d, func() { cancel(errStalled) })
	return ctx, &progress{timer, func() {
		timer.Stop()
		cancel(nil)
	}}
}

// extend lets the request continue for the time.
func (p *progress) extend(d time.Duration) { p.timer.Reset(d) }

// pause stops the time, while the request does not wait for the other side.
func (p *progress) pause() { p.timer.Stop() }

// download is the content of an item. The time runs only while it is read, so that a slow reader does not end it.
type download struct {
	content  io.ReadCloser
	context  func() error
	progress *progress
	time     time.Duration
	failure  func(error) error
}

// Read reads a part of the content.
func (d *download) Read(p []byte) (int, error) {
	d.progress.extend(d.time)
	n, err := d.content.Read(p)
	d.progress.pause()
	if err == nil || err == io.EOF { //nolint:errorlint // the plain end of a reader
		return n, err
	}
	if cause := d.context(); cause != nil {
		err = cause
	}
	return n, d.failure(err)
}

// Close ends the transfer.
func (d *download) Close() error {
	d.progress.end()
	return d.content.Close()
}
