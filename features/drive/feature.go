package drive

import (
	"context"
	"errors"
	"net/http"
	"time"

	"equity/actors/consumer"
	"equity/app"
	"equity/app/doctor"
	"equity/config"
	"equity/fault"
	"equity/features/drive/connection"
	"equity/http/api"
	"equity/organization"
	"equity/persistence"
)

// The names in the store and in the contract, which never change.
const (
	// stateKey is the name of the key that signs requests for an authorization.
	stateKey = "drive state key"
	// switchName is the switch of the operations.
	switchName = "drive"
)

// patience is the time for which a caller waits for a synchronization.
const patience = time.Minute

// Room returns the room for the list of a program.
func Room() app.Room {
	extension := connection.Extension()
	return app.Room{Extension: &extension, Settings: describedSettings(), New: newFeature, Check: check}
}

func newFeature(core app.Core) (app.Feature, error) {
	s := config.Of[settings](core.Config)
	if !s.enabled() {
		core.Log.Info("cloud drives are off (set DRIVE_ENABLED to copy folders of Google Drive into data rooms)")
	}
	return NewFeature(core, s.app(), s.enabled())
}

// NewFeature returns the feature with the drives of the application. If it is off, its operations are refused.
func NewFeature(core app.Core, drives App, on bool) (app.Feature, error) {
	feature := app.Feature{Integration: consumerName, Switches: map[string]bool{switchName: on}}
	var key []byte
	if on {
		var err error
		if key, err = core.Key(stateKey); err != nil {
			return app.Feature{}, err
		}
	}
	const megabyte = 1 << 20
	store, files := NewStore(core.Database), core.Config.Files
	synchronizer := NewConsumer(Options{
		Settings: Settings{
			Every: config.Of[settings](core.Config).every, Limit: int64(files.DocumentMegabytes) * megabyte, Extensions: files.Extensions,
			Patience: patience,
		},
		Client: NewClient(drives, core.Breakers, core.Now), Store: store, Runs: store, Bytes: core.Files, Organizations: core.Organizations,
		StateKey: key, Now: core.Now, NewID: core.NewID, Pause: core.Pause, Log: core.Log,
	})
	engine := NewEngine(
		synchronizer, persistence.NewConsumers(core.Database), func(id organization.ID, name string) { core.Organizations.Wake(id, name) },
	)
	feature.API = api.Room{
		Operations: func(kernel *api.Kernel) map[string]api.Handler {
			return handlers{kernel, engine, persistence.NewAnswers(core.Database), core.NewID}.operations()
		},
		Show: shown, Name: nameOf, Statuses: statuses(),
	}
	if on {
		feature.Consumers = []consumer.Consumer{synchronizer}
	}
	return feature, nil
}

// statuses maps the codes of refusals to the statuses of answers.
func statuses() map[fault.Code]int {
	return map[fault.Code]int{
		connection.CodeNotConnected:    http.StatusConflict,
		connection.CodeFolderSynced:    http.StatusConflict,
		connection.CodeReconnectNeeded: http.StatusConflict,
		connection.CodeNoAuthorization: http.StatusConflict,
		connection.CodeInvalidCode:     http.StatusBadRequest,
	}
}

// nameOf returns the folders of a configuration, for callers who may see documents.
func nameOf(c *api.Call, id [16]byte) (kind, name string) {
	found, ok := connection.Of(c.View.State).Sync(connection.SyncID(id))
	if !ok || !c.Can(organization.ViewDocuments) {
		return "", ""
	}
	return connection.KindSync, found.DriveFolderName + " to " + found.TargetDataRoomPath
}

// check requests a token with a refresh token that does not exist. The provider refuses it in any case; a wrong client has
// another refusal.
func check(ctx context.Context, core app.Core) []doctor.Finding {
	const check = "cloud drive"
	s := config.Of[settings](core.Config)
	if !s.enabled() {
		return nil
	}
	client := NewClient(s.app(), core.Breakers, core.Now)
	if _, err := client.Refresh(ctx, Token{Refresh: "none"}); !errors.Is(err, ErrReconnect) {
		return []doctor.Finding{
			doctor.Fail(check, "check DRIVE_CLIENT_ID, DRIVE_CLIENT_SECRET and DRIVE_TOKEN_URL", "the client was refused: %v", err),
		}
	}
	return []doctor.Finding{doctor.Good(check, "the provider knows the client")}
}
