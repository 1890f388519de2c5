package chat

import (
	"context"
	"errors"
	"fmt"
	"time"

	"equity/fault"
	"equity/organization"
)

// The limits of departures.
const (
	departureEvery = time.Second
	departureLease = time.Minute
	departureTime  = 50 * time.Second // a round ends before its lease
	departureLimit = 20
)

// Departures ends the memberships and tokens of disabled and erased users. An erasure is outside of the journals, and a disabled user stays a
// member of organizations, so the consumers of the journals do not suffice. Each server has one. A failed departure is repeated after its
// lease, also after a restart.
type Departures struct {
	*Provisioner
	stop context.CancelFunc
	done chan struct{}
}

// NewDepartures starts Departures, which run until they are stopped.
func NewDepartures(ctx context.Context, p *Provisioner) *Departures {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	d := &Departures{Provisioner: p, stop: stop, done: make(chan struct{})}
	go func() {
		defer close(d.done)
		d.run(ctx)
	}()
	return d
}

// Stop stops the Departures after the running call.
func (d *Departures) Stop() {
	d.stop()
	<-d.done
}

func (d *Departures) run(ctx context.Context) {
	tick := time.NewTicker(departureEvery)
	defer tick.Stop()
	for {
		for d.round(ctx) && ctx.Err() == nil {
			continue
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// round ends some memberships, and reports whether more may be due.
func (d *Departures) round(ctx context.Context) bool {
	limited, cancel := context.WithTimeout(ctx, departureTime)
	defer cancel()
	users, err := d.Accounts.ClaimLeaving(limited, d.Now(), d.Now().Add(-d.MaxTokenAge), departureLease, departureLimit)
	for _, user := range users {
		err = errors.Join(err, d.depart(limited, user))
	}
	if err != nil && ctx.Err() == nil {
		d.Log.Warn("accounts did not leave the chat; the next attempt is in a minute", "cause", err)
	}
	return err == nil && len(users) == departureLimit
}

// depart removes the user from all teams of organizations, revokes their tokens and forgets the account. An enabled user stays, and only
// loses a token that ends.
func (d *Departures) depart(ctx context.Context, user organization.UserID) error {
	found, err := d.Users.ByID(ctx, user)
	switch {
	case err == nil && found.DisabledAt.IsZero():
		return d.endToken(ctx, user)
	case err != nil && !fault.Is(err, fault.UserNotFound):
		return err
	}
	account, mapped, err := d.Accounts.Account(ctx, user)
	if err != nil || !mapped {
		return err
	}
	if err := d.revokeAll(ctx, account); err != nil {
		return err
	}
	if err := d.leaveTeams(ctx, account); err != nil {
		return err
	}
	return d.Accounts.Forget(ctx, user)
}

// endToken revokes the token of an enabled user, if it ends or is too old.
func (d *Departures) endToken(ctx context.Context, user organization.UserID) error {
	end, err := d.turns.take(ctx, user)
	if err != nil {
		return err
	}
	defer end()
	account, _, err := d.Accounts.Account(ctx, user)
	if err == nil && account.Token.ID != "" && (account.Ending || !d.Now().Before(account.Token.IssuedAt.Add(d.MaxTokenAge))) {
		err = d.revokeAll(ctx, account)
	}
	if err != nil {
		return err
	}
	return d.Accounts.Stay(ctx, user)
}

// leaveTeams ends the memberships of the account in teams of organizations.
func (d *Departures) leaveTeams(ctx context.Context, account Account) error {
	teams, _, err := d.server.GetTeamsForUser(ctx, account.ChatUser, "")
	if isMissing(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("list teams: %w", err)
	}
	for _, team := range teams {
		_, ours, err := d.Teams.OrganizationOf(ctx, team.Id)
		if err != nil {
			return err
		}
		if !ours {
			continue
		}
		if err := d.removeMember(ctx, team.Id, account.ChatUser); err != nil {
			return err
		}
	}
	return nil
}
