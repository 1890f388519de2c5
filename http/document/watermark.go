package document

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"equity/fault"
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
	// PDF returns the content with the reader on each page, or [stamp.ErrNotStampable].
	PDF(ctx context.Context, content io.ReadSeeker, reader stamp.Reader) ([]byte, error)
}

// stamped returns the content with the name and the address of the reader and the time on each page. The bytes differ in each answer, so
// ranges are not supported.
func (s *base) stamped(ctx context.Context, r reading, answer api.Answer) (api.Answer, error) {
	reader, err := r.reader(ctx)
	if err != nil {
		return api.Answer{}, err
	}
	content, err := s.read(ctx, r.scope, r.file)
	if err != nil {
		return api.Answer{}, err
	}
	marked, err := s.Stamper.PDF(ctx, bytes.NewReader(content), reader)
	switch {
	case errors.Is(err, stamp.ErrNotStampable):
		return api.Answer{}, &fault.FailureError{
			Refusal: fault.Refuse(room.CodeNotStampable, "The document is only available with a watermark, which its content does not permit."), Cause: err,
		}
	case err != nil:
		return api.Answer{}, api.Unavailable(fmt.Errorf("stamp a document: %w", err))
	}
	hash := sha256.Sum256(marked)
	answer.Rendered, answer.ETag = marked, `"`+hex.EncodeToString(hash[:])+`"`
	return answer, nil
}

// read returns all bytes of a file.
func (s *base) read(ctx context.Context, scope string, stored *room.File) ([]byte, error) {
	content, err := s.Objects.Open(ctx, key(scope, stored.SHA256), 0, stored.Size)
	if err != nil {
		return nil, api.Unavailable(fmt.Errorf("read a stored file: %w", err))
	}
	defer func() { _ = content.Close() }() // it was only read
	all := make([]byte, stored.Size)
	if _, err := io.ReadFull(content, all); err != nil {
		return nil, api.Unavailable(fmt.Errorf("read a stored file: %w", err))
	}
	return all, nil
}
