package drive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"slices"
	"time"

	"equity/messages"
	"equity/organization"
	"equity/organization/document"
)

// Accounts stores the accounts of connections with their tokens.
type Accounts interface {
	// Accounts returns the accounts of the organization: that of the present connection, and those that are still to be erased.
	Accounts(ctx context.Context, id organization.ID) ([]messages.DriveAccount, error)
	// SetAccount stores the account of a connection, in place of an earlier one.
	SetAccount(ctx context.Context, account messages.DriveAccount, now time.Time) error
	// RenewToken replaces the token of an account, unless the account was erased.
	RenewToken(ctx context.Context, id organization.ID, connection organization.DriveID, token []byte) error
	// RefuseAccount records that the drive no longer accepts the token of the account.
	RefuseAccount(ctx context.Context, connection organization.DriveID) error
	// EraseAccount removes the account with its token.
	EraseAccount(ctx context.Context, connection organization.DriveID) error
}

// Requests stores the open requests for an authorization.
type Requests interface {
	// AddRequest stores an open request.
	AddRequest(ctx context.Context, r messages.DriveRequest) error
	// Request returns the open request of the user with the nonce, or the latest one if the nonce is empty. It returns false without one.
	Request(
		ctx context.Context, id organization.ID, user organization.UserID, nonce string, now time.Time,
	) (messages.DriveRequest, bool, error)
	// EndRequests removes the open requests of the user.
	EndRequests(ctx context.Context, id organization.ID, user organization.UserID) error
}

// Syncs stores the progress of configurations between their runs.
type Syncs interface {
	// Syncs returns the progress of the configurations of the organization.
	Syncs(ctx context.Context, id organization.ID) (map[organization.SyncID]messages.DriveSync, error)
	// SetSync stores the progress of a configuration.
	SetSync(ctx context.Context, id organization.ID, one messages.DriveSync) error
	// Forget removes the progress and the files of a configuration, or of all if it is zero, and cancels their runs.
	Forget(ctx context.Context, id organization.ID, configuration organization.SyncID, now time.Time) error
}

// Runs stores runs.
type Runs interface {
	// Trigger stores a run, unless the configuration has one with work. It returns the stored one.
	Trigger(ctx context.Context, run messages.DriveRun) (messages.DriveRun, error)
	// OpenRuns returns the runs of the organization with work, the earliest first.
	OpenRuns(ctx context.Context, id organization.ID) ([]messages.DriveRun, error)
	// Run returns a run, or false.
	Run(ctx context.Context, run [16]byte) (messages.DriveRun, bool, error)
	// History returns at most limit runs, the latest first, of one configuration or of all if it is zero.
	History(ctx context.Context, id organization.ID, configuration organization.SyncID, limit int) ([]messages.DriveRun, error)
	// SaveRun stores the state of a run with the files that it examined, and the progress of the configuration unless it is nil, in one
	// transaction. It returns false if the run was cancelled.
	SaveRun(ctx context.Context, run *messages.DriveRun, files []messages.DriveFile, sync *messages.DriveSync) (bool, error)
	// ForgetFiles removes files in the transaction that stores the counts of the run. It returns false if the run was cancelled.
	ForgetFiles(ctx context.Context, run *messages.DriveRun, external []string) (bool, error)
}

// Files stores the files of the drive as they were last copied.
type Files interface {
	// Files returns the files with the external ids, by these.
	Files(ctx context.Context, configuration organization.SyncID, external []string) (map[string]messages.DriveFile, error)
	// Children returns the files in a folder of the drive.
	Children(ctx context.Context, configuration organization.SyncID, parent string) ([]messages.DriveFile, error)
	// NextFolder returns the next folder to be listed, or false.
	NextFolder(ctx context.Context, configuration organization.SyncID) (messages.DriveFile, bool, error)
	// MarkGone marks the files that a complete listing did not find, in one folder or in all if it is empty.
	MarkGone(ctx context.Context, configuration organization.SyncID, run [16]byte, parent string) error
	// Gone returns at most limit files that are no longer in the drive, and folders if there are no such files.
	Gone(ctx context.Context, configuration organization.SyncID, limit int) ([]messages.DriveFile, error)
	// Claimed returns the copies of a file that other configurations made.
	Claimed(ctx context.Context, id organization.ID, configuration organization.SyncID, external string) ([]document.ItemID, error)
}

// Organizations executes commands and returns the present state of organizations.
type Organizations interface {
	Do(ctx context.Context, command messages.Command) (messages.Reply, error)
	View(ctx context.Context, id organization.ID) (*messages.View, error)
}

// Objects stores the bytes of files.
type Objects interface {
	// Put stores the bytes durably. If the key exists, Put succeeds without reading the content.
	Put(ctx context.Context, key string, content io.Reader, size int64) error
}

// Settings are the operator's settings.
type Settings struct {
	// Every is the time between scheduled runs.
	Every time.Duration
	// Limit is the maximum size of a document in bytes.
	Limit int64
	// Extensions are the permitted extensions of names in lower case, without dots; empty for all.
	Extensions []string
	// Scan is the initial state of the virus scan of a file.
	Scan document.Scan
	// Spool is the folder of temporary files; empty for that of the system.
	Spool string
	// Patience bounds the time for which a caller waits for a run.
	Patience time.Duration
}

// Options are the dependencies of the package.
type Options struct {
	Settings Settings
	Client   *Client
	Accounts Accounts
	Requests Requests
	Syncs    Syncs
	Runs     Runs
	Files    Files
	Objects  Objects
	// Key returns the key in the store of bytes of an organization with the hash.
	Key func(id organization.ID, sha256 string) string
	// Organizations returns the actors, which start after their consumers.
	Organizations func() Organizations
	// StateKey signs the states of requests for an authorization.
	StateKey []byte
	Now      func() time.Time
	NewID    func() [16]byte
	// Pause waits between two attempts of a call.
	Pause func(ctx context.Context, d time.Duration) error
	Log   *slog.Logger
}

// service is the common part of the consumer and of the operations of users.
type service struct {
	Options
	ends signals
}

const (
	consumerName = "drive"
	by           = "system:drive"
)

// The codes of failures, which users read.
const (
	codeReconnect   = string(organization.CodeReconnectNeeded)
	codeRate        = "rateLimited"
	codeUnavailable = "driveUnavailable"
	codeNoFolder    = "folderNotFound"
	codeNoTarget    = "targetIsDocument"
	codeRefused     = "driveRefused"
	codeTooLarge    = "tooLarge"
	codeExport      = "exportTooLarge"
	codeMissing     = "notFound"
	codeTimeout     = "timeout"
)

// soon returns a time that is about the interval of the schedule ahead: ± 10 %, so that servers do not call at the same time.
func (s *service) soon() time.Time {
	const spread = 10
	tenth := s.Settings.Every / spread
	return s.Now().Add(s.Settings.Every - tenth + rand.N(2*tenth+1)) //nolint:gosec // only spreads calls
}

// account returns the account of the present connection, or false.
func (s *service) account(ctx context.Context, view *messages.View) (messages.DriveAccount, bool, error) {
	drive, connected := view.State.Drive()
	if !connected {
		return messages.DriveAccount{}, false, nil
	}
	all, err := s.Accounts.Accounts(ctx, view.State.ID())
	if err != nil {
		return messages.DriveAccount{}, false, err
	}
	at := slices.IndexFunc(all, func(a messages.DriveAccount) bool { return a.Connection == drive.ID })
	if at < 0 { // erased, while the end of the connection is on its way
		return messages.DriveAccount{}, false, nil
	}
	return all[at], true, nil
}

// release ends the access of an ended connection and erases its token, and the progress of the configurations. Without the token it was
// released before, and the progress may already be that of the next connection.
func (s *service) release(ctx context.Context, id organization.ID, ended organization.DriveID) error {
	all, err := s.Accounts.Accounts(ctx, id)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(all, func(a messages.DriveAccount) bool { return a.Connection == ended })
	if at < 0 {
		return nil
	}
	view, err := s.Organizations().View(ctx, id)
	if err != nil {
		return err
	}
	if _, connected := view.State.Drive(); !connected {
		if err := s.Syncs.Forget(ctx, id, organization.SyncID{}, s.Now()); err != nil {
			return err
		}
		s.ends.report(id)
	}
	var token Token
	if json.Unmarshal(all[at].Token, &token) == nil && token.Refresh != "" {
		if err := s.Client.Revoke(ctx, token); err != nil {
			return fmt.Errorf("end access to the drive: %w", err)
		}
	}
	return s.Accounts.EraseAccount(ctx, ended)
}

// access makes calls with the token of a connection, and renews it.
type access struct {
	*service
	account messages.DriveAccount
	token   Token
	// stale reports that the drive refused the access token.
	stale bool
}

// open returns the access of the account, or ErrReconnect.
func (s *service) open(account messages.DriveAccount) (*access, error) {
	a := &access{service: s, account: account}
	if account.Refused || json.Unmarshal(account.Token, &a.token) != nil {
		return nil, ErrReconnect
	}
	return a, nil
}

// use makes a call. If the drive refuses the access token, it is renewed once.
func (a *access) use(ctx context.Context, call func(Token) error) error {
	for first := true; ; first = false {
		if err := a.renew(ctx); err != nil {
			return err
		}
		err := call(a.token)
		if !errors.Is(err, ErrUnauthorized) {
			return err
		}
		if a.stale = true; !first {
			return ErrReconnect
		}
	}
}

// renew replaces an expired or refused token.
func (a *access) renew(ctx context.Context) error {
	token := a.token
	if a.stale {
		token.Expires = time.Time{}
	}
	fresh, err := a.Client.Refresh(ctx, token)
	if errors.Is(err, ErrReconnect) {
		return errors.Join(err, a.Accounts.RefuseAccount(ctx, a.account.Connection))
	}
	if err != nil || fresh == a.token {
		return err
	}
	packed, err := json.Marshal(fresh)
	if err != nil {
		return fmt.Errorf("drive: %w", err)
	}
	a.token, a.stale = fresh, false
	return a.Accounts.RenewToken(ctx, a.account.Organization, a.account.Connection, packed)
}
