package office_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"equity/actors/consumer"
	"equity/actors/office"
	"equity/actors/office/officetest"
	"equity/fault"
)

// bundle is a client of an office suite.
type bundle struct {
	*testing.T
	server *officetest.Server
	client *office.Client

	mu     sync.Mutex
	offset time.Duration // of the clock
	waits  []time.Duration
}

func (b *bundle) now() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return time.Now().Add(b.offset)
}

// pass moves the clock.
func (b *bundle) pass(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.offset += d
}

// pause records the time between two attempts, and moves the clock in place of waiting.
func (b *bundle) pause(ctx context.Context, d time.Duration) error {
	b.pass(d)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waits = append(b.waits, d)
	return ctx.Err()
}

// waited returns the times between attempts in whole seconds.
func (b *bundle) waited() (seconds []int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, wait := range b.waits {
		seconds = append(seconds, int(wait.Round(time.Second).Seconds()))
	}
	return seconds
}

func setup(t *testing.T, changes ...func(*office.App)) *bundle {
	t.Helper()
	b := &bundle{T: t, server: officetest.New(t)}
	app := b.server.App()
	for _, change := range changes {
		change(&app)
	}
	b.client = office.NewClient(app, consumer.NewBreakers(b.now), b.now, b.pause)
	return b
}

// call makes a call of the API, and returns its error.
func (b *bundle) call() error {
	_, err := b.client.Root(b.Context())
	return err
}

// isUnavailable reports a call that did not fail for a reason of the office suite, and returns the time of the next attempt.
func (b *bundle) isUnavailable(err error) time.Duration {
	b.Helper()
	failed, is := errors.AsType[*fault.FailureError](err)
	if !is || !fault.Is(err, fault.Unavailable) {
		b.Errorf("not unavailable: %v", err)
		return 0
	}
	if !strings.Contains(failed.Refusal.Message, "office suite") {
		b.Errorf("the message names no service: %s", failed.Refusal.Message)
	}
	b.hasNoSecret(err)
	return failed.RetryAfter
}

// hasNoSecret reports secrets in the text of the error.
func (b *bundle) hasNoSecret(err error) {
	b.Helper()
	for _, secret := range append(b.server.Secrets(), "tempauth", "Bearer") {
		if strings.Contains(err.Error(), secret) {
			b.Errorf("%q is in %v", secret, err)
		}
	}
}

// names returns the names of the items that the listing of the folder visits.
func (b *bundle) names(folder string) []string {
	b.Helper()
	var names []string
	err := b.client.Children(b.Context(), folder, func(item office.Item) error {
		names = append(names, item.Name)
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	slices.Sort(names)
	return names
}
