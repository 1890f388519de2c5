// Package api is the kernel of the HTTP API. It reads the contract, checks each request against it, runs the handler of
// its operation and renders the answer. It does not depend on the features.
package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync"
	"time"

	"equity/messages"
)

// Answer is the result of an operation. The zero Answer is an empty 200.
type Answer struct {
	// Status is the HTTP status; 0 means 200.
	Status int
	// Record becomes the JSON body; nil for an empty body.
	Record any
	// Rendered is an encoded body of type ContentType. It takes precedence over Record.
	Rendered    []byte
	ContentType string
	// Stream writes a body that is too large for memory. It takes precedence over Rendered and Record.
	Stream func(w io.Writer) error
	// TakeOver continues the answer on the connection itself, after the request has ended. It takes precedence over all other
	// bodies. An error is sent instead of the answer.
	TakeOver func(w http.ResponseWriter) error
	// FileName is the name in Content-Disposition. Inline displays the file instead of downloading it.
	FileName string
	Inline   bool
	// Location is the path of the created record, below /v1.
	Location string
	ETag     string
	// Redirect is the path of the next page. It is not below /v1.
	Redirect string
	// Successor is the path below /v1 that replaces a deprecated path.
	Successor string
	// Policy is the Content-Security-Policy of a page. Empty means the policy of the API, which allows
	// no content.
	Policy string
	// Headers are further headers; may be nil.
	Headers map[string]string
	// Private answers are sent with Cache-Control: no-store.
	Private bool
	// Replayed reports that the answer belongs to an earlier request with the same Idempotency-Key.
	Replayed bool
	// Cookie is set in addition to the session cookie; may be nil.
	Cookie *http.Cookie
	// Cookies are set too.
	Cookies []*http.Cookie
	// Session is the change of the caller's session.
	Session SessionChange
	// release frees the resources of the answer after it was sent; may be nil.
	release func()
}

// OnDone sets the function that frees the resources of the answer.
func (a *Answer) OnDone(release func()) { a.release = release }

// Done releases the resources of the answer.
func (a *Answer) Done() {
	if a.release != nil {
		a.release()
	}
}

// SessionChange describes a change of the browser's session. The zero value changes no session.
type SessionChange struct {
	// SignIn starts a session for its user.
	SignIn messages.SignIn
	// EndOthers ends all other sessions of the user first.
	EndOthers bool
	// StillValid checks the account again after the session with this handle exists. An error refuses the
	// sign-in. Disabling and takeover of an account end its sessions, so a concurrent sign-in is caught by
	// one of the two.
	StillValid func(ctx context.Context, handle string) error
	SignOut    bool
	// SecondFactorAt records the time of a second factor in the present session.
	SecondFactorAt time.Time
}

// IsZero reports whether the session stays as it is.
func (s SessionChange) IsZero() bool {
	return s.SignIn == messages.SignIn{} && !s.EndOthers && !s.SignOut && s.SecondFactorAt.IsZero()
}

// Answered returns an Answer with a record and its ETag.
func Answered(record any, tag string) Answer { return Answer{Record: record, ETag: tag} }

// Created returns a 201 Answer with a record and its location.
func Created(record any, location, tag string) Answer {
	return Answer{Status: http.StatusCreated, Record: record, Location: location, ETag: tag}
}

// NotModified returns the Answer 304.
func NotModified(tag string) Answer { return Answer{Status: http.StatusNotModified, ETag: tag} }

// ContentJSON is the media type of records.
const ContentJSON = "application/json"

// buffers are reused, because most answers have a similar size.
var buffers = sync.Pool{New: func() any { return &bytes.Buffer{} }} //nolint:gochecknoglobals // scratch space has no state

const maxReusedBuffer = 1 << 20 // bytes; larger buffers are not reused

// RenderJSON encodes the record without a trailing line break.
func RenderJSON(record any) ([]byte, error) {
	buffer, err := encode(record)
	if err != nil {
		return nil, err
	}
	defer recycle(buffer)
	return bytes.Clone(bytes.TrimSuffix(buffer.Bytes(), []byte("\n"))), nil
}

func encode(record any) (*bytes.Buffer, error) {
	buffer, _ := buffers.Get().(*bytes.Buffer)
	buffer.Reset()
	encoder := json.NewEncoder(buffer)
	encoder.SetEscapeHTML(false) // answers are never embedded in HTML
	if err := encoder.Encode(record); err != nil {
		recycle(buffer)
		return nil, fmt.Errorf("encode %T: %w", record, err)
	}
	return buffer, nil
}

func recycle(buffer *bytes.Buffer) {
	if buffer.Cap() <= maxReusedBuffer {
		buffers.Put(buffer)
	}
}

// writeJSON encodes the record, and sends the result as JSON.
func writeJSON(w http.ResponseWriter, record any, send func(body []byte)) {
	buffer, err := encode(record)
	if err != nil { // a record that cannot be encoded is a programming error
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	defer recycle(buffer)
	w.Header().Set("Content-Type", ContentJSON)
	send(buffer.Bytes())
}

// Write sends the answer. It returns an error only before the first byte is sent, so that the caller
// can still send an error response.
func (a *Answer) Write(w http.ResponseWriter, r *http.Request) error {
	header := w.Header()
	if a.ETag != "" {
		header.Set("ETag", a.ETag)
		header.Set("Cache-Control", "private, no-cache") // caches must revalidate it
	}
	if a.Private || a.ETag == "" {
		header.Set("Cache-Control", "no-store")
	}
	if a.Location != "" {
		header.Set("Location", Prefix+a.Location)
	}
	if a.Redirect != "" {
		header.Set("Location", a.Redirect)
	}
	if a.Successor != "" { // RFC 9745 with the date of the contract; RFC 5829
		header.Set("Deprecation", "@1767225600")
		header.Set("Link", "<"+Prefix+a.Successor+`>; rel="successor-version"`)
	}
	if a.Replayed {
		header.Set("Idempotency-Replayed", "true")
	}
	if a.FileName != "" {
		header.Set("Content-Disposition", a.disposition())
	}
	if a.Policy != "" {
		header.Set("Content-Security-Policy", a.Policy)
	}
	for name, value := range a.Headers {
		header.Set(name, value)
	}
	status := a.Status
	if status == 0 {
		status = http.StatusOK
	}
	switch {
	case a.TakeOver != nil:
		header.Set("Content-Type", a.ContentType)
		return a.TakeOver(w)
	case a.Stream != nil:
		header.Set("Content-Type", a.ContentType)
		w.WriteHeader(status)
		return a.Stream(w)
	case a.Rendered != nil:
		header.Set("Content-Type", a.ContentType)
		a.sendBody(w, r, status, a.Rendered)
	case a.Record != nil:
		writeJSON(w, a.Record, func(body []byte) { a.sendBody(w, r, status, body) })
	default:
		w.WriteHeader(status)
	}
	return nil
}

// disposition returns the Content-Disposition header. It encodes file names in any script.
func (a *Answer) disposition() string {
	kind := "attachment"
	if a.Inline {
		kind = "inline"
	}
	name := strings.Map(func(r rune) rune {
		if r < ' ' || r == '/' || r == '\\' || r == 0x7f {
			return '_'
		}
		return r
	}, a.FileName)
	return mime.FormatMediaType(kind, map[string]string{"filename": name})
}

// ContentPage is the media type of HTML pages.
const ContentPage = "text/html; charset=utf-8"

// The formats of an export other than JSON.
const (
	ContentCSV  = "text/csv; charset=utf-8"
	ContentXLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	ContentZip  = "application/zip"
)
