package mcp

import (
	"bytes"
	"net/http"
	"sync/atomic"
)

// preparedAnswer inserts prepared JSON into an answer in place of a mark. The library encodes each answer twice, which takes
// milliseconds for the list of all tools; the mark is short.
type preparedAnswer struct {
	http.ResponseWriter
	mark []byte
	// text is nil before the list is requested. The requests of a batch store the same list concurrently.
	text atomic.Pointer[[]byte]
}

// Write writes a part of the answer that has a mark completely or not at all.
func (a *preparedAnswer) Write(part []byte) (int, error) {
	text := a.text.Load()
	if text == nil {
		return a.ResponseWriter.Write(part)
	}
	if _, err := a.ResponseWriter.Write(bytes.ReplaceAll(part, a.mark, *text)); err != nil {
		return 0, err
	}
	return len(part), nil
}

// Unwrap returns the writer for [http.ResponseController].
func (a *preparedAnswer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
