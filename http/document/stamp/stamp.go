// Package stamp marks each page of a PDF with its reader.
package stamp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"equity/confine"
	"equity/http/lru"
)

// ErrNotStampable reports a content that is not a PDF, or one that cannot be changed, such as an encrypted one.
var ErrNotStampable = errors.New("the content cannot be stamped")

// Reader is the reader of a content.
type Reader struct {
	Name  string    `json:"name"`
	Email string    `json:"email"`
	At    time.Time `json:"at"`
}

// Content is a stored content.
type Content struct {
	// Group is the organization, which shares the places of children with others in turns.
	Group string
	// SHA256 identifies the bytes.
	SHA256 string
	// Open returns the bytes. It is called only if the result is not kept.
	Open func(ctx context.Context) (io.ReadCloser, error)
}

// The results that a Stamper keeps.
const (
	maxKept      = 64 << 20 // bytes
	maxKeptEntry = maxKept / 4
	maxRefused   = 10_000
	// keptFor is the age up to which a result is used again. The time on its pages is that of the first reading.
	keptFor = 10 * time.Minute
)

// Runner runs the [Work] of stamping.
type Runner interface {
	Run(ctx context.Context, group string, request io.Reader) ([]byte, error)
}

// Stamper stamps contents in child processes. It is safe for concurrent use.
type Stamper struct {
	runner  Runner
	stamped *lru.Cache[stampedKey, []byte]
	refused *lru.Cache[refusedKey, error]
}

// stampedKey identifies a result by the content, the reader and the period of the reading.
type stampedKey struct {
	sha256, name, email string
	period              int64
}

// refusedKey identifies a content that cannot be stamped for any reader.
type refusedKey struct {
	sha256 string
	period int64
}

// NewStamper returns a Stamper with the runner of its [Work].
func NewStamper(runner Runner) *Stamper {
	return &Stamper{
		runner:  runner,
		stamped: lru.New(maxKept, func(_ stampedKey, content []byte) int64 { return int64(len(content)) }),
		refused: lru.New(maxRefused, func(refusedKey, error) int64 { return 1 }),
	}
}

// PDF returns the content with the reader's name and address and the time on each page. The error is [ErrNotStampable] if the content is
// at fault. A result is kept for some minutes, and a refusal too.
func (s *Stamper) PDF(ctx context.Context, content Content, reader Reader) ([]byte, error) {
	period := reader.At.Truncate(keptFor).Unix()
	key, hostile := stampedKey{content.SHA256, reader.Name, reader.Email, period}, refusedKey{content.SHA256, period}
	if kept, ok := s.stamped.Get(key); ok {
		return kept, nil
	}
	if err, ok := s.refused.Get(hostile); ok {
		return nil, err
	}
	stamped, err := s.stamp(ctx, content, reader)
	if reason, ok := errors.AsType[*confine.ContentError](err); ok {
		err = fmt.Errorf("%w: %w", ErrNotStampable, reason)
		s.refused.Put(hostile, err)
	}
	if err == nil && len(stamped) <= maxKeptEntry {
		s.stamped.Put(key, stamped)
	}
	return stamped, err
}

func (s *Stamper) stamp(ctx context.Context, content Content, reader Reader) ([]byte, error) {
	header, err := json.Marshal(reader)
	if err != nil {
		return nil, err
	}
	opened := &opening{ctx: ctx, open: content.Open}
	defer func() { _ = opened.Close() }() // it was only read
	return s.runner.Run(ctx, content.Group, io.MultiReader(bytes.NewReader(append(header, '\n')), opened))
}

// opening opens the content at the first read, when the child has a place.
type opening struct {
	ctx     context.Context //nolint:containedctx // an io.Reader has no other way to it
	open    func(context.Context) (io.ReadCloser, error)
	content io.ReadCloser
}

// Read reads from the content.
func (o *opening) Read(p []byte) (int, error) {
	if o.content == nil {
		content, err := o.open(o.ctx)
		if err != nil {
			return 0, err
		}
		o.content = content
	}
	return o.content.Read(p)
}

// Close closes the content.
func (o *opening) Close() error {
	if o.content == nil {
		return nil
	}
	return o.content.Close()
}
