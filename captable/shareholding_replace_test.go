package captable_test

import (
	"errors"
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

func replace(kind captable.Status, on string, from ...captable.ShareholdingID) captable.ReplaceShareholding {
	return captable.ReplaceShareholding{Kind: kind, From: from, Date: exact.MustDate(on)}
}

func result(to captable.EntityID, of captable.SecurityID, shares string) captable.Result {
	return captable.Result{Holder: holder(to), Security: of, Shares: number(shares)}
}

// partly replaces 20 shares only and states the balance.
func partly(c *captable.ReplaceShareholding, balance captable.Result) {
	c.Shares, c.Balance = number("20"), &balance
}

func TestReplaceShareholding(t *testing.T) {
	t.Parallel()
	t.Run("a stated transfer keeps the certificates of its package", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100000")
		id := b.issue(bob, class, "1000", "2025-01-01")
		command := replace(captable.StatusTransferred, "2025-06-01", id)
		moved, rest := result(cleo, class, "500"), result(bob, class, "500")
		moved.Certificate, rest.Certificate = "FRANK-001", "BOB-002"
		command.Shares, command.Results, command.Balance = number("500"), []captable.Result{moved}, &rest
		event := b.ended(command)
		equal(t, "certificates", b.holding(event.Results[0].ID).Certificate+b.holding(event.Balance.ID).Certificate, "FRANK-001BOB-002")
		b.totals(class, "1000", "1000", "0", "99000")
	})
	t.Run("a consolidation replaces several shareholdings of one holder with one", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		one, two := b.issue(ada, class, "10", today), b.issue(ada, class, "20", today)
		command := replace(captable.StatusConsolidated, today, one, two)
		command.Results = []captable.Result{result(ada, class, "30")}
		event := b.ended(command)
		equal(t, "origins", len(b.holding(event.Results[0].ID).Origin.From), 2)
		equal(t, "statuses", b.holding(one).Status+b.holding(two).Status, "consolidatedconsolidated")
		b.totals(class, "30", "30", "0", "70")
	})
	t.Run("reissues at the ratio of a split that left the shares to it", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("5000000")
		two, three := b.issue(ada, class, "13500", "2025-01-01"), b.issue(ada, class, "11500", "2025-01-01")
		whole := split(class, "2", "1", "2025-06-01")
		whole.Restated, whole.KeepAuthorized = []captable.ShareholdingID{two, three}, true
		b.do(whole)
		b.totals(class, "25000", "25000", "0", "4975000")
		for id, shares := range map[captable.ShareholdingID]string{two: "27000", three: "23000"} {
			command := replace(captable.StatusReissued, "2025-06-01", id)
			command.Results, command.Ratio = []captable.Result{result(ada, class, shares)}, &captable.Ratio{
				Numerator: number("2"), Denominator: number("1"),
			}
			b.ended(command)
		}
		b.totals(class, "50000", "50000", "0", "4950000")
		equal(t, "before", b.on("2025-05-31").Totals.Outstanding.String(), "25000")
	})
	t.Run("a stated repurchase can keep the shares in the treasury", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("5000")
		command := replace(captable.StatusRepurchased, today, b.issue(ada, class, "1000", today))
		command.ToTreasury, command.Price = true, &captable.Price{Amount: number("1"), Currency: "USD"}
		equal(t, "currency", b.ended(command).Price.Currency, "")
		b.totals(class, "1000", "0", "1000", "5000")
	})
	t.Run("a stated conversion creates shares of the other security", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common, class := b.convertible("100", "1")
		command := replace(captable.StatusConverted, today, b.issue(ada, class, "50", today))
		command.Results = []captable.Result{result(ada, common, "60"), result(ada, common, "40")}
		b.ended(command)
		b.totals(common, "100", "100", "0", "0")
	})
}

func TestReplaceShareholdingRefuses(t *testing.T) {
	t.Parallel()
	type command = captable.ReplaceShareholding
	for claim, c := range map[string]struct {
		kind   captable.Status
		change func(c *command, class, other captable.SecurityID)
		code   fault.Code
	}{
		"no shares at all": {captable.StatusCancelled, func(c *command, _, _ captable.SecurityID) { c.From = nil }, fault.Invalid},
		"the same shares twice": {
			captable.StatusCancelled, func(c *command, _, _ captable.SecurityID) { c.From = append(c.From, c.From[0]) }, fault.Invalid,
		},
		"shares that are not there": {
			captable.StatusCancelled, func(c *command, _, _ captable.SecurityID) { c.From[0] = captable.ShareholdingID{9} }, fault.NotFound,
		},
		"to end as active":       {captable.StatusActive, func(*command, captable.SecurityID, captable.SecurityID) {}, fault.Invalid},
		"to end as voided":       {captable.StatusVoided, func(*command, captable.SecurityID, captable.SecurityID) {}, fault.Invalid},
		"to end in no known way": {"sold", func(*command, captable.SecurityID, captable.SecurityID) {}, fault.Invalid},
		"more than there is": {
			captable.StatusCancelled, func(c *command, _, _ captable.SecurityID) { c.Shares = number("61") }, fault.InsufficientShares,
		},
		"less than nothing": {captable.StatusCancelled, func(c *command, _, _ captable.SecurityID) { c.Shares = number("-1") }, fault.Invalid},
		"a balance that is too much": {
			captable.StatusCancelled, func(c *command, class, _ captable.SecurityID) { partly(c, result(ada, class, "41")) },
			fault.Conflict,
		},
		"a part without its balance": {
			captable.StatusCancelled, func(c *command, _, _ captable.SecurityID) { c.Shares = number("20") }, fault.Conflict,
		},
		"a reissue off by a share": {captable.StatusReissued, func(c *command, class, _ captable.SecurityID) {
			c.Results, c.Ratio = []captable.Result{result(ada, class, "9")}, &captable.Ratio{Numerator: number("1"), Denominator: number("6")}
		}, fault.Conflict},
		"a balance where none is": {
			captable.StatusCancelled, func(c *command, class, _ captable.SecurityID) { c.Balance = new(result(ada, class, "1")) },
			fault.Conflict,
		},
		"a balance of another's": {
			captable.StatusCancelled, func(c *command, class, _ captable.SecurityID) { partly(c, result(bob, class, "40")) },
			fault.Conflict,
		},
		"a balance of another class": {
			captable.StatusCancelled, func(c *command, _, other captable.SecurityID) { partly(c, result(ada, other, "40")) },
			fault.Conflict,
		},
		"results of a cancellation": {captable.StatusCancelled, func(c *command, class, _ captable.SecurityID) {
			c.Results = []captable.Result{result(ada, class, "60")}
		}, fault.Conflict},
		"results that are too few": {captable.StatusTransferred, func(c *command, class, _ captable.SecurityID) {
			c.Results = []captable.Result{result(bob, class, "59")}
		}, fault.Conflict},
		"no results of a transfer":   {captable.StatusTransferred, func(*command, captable.SecurityID, captable.SecurityID) {}, fault.Conflict},
		"no results of a conversion": {captable.StatusConverted, func(*command, captable.SecurityID, captable.SecurityID) {}, fault.Conflict},
		"a transfer to another class": {captable.StatusTransferred, func(c *command, _, other captable.SecurityID) {
			c.Results = []captable.Result{result(bob, other, "60")}
		}, fault.Conflict},
		"a transfer to nobody": {captable.StatusTransferred, func(c *command, class, _ captable.SecurityID) {
			c.Results = []captable.Result{result(nobod, class, "60")}
		}, fault.Invalid},
		"a result of no known class": {captable.StatusTransferred, func(c *command, _, _ captable.SecurityID) {
			c.Results = []captable.Result{result(bob, captable.SecurityID{9}, "60")}
		}, fault.Invalid},
		"a conversion for another holder": {captable.StatusConverted, func(c *command, _, other captable.SecurityID) {
			c.Results = []captable.Result{result(bob, other, "60")}
		}, fault.Conflict},
		"a conversion into the same class": {captable.StatusConverted, func(c *command, class, _ captable.SecurityID) {
			c.Results = []captable.Result{result(ada, class, "60")}
		}, fault.Conflict},
		"a conversion into more than there is room for, taken together": {captable.StatusConverted, func(c *command, _, other captable.SecurityID) {
			c.Results = []captable.Result{result(ada, other, "600"), result(ada, other, "401")}
		}, fault.InsufficientShares},
		"a reissue for another holder": {captable.StatusReissued, func(c *command, class, _ captable.SecurityID) {
			c.Results = []captable.Result{result(bob, class, "60")}
		}, fault.Conflict},
		"a reissue at no ratio": {captable.StatusReissued, func(c *command, class, _ captable.SecurityID) {
			c.Results, c.Ratio = []captable.Result{result(ada, class, "60")}, &captable.Ratio{}
		}, fault.Invalid},
		"a reissue past the limit": {captable.StatusReissued, func(c *command, class, _ captable.SecurityID) {
			c.Results, c.Ratio = []captable.Result{result(ada, class, "120")}, &captable.Ratio{Numerator: number("2"), Denominator: number("1")}
		}, fault.InsufficientShares},
		"treasury shares of a cancellation": {
			captable.StatusCancelled, func(c *command, _, _ captable.SecurityID) { c.ToTreasury = true }, fault.Invalid,
		},
		"a result with a negative price": {captable.StatusTransferred, func(c *command, class, _ captable.SecurityID) {
			c.Results = []captable.Result{result(bob, class, "60")}
			c.Results[0].PricePerShare = price("-1")
		}, fault.Invalid},
		"a result with a legend that is not there": {captable.StatusTransferred, func(c *command, class, _ captable.SecurityID) {
			c.Results = []captable.Result{result(bob, class, "60")}
			c.Results[0].Legends = []captable.LegendID{{9}}
		}, fault.Invalid},
		"two results with one certificate": {captable.StatusTransferred, func(c *command, class, _ captable.SecurityID) {
			c.Results = []captable.Result{result(bob, class, "30"), result(cleo, class, "30")}
			c.Results[0].Certificate, c.Results[1].Certificate = "X", "X"
		}, fault.Conflict},
		"two results with one externalId": {captable.StatusTransferred, func(c *command, class, _ captable.SecurityID) {
			c.Results = []captable.Result{result(bob, class, "30"), result(cleo, class, "30")}
			c.Results[0].ExternalID, c.Results[1].ExternalID = "X", "X"
		}, fault.Conflict},
		"a day in the future": {
			captable.StatusCancelled, func(c *command, _, _ captable.SecurityID) { c.Date = exact.MustDate("2027-01-01") }, fault.Invalid,
		},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			class, other := b.common("100"), b.security(preferred("Other"))
			wish := replace(c.kind, today, b.issue(ada, class, "60", today))
			c.change(&wish, class, other)
			events, err := b.decide(wish)
			if refusal := new(fault.Error); !errors.As(err, &refusal) || refusal.Code != c.code {
				t.Errorf("got %v and %v, want %s", events, err, c.code)
			}
		})
	}
	t.Run("shares of two securities together, and a consolidation of two holders' shares", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class, other := b.common("100"), b.security(preferred("Other"))
		one, two, three := b.issue(ada, class, "10", today), b.issue(ada, other, "10", today), b.issue(bob, class, "10", today)
		b.refused(replace(captable.StatusCancelled, today, one, two), fault.Conflict)
		command := replace(captable.StatusConsolidated, today, one, three)
		command.Results = []captable.Result{result(ada, class, "20")}
		b.refused(command, fault.Conflict)
	})
}
