package anchor

import (
	"bytes"
	"context"
	"crypto"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/digitorus/timestamp"

	"equity/egress"
)

// Authority is a time stamp authority (RFC 3161).
type Authority struct{ URL, Username, Password string }

// callTime bounds a call, and mostAnswer an answer.
const (
	callTime   = 20 * time.Second
	mostAnswer = 1 << 20
)

var errStamp = errors.New("time stamp authority")

// Stamp returns a token for the content. It sends the SHA-256 of the content only.
func (a Authority) Stamp(ctx context.Context, content []byte) ([]byte, error) {
	asked, err := timestamp.CreateRequest(bytes.NewReader(content), &timestamp.RequestOptions{Hash: crypto.SHA256, Certificates: true})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errStamp, err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, a.URL, bytes.NewReader(asked))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errStamp, err)
	}
	request.Header.Set("Content-Type", "application/timestamp-query")
	if a.Username != "" {
		request.SetBasicAuth(a.Username, a.Password)
	}
	answer, err := egress.NewClient(nil, callTime).Do(request)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errStamp, err)
	}
	defer func() { _ = answer.Body.Close() }() // the body was only read
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%w: status %d", errStamp, answer.StatusCode)
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, mostAnswer))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errStamp, err)
	}
	token, err := timestamp.ParseResponse(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errStamp, err)
	}
	if _, err := Stamped(token.RawToken, content); err != nil {
		return nil, err
	}
	return token.RawToken, nil
}

// Stamped returns the time that a token states for the content. It checks the signature of the token, but not whether its certificate is
// trusted: `openssl ts -verify` does that with the certificates of the authority.
func Stamped(token, content []byte) (time.Time, error) {
	parsed, err := timestamp.Parse(token)
	if err != nil {
		return time.Time{}, fmt.Errorf("%w: %w", errStamp, err)
	}
	digest := parsed.HashAlgorithm.New()
	digest.Write(content)
	if parsed.HashAlgorithm != crypto.SHA256 || !bytes.Equal(digest.Sum(nil), parsed.HashedMessage) {
		return time.Time{}, fmt.Errorf("%w: the token is of another content", errStamp)
	}
	return parsed.Time, nil
}
