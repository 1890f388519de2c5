package api

import (
	"net/http"
	"time"

	"equity/captable"
)

// Listed converts all records.
func Listed[R, S any](found []R, show func(R) S) Page[S] {
	stored := Page[S]{Data: make([]S, 0, len(found))}
	for _, record := range found {
		stored.Data = append(stored.Data, show(record))
	}
	return stored
}

// MostListed is the maximum number of stored records of an answer.
const MostListed = 200

// Instant returns the time as the contract shows it; nil for the zero time.
func Instant(t time.Time) *captable.Instant {
	if t.IsZero() {
		return nil
	}
	at := captable.InstantOf(t)
	return &at
}

// Digested returns a record from outside the journals. Its ETag consists of the version and a digest
// of the content.
func (s *Kernel) Digested(c *Call, version uint64, record any) (Answer, error) {
	text, err := RenderJSON(record)
	if err != nil {
		return Answer{}, err
	}
	tag := c.ContentTag(version, string(text))
	if c.Operation.Method == http.MethodGet && c.Unchanged(tag) {
		return NotModified(tag), nil
	}
	return Answer{Rendered: text, ContentType: ContentJSON, ETag: tag}, nil
}
