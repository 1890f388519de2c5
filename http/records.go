package http

import (
	"encoding/json"
	"errors"
	"fmt"

	"equity/http/api"
	"equity/http/billing"
	"equity/http/document"
	"equity/http/equity"
	"equity/http/member"
	"equity/messages"
	"equity/organization"
)

// Records renders records outside of requests, as the operations show them to a reader, without particulars.
type Records struct {
	// Features are those of the settings of the server.
	Features map[string]bool
	// Rooms show the records of rooms.
	Rooms []api.Room
}

var errRecord = errors.New("no operation shows this kind of record")

// Record returns the JSON object of a record of the view: a pointer to a record of packages captable or organization, the
// configuration of shareholdings, or the id of the organization for the organization itself. Figures are those of the day of the
// view.
func (r Records) Record(view *messages.View, reader organization.Reader, record any) (json.RawMessage, error) {
	c := &api.Call{
		At: view.RecordedAt, Organization: view.State.ID(), View: view,
		Access: api.Access{Present: view, Member: reader.Member, Permissions: reader.Permissions},
	}
	shown, known := equity.Show(c, record)
	if !known {
		shown, known = member.Show(c, r.Features, record)
	}
	if !known {
		shown, known = billing.Show(view, record)
	}
	if !known {
		shown, known = document.Show(view, record)
	}
	for i := 0; !known && i < len(r.Rooms); i++ {
		if show := r.Rooms[i].Show; show != nil {
			shown, known = show(c, record)
		}
	}
	if !known {
		return nil, fmt.Errorf("%w: %T", errRecord, record)
	}
	return api.RenderJSON(shown)
}
