// Package app has the types that connect the program and its rooms. A room is a feature in a folder of features/ that can be deleted:
// without its folder and its line in cmd/equity/features.go, the program builds and serves.
// The tests of http name its test package in http/rooms_test.go.
package app

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"equity/actors/consumer"
	"equity/app/doctor"
	"equity/config"
	"equity/http/api"
	"equity/http/document"
	"equity/http/integration"
	"equity/messages"
	"equity/organization"
	room "equity/organization/document"
	"equity/persistence"
)

// Room is a feature that can be left out of a program.
type Room struct {
	// Extension is its part of the aggregate, or nil.
	Extension *organization.Extension
	Settings  []config.Setting
	// Departure is a statement of the transaction that disables or erases an account, or nil.
	Departure persistence.Departure
	// New returns the feature of a server. It is called before the actors start.
	New func(core Core) (Feature, error)
	// Check examines the service of the room for `equity doctor`. It returns no finding if the service is not configured. The core has only
	// the settings, breakers, log, clock and pauses, as there may be no store.
	Check func(ctx context.Context, core Core) []doctor.Finding
}

// Core contains the services of the core for a room.
type Core struct {
	Config   config.Config
	Database *persistence.Database
	// Organizations must not be called before the server has started.
	Organizations Organizations
	Records       Records
	Owners        Owners
	Files         Files
	Users         Users
	Memberships   Memberships
	Breakers      *consumer.Breakers
	// Slots bound the processor work of effects. Nil slots are unlimited.
	Slots *consumer.Slots
	// ContractDate is the date of the contract.
	ContractDate string
	Log          *slog.Logger
	Now          func() time.Time
	// Pause waits for the duration, or until the context ends.
	Pause func(ctx context.Context, d time.Duration) error
	// Key returns the random key with the name. It is made once, and all servers of the store share it.
	Key func(name string) ([]byte, error)
	// NewID returns a new UUID of version 7. Random is a secure source.
	NewID  func() [16]byte
	Random io.Reader
}

// Organizations executes commands, reads organizations as of their last durable events, and wakes consumers.
type Organizations interface {
	Do(ctx context.Context, command messages.Command) (messages.Reply, error)
	View(ctx context.Context, id organization.ID) (*messages.View, error)
	// Source returns the past of organizations.
	Source() consumer.Source
	// Wake starts a round of the instance of a consumer. It does not wait.
	Wake(id organization.ID, name string)
}

// Records renders records as the API shows them to a reader, without particulars.
type Records interface {
	// Record returns the JSON object of a record of the view: a pointer to a record, the configuration of shareholdings, or the id of the
	// organization for its own record. Figures are those of the day of the view.
	Record(view *messages.View, reader organization.Reader, record any) (json.RawMessage, error)
}

// Owners informs the owners of organizations.
type Owners interface {
	// Inform stores a mail to each owner with an account. A repetition with the same key stores no second one.
	Inform(ctx context.Context, view *messages.View, key, subject, text string) error
}

// Files are the bytes of the files of organizations.
type Files interface {
	// Open returns the bytes with the hash. Reading altered bytes fails.
	Open(ctx context.Context, id organization.ID, sha256 string) (io.ReadCloser, error)
	// Put stores the bytes with the hash durably. If they are stored already, it succeeds without reading the content.
	Put(ctx context.Context, id organization.ID, sha256 string, content io.Reader, size int64) error
	// Scan returns the initial state of the virus scan of a file. It must not be called before the server has started.
	Scan() room.Scan
}

// Users finds accounts.
type Users interface {
	// ByID returns the user. The error of an unknown one has the code userNotFound.
	ByID(ctx context.Context, id organization.UserID) (messages.User, error)
}

// Memberships finds the organizations of users.
type Memberships interface {
	OrganizationsOf(ctx context.Context, user organization.UserID) ([]organization.ID, error)
}

// Feature contains the contributions of a room to a server. Each field may be empty.
type Feature struct {
	API       api.Room
	Consumers []consumer.Consumer
	// Integration is the name of its consumer in the list of integrations, which has it without events too; empty if it has instances.
	Integration string
	// Instances adds its consumer to the list of integrations.
	Instances *integration.Instances
	// Retry returns the statement that makes scheduled attempts of an instance due. It is called when a user retries the instance.
	Retry func(id organization.ID, instance string, now time.Time) persistence.Statement
	// Forget removes expired rows. It is called each hour, unless the clock is doubtful.
	Forget func(ctx context.Context, now time.Time) error
	// Repair is called each hour, and when the server starts.
	Repair  func(ctx context.Context, now time.Time)
	Metrics []prometheus.Collector
	// Scanner examines uploads. With it, new files are not served until a consumer records the result of their scan.
	Scanner document.Scanner
	// Start is called once beside the start of the server. Its context ends when the server stops.
	Start func(ctx context.Context)
	// Switches are the switches of the contract and of the app by name.
	Switches map[string]bool
	// Deliver posts a reply of the assistant in the team of the organization. It returns the reason if the reply cannot be posted. The key
	// makes a repetition post nothing.
	Deliver func(ctx context.Context, id organization.ID, key, to, reply string) (reason string, err error)
	// GatewayToken authorizes the operations of the gateway; empty disables them.
	GatewayToken string
	// Frame is the origin of a service that the app shows in a frame; empty without one.
	Frame string
}
