package captable_test

import (
	"strings"
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

func TestTableOfConvertibles(t *testing.T) {
	t.Parallel()
	t.Run("convertibles are listed with principal and interest of the day and add no shares", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("1000")
		b.issue(ada, class, "100", "2025-01-01")
		loan := b.instrument(note(ada, "2025-01-01"))
		b.instrument(safe(bob, "500", "2025-02-01"))
		table := b.on("2025-01-11")
		equal(t, "lines", text(t, table.Convertibles), `[{"holding":"`+loan.String()+`","kind":"convertibleNote","entity":"`+ada.String()+`","name":"Ada Lovelace",`+
			`"issueDate":"2025-01-01","principal":{"amount":"10000","currency":"USD"},"accruedInterest":"10","balance":"10010","discount":"0.2"}]`)
		equal(t, "fully diluted", table.Totals.FullyDiluted.String(), "100")
		equal(t, "sums later", text(t, b.on("2025-02-10").Totals.Convertibles),
			`[{"currency":"USD","count":2,"principal":"10500","accruedInterest":"40","balance":"10540"}]`)
		equal(t, "holders", len(b.on(today).Holders), 1)
	})
	t.Run("a convertible is listed with its unpaid balance until it ends", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.instrument(note(ada, "2025-01-01"))
		b.do(repay(id, "1010", "2025-01-11"))
		b.do(cancelInstrument(id, "2025-01-21"))
		line := b.on("2025-01-11").Convertibles[0]
		equal(t, "principal and interest", line.Principal.Amount.String()+" "+line.AccruedInterest.String(), "9000 0")
		equal(t, "before", b.on("2025-01-10").Convertibles[0].Balance.String(), "10009")
		equal(t, "ended", len(b.on("2025-01-21").Convertibles), 0)
	})
	t.Run("convertibles are summed by currency, in the order of currency codes", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for _, of := range []string{"USD", "EUR", "USD"} {
			command := safe(ada, "5", today)
			command.Principal.Currency, command.ValuationCap = of, nil
			b.instrument(command)
		}
		var sums []string
		for _, sum := range b.on(today).Totals.Convertibles {
			sums = append(sums, sum.Currency+sum.Principal.String())
		}
		equal(t, "sums", strings.Join(sums, " "), "EUR5 USD10")
	})
}

func TestTableOfWarrants(t *testing.T) {
	t.Parallel()
	t.Run("warrants count in the fully diluted shares of their holder until they expire", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common, class := b.convertible("1000", "2")
		b.issue(ada, common, "100", "2025-01-01")
		command := warrant(bob, class, "50", "2025-02-01")
		command.ExpirationDate = exact.MustDate("2025-06-30")
		id := b.instrument(command)
		b.do(exerciseWarrant(id, "10", "2025-03-01"))
		for day, want := range map[string]string{ // warrants, reserved, fully diluted, percentage of Bob, percentage of the class
			"2025-01-31": "0 0 100 0 0", "2025-02-01": "50 50 200 0.5 0.5", "2025-03-01": "40 40 200 0.5 0.5",
			"2025-06-30": "40 40 200 0.5 0.5", "2025-07-01": "0 0 120 0.1666666667 0.1666666667",
		} {
			table := b.on(day)
			bobs := "0"
			if len(table.Holders) > 1 {
				bobs = table.Holders[1].PercentFullyDiluted.String()
			}
			got := []string{table.Totals.Warrants.String(), table.Securities[1].Reserved.String(), table.Totals.FullyDiluted.String(), bobs}
			equal(t, day, strings.Join(append(got, table.Securities[1].PercentFullyDiluted.String()), " "), want)
		}
		equal(t, "line", text(t, b.on("2025-03-01").Warrants), `[{"holding":"`+id.String()+`","entity":"`+bob.String()+`","name":"Bob Noyce",`+
			`"issueDate":"2025-02-01","security":"`+class.String()+`","quantity":"40","exercisePrice":"1.5","expirationDate":"2025-06-30","fullyDiluted":"80"}]`)
	})
	t.Run("a warrant of an unknown class is listed and adds no shares", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.instrument(warrant(ada, captable.SecurityID{}, "5", today))
		table := b.on(today)
		equal(t, "listed", table.Warrants[0].Quantity.String()+" "+table.Warrants[0].FullyDiluted.String(), "5 0")
		equal(t, "fully diluted", table.Totals.FullyDiluted.String(), "0")
	})
}

func TestExpiredWarrants(t *testing.T) {
	t.Parallel()
	expired := func(t *testing.T) (*bundle, captable.SecurityID, captable.InstrumentID) {
		t.Helper()
		b := setup(t)
		class := b.common("10")
		command := warrant(ada, class, "10", "2025-01-01")
		command.ExpirationDate = exact.MustDate("2025-06-30")
		return b, class, b.instrument(command)
	}
	t.Run("expired warrants free shares for an issue, which records their expiry", func(t *testing.T) {
		t.Parallel()
		b, class, id := expired(t)
		equal(t, "reserved", b.class(class).Reserved.String(), "10")
		events := b.do(issue(bob, class, "10", today))
		equal(t, "recorded", events[0].EventType(), "holdingExpired")
		equal(t, "status", b.right(id).Status, captable.StatusExpired)
		equal(t, "when", b.right(id).End.Date.String(), "2025-07-01")
		equal(t, "reserved", b.class(class).Reserved.String(), "0")
		equal(t, "left the day before", b.right(id).LeftOn(exact.MustDate("2025-06-30")).String(), "10")
	})
	t.Run("a refused issue counts the shares of expired warrants as available", func(t *testing.T) {
		t.Parallel()
		b, class, id := expired(t)
		figures := b.refused(issue(bob, class, "11", today), fault.InsufficientShares)
		equal(t, "available", figures["available"], "10")
		equal(t, "status", b.right(id).Status, captable.StatusActive)
	})
	t.Run("expired warrants are recorded once, together with lapsed grants", func(t *testing.T) {
		t.Parallel()
		b, class, _ := expired(t)
		equal(t, "too early", len(b.do(captable.ExpireGrants{Date: exact.MustDate("2025-06-30")})), 0)
		equal(t, "recorded", len(b.do(captable.ExpireGrants{})), 1)
		equal(t, "again", len(b.do(captable.ExpireGrants{})), 0)
		equal(t, "reserved", b.class(class).Reserved.String(), "0")
	})
	t.Run("a split records expired warrants first and multiplies their quantity", func(t *testing.T) {
		t.Parallel()
		b, class, id := expired(t)
		b.do(split(class, "2", "1", today))
		equal(t, "left", b.right(id).Left.String()+" "+string(b.right(id).Status), "20 expired")
		equal(t, "reserved", b.class(class).Reserved.String(), "0")
	})
	t.Run("an expired warrant can be exercised with a date before its expiry", func(t *testing.T) {
		t.Parallel()
		b, class, id := expired(t)
		b.do(exerciseWarrant(id, "4", "2025-06-30"))
		equal(t, "reserved", b.class(class).Reserved.String(), "6")
		equal(t, "reserved today", b.on(today).Securities[0].Reserved.String(), "0")
	})
}

func TestInstrumentsOfAHolder(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, second := b.instrument(safe(ada, "1", today)), b.instrument(safe(ada, "2", today))
	b.do(corrected(first, safe(bob, "1", today)))
	b.do(cancelInstrument(second, today))
	listed := func(s *captable.State, of captable.EntityID) (ids []captable.InstrumentID) {
		for i := range s.InstrumentsOf(of) {
			ids = append(ids, i.ID)
		}
		return ids
	}
	for _, state := range []*captable.State{b.state, unpacked(t, packed(b.state))} {
		equal(t, "Ada's, ended ones too", text(t, listed(state, ada)), `["`+second.String()+`"]`)
		equal(t, "Bob's", text(t, listed(state, bob)), `["`+first.String()+`"]`)
		equal(t, "holds", state.Holds(ada), false)
		equal(t, "holds", state.Holds(bob), true)
	}
}
