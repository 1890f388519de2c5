// Package drive serves the connections of organizations to cloud drives, and the synchronization of folders with the data room.
package drive

import (
	"context"

	"equity/fault"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// Connections connects organizations to drives.
type Connections interface {
	// AuthURL returns the address at which the user permits the access.
	AuthURL(ctx context.Context, id organization.ID, user organization.UserID) (string, error)
	// Authorize redeems the authorization code of a user, and stores the account under the present connection, or under a new one.
	Authorize(ctx context.Context, view *messages.View, user organization.UserID, code, state string) (messages.DriveAccount, error)
	// Assign stores the account of a connection.
	Assign(ctx context.Context, account messages.DriveAccount, user organization.UserID) error
	// Release ends the access of an ended connection and erases its token.
	Release(ctx context.Context, id organization.ID, ended organization.DriveID)
	// Status returns the state of the synchronization, or false without a connection.
	Status(ctx context.Context, view *messages.View) (messages.DriveStatus, bool, error)
}

// Synchronizer copies folders of drives.
type Synchronizer interface {
	// Folders returns a page of the folders in a folder of the drive, and the position of the next page.
	Folders(ctx context.Context, view *messages.View, wanted messages.DriveFolderQuery) ([]messages.DriveFolder, string, error)
	// Sync requests runs of one configuration, or of all enabled ones if it is zero. It reports whether one of them is still running.
	Sync(ctx context.Context, view *messages.View, configuration organization.SyncID) (runs []messages.DriveRun, running bool, err error)
	// History returns the last runs of one configuration, or of all if it is zero, the latest first.
	History(ctx context.Context, id organization.ID, configuration organization.SyncID) ([]messages.DriveRun, error)
}

// Services are the dependencies of the package.
type Services struct {
	Connections  Connections
	Synchronizer Synchronizer
	Answers      api.Answers
	NewID        func() [16]byte
}

type base struct {
	*api.Kernel
	Services
}

// Operations returns the handlers of the package by operation id.
func Operations(kernel *api.Kernel, services Services) map[string]api.Handler {
	s := base{kernel, services}
	return map[string]api.Handler{
		"getDriveAuthUrl": s.authURL, "connectDrive": s.connect, "disconnectDrive": s.disconnect, "getDriveStatus": s.status,
		"listDriveFolders": s.folders, "createSyncConfig": s.create, "changeSyncConfig": s.change, "deleteSyncConfig": s.remove,
		"syncDrive": s.sync, "listSyncHistory": s.history,
	}
}

// once carries out a request, or returns the answer of the first request with its idempotency key.
func (s base) once(ctx context.Context, c *api.Call, do func(ctx context.Context) (status int, record any, err error)) (api.Answer, error) {
	return api.AnswerOnce(ctx, s.Answers, c, func(ctx context.Context) (api.Answer, error) {
		status, record, err := do(ctx)
		return api.Answer{Status: status, Record: record}, err
	})
}

// usesWhole reports whether the caller may use the whole connection: who permitted the access, and Owners. Others may use the folders that are
// synchronized. Without a connection there is nothing to use.
func (s base) usesWhole(ctx context.Context, c *api.Call) (bool, error) {
	if c.Member.Owns() {
		return true, nil
	}
	found, connected, err := s.Connections.Status(ctx, c.View)
	if err != nil {
		return false, api.Unavailable(err)
	}
	return !connected || !found.Account.User.IsZero() && found.Account.User == c.Member.User, nil
}

// checkWhole refuses callers who may not use the whole connection.
func (s base) checkWhole(ctx context.Context, c *api.Call) error {
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
