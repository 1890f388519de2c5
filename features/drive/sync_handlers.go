package drive

import (
	"context"
	"net/http"
	"time"

	"equity/captable"
	"equity/features/drive/connection"
	"equity/http/api"
	"equity/organization"
)

// configurationRecord is the JSON form of a configuration.
type configurationRecord struct {
	ID connection.SyncID `json:"id"`
	connection.SyncTerms
	LastSyncAt time.Time `json:"lastSyncAt,omitzero"`
	SyncError  *string   `json:"syncError"`
	Version    uint64    `json:"version"`
}

func describe(config *connection.SyncConfiguration, one SyncState) configurationRecord {
	return configurationRecord{
		ID: config.ID, SyncTerms: config.SyncTerms, LastSyncAt: one.LastSyncAt, SyncError: optional(one.Error), Version: config.Version,
	}
}

// connectionRecord is the JSON form of a connection in events.
type connectionRecord struct {
	ID        connection.ID    `json:"id"`
	CreatedAt captable.Instant `json:"createdAt"`
	Version   uint64           `json:"version"`
}

// shown returns the JSON form of a connection or of a configuration; false for other records.
func shown(_ *api.Call, record any) (any, bool) {
	switch r := record.(type) {
	case *connection.SyncConfiguration:
		return describe(r, SyncState{}), true
	case *connection.Connection:
		return connectionRecord{r.ID, r.CreatedAt, r.Version}, true
	}
	return nil, false
}

func (s handlers) create(ctx context.Context, c *api.Call) (api.Answer, error) {
	given, err := api.Decode[struct {
		Organization    organization.ID `json:"organization"`
		DriveFolderID   string          `json:"driveFolderId"`
		DriveFolderName string          `json:"driveFolderName"`
		Target          string          `json:"targetDataRoomPath"`
		Subfolders      *bool           `json:"syncSubfolders"`
		Types           string          `json:"fileTypeFilter"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	if err := checkOrganization(c, given.Organization); err != nil {
		return api.Answer{}, err
	}
	if err := s.checkWhole(ctx, c); err != nil {
		return api.Answer{}, err
	}
	terms := connection.SyncTerms{
		DriveFolderID: given.DriveFolderID, DriveFolderName: given.DriveFolderName, TargetDataRoomPath: given.Target, SyncEnabled: true,
		SyncSubfolders: given.Subfolders == nil || *given.Subfolders, FileTypeFilter: given.Types,
	}
	return api.ChangeOrganization(ctx, s.Kernel, c, connection.ConfigureSync{SyncTerms: terms}, nil,
		func(made *connection.SyncConfiguration) api.Result {
			at := "/organization/" + c.Organization.String() + "/cloud-drive/sync-config/" + made.ID.String()
			return api.Result{Version: made.Version, Location: at, Record: struct {
				Success         bool              `json:"success"`
				ConfigurationID connection.SyncID `json:"configurationId"`
			}{true, made.ID}}
		})
}

func (s handlers) change(ctx context.Context, c *api.Call) (api.Answer, error) {
	id := api.PathID[connection.SyncConfiguration](c, "configuration")
	given, err := api.Decode[struct {
		Subfolders bool `json:"syncSubfolders"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	if present, ok := connection.Of(c.View.State).Sync(id); ok && given.Subfolders && !present.SyncSubfolders {
		if err := s.checkWhole(ctx, c); err != nil {
			return api.Answer{}, err
		}
	}
	known, _, err := s.engine.Status(ctx, c.View)
	if err != nil {
		return api.Answer{}, api.Unavailable(err)
	}
	return api.ChangeOrganization(ctx, s.Kernel, c, connection.ChangeSync{ID: id, Patch: c.Body}, id,
		func(changed *connection.SyncConfiguration) api.Result {
			return api.Result{Record: describe(changed, known.Syncs[id]), Version: changed.Version}
		})
}

func (s handlers) remove(ctx context.Context, c *api.Call) (api.Answer, error) {
	id := api.PathID[connection.SyncConfiguration](c, "configuration")
	reply, err := s.Decide(ctx, c, connection.RemoveSync{ID: id}, id)
	if err != nil {
		return api.Answer{}, err
	}
	if c.DryRun() {
		return s.Preview(c, reply), nil
	}
	return api.Answer{Status: http.StatusNoContent}, nil
}

// counts are the numbers of files of a run.
type counts struct {
	Processed int64 `json:"filesProcessed"`
	Added     int64 `json:"filesAdded"`
	Updated   int64 `json:"filesUpdated"`
	Skipped   int64 `json:"filesSkipped"`
	Failed    int64 `json:"filesFailed"`
}

// result is the JSON form of the result of a run.
type result struct {
	Configuration connection.SyncID `json:"configurationId"`
	counts
}

// results is the JSON form of the results of runs.
type results struct {
	Results []result `json:"results"`
	Running bool     `json:"running,omitempty"`
}

func (s handlers) sync(ctx context.Context, c *api.Call) (api.Answer, error) {
	given, err := api.Decode[struct {
		Organization  organization.ID   `json:"organization"`
		Configuration connection.SyncID `json:"configurationId"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	if err := checkOrganization(c, given.Organization); err != nil {
		return api.Answer{}, err
	}
	return s.once(ctx, c, func(ctx context.Context) (int, any, error) {
		runs, running, err := s.engine.Sync(ctx, c.View, given.Configuration)
		if err != nil {
			return 0, nil, err
		}
		made := results{Results: []result{}, Running: running}
		for i := range runs {
			made.Results = append(made.Results, result{runs[i].Configuration, counts(runs[i].Counts)})
		}
		if running {
			return http.StatusAccepted, made, nil
		}
		return http.StatusOK, made, nil
	})
}

// entry is the JSON form of a run.
type entry struct {
	ID            string            `json:"id"`
	Configuration connection.SyncID `json:"configurationId"`
	Status        string            `json:"status"`
	ErrorMessage  *string           `json:"errorMessage"`
	counts
	StartedAt   *time.Time `json:"startedAt"`
	CompletedAt *time.Time `json:"completedAt"`
	TriggeredAt time.Time  `json:"triggeredAt"`
}

func (s handlers) history(ctx context.Context, c *api.Call) (api.Answer, error) {
	if !sees(c) {
		return api.ReadContent(c, map[string][]entry{"history": {}}, 0)
	}
	id := api.QueryID[connection.SyncConfiguration](c, "configurationId")
	runs, err := s.engine.History(ctx, c.Organization, id)
	if err != nil {
		return api.Answer{}, err
	}
	if _, exists := connection.Of(c.View.State).Sync(id); !exists && !id.IsZero() && len(runs) == 0 { // removed ones keep their history
		return api.Answer{}, api.NotFound()
	}
	shown := []entry{}
	for i := range runs {
		run := &runs[i]
		shown = append(shown, entry{
			ID: captable.ID[Run](run.ID).String(), Configuration: run.Configuration, Status: run.Status,
			ErrorMessage: optional(run.Error),
			counts:       counts(run.Counts), StartedAt: moment(run.StartedAt), CompletedAt: moment(run.CompletedAt),
			TriggeredAt: run.TriggeredAt,
		})
	}
	return api.ReadContent(c, map[string][]entry{"history": shown}, 0)
}

// moment returns nil for the zero time.
func moment(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	return &at
}
