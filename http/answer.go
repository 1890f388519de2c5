package http

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"equity/messages"
)

// Answer is what an operation came to. The zero Answer is an empty 200.
type Answer struct {
	// Status is the HTTP status; 0 means 200.
	Status int
	// Record becomes the JSON body; nil for none.
	Record any
	// Rendered is a body that is ready, of the type ContentType; it goes before Record.
	Rendered    []byte
	ContentType string
	// Stream writes a body that is too long to be held; it goes before both.
	Stream func(w io.Writer) error
	// FileName makes the body a download; Inline shows it instead.
	FileName string
	Inline   bool
	// Location is the path of what was created, below /v1.
	Location string
	ETag     string
	// Redirect is where the browser goes next, among the pages rather than below /v1.
	Redirect string
	// Successor is the path below /v1 that replaces a deprecated one.
	Successor string
	// Policy is the Content-Security-Policy of a page; empty for the API's own, which
	// allows nothing.
	Policy string
	// Private answers are kept by nobody, not even to ask whether they changed.
	Private bool
	// Replayed says that an earlier request with the same Idempotency-Key had this answer.
	Replayed bool
	// Cookie is set beside the session's; nil for none.
	Cookie *http.Cookie
	// Session is what becomes of the caller's session.
	Session SessionChange
	// release frees what the answer holds until it was sent; nil for nothing.
	release func()
}

// done frees what the answer holds.
func (a *Answer) done() {
	if a.release != nil {
		a.release()
	}
}

// SessionChange tells what becomes of the session of the browser that asked. The
// zero value leaves it.
type SessionChange struct {
	// SignIn starts a session of its user.
	SignIn messages.SignIn
	// EndOthers ends all other sessions of that user first.
	EndOthers bool
	// ProvenAt is that of the user's account when they signed in. The session ends at once if the account was taken over since.
	ProvenAt time.Time
	// SignOut ends the session.
	SignOut bool
}

// answered gives the record with its tag.
func answered(record any, tag string) Answer { return Answer{Record: record, ETag: tag} }

// created gives a new record and where it is.
func created(record any, location, tag string) Answer {
	return Answer{Status: http.StatusCreated, Record: record, Location: location, ETag: tag}
}

func notModified(tag string) Answer { return Answer{Status: http.StatusNotModified, ETag: tag} }

const contentJSON = "application/json"

// buffers are reused, as most answers are of similar size.
var buffers = sync.Pool{New: func() any { return &bytes.Buffer{} }} //nolint:gochecknoglobals // scratch space has no state

const largestBuffer = 1 << 20 // that is kept for the next answer

// renderJSON gives the record as JSON, without a line break behind it.
func renderJSON(record any) ([]byte, error) {
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
	encoder.SetEscapeHTML(false) // answers are never part of a page
	if err := encoder.Encode(record); err != nil {
		recycle(buffer)
		return nil, fmt.Errorf("encode %T: %w", record, err)
	}
	return buffer, nil
}

func recycle(buffer *bytes.Buffer) {
	if buffer.Cap() <= largestBuffer {
		buffers.Put(buffer)
	}
}

func writeJSON(w http.ResponseWriter, status int, record any) {
	buffer, err := encode(record)
	if err != nil { // only our own types come here, so this is a mistake in them
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	defer recycle(buffer)
	w.Header().Set("Content-Type", contentJSON)
	w.Header().Set("Content-Length", strconv.Itoa(buffer.Len()))
	w.WriteHeader(status)
	_, _ = w.Write(buffer.Bytes())
}

// write sends the answer. An error before anything was sent can still be told.
func (a *Answer) write(w http.ResponseWriter) error {
	header := w.Header()
	if a.ETag != "" {
		header.Set("ETag", a.ETag)
		header.Set("Cache-Control", "private, no-cache") // keep it, and ask whether it changed
	}
	if a.Private || a.ETag == "" {
		header.Set("Cache-Control", "no-store")
	}
	if a.Location != "" {
		header.Set("Location", prefix+a.Location)
	}
	if a.Redirect != "" {
		header.Set("Location", a.Redirect)
	}
	if a.Successor != "" { // RFC 9745, since the contract began; RFC 5829
		header.Set("Deprecation", "@1767225600")
		header.Set("Link", "<"+prefix+a.Successor+`>; rel="successor-version"`)
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
	status := a.Status
	if status == 0 {
		status = http.StatusOK
	}
	switch {
	case a.Stream != nil:
		header.Set("Content-Type", a.ContentType)
		w.WriteHeader(status)
		return a.Stream(w)
	case a.Rendered != nil:
		header.Set("Content-Type", a.ContentType)
		header.Set("Content-Length", strconv.Itoa(len(a.Rendered)))
		w.WriteHeader(status)
		_, _ = w.Write(a.Rendered)
	case a.Record != nil:
		writeJSON(w, status, a.Record)
	default:
		w.WriteHeader(status)
	}
	return nil
}

// disposition names the file, in any script.
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
