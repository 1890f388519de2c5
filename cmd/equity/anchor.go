package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"equity/actors/anchor"
	"equity/config"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
)

const (
	// anchorKey is the name of the secret that signs heads.
	anchorKey = "anchor-key"
	// anchorCheck is the time between two searches for heads that are due. The due times follow from the stored ones, so that restarts delay none.
	anchorCheck = 30 * time.Minute
)

// anchorStore lists the heads of the journals.
type anchorStore struct {
	*persistence.Anchors

	journal *persistence.Journal
}

// Next returns changed heads of organizations after the given one.
func (s anchorStore) Next(ctx context.Context, after organization.ID, signedBy time.Time, limit int) ([]anchor.Change, error) {
	found, err := s.Anchors.Next(ctx, after, signedBy, limit)
	changed := make([]anchor.Change, len(found))
	for i, one := range found {
		changed[i] = anchor.Change{Head: one.Head, Signed: one.Signed}
	}
	return changed, err
}

// HashAt returns the hash of a row.
func (s anchorStore) HashAt(ctx context.Context, id organization.ID, sequence uint64) (messages.Hash, bool, error) {
	return s.journal.HashAt(ctx, id, sequence)
}

// openAnchors opens the service that signs heads. The key is generated once; rotations of SECRET_KEY keep it.
func openAnchors(ctx context.Context, a *assembly, p program) error {
	seed, err := a.namedKey(ctx, p, anchorKey)
	if err != nil {
		return err
	}
	key, err := messages.NewAnchorKey(seed)
	if err != nil {
		return err
	}
	settings, err := anchorSettings(a.config, p)
	if err != nil {
		return err
	}
	if a.config.Anchors.Mail == "true" {
		settings.Mail = ownerMail{a, p}.send
	}
	a.anchors = anchor.New(settings, key, anchorStore{persistence.NewAnchors(a.db), a.journal}, p.now, a.log)
	return nil
}

func anchorSettings(c config.Config, p program) (anchor.Settings, error) {
	trusted, err := anchor.ReadCertificates(c.Anchors.TSACA)
	if err != nil {
		return anchor.Settings{}, fmt.Errorf("TSA_CA: %w", err)
	}
	return anchor.Settings{
		File: c.Anchors.File, Webhook: c.Anchors.Webhook.Reveal(),
		Authority: anchor.Authority{
			URL: c.Anchors.TSAURL, Username: c.Anchors.TSAUsername, Password: c.Anchors.TSAPassword.Reveal(), Trusted: trusted,
			Random: p.random,
		},
	}, nil
}

// anchorJob signs the heads that are due once in each period.
type anchorJob struct {
	anchors *anchor.Service
	jobs    *persistence.Jobs
	log     *slog.Logger
}

// run signs the heads that are due, unless a server has looked for them within the period.
func (a anchorJob) run(ctx context.Context, now time.Time) {
	if !a.anchors.Keeps() {
		return
	}
	due, err := a.jobs.Claim(ctx, "anchor", now, anchorCheck)
	if err == nil && due {
		err = a.anchors.Run(ctx)
	}
	if err != nil && ctx.Err() == nil {
		a.log.Error("the heads of the journals were not anchored", "cause", err)
	}
}

// ownerMail sends anchors to the owners of organizations.
type ownerMail struct {
	a *assembly
	p program
}

// send stores one mail for each owner with an account.
func (m ownerMail) send(ctx context.Context, one messages.Anchor) error {
	view, err := m.a.organizations.View(ctx, one.Organization)
	if err != nil {
		return err
	}
	line, err := json.Marshal(one)
	if err != nil {
		return err
	}
	text := fmt.Sprintf(`This is the signed end of the journal of %s after %d events. Keep this mail: it proves that the history before it was not changed.
To compare the journal with it, save the last line in a file, and run

equity verify --against FILE --key %s

%s
`, view.State.Profile().PrintedName(), one.Sequence, m.a.anchors.Key(), line)
	for member := range view.State.Members() {
		if !member.Owns() || member.User.IsZero() {
			continue
		}
		account, failed := persistence.NewUsers(m.a.db).ByID(ctx, member.User)
		if failed == nil {
			failed = persistence.NewOutbox(m.a.db).Enqueue(ctx, messages.Mail{
				ID: newID(), To: account.Email, Subject: "End of the journal of " + view.State.Profile().PrintedName(), Text: text,
				CreatedAt: m.p.now(),
			})
		}
		err = errors.Join(err, failed)
	}
	return err
}

// storedAnchorKey returns the key of a store for a command, or nil if no server has made one or SECRET_KEY is not set. It changes nothing.
func storedAnchorKey(ctx context.Context, c config.Config, db *persistence.Database) (*messages.AnchorKey, error) {
	if c.SecretKey == "" {
		if _, err := os.Stat(c.SecretKeyPath()); err != nil {
			return nil, nil //nolint:nilnil,nilerr // nil means no key
		}
	}
	key, err := c.OpenSecretKey(nil)
	if err != nil {
		return nil, fmt.Errorf("SECRET_KEY: %w", err)
	}
	seed, err := persistence.ReadSecret(ctx, db, key, anchorKey)
	if err != nil || seed == nil {
		return nil, err
	}
	return messages.NewAnchorKey(seed)
}

// auditKeyCommand is `equity audit key`.
type auditKeyCommand struct{}

// Help is shown by `equity audit key --help`.
func (auditKeyCommand) Help() string {
	return `Keep the printed key outside of the server, for example on paper or with the
auditor: 'equity verify --against ANCHORS --key KEY' then needs no trust in the store.`
}

var errNoAnchorKey = errors.New("the store has no key of anchors: start the server once, and set SECRET_KEY to that of the server")

// Run prints the public key.
func (auditKeyCommand) Run(ctx context.Context, p program) error {
	c, err := p.settings(nil)
	if err != nil {
		return err
	}
	return withJournal(ctx, c, func(db *persistence.Database, _ *persistence.Journal) error {
		key, err := storedAnchorKey(ctx, c, db)
		if err == nil && key == nil {
			err = errNoAnchorKey
		}
		if err != nil {
			return err
		}
		p.say("%s", key.Public())
		return nil
	})
}
