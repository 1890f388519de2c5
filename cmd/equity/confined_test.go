package main

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"equity/confine"
)

func TestOneOrganizationLeavesPlacesOfChildrenToOthers(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]places{
		"stamps": stampPlaces(), "transforms": transformPlaces(), "tables": tablePlaces(), "packages": packagePlaces(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				turns := newTurns(p)
				for range 2 * maxWaitingOfGroup { // the first ones never leave
					go func() { _, _ = turns.Enter(t.Context(), "hostile") }()
				}
				synctest.Wait()
				begin := time.Now()
				leave, err := turns.Enter(t.Context(), "other")
				if err != nil || time.Since(begin) != 0 {
					t.Fatalf("%v after %s", err, time.Since(begin))
				}
				leave()
				time.Sleep(p.wait)
			})
		})
	}
}

func TestRequestBeyondTheQueueOfChildrenIsBusy(t *testing.T) {
	t.Parallel()
	turns := newTurns(places{atOnce: 1, ofGroup: 1, wait: time.Millisecond})
	leave, err := turns.Enter(t.Context(), "one")
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	_, err = turns.Enter(t.Context(), "other")
	if busy, ok := errors.AsType[*confine.BusyError](err); !ok || busy.RetryAfter <= 0 {
		t.Errorf("%v", err)
	}
}

func TestCallerThatLeavesGetsNoPlace(t *testing.T) {
	t.Parallel()
	turns := newTurns(places{atOnce: 1, ofGroup: 1, wait: time.Minute})
	leave, err := turns.Enter(t.Context(), "one")
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := turns.Enter(ctx, "other"); err == nil {
		t.Error("entered")
	}
}
