package drive

import (
	"context"
	"net/http"
	"time"

	"equity/fault"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

func (s base) authURL(ctx context.Context, c *api.Call) (api.Answer, error) {
	address, err := s.Connections.AuthURL(ctx, c.Organization, c.Caller.User)
	if err != nil {
		return api.Answer{}, err
	}
	return api.ReadContent(c, map[string]string{"url": address}, 0)
}

// connected is the JSON form of a new connection.
type connected struct {
	Success      bool                 `json:"success"`
	ConnectionID organization.DriveID `json:"connectionId"`
	Email        string               `json:"email"`
}

func (s base) connect(ctx context.Context, c *api.Call) (api.Answer, error) {
	given, err := api.Decode[struct {
		Organization organization.ID `json:"organization"`
		Code         string          `json:"code"`
		State        string          `json:"state"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	if err := checkOrganization(c, given.Organization); err != nil {
		return api.Answer{}, err
	}
	if c.DryRun() {
		reply, err := s.Decide(ctx, c, organization.ConnectDrive{ID: s.NewID()}, nil)
		if err != nil {
			return api.Answer{}, err
		}
		return s.Preview(c, reply), nil
	}
	return s.once(ctx, c, func(ctx context.Context) (int, any, error) {
		account, err := s.Connections.Authorize(ctx, c.View, c.Caller.User, given.Code, given.State)
		if err != nil {
			return 0, nil, err
		}
		present, _, err := api.DecideFor(ctx, s.Kernel, c, organization.ConnectDrive{ID: account.Connection}, nil)
		if err != nil {
			return 0, nil, err
		}
		if present.ID != account.Connection { // another user connected in between
			account.Connection = present.ID
			if err := s.Connections.Assign(ctx, account, c.Caller.User); err != nil {
				return 0, nil, err
			}
		}
		return http.StatusOK, connected{true, present.ID, account.Email}, nil
	})
}

func (s base) disconnect(ctx context.Context, c *api.Call) (api.Answer, error) {
	present, exists := c.View.State.Drive()
	id := organization.DriveID{}
	if exists {
		id = present.ID
	}
	reply, err := s.Decide(ctx, c, organization.DisconnectDrive{}, id)
	if err != nil {
		return api.Answer{}, err
	}
	if c.DryRun() {
		return s.Preview(c, reply), nil
	}
	if exists {
		s.Connections.Release(ctx, c.Organization, id)
	}
	return api.Answer{Status: http.StatusNoContent}, nil
}

// status is the JSON form of the state of a connection.
type status struct {
	Connected      bool                  `json:"connected"`
	ConnectionID   organization.DriveID  `json:"connectionId,omitzero"`
	Email          string                `json:"email,omitempty"`
	LastSyncAt     time.Time             `json:"lastSyncAt,omitzero"`
	SyncError      *string               `json:"syncError"`
	Configurations []configurationRecord `json:"syncConfigurations"`
}

func (s base) status(ctx context.Context, c *api.Call) (api.Answer, error) {
	found, exists, err := s.Connections.Status(ctx, c.View)
	if err != nil {
		return api.Answer{}, api.Unavailable(err)
	}
	if !exists || !sees(c) {
		return api.ReadContent(c, map[string]bool{"connected": exists}, 0)
	}
	shown := status{
		Connected: true, ConnectionID: found.Account.Connection, Email: found.Account.Email, Configurations: []configurationRecord{},
	}
	for _, config := range c.View.State.Syncs() {
		one := found.Syncs[config.ID]
		if one.LastSyncAt.After(shown.LastSyncAt) {
			shown.LastSyncAt = one.LastSyncAt
		}
		if shown.SyncError == nil {
			shown.SyncError = optional(one.Error)
		}
		shown.Configurations = append(shown.Configurations, describe(config, one))
	}
	if found.Account.Refused {
		shown.SyncError = optional(string(organization.CodeReconnectNeeded))
	}
	return api.ReadContent(c, shown, 0)
}

// optional returns nil for an empty text.
func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// folder is the JSON form of a folder of the drive.
type folder struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	ParentID *string `json:"parentId"`
	Kind     string  `json:"kind"`
}

// sees reports whether the caller may see the account, the configurations and the runs of the drive.
func sees(c *api.Call) bool { return c.Can(organization.EditDocuments) }

func (s base) folders(ctx context.Context, c *api.Call) (api.Answer, error) {
	whole, err := s.usesWhole(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	if !whole {
		return synchronized(c)
	}
	wanted := messages.DriveFolderQuery{Parent: c.Query("parentId"), Position: c.Query("cursor")}
	if c.Query("limit") != "" {
		wanted.Limit = c.Limit()
	}
	found, next, err := s.Synchronizer.Folders(ctx, c.View, wanted)
	if err != nil {
		return api.Answer{}, err
	}
	page := api.Page[folder]{Data: []folder{}, NextCursor: next}
	for _, one := range found {
		page.Data = append(page.Data, showFolder(one))
	}
	return api.ReadContent(c, page, 0)
}

// synchronized answers with the folders of the drive that are copied, for callers who see their documents or their configurations.
func synchronized(c *api.Call) (api.Answer, error) {
	if c.Query("parentId") != "" {
		return api.Answer{}, fault.Refuse(fault.NotFound, "The drive has no such folder.")
	}
	var copied []*organization.SyncConfiguration
	if c.Can(organization.ViewDocuments) || c.Can(organization.EditDocuments) {
		copied = c.View.State.Syncs()
	}
	key := func(_ int, config *organization.SyncConfiguration) string { return string(config.ID[:]) }
	page, err := api.ListedByKey(c, copied, key, func(config *organization.SyncConfiguration) folder {
		return showFolder(messages.DriveFolder{ID: config.DriveFolderID, Name: config.DriveFolderName})
	})
	if err != nil {
		return api.Answer{}, err
	}
	return api.ReadContent(c, page, 0)
}

func showFolder(f messages.DriveFolder) folder {
	shown := folder{ID: f.ID, Name: f.Name, ParentID: optional(f.Parent), Kind: "folder"}
	if f.Shared {
		shown.Kind = "sharedDrive"
	}
	return shown
}
