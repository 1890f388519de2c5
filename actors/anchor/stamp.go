package anchor

import (
	"bytes"
	"cmp"
	"context"
	"crypto"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/digitorus/pkcs7"
	"github.com/digitorus/timestamp"

	"equity/egress"
)

// Authority is a time stamp authority (RFC 3161).
type Authority struct {
	URL, Username, Password string
	// Trusted are the certificates to which that of a token must lead; nil for any.
	Trusted *x509.CertPool
	// Random is a secure source.
	Random io.Reader
	// Time bounds a call; 0 for callTime.
	Time time.Duration
}

// callTime bounds a call, maxToken a token, and nonceBits is the length of a nonce.
const (
	callTime  = 20 * time.Second
	maxToken  = 64 << 10
	nonceBits = 128
)

var errStamp = errors.New("time stamp authority")

// parsing admits one call at a time: github.com/digitorus/pkcs7 counts the depth of what it parses in a variable of the package.
var parsing sync.Mutex //nolint:gochecknoglobals // as the variable that it guards

// alone parses the text while no other text is parsed.
func alone[T any](parse func([]byte) (T, error), text []byte) (T, error) {
	parsing.Lock()
	defer parsing.Unlock()
	return parse(text)
}

// Stamp returns a token for the content. It sends the SHA-256 of the content only.
func (a Authority) Stamp(ctx context.Context, content []byte) ([]byte, error) {
	nonce, err := rand.Int(a.Random, new(big.Int).Lsh(big.NewInt(1), nonceBits))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errStamp, err)
	}
	asked, err := timestamp.CreateRequest(
		bytes.NewReader(content), &timestamp.RequestOptions{Hash: crypto.SHA256, Certificates: true, Nonce: nonce},
	)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errStamp, err)
	}
	text, err := a.call(ctx, asked)
	if err != nil {
		return nil, err
	}
	token, err := alone(timestamp.ParseResponse, text)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", errStamp, err)
	case token.Nonce == nil || token.Nonce.Cmp(nonce) != 0:
		return nil, fmt.Errorf("%w: the answer has another nonce", errStamp)
	}
	if _, err := Stamped(token.RawToken, content, a.Trusted); err != nil {
		return nil, err
	}
	return token.RawToken, nil
}

// call sends a request to the authority, and returns its answer.
func (a Authority) call(ctx context.Context, asked []byte) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, a.URL, bytes.NewReader(asked))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errStamp, err)
	}
	request.Header.Set("Content-Type", "application/timestamp-query")
	if a.Username != "" {
		request.SetBasicAuth(a.Username, a.Password)
	}
	answer, err := egress.NewClient(nil, cmp.Or(a.Time, callTime)).Do(request)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errStamp, err)
	}
	defer func() { _ = answer.Body.Close() }() // the body was only read
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%w: status %d", errStamp, answer.StatusCode)
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxToken))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errStamp, err)
	}
	return text, nil
}

// Stamped returns the time that a token states for the content. It checks the signature of the token, and whether its certificate was valid at that
// time and leads to a trusted one; with nil, any certificate is accepted.
func Stamped(token, content []byte, trusted *x509.CertPool) (time.Time, error) {
	if len(token) > maxToken {
		return time.Time{}, fmt.Errorf("%w: the token has %d bytes; at most %d are supported", errStamp, len(token), maxToken)
	}
	parsed, err := alone(timestamp.Parse, token)
	if err != nil {
		return time.Time{}, fmt.Errorf("%w: %w", errStamp, err)
	}
	digest := sha256.Sum256(content)
	switch {
	case len(parsed.Certificates) == 0: // the signature was not checked
		return time.Time{}, fmt.Errorf("%w: the token has no certificate", errStamp)
	case parsed.HashAlgorithm != crypto.SHA256 || !bytes.Equal(digest[:], parsed.HashedMessage):
		return time.Time{}, fmt.Errorf("%w: the token is of another content", errStamp)
	case trusted == nil:
		return parsed.Time, nil
	}
	signed, err := alone(pkcs7.Parse, token)
	if err != nil {
		return time.Time{}, fmt.Errorf("%w: %w", errStamp, err)
	}
	between := x509.NewCertPool()
	for _, one := range parsed.Certificates {
		between.AddCert(one)
	}
	err = signed.VerifyWithOpts(x509.VerifyOptions{
		Roots: trusted, Intermediates: between, CurrentTime: parsed.Time, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageTimeStamping},
	})
	if err != nil {
		return time.Time{}, fmt.Errorf("%w: %w", errStamp, err)
	}
	return parsed.Time, nil
}

var errNoCertificates = errors.New("the file contains no certificate in PEM format")

// ReadCertificates returns the certificates of a PEM file, or nil for an empty path.
func ReadCertificates(path string) (*x509.CertPool, error) {
	if path == "" {
		return nil, nil //nolint:nilnil // nil accepts any certificate
	}
	text, err := os.ReadFile(path) //nolint:gosec // the operator names the file
	if err != nil {
		return nil, err
	}
	trusted := x509.NewCertPool()
	if !trusted.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s: %w", path, errNoCertificates)
	}
	return trusted, nil
}
