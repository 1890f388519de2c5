package document

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"equity/fault"
	"equity/http/admission"
	"equity/http/api"
	"equity/http/document/stamp"
	"equity/messages"
	"equity/organization"
	room "equity/organization/document"
)

// Users finds the accounts of readers.
type Users interface {
	ByID(ctx context.Context, id organization.UserID) (messages.User, error)
}

// Stamper marks contents with their readers.
type Stamper interface {
	// PDF returns the content with the reader on each page. The error is [stamp.ErrNotStampable] if the content is at fault.
	PDF(ctx context.Context, content stamp.Content, reader stamp.Reader) ([]byte, error)
}

// errContent reports that the store did not return a content.
var errContent = errors.New("read a stored file")

// stamped returns the content with the name and the address of the reader and the time on each page. The bytes differ between readers and
// times, so ranges are not supported.
func (s *base) stamped(ctx context.Context, r reading, answer api.Answer) (api.Answer, error) {
	reader, err := r.reader(ctx)
	if err != nil {
		return api.Answer{}, err
	}
	var marked []byte
	err = admission.WaitWithoutSlot(ctx, func() error {
		marked, err = s.Stamper.PDF(ctx, stamp.Content{Group: r.scope, SHA256: r.file.SHA256, Open: s.opener(r)}, reader)
		return err
	})
	if err != nil {
		return api.Answer{}, unstamped(err)
	}
	hash := sha256.Sum256(marked)
	answer.Rendered, answer.ETag = marked, `"`+hex.EncodeToString(hash[:])+`"`
	return answer, nil
}

// opener returns the function that opens the stored content of the file.
func (s *base) opener(r reading) func(context.Context) (io.ReadCloser, error) {
	return func(ctx context.Context) (io.ReadCloser, error) {
		content, err := s.Objects.OpenWhole(ctx, key(r.scope, r.file.SHA256), r.file.SHA256, r.file.Size)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errContent, err)
		}
		return content, nil
	}
}

// unstamped returns the refusal of a content that cannot be stamped now or ever.
func unstamped(err error) error {
	switch {
	case errors.Is(err, stamp.ErrNotStampable):
		return &fault.FailureError{
			Refusal: fault.Refuse(
				room.CodeNotStampable, "The document is only available with a watermark, which its content does not permit.",
			), Cause: err,
		}
	case errors.Is(err, errContent):
		return api.Unavailable(fmt.Errorf("stamp a document: %w", err))
	}
	return api.NotParsed(fmt.Errorf("stamp a document: %w", err))
}
