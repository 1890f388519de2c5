package document

import (
	"equity/messages"
	room "equity/organization/document"
)

// Show returns the JSON form of a record of the data room, or false for other records.
func Show(view *messages.View, record any) (shown any, known bool) {
	switch r := record.(type) {
	case *room.Item:
		return show(view.State.Documents(), r), true
	case *room.Outside:
		return showOutside(r), true
	case *room.File:
		return file{r, view.State.ID()}, true
	case *room.Share:
		return r, true
	}
	return nil, false
}
