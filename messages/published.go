package messages

import "equity/organization"

// Published announces that an organization has a new durable state.
type Published struct {
	Organization organization.ID
	// Rows are the new events in order; empty after a load, which may follow events that were not published.
	Rows []Row
	// View is the organization after the rows.
	View *View
}
