package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

// award returns a command to issue shares from a pool.
func award(to captable.EntityID, of captable.SecurityID, ref captable.PoolRef, shares, on string) captable.IssueShareholding {
	command := issue(to, of, shares, on)
	command.Award, command.IssuanceType = captable.Award(ref), "restrictedStockAward"
	return command
}

// awarded returns a pool of 100 shares with an award of 30 shares on 2025-03-01.
func awarded(t *testing.T) (*bundle, captable.PoolRef, captable.ShareholdingID) {
	t.Helper()
	b, class, ref := pooled(t)
	return b, ref, b.do(award(ada, class, ref, "30", "2025-03-01"))[0].(captable.ShareholdingIssued).ID
}

// retiring makes the plan retire cancelled shares. By default, they return to the pool.
func (b *bundle) retiring(ref captable.PoolRef) {
	b.Helper()
	terms := b.terms(ref)
	terms.CancellationBehavior = captable.Retire
	b.do(captable.ReplacePlan{ID: ref.Plan, PlanTerms: terms})
}

func TestAwards(t *testing.T) {
	t.Parallel()
	t.Run("an award takes shares from its pool, not from the other available shares", func(t *testing.T) {
		t.Parallel()
		b, ref, id := awarded(t)
		equal(t, "the day before", b.figuresOf(ref, "2025-02-28"), "100 0 0 0 0 0 100 ")
		equal(t, "on the day", b.figuresOf(ref, "2025-03-01"), "100 30 0 30 0 0 70 ")
		b.totals(b.holding(id).Security, "30", "30", "0", "900")
		equal(t, "reserved", b.class(b.holding(id).Security).Reserved.String(), "70")
		b.audited()
	})
	t.Run("an award beyond the available shares of its pool is refused", func(t *testing.T) {
		t.Parallel()
		b, class, ref := pooled(t)
		b.grant(option(bob, ref, "60", "2025-06-01"))
		refused := b.refused(award(ada, class, ref, "41", "2025-01-01"), fault.InsufficientShares)
		equal(t, "available of requested", refused["available"]+" of "+refused["requested"], "40 of 41")
		b.do(award(ada, class, ref, "40", "2025-01-01"))
		b.refused(option(bob, ref, "1", today), fault.InsufficientShares)
		b.audited()
	})
	t.Run("an award needs an existing pool of its class and a plan in force", func(t *testing.T) {
		t.Parallel()
		b, class, ref := pooled(t)
		other := b.security(captable.SecurityTerms{Name: "Other", ShareType: captable.ShareCommon, AuthorizedShares: limit("100")})
		b.refused(award(ada, other, ref, "1", today), fault.Invalid, "/pool otherSecurity")
		b.refused(award(ada, class, captable.PoolRef{Plan: ref.Plan}, "1", today), fault.Invalid, "/pool unknownReference")
		b.refused(award(ada, class, captable.PoolRef{Pool: ref.Pool}, "1", today), fault.Invalid, "/plan unknownReference")
		terms := b.terms(ref)
		terms.EffectiveDate, terms.TermYears = exact.MustDate("2020-01-01"), 5
		b.do(captable.ReplacePlan{ID: ref.Plan, PlanTerms: terms})
		b.refused(award(ada, class, ref, "1", "2025-01-01"), fault.Conflict)
		b.do(award(ada, class, ref, "1", "2024-12-31"))
	})
	t.Run("a plan with awards cannot be deleted", func(t *testing.T) {
		t.Parallel()
		b, ref, _ := awarded(t)
		b.refused(captable.DeletePlan{ID: ref.Plan}, fault.InUse)
	})
}

func TestAwardsThatEnd(t *testing.T) {
	t.Parallel()
	day := exact.MustDate("2025-09-01")
	t.Run("cancelled and repurchased awards return to the pool of the plan", func(t *testing.T) {
		t.Parallel()
		b, ref, id := awarded(t)
		ending := b.ended(captable.CancelShareholding{ID: id, Shares: new(number("10")), Date: day, Reason: "left"})
		equal(t, "the day before", b.figuresOf(ref, "2025-08-31"), "100 30 0 30 0 0 70 ")
		equal(t, "on the day", b.figuresOf(ref, "2025-09-01"), "100 30 0 20 10 10 80 ")
		b.ended(captable.RepurchaseShareholding{ID: ending.Balance.ID, Shares: number("20"), Price: price("0"), Date: day + 1})
		equal(t, "the rest", b.figuresOf(ref, today), "100 30 0 0 30 30 100 ")
		b.audited()
	})
	t.Run("a cancelled award does not return to the pool if the plan retires shares", func(t *testing.T) {
		t.Parallel()
		b, ref, id := awarded(t)
		b.retiring(ref)
		b.do(captable.CancelShareholding{ID: id, Date: day, Reason: "left"})
		equal(t, "figures", b.figuresOf(ref, today), "100 30 0 0 30 0 70 ")
		b.audited()
	})
	t.Run("an award that is repurchased to the treasury does not return to the pool", func(t *testing.T) {
		t.Parallel()
		b, ref, id := awarded(t)
		b.do(captable.RepurchaseShareholding{ID: id, Shares: number("30"), Price: price("0"), Date: day, ToTreasury: true})
		equal(t, "figures", b.figuresOf(ref, today), "100 30 0 0 30 0 70 ")
		b.audited()
	})
	t.Run("a transferred part of an award does not return to the pool", func(t *testing.T) {
		t.Parallel()
		b, ref, id := awarded(t)
		ending := b.ended(captable.TransferShareholding{
			Shareholding: id, To: captable.HolderRef{Entity: bob}, Shares: number("10"), Date: day, Kind: "inheritance",
		})
		b.do(captable.CancelShareholding{ID: ending.Results[0].ID, Date: day, Reason: "r"})
		equal(t, "figures", b.figuresOf(ref, today), "100 30 0 30 0 0 70 ")
		b.do(captable.CancelShareholding{ID: ending.Balance.ID, Date: day, Reason: "r"})
		equal(t, "what was left", b.figuresOf(ref, today), "100 30 0 10 20 20 90 ")
		b.audited()
	})
	t.Run("a new certificate of an award returns to the pool when it is cancelled", func(t *testing.T) {
		t.Parallel()
		b, ref, id := awarded(t)
		reissue := captable.ReplaceShareholding{Kind: captable.StatusReissued, From: []captable.ShareholdingID{id}, Date: day}
		reissue.Results = []captable.Result{{Holder: captable.HolderRef{Entity: ada}, Security: b.holding(id).Security, Shares: number("30")}}
		ending := b.ended(reissue)
		equal(t, "reissued", b.figuresOf(ref, today), "100 30 0 30 0 0 70 ")
		b.do(captable.CancelShareholding{ID: ending.Results[0].ID, Date: day, Reason: "r"})
		equal(t, "cancelled", b.figuresOf(ref, today), "100 30 0 0 30 30 100 ")
		b.audited()
	})
	t.Run("a retraction removes an award from the pool from its date on", func(t *testing.T) {
		t.Parallel()
		b, ref, id := awarded(t)
		b.do(captable.RetractShareholding{ID: id, Date: day, Reason: "r"})
		equal(t, "the day before", b.figuresOf(ref, "2025-08-31"), "100 30 0 30 0 0 70 ")
		equal(t, "on the day", b.figuresOf(ref, "2025-09-01"), "100 0 0 0 0 0 100 ")
		b.audited()
	})
	t.Run("a void removes an award from the pool of each day, also after a split", func(t *testing.T) {
		t.Parallel()
		b, ref, id := awarded(t)
		b.do(captable.SplitSecurity{ID: b.holding(id).Security, Numerator: number("3"), Denominator: number("1"), Date: day})
		equal(t, "split", b.figuresOf(ref, today), "300 90 0 90 0 0 210 ")
		b.do(captable.VoidShareholding{ID: id, Reason: "r"})
		equal(t, "before the split", b.figuresOf(ref, "2025-08-31"), "100 0 0 0 0 0 100 ")
		equal(t, "now", b.figuresOf(ref, today), "300 0 0 0 0 0 300 ")
		b.audited()
	})
}

func TestCorrectingAwards(t *testing.T) {
	t.Parallel()
	correct := func(id captable.ShareholdingID, command captable.IssueShareholding) captable.CorrectShareholding {
		return captable.CorrectShareholding{
			ID: id, HolderRef: command.HolderRef, Security: command.Security, Shares: command.Shares, IssueDate: command.IssueDate,
			Award: command.Award, ShareholdingDetails: command.ShareholdingDetails, Reason: "r",
		}
	}
	t.Run("a correction of an award changes the pool with its shares and date", func(t *testing.T) {
		t.Parallel()
		b, ref, id := awarded(t)
		class := b.holding(id).Security
		b.refused(correct(id, award(ada, class, ref, "101", "2025-03-01")), fault.InsufficientShares)
		b.do(correct(id, award(ada, class, ref, "100", "2025-04-01")))
		equal(t, "the day before", b.figuresOf(ref, "2025-03-31"), "100 0 0 0 0 0 100 ")
		equal(t, "on the day", b.figuresOf(ref, "2025-04-01"), "100 100 0 100 0 0 0 ")
		b.audited()
	})
	t.Run("a correction moves shares into a pool and out of it", func(t *testing.T) {
		t.Parallel()
		b, class, ref := pooled(t)
		id := b.issue(ada, class, "900", "2025-03-01")
		b.refused(correct(id, award(ada, class, ref, "900", "2025-03-01")), fault.InsufficientShares)
		b.do(correct(id, award(ada, class, ref, "50", "2025-03-01")))
		equal(t, "awarded", b.figuresOf(ref, today), "100 50 0 50 0 0 50 ")
		b.do(correct(id, issue(ada, class, "50", "2025-03-01")))
		equal(t, "issued besides", b.figuresOf(ref, today), "100 0 0 0 0 0 100 ")
		b.totals(class, "50", "50", "0", "850")
		b.audited()
	})
	t.Run("a correction of a balance keeps its award in the pool", func(t *testing.T) {
		t.Parallel()
		b, ref, id := awarded(t)
		left := b.ended(captable.CancelShareholding{ID: id, Shares: new(number("10")), Date: exact.MustDate("2025-09-01"), Reason: "r"}).Balance
		command := issue(ada, left.Security, "20", "2025-09-01")
		command.BoardApprovalDate = exact.MustDate("2025-02-01")
		b.do(correct(left.ID, command))
		equal(t, "pool", b.holding(left.ID).Award, captable.Award(ref))
		equal(t, "figures", b.figuresOf(ref, today), "100 30 0 20 10 10 80 ")
		b.audited()
	})
}

func TestExplainAwards(t *testing.T) {
	t.Parallel()
	t.Run("the figures of a pool are explained by its awarded shares", func(t *testing.T) {
		t.Parallel()
		b, ref, id := awarded(t)
		b.retiring(ref)
		b.do(captable.CancelShareholding{ID: id, Date: exact.MustDate("2025-09-01"), Reason: "left"})
		exercised := b.explain("pool/" + ref.Pool.String() + "/exercised")
		equal(t, "moves", len(exercised.Terms), 2)
		for _, move := range exercised.Terms {
			equal(t, move.Label, move.Records[0].ID, [16]byte(id))
		}
		equal(t, "retired", b.explain("pool/"+ref.Pool.String()+"/retired").Value.String(), "30")
		b.explainsTable(exact.MustDate(today))
	})
}
