package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
	"equity/fault"
)

// Invalid terms of a grant are refused with pointers to the fields.
func TestGrantsThatCannotBe(t *testing.T) {
	t.Parallel()
	month := vesting.Period{N: 1, Unit: vesting.Months}
	for claim, c := range map[string]struct {
		change func(*bundle, *captable.GrantOption)
		want   []string
	}{
		"units that are exercised early": {func(_ *bundle, c *captable.GrantOption) {
			c.Type, c.ExercisePrice, c.EarlyExercise = captable.GrantRSU, nil, true
		}, []string{"/earlyExercise notOfType"}},
		"units with a price": {func(_ *bundle, c *captable.GrantOption) { c.Type = captable.GrantRSU }, []string{"/exercisePrice notOfType"}},
		"two windows of one reason": {func(_ *bundle, c *captable.GrantOption) {
			window := captable.TerminationWindow{Reason: captable.InvoluntaryDeath, Period: month}
			c.TerminationWindows = []captable.TerminationWindow{window, window}
		}, []string{"/terminationWindows/1/reason duplicate"}},
		"a window of no reason, of no unit and without end": {func(_ *bundle, c *captable.GrantOption) {
			c.TerminationWindows = []captable.TerminationWindow{{Reason: "bored", Period: vesting.Period{N: 1 << 20, Unit: "moons"}}}
		}, []string{"/terminationWindows/0/reason enum", "/terminationWindows/0/period/n outOfRange", "/terminationWindows/0/period/unit enum"}},
		"shares that cost more than can be written": {func(_ *bundle, c *captable.GrantOption) {
			c.ExercisePrice = price("999999999999999999")
		}, []string{"/exercisePrice tooLarge"}},
		"an end on the day of the grant": {
			func(_ *bundle, c *captable.GrantOption) { c.ExpirationDate = c.IssueDate }, []string{"/expirationDate datesOutOfOrder"},
		},
		"two ways to vest": {func(b *bundle, c *captable.GrantOption) {
			c.Vesting, c.VestingSchedule = monthly(), b.schedule("Four years").String()
		}, []string{"/vesting conflicting"}},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			b, _, ref := pooled(t)
			command := option(ada, ref, "50", "2025-01-01")
			c.change(b, &command)
			b.refused(command, fault.Invalid, c.want...)
		})
	}
	t.Run("another's external id", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		command := option(ada, ref, "1", "2025-01-01")
		command.ExternalID = "g-1"
		b.grant(command)
		equal(t, "which", b.refused(command, fault.Conflict)["externalId"], "g-1")
	})
}

func TestWhatCannotBeTakenOutOfAGrant(t *testing.T) {
	t.Parallel()
	t.Run("a net exercise at a market value in another currency is refused", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		command := exercise(b.grant(option(ada, ref, "10", "2025-01-01")), "1", today)
		command.Payment, command.MarketValue = captable.PayNet, &captable.Price{Amount: number("7"), Currency: "EUR"}
		b.refused(command, fault.Invalid, "/marketValue otherCurrency")
	})
	t.Run("a release that withholds half a share or a negative number is refused", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		units := option(ada, ref, "10", "2025-01-01")
		units.Type, units.ExercisePrice = captable.GrantRSU, nil
		command := captable.ReleaseGrant{ID: b.grant(units), Date: exact.MustDate(today)}
		for _, withheld := range []string{"0.5", "-1"} {
			command.Withheld = number(withheld)
			b.refused(command, fault.Invalid, "/withheld notWhole")
		}
	})
	t.Run("a warrant exercise for another class or at a value in another currency is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		command := exerciseWarrant(b.instrument(warrant(ada, class, "100", "2025-01-01")), "10", "2025-02-01")
		command.Payment, command.MarketValue = captable.PayNet, &captable.Price{Amount: number("7"), Currency: "EUR"}
		b.refused(command, fault.Conflict)
		command.MarketValue, command.Security = price("7"), b.security(captable.SecurityTerms{
			Name: "Other", ShareType: captable.ShareCommon, AuthorizedShares: captable.Authorized{Shares: number("10")},
		})
		b.refused(command, fault.Invalid, "/security otherSecurity")
	})
}
