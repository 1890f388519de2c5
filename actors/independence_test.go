package actors_test

import (
	"bytes"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"equity/actors"
	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// heldBulk begins a bulk of 600 rows and holds its decision at the first generated id. The result ends the hold and returns
// the outcome and the number of ids that were generated after it.
func heldBulk(t *testing.T) (c *company, end func() (int64, error)) {
	t.Helper()
	release, held := make(chan struct{}), make(chan struct{})
	var armed atomic.Bool
	var generated atomic.Int64
	c = setup(t, func(s *actors.Settings) {
		next := s.NewID
		s.NewID = func() [16]byte {
			generated.Add(1)
			if armed.CompareAndSwap(true, false) {
				close(held)
				<-release
			}
			return next()
		}
	})
	armed.Store(true)
	done := make(chan error, 1)
	go func() {
		_, err := c.Do(t.Context(), c.intake())
		done <- err
	}()
	<-held
	return c, func() (int64, error) {
		before := generated.Load()
		close(release)
		err := <-done
		return generated.Load() - before, err
	}
}

// classNamed creates a class with the name.
func (c *company) classNamed(name string) messages.Command {
	return c.table(captable.CreateSecurity{SecurityTerms: captable.SecurityTerms{
		Name: name, ShareType: captable.SharePreferred, AuthorizedShares: captable.AuthorizedOf(exact.NewDecimal(authorized)),
	}})
}

func TestIndependentWriteDoesNotRepeatTheDecisionOfABulk(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, end := heldBulk(t)
		c.must(c.classNamed("Preferred"))
		if ids, err := end(); err != nil || ids > bulkRows || c.issued() != "600" {
			t.Errorf("%v, %d ids generated, %s shares", err, ids, c.issued())
		}
	})
}

func TestDependentWriteRepeatsTheDecisionOfABulk(t *testing.T) {
	t.Parallel()
	configuration := captable.NewConfiguration()
	configuration.EquityName = "units"
	for what, body := range map[string]func(*company) organization.Command{
		"the profile": func(*company) organization.Command { return organization.Amend{Patch: []byte(`{"name":"Acme Two"}`)} },
		"the configuration": func(*company) organization.Command {
			return organization.Table{Command: captable.Configure{Configuration: configuration}}
		},
		"the number of the next certificate": func(c *company) organization.Command { return c.issue(c.bob, 1).Body },
		"a split of the class": func(c *company) organization.Command {
			return organization.Table{Command: captable.SplitSecurity{
				ID: c.security, Numerator: exact.NewDecimal(2), Denominator: exact.NewDecimal(1), Date: exact.MustDate("1998-01-15"),
			}}
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c, end := heldBulk(t)
				c.must(c.command(body(c)))
				if ids, err := end(); err != nil || ids < 2*bulkRows-1 {
					t.Errorf("%v, %d ids generated", err, ids)
				}
			})
		})
	}
}

func TestBulkThatNoLongerFitsIsRefused(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, end := heldBulk(t)
		c.must(c.issue(c.bob, authorized-bulkRows+1))
		_, err := end()
		if refusal, ok := errors.AsType[*fault.Error](err); !ok || refusal.Code != fault.RowsRefused {
			t.Errorf("got %v", err)
		}
	})
}

func TestMovedBulkEqualsItsReplay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, end := heldBulk(t)
		for _, name := range []string{"Preferred A", "Preferred B", "Preferred C"} {
			c.must(c.classNamed(name))
		}
		c.hire("Grace Hopper")
		if _, err := end(); err != nil {
			t.Fatal(err)
		}
		c.must(c.issue(c.bob, 1))
		before := c.encoded()
		c.restart()
		if !bytes.Equal(before, c.encoded()) {
			t.Error("the replay of the journal has another state")
		}
	})
}

// encoded returns the state of the view.
func (c *company) encoded() []byte {
	c.Helper()
	view, err := c.View(c.Context(), c.id)
	if err != nil {
		c.Fatal(err)
	}
	return view.State.Snapshot()
}
