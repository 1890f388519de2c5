package document

import (
	"context"

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
			return api.Answer{}, fault.Refuse(room.CodeNotInSuite, "The documents of this organization are in the office suite, which has this function itself.")
		}
		return operation(ctx, c)
	}
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

// preview refuses: browsers display documents of the data room themselves.
func (documents) preview(_ context.Context, c *api.Call) (api.Answer, error) {
	if _, err := readable(c); err != nil {
		return api.Answer{}, err
	}
	return api.Answer{}, fault.Refuse(room.CodeNoPreview, "The data room has no previews. Display the content under its name instead.")
}

// mayDelete refuses callers who may not delete documents.
func mayDelete(c *api.Call) error {
	if !c.Can(organization.DeleteDocuments) {
		return api.Forbidden()
	}
	return nil
}
