package document

import (
	"context"
	"mime"
	"net/url"
	"slices"
	"strings"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/http/api"
	"equity/organization"
	room "equity/organization/document"
)

// storage holds the documents of an organization. The data room and the office suite implement it.
type storage interface {
	list(ctx context.Context, c *api.Call) (api.Answer, error)
	upload(ctx context.Context, c *api.Call) (api.Answer, error)
	content(ctx context.Context, c *api.Call) (api.Answer, error)
	createFolder(ctx context.Context, c *api.Call) (api.Answer, error)
	move(ctx context.Context, c *api.Call) (api.Answer, error)
	remove(ctx context.Context, c *api.Call) (api.Answer, error)
	preview(ctx context.Context, c *api.Call) (api.Answer, error)
}

// storageOf returns the storage of the organization.
func (s *base) storageOf(c *api.Call) storage {
	if c.Present.State.InOfficeSuite() {
		return suite{s}
	}
	return documents{s}
}

// stored returns the handler of an operation that each storage has.
func (s *base) stored(operation func(storage, context.Context, *api.Call) (api.Answer, error)) api.Handler {
	return func(ctx context.Context, c *api.Call) (api.Answer, error) { return operation(s.storageOf(c), ctx, c) }
}

// roomOnly returns the handler of an operation that only the data room has.
func (s *base) roomOnly(operation api.Handler) api.Handler {
	return func(ctx context.Context, c *api.Call) (api.Answer, error) {
		if c.Present.State.InOfficeSuite() {
			return api.Answer{}, notInSuite()
		}
		return operation(ctx, c)
	}
}

func notInSuite() error {
	return fault.Refuse(room.CodeNotInSuite,
		"The documents of this organization are in the office suite. Use the function of the office suite instead.")
}

func isFolder() error {
	return fault.Refuse(room.CodeIsFolder, "This item is a folder and has no content. Choose a document.")
}

// operations returns the handlers of the paths of documents by operation id.
func (s *base) operations() map[string]api.Handler {
	own := documents{s}
	return map[string]api.Handler{
		"listDocuments":           s.stored(storage.list),
		"uploadDocuments":         s.stored(storage.upload),
		"uploadManyDocuments":     s.stored(storage.upload),
		"getDocumentContent":      s.stored(storage.content),
		"getDocumentContentNamed": s.stored(storage.content),
		"createFolder":            s.stored(storage.createFolder),
		"moveDocument":            s.stored(storage.move),
		"deleteDocument":          s.stored(storage.remove),
		"getDocumentPreview":      s.stored(storage.preview),
		"restoreDocument":         s.roomOnly(own.restore),
		"listDocumentVersions":    s.roomOnly(own.versions),
		"setDocumentAccess":       s.roomOnly(own.setAccess),
		"createShare":             s.roomOnly(own.share),
		"listShares":              s.roomOnly(own.shares),
		"revokeShare":             s.roomOnly(own.revoke),
		"listDocumentViews":       s.views,
	}
}

// previewTime is the time for which clients may use the address of a preview.
const previewTime = 5 * time.Minute

// previewRecord is the JSON form of a preview.
type previewRecord struct {
	URL       string           `json:"url"`
	ExpiresAt captable.Instant `json:"expiresAt"`
}

// previewed returns the answer with the address of a preview.
func (s *base) previewed(c *api.Call, address string) (api.Answer, error) {
	answer, err := s.Digested(c, 0, previewRecord{address, captable.InstantOf(c.At.Add(previewTime))})
	answer.Private = true
	return answer, err
}

// preview returns the address at which the server displays the document. Reading it is recorded.
func (s documents) preview(_ context.Context, c *api.Call) (api.Answer, error) {
	found, err := readable(c)
	if err != nil {
		return api.Answer{}, err
	}
	if found.Type == room.Folder {
		return api.Answer{}, isFolder()
	}
	stored, _ := c.View.State.Documents().File(found.File())
	if kind, _, err := mime.ParseMediaType(stored.MediaType); err != nil || !slices.Contains(displayed(), kind) {
		return api.Answer{}, fault.Refuse(room.CodeNoPreview, "Browsers cannot display this document safely. Download it instead.")
	}
	return s.previewed(
		c, strings.TrimSuffix(s.Settings.PublicURL, "/")+api.Prefix+location(c, found.ID)+"/content/"+url.PathEscape(found.Name),
	)
}

// mayDelete refuses callers who may not delete documents.
func mayDelete(c *api.Call) error {
	if !c.Can(organization.DeleteDocuments) {
		return api.Forbidden()
	}
	return nil
}
