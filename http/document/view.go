package document

import (
	"context"
	"time"

	"equity/captable"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
	room "equity/organization/document"
)

// viewed is the JSON form of an entry of the view log.
type viewed struct {
	At            time.Time           `json:"at"`
	User          organization.UserID `json:"user,omitzero"`
	Share         room.ShareID        `json:"share,omitzero"`
	Email         string              `json:"email,omitempty"`
	VersionNumber int                 `json:"versionNumber"`
	Kind          string              `json:"kind"`
	Bytes         int64               `json:"bytes"`
}

// The kinds of readings in the view log.
const (
	kindView     = "view"
	kindDownload = "download"
)

// record adds the reading to the view log. Content is not sent if this fails.
func (s *base) record(ctx context.Context, c *api.Call, r reading, inline bool, bytes int64) error {
	if r.view.Document.IsZero() {
		return nil
	}
	view := r.view
	view.ID, view.At, view.Bytes, view.Kind = s.NewID(), c.At, bytes, kindDownload
	if inline {
		view.Kind = kindView
	}
	return api.Unavailable(s.Records.RecordView(ctx, r.organization, view))
}

// views returns the view log of a document, the latest reading first.
func (s *base) views(ctx context.Context, c *api.Call) (api.Answer, error) {
	id := api.PathID[room.Item](c, "document")
	if c.Present.State.InOfficeSuite() { // also of items that are deleted there
		if !c.Can(organization.ViewDocuments) {
			return api.Answer{}, api.NotFound()
		}
	} else if _, err := readable(c); err != nil {
		return api.Answer{}, err
	}
	stored, err := s.Records.Views(ctx, c.Organization, id, c.After(), c.Limit()+1)
	if err != nil {
		return api.Answer{}, api.Unavailable(err)
	}
	page := api.Page[viewed]{Data: []viewed{}}
	if more := len(stored) > c.Limit(); more {
		stored = stored[:c.Limit()]
		page.NextCursor = api.Cursor{Sequence: c.View.Sequence, After: stored[len(stored)-1].ID}.String()
	}
	for _, view := range stored {
		page.Data = append(page.Data, showView(view))
	}
	return api.ReadContent(c, page, 0)
}

func showView(v messages.DocumentView) viewed {
	return viewed{captable.InstantOf(v.At).Time(), v.User, v.Share, v.Email, v.Version, v.Kind, v.Bytes}
}
