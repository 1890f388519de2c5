package document

import (
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"equity/fault"
	"equity/http/api"
	"equity/http/document/stamp"
	"equity/messages"
	"equity/organization"
	room "equity/organization/document"
)

// sandbox keeps displayed content from running scripts and from loading anything.
const sandbox = "sandbox; default-src 'none'"

// scanPause is the advised time until a pending scan has ended.
const scanPause = 2 * time.Second

// displayed lists the media types that browsers display. All others are downloads.
func displayed() []string {
	return []string{"application/pdf", "image/png", "image/jpeg", "image/gif", "image/webp", "text/plain", "text/csv"}
}

// content returns a version of a document: as an attachment, or displayed under the name of the path.
func (s documents) content(ctx context.Context, c *api.Call) (api.Answer, error) {
	found, err := readable(c)
	if err != nil {
		return api.Answer{}, err
	}
	if found.Type == room.Folder {
		return api.Answer{}, isFolder()
	}
	id := found.File()
	if text := c.Query("versionNumber"); text != "" {
		number, err := strconv.Atoi(text)
		if err != nil || number < 1 || number > len(found.Versions) {
			return api.Answer{}, api.NotFound()
		}
		id = found.Versions[number-1].File
	}
	stored, _ := c.View.State.Documents().File(id)
	return s.serve(ctx, c, reading{
		organization: c.Organization, scope: scopeOf(c.Organization), file: stored, name: found.Name,
		access: c.View.State.Documents().Access(found), owner: viewer(c).Owner,
		reader: s.member(c), view: messages.DocumentView{Document: found.ID, User: c.Caller.User, Version: versionOf(found, id)},
	})
}

// versionOf returns the number of the version with the file.
func versionOf(i *room.Item, file room.FileID) int {
	return 1 + slices.IndexFunc(i.Versions, func(v room.Version) bool { return v.File == file })
}

// member returns the caller as the reader of a document.
func (s *base) member(c *api.Call) func(context.Context) (stamp.Reader, error) {
	return func(ctx context.Context) (stamp.Reader, error) {
		account, err := s.Users.ByID(ctx, c.Caller.User)
		return stamp.Reader{Name: account.FullName(), Email: account.Email, At: c.At}, err
	}
}

// reading is a request for the content of a file.
type reading struct {
	organization organization.ID
	scope        string // of the key of the bytes
	file         *room.File
	name         string
	access       room.Access
	owner        bool // may download every content
	// reader returns the name for the watermark.
	reader func(context.Context) (stamp.Reader, error)
	// view is the entry of the view log. Files outside the data room have none.
	view messages.DocumentView
}

// serve returns the bytes of a file, or the requested range of them, as far as the access permits. It records the reading before.
func (s *base) serve(ctx context.Context, c *api.Call, r reading) (api.Answer, error) {
	stored := r.file
	if err := available(stored); err != nil {
		return api.Answer{}, err
	}
	kind, _, err := mime.ParseMediaType(stored.MediaType)
	inline := c.Path("name") != "" && err == nil && slices.Contains(displayed(), kind)
	if !r.access.Download && !inline && !r.owner {
		return api.Answer{}, fault.Refuse(room.CodeDisplayOnly, "The document cannot be downloaded. Display it instead.")
	}
	answer := api.Answer{ContentType: stored.MediaType, FileName: r.name, Inline: inline, Policy: sandbox}
	if shown := c.Path("name"); shown != "" {
		answer.FileName = shown
	}
	if r.access.Watermark {
		if answer, err = s.stamped(ctx, r, answer); err != nil {
			return api.Answer{}, err
		}
		return answer, s.record(ctx, c, r, inline, int64(len(answer.Rendered)))
	}
	answer.ETag, answer.Headers = `"`+stored.SHA256+`"`, map[string]string{"Accept-Ranges": "bytes"}
	if c.Unchanged(answer.ETag) {
		return api.NotModified(answer.ETag), s.record(ctx, c, r, inline, 0)
	}
	offset, length, status := requested(c, stored)
	answer.Status = status
	switch status {
	case http.StatusRequestedRangeNotSatisfiable:
		return api.Answer{}, &fault.FailureError{
			Refusal: fault.Refuse(room.CodeRange,
				"The content has "+strconv.FormatInt(stored.Size, 10)+" bytes; the range must begin before its end."),
			ContentRange: "bytes */" + strconv.FormatInt(stored.Size, 10),
		}
	case http.StatusPartialContent:
		answer.Headers["Content-Range"] = fmt.Sprintf("bytes %d-%d/%d", offset, offset+length-1, stored.Size)
	}
	answer.Headers["Content-Length"] = strconv.FormatInt(length, 10)
	if err := s.record(ctx, c, r, inline, length); err != nil {
		return api.Answer{}, err
	}
	if err := s.stream(ctx, &answer, r, offset, length); err != nil {
		return api.Answer{}, err
	}
	return answer, nil
}

// stream opens the bytes before the answer begins, so that a missing object or an unreachable store is an error. Altered bytes end the connection
// before the end of the answer. A part of a file has no hash of its own.
func (s *base) stream(ctx context.Context, answer *api.Answer, r reading, offset, length int64) error {
	var content io.ReadCloser
	var err error
	if at := key(r.scope, r.file.SHA256); length == r.file.Size {
		content, err = s.Objects.OpenWhole(ctx, at, r.file.SHA256, length)
	} else {
		content, err = s.Objects.Open(ctx, at, offset, length)
	}
	if err != nil {
		return api.Unavailable(fmt.Errorf("read a stored file: %w", err))
	}
	answer.OnDone(func() { _ = content.Close() })
	answer.Stream = func(w io.Writer) error {
		_, err := io.Copy(w, content)
		return err
	}
	return nil
}

// available refuses content that is erased, infected or not scanned yet.
func available(stored *room.File) error {
	switch {
	case stored == nil:
		return api.NotFound()
	case stored.ErasedAt != 0:
		return fault.Refuse(room.CodeErased, "The content of the file was erased and cannot be restored.")
	case stored.Scan == room.ScanInfected:
		return fault.Refuse(room.CodeInfected, "The virus scan found malware in the file. Upload a clean file instead.")
	case stored.Scan == room.ScanPending, stored.Scan == room.ScanFailed:
		return &fault.FailureError{
			Refusal: fault.Refuse(room.CodePending, "The file is being scanned for viruses. Try again in a moment."), RetryAfter: scanPause,
		}
	}
	return nil
}

// requested returns the range of the request. A request for several ranges, or with another If-Range, receives all bytes.
func requested(c *api.Call, stored *room.File) (offset, length int64, status int) {
	header := c.Header("Range")
	if condition := c.Header("If-Range"); condition != "" && condition != `"`+stored.SHA256+`"` {
		header = ""
	}
	text, one := strings.CutPrefix(header, "bytes=")
	first, last, ranged := strings.Cut(text, "-")
	if !one || !ranged || strings.Contains(text, ",") {
		return 0, stored.Size, http.StatusOK
	}
	from, badFrom := strconv.ParseInt(first, 10, 64)
	to, badTo := strconv.ParseInt(last, 10, 64)
	switch {
	case first == "" && badTo == nil && to > 0 && stored.Size > 0: // the last bytes
		from, to = max(stored.Size-to, 0), stored.Size-1
	case badFrom != nil || last != "" && badTo != nil || last != "" && to < from:
		return 0, stored.Size, http.StatusOK // not a valid range
	case last == "":
		to = stored.Size - 1
	}
	if from >= stored.Size {
		return 0, 0, http.StatusRequestedRangeNotSatisfiable
	}
	to = min(to, stored.Size-1)
	return from, to - from + 1, http.StatusPartialContent
}
