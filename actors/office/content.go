package office

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// mostUpload is the maximum size of a content that one request stores.
const mostUpload = 250 << 20

// Content is the content of an item, or a range of it.
type Content struct {
	// Body has to be closed. The context of the call must live until then.
	Body io.ReadCloser
	// Size is the number of bytes in the body; -1 if it is unknown.
	Size int64
	// Range is the value of Content-Range; empty for the complete content.
	Range string
	// Status is 200, or 206 for a range.
	Status int
}

// Open returns the content of a file. Rng is the value of a Range header; empty for the complete content, which the office suite may also
// return in place of a range. A range outside the content is [ErrRange].
func (c *Client) Open(ctx context.Context, id, rng string) (Content, error) {
	const operation = "download"
	address, err := c.item(id)
	if err != nil {
		return Content{}, err
	}
	var opened Content
	err = c.repeat(ctx, operation, func() bool { return true }, func(token string) error {
		watched, progress := watch(ctx, c.callTime)
		answer, err := c.download(watched, progress, address+"/content", token, rng) //nolint:bodyclose // the caller closes it
		if err != nil {
			progress.end()
			return err
		}
		progress.pause()
		opened = Content{Size: answer.ContentLength, Range: answer.Header.Get("Content-Range"), Status: answer.StatusCode, Body: &download{
			content: answer.Body, context: func() error { return context.Cause(watched) }, progress: progress, time: c.transferTime,
			failure: func(err error) error { return c.failure(ctx, operation, err) },
		}}
		return nil
	})
	return opened, err
}

// download requests the content, and follows the redirection to its pre-signed address.
func (c *Client) download(ctx context.Context, progress *progress, address, token, rng string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return nil, errAddress
	}
	request.Header.Set("Accept-Encoding", "identity")
	answer, err := c.send(request, token)
	if err != nil || answer.StatusCode == http.StatusOK {
		return answer, err
	}
	defer func() { _ = answer.Body.Close() }()
	signed, err := answer.Location()
	if err != nil || !c.isForeignPermitted(signed) {
		return nil, errAddress // the error contains the address
	}
	progress.extend(c.transferTime)
	return c.follow(ctx, signed.String(), rng)
}

// follow requests the content at its pre-signed address, which is a secret.
func (c *Client) follow(ctx context.Context, address, rng string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return nil, errAddress
	}
	request.Header.Set("Accept-Encoding", "identity")
	if isRange(rng) {
		request.Header.Set("Range", rng)
	}
	answer, err := c.transport.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode == http.StatusOK || answer.StatusCode == http.StatusPartialContent {
		return answer, nil
	}
	_ = answer.Body.Close()
	switch answer.StatusCode {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusRequestedRangeNotSatisfiable, http.StatusNotFound, http.StatusGone:
		return nil, refused(answer, nil, c.now())
	}
	return nil, &StatusError{Status: answer.StatusCode}
}

// isRange reports whether the value is a range of bytes. Other values are ignored, as RFC 9110 requires.
func isRange(value string) bool {
	ranges, bytes := strings.CutPrefix(value, "bytes=")
	return bytes && ranges != "" && strings.Trim(ranges, "0123456789-, ") == ""
}

// errContent reports that the content of an upload cannot be read.
var errContent = errors.New("the content to be stored is not readable")

var errLength = errors.New("the content does not have the declared size")

// Conflict is the treatment of a new file with the name of an item of the folder.
type Conflict string

// The treatments of conflicts.
const (
	// Fail refuses the file with [ErrExists]. Replace stores a new version. Rename adds a number to the name.
	Fail    Conflict = "fail"
	Replace Conflict = "replace"
	Rename  Conflict = "rename"
)

// Upload stores a file with so many bytes. It is repeated only if the content is an [io.Seeker] or was not
// read yet. The content is not read after the return.
func (c *Client) Upload(
	ctx context.Context, parent, name string, conflict Conflict, content io.Reader, size int64,
) (Item, error) {
	const operation = "upload"
	if err := CheckName(name); err != nil {
		return Item{}, err
	}
	switch {
	case size > mostUpload:
		return Item{}, ErrTooLarge
	case size < 0:
		return Item{}, fmt.Errorf("%w: %w", errContent, errLength)
	}
	address, err := c.named(parent, name)
	if err != nil {
		return Item{}, err
	}
	source := newSource(content, size)
	var stored resource
	err = c.repeat(ctx, operation, source.rewind, func(token string) error {
		return c.put(ctx, address+"/content?@microsoft.graph.conflictBehavior="+string(conflict), token, source, &stored)
	})
	if err != nil {
		return Item{}, err
	}
	item, err := c.read(&stored)
	if err != nil {
		return Item{}, c.failure(ctx, operation, err)
	}
	return item, nil
}

// put makes one attempt of an upload.
func (c *Client) put(ctx context.Context, address, token string, source *source, into *resource) error {
	watched, progress := watch(ctx, c.transferTime)
	defer progress.end()
	body := &attemptBody{source: source, progress: progress, time: c.transferTime}
	defer func() { _ = body.end() }()
	request, err := http.NewRequestWithContext(watched, http.MethodPut, address, http.NoBody)
	if err != nil {
		return errAddress
	}
	if source.size > 0 {
		request.Body, request.ContentLength = body, source.size
	} else if err := source.finish(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: %w", errContent, err)
	}
	request.Header.Set("Content-Type", "application/octet-stream")
	answer, err := c.send(request, token)
	if failed := body.end(); failed != nil {
		if err == nil {
			_ = answer.Body.Close()
		}
		return fmt.Errorf("%w: %w", errContent, failed)
	}
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	return read(answer, into)
}

// source is the content of an upload.
type source struct {
	content    io.Reader
	seeker     io.Seeker // nil if the content cannot be repeated
	start      int64     // position of the seeker before the first attempt
	size, read int64
}

func newSource(content io.Reader, size int64) *source {
	s := &source{content: content, size: size}
	if seeker, is := content.(io.Seeker); is {
		if at, err := seeker.Seek(0, io.SeekCurrent); err == nil {
			s.seeker, s.start = seeker, at
		}
	}
	return s
}

// next reads a part of the content. It returns the last part only if the content has the declared size, so that no other one is stored.
func (s *source) next(p []byte) (int, error) {
	n, err := s.content.Read(p)
	s.read += int64(n)
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return n, err
	case s.read > s.size, err != nil && s.read < s.size:
		return 0, errLength
	case s.read < s.size:
		return n, nil
	}
	if err == nil {
		err = s.finish()
	}
	if !errors.Is(err, io.EOF) {
		return 0, err
	}
	return n, io.EOF
}

// finish returns io.EOF at the end of the content.
func (s *source) finish() error {
	n, err := io.ReadFull(s.content, make([]byte, 1))
	if n > 0 {
		return errLength
	}
	return err
}

// rewind prepares the content for another attempt, and reports whether that is possible.
func (s *source) rewind() bool {
	if s.read == 0 {
		return true
	}
	if s.seeker == nil {
		return false
	}
	_, err := s.seeker.Seek(s.start, io.SeekStart)
	s.read = 0
	return err == nil
}

// attemptBody is the body of one attempt. The transport may read it after its answer, so that it is ended before the content is used
// again.
type attemptBody struct {
	progress *progress
	time     time.Duration

	mu     sync.Mutex
	source *source
	ended  bool
	err    error // of the content
}

// Read reads a part of the content.
func (b *attemptBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return 0, io.ErrClosedPipe
	}
	n, err := b.source.next(p)
	b.progress.extend(b.time)
	if err != nil && !errors.Is(err, io.EOF) {
		b.err = err
		b.progress.end() // a failure of the content is none of the host
	}
	return n, err
}

// Close does not close the content, which belongs to the caller of the upload.
func (*attemptBody) Close() error { return nil }

// end waits for the last read of the content, and returns its failure.
func (b *attemptBody) end() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
	return b.err
}
