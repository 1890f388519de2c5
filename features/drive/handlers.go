package drive

import (
	"context"

	"equity/fault"
	"equity/http/api"
	"equity/organization"
	"equity/persistence"
)

// handlers are the operations of drives.
type handlers struct {
	*api.Kernel
	engine  *Engine
	answers *persistence.Answers
	newID   func() [16]byte
}

func (s handlers) operations() map[string]api.Handler {
	return map[string]api.Handler{
		"getDriveAuthUrl": s.authURL, "connectDrive": s.connect, "disconnectDrive": s.disconnect, "getDriveStatus": s.status,
		"listDriveFolders": s.folders, "createSyncConfig": s.create, "changeSyncConfig": s.change, "deleteSyncConfig": s.remove,
		"syncDrive": s.sync, "listSyncHistory": s.history,
	}
}

// once carries out a request, or returns the answer of the first request with its idempotency key.
func (s handlers) once(ctx context.Context, c *api.Call, do func(ctx context.Context) (status int, record any, err error)) (api.Answer, error) {
	return api.AnswerOnce(ctx, s.answers, c, func(ctx context.Context) (api.Answer, error) {
		status, record, err := do(ctx)
		return api.Answer{Status: status, Record: record}, err
	})
}

// usesWhole reports whether the caller may use the whole connection: who permitted the access, and Owners. Others may use the folders that are
// synchronized. Without a connection there is nothing to use.
func (s handlers) usesWhole(ctx context.Context, c *api.Call) (bool, error) {
	if c.Member.Owns() {
		return true, nil
	}
	found, connected, err := s.engine.Status(ctx, c.View)
	if err != nil {
		return false, api.Unavailable(err)
	}
	return !connected || !found.Account.User.IsZero() && found.Account.User == c.Member.User, nil
}

// checkWhole refuses callers who may not use the whole connection.
func (s handlers) checkWhole(ctx context.Context, c *api.Call) error {
	whole, err := s.usesWhole(ctx, c)
	if err == nil && !whole {
		err = fault.Refuse(fault.Forbidden, "Only the person who connected the drive, or an Owner, can choose what is copied from it.")
	}
	return err
}

// checkOrganization checks the id in the body, which repeats that of the path.
func checkOrganization(c *api.Call, given organization.ID) error {
	if !given.IsZero() && given != c.Organization {
		return api.WrongField("/organization", "mismatch", "organization must be the organization of the path.")
	}
	return nil
}
