package effect_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"equity/captable"
	"equity/captable/captabletest"
	"equity/captable/effect"
	"equity/captable/exact"
	"equity/captable/explain"
)

var (
	ada  = captabletest.Entity(0xa)
	bob  = captabletest.Entity(0xb)
	cleo = captabletest.Entity(0xc)
)

// bundle is a cap table whose commands are compared before and after.
type bundle struct{ *captabletest.Company }

func setup(tb testing.TB) *bundle {
	tb.Helper()
	return &bundle{captabletest.New(tb)}
}

func today() captable.Date { return exact.MustDate(captabletest.Today) }

func (b *bundle) table() *captable.Table {
	table := b.State.TableOn(today(), b.NameOf)
	return &table
}

// effects returns the effects of a change, after checking each figure against its explanation.
func (b *bundle) effects(change func()) effect.Effects {
	b.Helper()
	earlier, before := b.State.Copy(), b.table()
	change()
	effects := effect.Between(before, b.table())
	for _, of := range all(effects) {
		for state, value := range map[*captable.State]captable.Authorized{earlier: of.Before, b.State: of.After} {
			term, err := explain.Figure(state, of.Figure, today(), b.NameOf)
			if err != nil && value.String() == "0" {
				continue // the record does not exist in this state
			}
			if err != nil || term.Value.String() != value.String() {
				b.Errorf("%s: got %s, explained as %s (%v)", of.Figure, value, term.Value, err)
			}
		}
	}
	return effects
}

func all(effects effect.Effects) (changes []effect.Change) {
	changes = append(changes, effects.Totals...)
	for _, of := range effects.Holders {
		changes = append(changes, of.Change)
	}
	for _, of := range effects.Securities {
		changes = append(changes, of.Change)
	}
	for _, of := range effects.Pools {
		changes = append(changes, of.Change)
	}
	return changes
}

// changed checks that exactly these figures changed; each is "path before after".
func changed(tb testing.TB, effects effect.Effects, want ...string) {
	tb.Helper()
	var got []string
	for _, of := range all(effects) {
		got = append(got, of.Figure+" "+of.Before.String()+" "+of.After.String())
	}
	captabletest.Equal(tb, "changes", strings.Join(got, "\n"), strings.Join(want, "\n"))
}

func TestAnIssueChangesItsHolderAndTheSums(t *testing.T) {
	t.Parallel()
	b := setup(t)
	common := b.Common("1000")
	b.Issue(ada, common, "300", captabletest.Today)
	effects := b.effects(func() { b.Issue(bob, common, "100", captabletest.Today) })
	holder, class := "holder/"+bob.String()+"/", "security/"+common.String()+"/"
	changed(t, effects,
		"total/issued 300 400", "total/outstanding 300 400", "total/fullyDiluted 300 400", "total/available 700 600",
		holder+"shares 0 100", holder+"fullyDiluted 0 100", holder+"percentOutstanding 0 0.25", holder+"percentFullyDiluted 0 0.25",
		class+"issued 300 400", class+"outstanding 300 400", class+"available 700 600", class+"fullyDiluted 300 400")
	captabletest.Equal(t, "name", effects.Holders[0].Name, "Bob Noyce")
}

func TestATransferListsBothHoldersAndNoTotal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	common := b.Common("1000")
	held := b.Issue(ada, common, "300", captabletest.Today)
	b.Issue(cleo, common, "100", captabletest.Today)
	effects := b.effects(func() {
		b.Do(captable.TransferShareholding{
			Shareholding: held, To: captabletest.Holder(bob), Shares: captabletest.Number("300"), Date: today(), Kind: "gift",
		})
	})
	captabletest.Equal(t, "totals", len(effects.Totals), 0)
	captabletest.Equal(t, "figures of holders", len(effects.Holders), 8)
	captabletest.Equal(t, "figures of securities", len(effects.Securities), 0)
}

func TestARecordThatAppearsOrEndsHasFiguresOfZero(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var common captable.SecurityID
	created := b.effects(func() {
		common = b.Security(captable.SecurityTerms{
			Name: "Units", ShareType: captable.ShareCommon, AuthorizedShares: captable.Authorized{Unlimited: true},
		})
	})
	changed(t, created, "total/authorized 0 unlimited", "total/available 0 unlimited",
		"security/"+common.String()+"/authorized 0 unlimited", "security/"+common.String()+"/available 0 unlimited")
	planned := b.effects(func() { b.Plan(captabletest.Plan(common, "50")) })
	captabletest.Equal(t, "changed figures of the pool", len(planned.Pools), 4)
	captabletest.Equal(t, "name of the pool", planned.Pools[0].Name, "Main")
	held := b.Issue(ada, common, "10", captabletest.Today)
	voided := b.effects(func() { b.Do(captable.VoidShareholding{ID: held, Reason: "Twice."}) })
	captabletest.Equal(t, "the voided shares", voided.Holders[0].Before.String()+" "+voided.Holders[0].After.String(), "10 0")
	captabletest.Equal(t, "the percentage of the pool", voided.Pools[0].Figure, "pool/"+planned.Pools[0].Pool.String()+"/percentFullyDiluted")
}

func TestTheLargestChangesOfHoldersAreListed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	common := b.Common("100000000")
	few := effect.MostHolders + 7
	effects := b.effects(func() {
		for i := range few {
			b.Issue(b.crowd(i), common, exact.NewDecimal(int64(100+i)).String(), captabletest.Today)
		}
	})
	captabletest.Equal(t, "more holders", effects.MoreHolders, 7)
	listed := map[captable.EntityID]bool{}
	for _, of := range effects.Holders {
		listed[of.Entity] = true
	}
	captabletest.Equal(t, "listed", len(listed), effect.MostHolders)
	captabletest.Equal(t, "the first", effects.Holders[0].Entity, b.crowd(few-1))
	captabletest.Equal(t, "the smallest is listed", listed[b.crowd(0)], false)
}

// crowd registers and returns the i-th of many holders.
func (b *bundle) crowd(i int) (entity captable.EntityID) {
	binary.BigEndian.PutUint64(entity[:], uint64(i+1)*0x9E3779B97F4A7C15)
	b.Holders[entity] = "Holder"
	return entity
}

// BenchmarkBetween compares the tables of 10,000 holders.
func BenchmarkBetween(b *testing.B) {
	c := setup(b)
	common := c.Common("100000000")
	for i := range 10_000 {
		c.Issue(c.crowd(i), common, "100", "2025-03-01")
	}
	before := c.table()
	c.Issue(ada, common, "100", "2025-03-01")
	after := c.table()
	b.Run("table", func(b *testing.B) {
		for b.Loop() {
			_ = c.table()
		}
	})
	b.Run("between", func(b *testing.B) {
		for b.Loop() {
			_ = effect.Between(before, after)
		}
	})
}
