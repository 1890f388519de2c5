// Package stamp marks each page of a PDF with its reader.
package stamp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// ErrNotStampable reports a content that is not a PDF, or one that cannot be changed, such as an encrypted one.
var ErrNotStampable = errors.New("the content cannot be stamped")

// Reader is the reader of a content.
type Reader struct {
	Name, Email string
	At          time.Time
}

// The limits of the stamper: a PDF can cost much more memory and time than its size suggests.
const (
	mostAtOnce = 2
	mostTime   = 20 * time.Second
)

// Stamper stamps contents. It is safe for concurrent use.
type Stamper struct{ turns chan struct{} }

// NewStamper returns a Stamper. It turns off the configuration folder of the library, which is in the home folder of the user.
func NewStamper() *Stamper {
	disableFolder()
	return &Stamper{turns: make(chan struct{}, mostAtOnce)}
}

// disableFolder changes a variable of the library once.
var disableFolder = sync.OnceFunc(api.DisableConfigDir) //nolint:gochecknoglobals // state of the library

// PDF returns the content with the reader's name and address and the time on each page, or an error that is [ErrNotStampable].
func (s *Stamper) PDF(ctx context.Context, content io.ReadSeeker, reader Reader) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, mostTime)
	defer cancel()
	select {
	case s.turns <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	type result struct {
		stamped []byte
		err     error
	}
	done := make(chan result, 1)
	go func() { // the library does not end with a context; the turn is held until it ends
		defer func() { <-s.turns }()
		stamped, err := contained(content, reader)
		done <- result{stamped, err}
	}()
	select {
	case r := <-done:
		return r.stamped, r.err
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: %w", ErrNotStampable, ctx.Err())
	}
}

// contained converts a panic of the library, which a malformed PDF can cause, to an error.
func contained(content io.ReadSeeker, reader Reader) (stamped []byte, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			stamped, err = nil, fmt.Errorf("%w: %v", ErrNotStampable, reason)
		}
	}()
	var out bytes.Buffer
	if err := write(content, &out, reader); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotStampable, err)
	}
	return out.Bytes(), nil
}

// The looks of the stamps: a line at the lower edge, which is easy to read, and a pale one across the page, which is hard to cut off.
const (
	edge   = "font:Helvetica, points:8, scale:1 abs, pos:bc, off:0 6, rot:0, fillc:#555555, op:0.9"
	across = "font:Helvetica, scale:0.8 rel, pos:c, diagonal:1, fillc:#888888, op:0.15"
)

func write(content io.ReadSeeker, to io.Writer, reader Reader) error {
	conf := model.NewDefaultConfiguration()
	conf.Cmd = model.ADDWATERMARKS
	conf.OptimizeDuplicateContentStreams = false
	read, _, _, _, err := api.ReadValidateAndOptimize(content, conf, time.Now())
	if err != nil {
		return err
	}
	if err := read.EnsurePageCount(); err != nil {
		return err
	}
	who := strings.TrimSpace(printable(reader.Name) + " " + printable(reader.Email))
	for look, text := range map[string]string{edge: who + " " + reader.At.UTC().Format("2006-01-02 15:04:05 UTC"), across: who} {
		mark, err := api.TextWatermark(text, look, true, false, types.POINTS)
		if err != nil {
			return err
		}
		if err := api.WatermarkContext(read, nil, mark); err != nil {
			return err
		}
	}
	return api.WriteContext(read, to)
}

// printable returns the text in the characters of the standard fonts. Others become question marks; the address identifies the reader.
func printable(text string) string {
	const lastLatin = 0xff
	return strings.Map(func(r rune) rune {
		switch {
		case r < ' ' || r == 0x7f:
			return ' '
		case r == '%': // begins a placeholder of the library
			return '?'
		case r > lastLatin || r > 0x7e && r < 0xa0:
			return '?'
		}
		return r
	}, text)
}
