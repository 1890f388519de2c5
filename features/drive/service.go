package drive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"time"

	"equity/app"
	"equity/features/drive/connection"
	"equity/messages"
	"equity/organization"
)

// Runs stores runs. [Store] implements it; tests let it fail.
type Runs interface {
	// Trigger stores a run, unless the configuration has one with work. It returns the stored one.
	Trigger(ctx context.Context, run Run) (Run, error)
	// OpenRuns returns the runs of the organization with work, the earliest first.
	OpenRuns(ctx context.Context, id organization.ID) ([]Run, error)
	// Run returns a run, or false.
	Run(ctx context.Context, run [16]byte) (Run, bool, error)
	// History returns at most limit runs, the latest first, of one configuration or of all if it is zero.
	History(ctx context.Context, id organization.ID, configuration connection.SyncID, limit int) ([]Run, error)
	// SaveRun stores the state of a run with the files that it examined, and the progress of the configuration unless it is nil, in one
	// transaction. It returns false if the run was cancelled.
	SaveRun(ctx context.Context, run *Run, files []CopiedFile, sync *SyncState) (bool, error)
	// ForgetFiles removes files in the transaction that stores the counts of the run. It returns false if the run was cancelled.
	ForgetFiles(ctx context.Context, run *Run, external []string) (bool, error)
}

// Settings are the operator's settings.
type Settings struct {
	// Every is the time between scheduled runs.
	Every time.Duration
	// Limit is the maximum size of a document in bytes.
	Limit int64
	// Extensions are the permitted extensions of names in lower case, without dots; empty for all.
	Extensions []string
	// Spool is the folder of temporary files; empty for that of the system.
	Spool string
	// Patience bounds the time for which a caller waits for a run.
	Patience time.Duration
}

// Options are the dependencies of the package.
type Options struct {
	Settings Settings
	Client   *Client
	Store    *Store
	Runs     Runs
	Bytes    app.Files
	// Organizations start after the consumer.
	Organizations app.Organizations
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
	codeReconnect   = string(connection.CodeReconnectNeeded)
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
func (s *service) account(ctx context.Context, view *messages.View) (Account, bool, error) {
	drive, connected := connection.Of(view.State).Connection()
	if !connected {
		return Account{}, false, nil
	}
	all, err := s.Store.Accounts(ctx, view.State.ID())
	if err != nil {
		return Account{}, false, err
	}
	at := slices.IndexFunc(all, func(a Account) bool { return a.Connection == drive.ID })
	if at < 0 { // erased, while the end of the connection is on its way
		return Account{}, false, nil
	}
	return all[at], true, nil
}

// release ends the access of an ended connection and erases its token, and the progress of the configurations. Without the token it was
// released before, and the progress may already be that of the next connection.
func (s *service) release(ctx context.Context, id organization.ID, ended connection.ID) error {
	all, err := s.Store.Accounts(ctx, id)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(all, func(a Account) bool { return a.Connection == ended })
	if at < 0 {
		return nil
	}
	view, err := s.Organizations.View(ctx, id)
	if err != nil {
		return err
	}
	if _, connected := connection.Of(view.State).Connection(); !connected {
		if err := s.Store.Forget(ctx, id, connection.SyncID{}, s.Now()); err != nil {
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
	return s.Store.EraseAccount(ctx, ended)
}

// access makes calls with the token of a connection, and renews it.
type access struct {
	*service
	account Account
	token   Token
	// stale reports that the drive refused the access token.
	stale bool
}

// open returns the access of the account, or ErrReconnect.
func (s *service) open(account Account) (*access, error) {
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
		return errors.Join(err, a.Store.RefuseAccount(ctx, a.account.Connection))
	}
	if err != nil || fresh == a.token {
		return err
	}
	packed, err := json.Marshal(fresh)
	if err != nil {
		return fmt.Errorf("drive: %w", err)
	}
	a.token, a.stale = fresh, false
	return a.Store.RenewToken(ctx, a.account.Organization, a.account.Connection, packed)
}
