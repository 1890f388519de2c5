package http_test

import (
	"context"
	"errors"
	"net/http"

	equityhttp "equity/http"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

var errBroken = errors.New("secret cause")

// brokenSessions is a session store that fails on every load.
type brokenSessions struct{ equityhttp.Sessions }

func (brokenSessions) Load(*http.Request) (messages.Session, bool, error) {
	return messages.Session{}, false, errBroken
}

// brokenIndex is an index that fails on every lookup.
type brokenIndex struct{ api.Index }

func (brokenIndex) Locate(context.Context, [16]byte) (organization.ID, string, error) {
	return organization.ID{}, "", errBroken
}

// uncertainOrganizations is an actor whose store fails during a write, so the outcome is unknown.
type uncertainOrganizations struct{ api.Organizations }

func (uncertainOrganizations) Do(context.Context, messages.Command) (messages.Reply, error) {
	return messages.Reply{}, messages.ErrOutcomeUnknown
}
