package main

import (
	"context"
	"errors"
	"time"

	"equity/actors/consumer"
	"equity/actors/trash"
	"equity/captable"
	"equity/fault"
	"equity/messages"
	"equity/onboarding"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/blob"
)

const (
	// sweepEvery is the time between two sweeps of the store of documents by any server.
	sweepEvery = 24 * time.Hour
	// sweepCheck is the time between two questions whether a sweep is due. It is short, because some servers are restarted often.
	sweepCheck = 10 * time.Minute
)

// startSweeper deletes unused objects daily, beside the requests. One of the servers of a database does it.
func (a *assembly) startSweeper(ctx context.Context, p program) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	anchors := anchorJob{a.anchors, persistence.NewJobs(a.db), a.log}
	go func() {
		defer close(done)
		tick := time.NewTicker(sweepCheck)
		defer tick.Stop()
		anchors.run(ctx, p.now())
		for {
			select {
			case <-tick.C:
				a.sweepOnce(ctx, p.now())
				anchors.run(ctx, p.now())
			case <-ctx.Done():
				return
			}
		}
	}()
	a.closeWith(func(context.Context) error {
		cancel()
		<-done
		return nil
	})
}

// sweepOnce sweeps unless a server has begun to do so within the period.
func (a *assembly) sweepOnce(ctx context.Context, now time.Time) {
	due, err := persistence.NewJobs(a.db).Claim(ctx, "sweep", now, sweepEvery)
	if err != nil && ctx.Err() == nil {
		a.log.Warn("the store of documents was not swept", "cause", err)
	}
	if due {
		a.sweep(ctx, now)
	}
}

// rememberConversations is the retention of conversations with the assistant.
const rememberConversations = 90 * 24 * time.Hour

// sweep deletes old conversations, the unused objects of organizations and profiles, and unused certificates.
func (a *assembly) sweep(ctx context.Context, now time.Time) {
	deleted, err := blob.Sweep(ctx, a.objects, namedFiles{a.organizations, persistence.NewProfileFiles(a.db)}, now)
	unused, failed := blob.SweepCertificates(ctx, a.objects, knownOrganizations{a.journal}, now)
	deleted, err = deleted+unused, errors.Join(err, failed)
	if err != nil && ctx.Err() == nil {
		a.log.Warn("the store of documents was not swept completely", "cause", err)
	}
	if err := persistence.NewConversations(a.db).Forget(ctx, now.Add(-rememberConversations)); err != nil && ctx.Err() == nil {
		a.log.Warn("old conversations were not deleted", "cause", err)
	}
	if err := persistence.NewOnboardings(a.db).Forget(ctx, now.Add(-onboarding.Valid)); err != nil && ctx.Err() == nil {
		a.log.Warn("expired onboardings were not deleted", "cause", err)
	}
	if deleted > 0 {
		a.log.Info("unused objects deleted from the store of documents", "number", deleted)
	}
}

// trashConsumer returns the consumer that erases expired documents.
func trashConsumer(a *assembly, p program) consumer.Consumer {
	return trash.NewConsumer(trash.Options{
		Bytes: erasedBytes{a.objects, p.now}, Organizations: func() trash.Organizations { return a.organizations }, Now: p.now,
	})
}

// erasedBytes deletes the bytes of erased files.
type erasedBytes struct {
	objects *blob.Guarded
	now     func() time.Time
}

// Erase deletes the bytes with the hash unless they are young, and reports whether they are gone.
func (e erasedBytes) Erase(ctx context.Context, id organization.ID, sha256 string) (bool, error) {
	gone, err := e.objects.DeleteOlder(ctx, blob.Key("o/"+id.String(), sha256), e.now().Add(-blob.EraseAge))
	if errors.Is(err, blob.ErrNotFound) {
		return true, nil
	}
	return gone, err
}

// viewer returns the present state of organizations.
type viewer interface {
	View(ctx context.Context, id organization.ID) (*messages.View, error)
}

// namedFiles knows the files of organizations and profiles.
type namedFiles struct {
	organizations viewer
	profiles      *persistence.ProfileFiles
}

// Names reports whether a file of the owner has the bytes. The objects of an unknown organization stay, because the database may be an
// older copy.
func (n namedFiles) Names(ctx context.Context, owner blob.Owner, sha256 string) (bool, error) {
	if owner.Kind == blob.Profile {
		entity, err := captable.ParseID[captable.Entity](owner.ID)
		if err != nil {
			return true, err
		}
		return n.profiles.Names(ctx, entity, sha256)
	}
	id, err := captable.ParseID[organization.Organization](owner.ID)
	if err != nil {
		return true, err
	}
	view, err := n.organizations.View(ctx, id)
	switch {
	case fault.Is(err, fault.NotFound):
		return true, nil
	case err != nil:
		return false, err
	}
	return view.State.Documents().Stores(sha256), nil
}

// knownOrganizations knows the organizations with a journal.
type knownOrganizations struct{ journal *persistence.Journal }

// Exists reports whether the organization has a journal.
func (k knownOrganizations) Exists(ctx context.Context, id organization.ID) (bool, error) {
	sequence, _, err := k.journal.Head(ctx, id)
	return sequence > 0, err
}
