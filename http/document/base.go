// Package document serves the data room: folders, documents with their versions and access, and stored files.
package document

import (
	"context"
	"io"
	"maps"
	"time"

	"equity/http/api"
	"equity/messages"
	"equity/organization"
	room "equity/organization/document"
)

// Objects stores the bytes of files. A missing object is fs.ErrNotExist.
type Objects interface {
	// Put stores the bytes durably. If the key exists, Put succeeds without reading the content.
	Put(ctx context.Context, key string, content io.Reader, size int64) error
	// Open returns length bytes from the offset. A negative length means all bytes after the offset.
	Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error)
	// OpenWhole returns all bytes. Reading fails before the last ones if they have another hash or size.
	OpenWhole(ctx context.Context, key, sha256 string, size int64) (io.ReadCloser, error)
}

// Records stores the readings of documents, and the codes and visits of shares.
type Records interface {
	RecordView(ctx context.Context, id organization.ID, view messages.DocumentView) error
	// Views returns the readings of a document before the id, the latest first. The zero id is the end.
	Views(ctx context.Context, id organization.ID, item room.ItemID, before [16]byte, limit int) ([]messages.DocumentView, error)
	// SendCode stores the code of a share, in place of an earlier one, and its mail.
	SendCode(ctx context.Context, share room.ShareID, code string, expires time.Time, mail messages.Mail) error
	// Visit uses up the code of a share and stores a visit with the token. It reports false for a code that is not valid.
	Visit(ctx context.Context, share room.ShareID, code string, attempts int, now time.Time, token string, expires time.Time) (bool, error)
	// Visited reports whether the token belongs to a present visit of the share.
	Visited(ctx context.Context, share room.ShareID, token string, now time.Time) (bool, error)
}

// Settings are the operator's settings for the operations.
type Settings struct {
	// FileLimit and DocumentLimit are the maximum sizes of files in bytes: of records, and in the data room.
	FileLimit, DocumentLimit int64
	// StorageLimit bounds the bytes of the files of an organization; 0 is no limit.
	StorageLimit int64
	// Extensions are the permitted extensions of names in lower case, without dots; empty for all.
	Extensions []string
	// PublicURL is the public base URL of the server.
	PublicURL string
	// Scan is the initial state of the virus scan of a file.
	Scan room.Scan
}

// Limits returns the maximum size of a file in bytes by operation id.
func (s Settings) Limits() map[string]int64 {
	return map[string]int64{
		"uploadFile": s.FileLimit, "uploadProfileFile": s.FileLimit, "uploadDocuments": s.DocumentLimit,
		"uploadManyDocuments": s.DocumentLimit,
	}
}

// Services are the dependencies of the package.
type Services struct {
	Settings Settings
	Objects  Objects
	Records  Records
	Profiles ProfileFiles
	// Scanner examines files of profiles at their upload; nil without a virus scanner.
	Scanner Scanner
	Secrets Secrets
	Users   Users
	Stamper Stamper
	// Suite stores documents of organizations with this choice; nil without an office suite.
	Suite Suite
	// Answers makes calls of the office suite idempotent.
	Answers api.Answers
	Letters Letters
	// NewID returns a new UUID of version 7. Random is a secure source.
	NewID  func() [16]byte
	Random io.Reader
}

// base is the common part of the operations.
type base struct {
	*api.Kernel
	Services
	pending *reservations
}

type (
	documents struct{ *base }
	files     struct{ *base }
)

// Operations returns the handlers of the package by operation id.
func Operations(kernel *api.Kernel, services Services) map[string]api.Handler {
	s := &base{kernel, services, newReservations()}
	all := map[string]api.Handler{}
	maps.Copy(all, s.operations())
	maps.Copy(all, files{s}.operations())
	maps.Copy(all, visitors{s}.operations())
	return all
}
