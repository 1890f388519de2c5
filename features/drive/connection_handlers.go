package drive

import (
	"context"
	"net/http"
	"time"

	"equity/fault"
	"equity/features/drive/connection"
	"equity/http/api"
	"equity/organization"
)

func (s handlers) authURL(ctx context.Context, c *api.Call) (api.Answer, error) {
	address, err := s.engine.AuthURL(ctx, c.Organization, c.Caller.User)
	if err != nil {
		return api.Answer{}, err
	}
	return api.ReadContent(c, map[string]string{"url": address}, 0)
}

// connected is the JSON form of a new connection.
type connected struct {
	Success      bool          `json:"success"`
	ConnectionID connection.ID `json:"connectionId"`
	Email        string        `json:"email"`
}

func (s handlers) connect(ctx context.Context, c *api.Call) (api.Answer, error) {
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
		reply, err := s.Decide(ctx, c, connection.Connect{ID: s.newID()}, nil)
		if err != nil {
			return api.Answer{}, err
		}
		return s.Preview(c, reply), nil
	}
	return s.once(ctx, c, func(ctx context.Context) (int, any, error) {
		account, err := s.engine.Authorize(ctx, c.View, c.Caller.User, given.Code, given.State)
		if err != nil {
			return 0, nil, err
		}
		present, _, err := api.DecideFor(ctx, s.Kernel, c, connection.Connect{ID: account.Connection}, nil)
		if err != nil {
			return 0, nil, err
		}
		if present.ID != account.Connection { // another user connected in between
			account.Connection = present.ID
			if err := s.engine.Assign(ctx, account, c.Caller.User); err != nil {
				return 0, nil, err
			}
		}
		return http.StatusOK, connected{true, present.ID, account.Email}, nil
	})
}

func (s handlers) disconnect(ctx context.Context, c *api.Call) (api.Answer, error) {
	present, exists := connection.Of(c.View.State).Connection()
	id := connection.ID{}
	if exists {
		id = present.ID
	}
	reply, err := s.Decide(ctx, c, connection.Disconnect{}, id)
	if err != nil {
		return api.Answer{}, err
	}
	if c.DryRun() {
		return s.Preview(c, reply), nil
	}
	if exists {
		s.engine.Release(ctx, c.Organization, id)
	}
	return api.Answer{Status: http.StatusNoContent}, nil
}

// status is the JSON form of the state of a connection.
type status struct {
	Connected      bool                  `json:"connected"`
	ConnectionID   connection.ID         `json:"connectionId,omitzero"`
	Email          string                `json:"email,omitempty"`
	LastSyncAt     time.Time             `json:"lastSyncAt,omitzero"`
	SyncError      *string               `json:"syncError"`
	Configurations []configurationRecord `json:"syncConfigurations"`
}

func (s handlers) status(ctx context.Context, c *api.Call) (api.Answer, error) {
	found, exists, err := s.engine.Status(ctx, c.View)
	if err != nil {
		return api.Answer{}, api.Unavailable(err)
	}
	if !exists || !sees(c) {
		return api.ReadContent(c, map[string]bool{"connected": exists}, 0)
	}
	shown := status{
		Connected: true, ConnectionID: found.Account.Connection, Email: found.Account.Email, Configurations: []configurationRecord{},
	}
	for _, config := range connection.Of(c.View.State).Syncs() {
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
		shown.SyncError = optional(string(connection.CodeReconnectNeeded))
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

func (s handlers) folders(ctx context.Context, c *api.Call) (api.Answer, error) {
	whole, err := s.usesWhole(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	if !whole {
		return synchronized(c)
	}
	wanted := FolderQuery{Parent: c.Query("parentId"), Position: c.Query("cursor")}
	if c.Query("limit") != "" {
		wanted.Limit = c.Limit()
	}
	found, next, err := s.engine.Folders(ctx, c.View, wanted)
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
	var copied []*connection.SyncConfiguration
	if c.Can(organization.ViewDocuments) || c.Can(organization.EditDocuments) {
		copied = connection.Of(c.View.State).Syncs()
	}
	key := func(_ int, config *connection.SyncConfiguration) string { return string(config.ID[:]) }
	page, err := api.ListedByKey(c, copied, key, func(config *connection.SyncConfiguration) folder {
		return showFolder(Folder{ID: config.DriveFolderID, Name: config.DriveFolderName})
	})
	if err != nil {
		return api.Answer{}, err
	}
	return api.ReadContent(c, page, 0)
}

func showFolder(f Folder) folder {
	shown := folder{ID: f.ID, Name: f.Name, ParentID: optional(f.Parent), Kind: "folder"}
	if f.Shared {
		shown.Kind = "sharedDrive"
	}
	return shown
}
