package actors_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"equity/messages"
	"equity/organization"
)

func TestActivation(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setup(t)
		unknown := c.newID()
		command := c.issue(c.ada, 1)
		command.Organization = unknown
		scans := c.store.scanned()
		for range 3 {
			_, err := c.View(context.Background(), unknown)
			refused(t, err, "resourceNotFound")
			_, err = c.ViewAt(context.Background(), unknown, 1)
			refused(t, err, "resourceNotFound")
			_, err = c.do(command)
			refused(t, err, "resourceNotFound")
		}
		if live := c.Live(); live != 1 || c.store.scanned() != scans {
			t.Errorf("%d organizations are live, and %d journals were read for ids that were made up", live, c.store.scanned()-scans)
		}
		nameless := c.create(unknown)
		nameless.Body = organization.Create{ID: unknown, Creator: c.founder}
		for range 2 { // the actor is started for the refusal and ends at once
			_, err := c.do(nameless)
			refused(t, err, "invalidFields")
			_, err = c.View(context.Background(), unknown)
			refused(t, err, "resourceNotFound")
		}
		if read := c.store.scanned() - scans; read != 2 {
			t.Errorf("%d journals were read: an unknown organization stays in memory", read)
		}
		trial := c.create(unknown)
		trial.DryRun = true
		if reply, err := c.do(trial); err != nil || reply.Sequence != 0 || len(reply.Events) != 2 {
			t.Errorf("the dry run of a founding gave %+v, %v", reply, err)
		}
		c.must(c.create(unknown))
		_, err := c.do(c.create(unknown))
		refused(t, err, "conflict")
		if live := c.Live(); live != 2 {
			t.Errorf("%d organizations are live; want 2", live)
		}
	})
}

func TestFoundingIsSeenWhenDurable(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setup(t)
		id := c.newID()
		release := make(chan struct{})
		c.store.meet(hang(release))
		founding := c.asked(c.create(id))
		_, err := c.View(context.Background(), id)
		refused(t, err, "resourceNotFound")
		command := c.issue(c.ada, 1)
		command.Organization = id
		_, err = c.do(command)
		refused(t, err, "resourceNotFound")
		close(release)
		if a := <-founding; a.err != nil {
			t.Fatal(a.err)
		}
		if view, err := c.View(context.Background(), id); err != nil || view.Sequence != 2 {
			t.Errorf("the view: %v, %v", view, err)
		}
		c.store.meet(lose)
		lost := c.newID()
		_, err = c.do(c.create(lost))
		refused(t, err, messages.ErrOutcomeUnknown.Code)
		time.Sleep(time.Second)
		_, err = c.View(context.Background(), lost)
		refused(t, err, "resourceNotFound")
	})
}
