package captable_test

import (
	"bytes"
	"testing"

	"equity/captable"
	"equity/captable/exact"
)

func TestStateLists(t *testing.T) {
	t.Parallel()
	t.Run("shareholdings are listed in the order of creation, also after a given one", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("1000")
		var ids []captable.ShareholdingID
		for range 200 {
			ids = append(ids, b.issue(ada, class, "1", today))
		}
		i := 0
		for h := range b.state.Shareholdings() {
			equal(t, "shareholding", h.ID, ids[i])
			i++
		}
		i = 100
		for h := range b.state.ShareholdingsAfter(ids[99]) {
			equal(t, "shareholding", h.ID, ids[i])
			i++
		}
		equal(t, "listed", i, 200)
		for h := range b.state.ShareholdingsAfter(captable.ShareholdingID{}) {
			equal(t, "first", h.ID, ids[0])
			break
		}
		securities, legends, shareholdings := b.state.Counts()
		equal(t, "counts", [3]int{securities, legends, shareholdings}, [3]int{1, 0, 200})
	})
	t.Run("the shareholdings of a holder are listed without those of other holders", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("1000")
		for i := range 100 {
			b.issue([]captable.EntityID{ada, bob, cleo}[i%3], class, "1", today)
		}
		for entity, want := range map[captable.EntityID]int{ada: 34, bob: 33, cleo: 33, nobod: 0} {
			count := 0
			for h := range b.state.ShareholdingsOf(entity) {
				equal(t, "holder", h.Entity, entity)
				count++
			}
			equal(t, "count", count, want)
			equal(t, "holds", b.state.Holds(entity), want > 0)
		}
		for range b.state.ShareholdingsOf(bob) {
			break // the iteration must end here
		}
	})
	t.Run("a holder holds shares until the last shareholding has ended", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("1000")
		one, two := b.issue(ada, class, "1", today), b.issue(ada, class, "2", today)
		b.ended(cancel(two, "", today))
		equal(t, "with the older one", b.state.Holds(ada), true)
		b.do(captable.VoidShareholding{ID: one})
		equal(t, "with none", b.state.Holds(ada), false)
	})
}

func TestCopy(t *testing.T) {
	t.Parallel()
	t.Run("a copy does not change with its state", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common, class := b.convertible("10000", "2")
		legend := b.legend("Act")
		b.repurchased(common, "100", "2025-01-01")
		ids := []captable.ShareholdingID{}
		for range 6 {
			ids = append(ids, b.issue(ada, class, "100", "2025-02-01"))
		}
		copied := b.state.Copy()
		want, table := packed(copied), text(t, copied.TableOn(exact.MustDate(today), func(captable.EntityID) string { return "" }))
		for _, command := range []captable.Command{
			issue(bob, common, "5", today),
			captable.AcceptShareholding{ID: ids[0]},
			amend(ids[0], `{"certificate":"X","externalId":"x","comments":["c"]}`),
			captable.CorrectShareholding{
				ID: ids[0], HolderRef: holder(bob), Security: class, Shares: number("7"), IssueDate: exact.MustDate(today), Reason: "r",
			},
			transfer(ids[1], bob, "50", today),
			cancel(ids[2], "50", today),
			captable.RepurchaseShareholding{ID: ids[3], Shares: number("50"), Price: price("1"), Date: exact.MustDate(today), ToTreasury: true},
			convert(ids[4], common, today),
			captable.VoidShareholding{ID: ids[5]},
			split(common, "2", "1", today),
			split(class, "3", "1", today),
			authorize(common, "5", today),
			captable.ReplaceSecurity{ID: class, SecurityTerms: preferred("Renamed")},
			captable.AmendLegend{ID: legend, Patch: []byte(`{"name":"Other"}`)},
			captable.DeleteLegend{ID: legend},
			captable.DeleteSecurity{ID: b.security(preferred("Gone"))},
			captable.Configure{Configuration: captable.Configuration{EquityName: "units", Numbering: "perSecurity"}},
		} {
			b.do(command)
			if !bytes.Equal(packed(copied), want) {
				t.Fatalf("%T changed the copy", command)
			}
		}
		equal(t, "table", text(t, copied.TableOn(exact.MustDate(today), func(captable.EntityID) string { return "" })), table)
	})
	t.Run("a copy can change independently of its state", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		other := &bundle{TB: t, state: b.state.Copy(), now: b.now, ids: 1000, holders: b.holders}
		b.issue(ada, class, "60", today)
		other.issue(bob, class, "70", today)
		b.totals(class, "60", "60", "0", "40")
		other.totals(class, "70", "70", "0", "30")
	})
	t.Run("two copies of one state share no list that grows", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common, class := b.convertible("100000", "1")
		b.repurchased(common, "9", "2025-01-01")
		for _, day := range []string{"2025-02-01", "2025-02-02", "2025-02-03"} { // the lists have spare capacity afterwards
			b.do(split(common, "2", "1", day))
			b.do(authorize(common, "1", day))
		}
		one := &bundle{TB: t, state: b.state.Copy(), now: b.now, ids: 1000, holders: b.holders}
		two := &bundle{TB: t, state: b.state.Copy(), now: b.now, ids: 2000, holders: b.holders}
		one.do(split(common, "2", "1", "2025-03-01"))
		one.do(authorize(common, "1", "2025-03-01"))
		before := packed(one.state)
		two.do(split(common, "1", "2", "2025-04-01"))
		two.do(authorize(common, "5", "2025-04-01"))
		two.repurchased(class, "3", "2025-04-02")
		if !bytes.Equal(packed(one.state), before) {
			t.Error("the other copy wrote into its lists")
		}
	})
}
