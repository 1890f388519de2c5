package http_test

import (
	"testing"
	"time"

	equityhttp "equity/http"
	"equity/organization"
)

func TestOrganizationIsFollowedWhileItIsReadOften(t *testing.T) {
	t.Parallel()
	busy, quiet := organization.ID{15: 1}, organization.ID{15: 2}
	f, now := equityhttp.NewFollowing(3), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	read := func(after time.Duration, id organization.ID, want bool) {
		t.Helper()
		now = now.Add(after)
		if got := f(id, now); got != want {
			t.Errorf("followed: %t", got)
		}
	}
	read(0, busy, false)
	read(time.Second, busy, false)
	read(0, quiet, false)
	read(time.Second, busy, true)
	read(8*time.Second, busy, true) // of the next window
	read(9*time.Second, busy, true)
	read(2*time.Second, busy, false) // both windows had fewer reads
	read(time.Minute, busy, false)
	read(0, busy, false)
	read(0, busy, true)
}

func TestOrganizationsOfOnePlaceAreCountedApart(t *testing.T) {
	t.Parallel()
	one, other := organization.ID{14: 0x10, 15: 1}, organization.ID{14: 0x20, 15: 1}
	f, now := equityhttp.NewFollowing(2), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for range 3 {
		if f(one, now) || f(other, now) {
			t.Error("the reads of two organizations were added")
		}
	}
}

func TestNothingIsFollowedWithoutTheSetting(t *testing.T) {
	t.Parallel()
	f := equityhttp.NewFollowing(0)
	for range 100 {
		if f(organization.ID{15: 1}, time.Now()) {
			t.Fatal("an organization is followed")
		}
	}
}
