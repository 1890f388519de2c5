package persistence_test

import (
	"testing"
	"time"

	"equity/messages"
	"equity/organization"
	"equity/persistence/storetest"
)

func TestRenewalsReturnAnnouncedAppends(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.PostgreSQL(t))
	guest, owner := nodeStore(t, db, slowTimes()), nodeStore(t, db, slowTimes())
	must(t, guest.Join(t.Context(), messages.Node{ID: "a", Address: "10.0.0.1:7000"}))
	must(t, owner.Join(t.Context(), messages.Node{ID: "b", Address: "10.0.0.2:7000"}))
	announced := func() []messages.Announced {
		t.Helper()
		list, err := owner.Renew(t.Context(), "b", 2)
		must(t, err)
		return list.Announced
	}
	id := organization.ID{1}
	note, err := guest.Announce(t.Context(), "a", id)
	must(t, err)
	if got := announced(); len(got) != 1 || got[0].Organization != id || got[0].Sequence != 0 {
		t.Errorf("announced: %v", got)
	}
	must(t, guest.Withdraw(t.Context(), note))
	if got := announced(); len(got) != 0 {
		t.Errorf("announced after the withdrawal: %v", got)
	}
	_, err = guest.Announce(t.Context(), "a", id)
	must(t, err)
	must(t, guest.Remove(t.Context(), "a"))
	if got := announced(); len(got) != 1 {
		t.Errorf("announced after the end of the guest: %v", got)
	}
}

func TestNotesOfEndedServersAreDeletedAfterTheExpiry(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.PostgreSQL(t))
	times := messages.NodeTimes{Heartbeat: time.Second, Lease: time.Millisecond, Expiry: 20 * time.Millisecond}
	nodes := nodeStore(t, db, times)
	must(t, nodes.Join(t.Context(), messages.Node{ID: "a", Address: "10.0.0.1:7000"}))
	_, err := nodes.Announce(t.Context(), "a", organization.ID{1})
	must(t, err)
	must(t, nodes.Remove(t.Context(), "a"))
	time.Sleep(3 * times.Expiry)
	must(t, nodes.Join(t.Context(), messages.Node{ID: "b", Address: "10.0.0.2:7000"}))
	_, err = nodes.Announce(t.Context(), "b", organization.ID{2})
	must(t, err)
	list, err := nodes.Renew(t.Context(), "b", 3)
	must(t, err)
	if len(list.Announced) != 1 || list.Announced[0].Organization != (organization.ID{2}) {
		t.Errorf("announced: %v", list.Announced)
	}
}
