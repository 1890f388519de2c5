package api

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"

	"equity/fault"
	"equity/messages"
)

// IdempotencyHeader is the header with the caller's key.
const IdempotencyHeader = "Idempotency-Key"

// Headers between the nodes of a cluster. CommandHeader has the id that the first node gives a change, so that it can be sent again.
// RepeatedHeader marks a request of which an earlier attempt may have been executed.
const (
	CommandHeader  = "Equity-Command"
	RepeatedHeader = "Equity-Repeated"
)

// IdempotencyKey returns the caller's key prefixed with their id, so that keys of different users
// never collide; empty without a key. The id of a forwarded change replaces a missing key, also if the operation declares none.
func (c *Call) IdempotencyKey() string {
	if key := c.header(IdempotencyHeader); key != "" && c.Operation.Takes(IdempotencyHeader) {
		return c.By() + " " + key
	}
	if id := c.header(CommandHeader); id != "" {
		return c.By() + " command " + id
	}
	return ""
}

// fingerprint identifies a request by a keyed hash of its method, path, query and body. The hash is
// keyed because journal proofs contain it and must not allow guesses of a body. A multipart body is
// replaced by its files, because the boundary is random.
func (c *Call) fingerprint() string {
	hash := hmac.New(sha256.New, c.tagKey)
	write := func(text string) {
		_, _ = hash.Write([]byte(text))
		_, _ = hash.Write([]byte{0})
	}
	write(c.Operation.Method)
	write(c.Operation.Path)
	for _, value := range c.inPath() {
		write(value)
	}
	write(c.rawQuery)
	for _, file := range c.Files {
		write(file.Name + " " + file.SHA256)
	}
	switch {
	case len(c.Files) > 0:
	case c.asSent != nil:
		_, _ = hash.Write(c.asSent)
	default:
		_, _ = hash.Write(c.Body)
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// Once returns the idempotency data of a change outside the journals.
func (c *Call) Once() messages.Once {
	key := c.IdempotencyKey()
	if key == "" {
		return messages.Once{At: c.At}
	}
	return messages.Once{Key: key, Fingerprint: c.fingerprint(), At: c.At}
}

// Secret returns a secret of the purpose for the record with the id. The same request with an idempotency key has the same secret, so that
// its answer can be repeated although only a hash of the secret is stored. Without a key, it returns the random bytes.
func (c *Call) Secret(purpose string, id [16]byte, random []byte) []byte {
	key := c.IdempotencyKey()
	if key == "" {
		return random
	}
	hash := hmac.New(sha256.New, c.tagKey)
	for _, part := range []string{purpose, string(id[:]), key, c.fingerprint()} {
		_, _ = hash.Write([]byte(part))
		_, _ = hash.Write([]byte{0})
	}
	return hash.Sum(nil)
}

// repeated returns the first answer to a repeated request that was refused because its earlier attempt was executed, such as a second
// deletion. It runs the request again with the view before the events of that attempt: the checks succeed as before, and the
// organization answers with the recorded events. Without such events, the refusal stands.
func (s *Kernel) repeated(ctx context.Context, c *Call, r *Request, refusal error) (Answer, error) {
	if status, _, _ := s.Explain(refusal, ""); status >= http.StatusInternalServerError || c.Organization.IsZero() {
		return Answer{}, refusal
	}
	c.rawQuery = r.RawQuery // the checks may have ended before
	if faults, err := c.bodyOnce(r); err != nil || len(faults) > 0 {
		return Answer{}, refusal
	}
	command, err := c.Command(nil, nil)
	if err != nil || command.IdempotencyKey == "" {
		return Answer{}, refusal
	}
	recorded, err := s.Do(ctx, c, command)
	if errors.Is(err, messages.ErrNotRecorded) {
		return Answer{}, refusal
	}
	if err == nil {
		c.past, err = s.organizations.ViewAt(ctx, c.Organization, recorded.Sequence-uint64(len(recorded.Events)))
	}
	if err != nil {
		return Answer{}, Unavailable(err)
	}
	answer, err := s.execute(ctx, c, r)
	if err != nil {
		return Answer{}, &fault.FailureError{Refusal: messages.ErrOutcomeUnknown, Cause: err}
	}
	return answer, nil
}
