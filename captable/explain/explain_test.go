package explain_test

import (
	"encoding/binary"
	"testing"
	"time"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/explain"
)

// today is the date of every test.
const today = "2026-01-15"

// Holders of the tests.
var (
	ada = captable.EntityID{15: 0xa}
	bob = captable.EntityID{15: 0xb}
)

// bundle is a cap table with the dependencies of its commands.
type bundle struct {
	testing.TB
	state *captable.State
	ids   uint64
}

func setup(tb testing.TB) *bundle {
	tb.Helper()
	return &bundle{TB: tb, state: captable.NewState()}
}

func (b *bundle) nameOf(id captable.EntityID) string {
	return map[captable.EntityID]string{ada: "Ada Lovelace", bob: "Bob Noyce"}[id]
}

// Holder returns the holder of the reference. Every entity is a holder.
func (b *bundle) Holder(ref captable.HolderRef) (captable.Holder, bool) {
	return captable.Holder{Entity: ref.Entity, Name: b.nameOf(ref.Entity)}, true
}

func (b *bundle) newID() (id [16]byte) {
	b.ids++
	binary.BigEndian.PutUint64(id[:], b.ids)
	id[15] = 0x77
	return id
}

// do carries out the command and returns its events.
func (b *bundle) do(command captable.Command) []captable.Event {
	b.Helper()
	m := captable.Moment{Now: exact.MustDate(today).Time().Add(9 * time.Hour), NewID: b.newID, Register: b, Currency: "USD"}
	events, err := captable.Decide(b.state, command, m)
	if err != nil {
		b.Fatalf("%T: %v", command, err)
	}
	for _, event := range events {
		b.state.Apply(event, captable.Stamp{})
	}
	return events
}

// common creates a class of common stock with the number of authorized shares.
func (b *bundle) common(authorized string) captable.SecurityID {
	b.Helper()
	terms := captable.SecurityTerms{
		Name: "Common Stock", ShareType: captable.ShareCommon, AuthorizedShares: captable.Authorized{Shares: number(authorized)},
	}
	return b.do(captable.CreateSecurity{SecurityTerms: terms})[0].(captable.SecurityCreated).ID
}

func (b *bundle) issue(to captable.EntityID, of captable.SecurityID, shares, on string) captable.ShareholdingID {
	b.Helper()
	command := captable.IssueShareholding{
		HolderRef: captable.HolderRef{Entity: to}, Security: of, Shares: number(shares), IssueDate: exact.MustDate(on),
	}
	return b.do(command)[0].(captable.ShareholdingIssued).ID
}

// figure returns the explanation of the figure as of today.
func (b *bundle) figure(path string) explain.Term {
	b.Helper()
	term, err := explain.Figure(b.state, path, exact.MustDate(today), b.nameOf)
	if err != nil {
		b.Fatalf("explain %s: %v", path, err)
	}
	return term
}

func number(text string) captable.Decimal { return exact.MustDecimal(text) }

func equal[T comparable](tb testing.TB, name string, got, want T) {
	tb.Helper()
	if got != want {
		tb.Errorf("%s: got %v, want %v", name, got, want)
	}
}

func TestAFigureIsExplainedDownToItsRecords(t *testing.T) {
	t.Parallel()
	t.Run("the available shares of a security", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common := b.common("1000")
		first := b.issue(ada, common, "300", today)
		b.issue(bob, common, "200", today)

		term := b.figure("security/" + common.String() + "/available")

		equal(t, "available", term.Value.String(), "500")
		equal(t, "terms", len(term.Terms), 3)
		outstanding := term.Terms[1]
		equal(t, "the first leaf", outstanding.Terms[0].Records[0].ID, [16]byte(first))
		equal(t, "in words", outstanding.Terms[0].Label, "CS-1, Ada Lovelace")
	})
	t.Run("the percentage of a holder", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common := b.common("1000")
		b.issue(ada, common, "100", today)
		b.issue(bob, common, "200", today)

		term := b.figure("holder/" + ada.String() + "/percentOutstanding")

		equal(t, "percent", term.Value.String(), "0.3333333333")
		equal(t, "part", term.Terms[0].Value.String(), "100")
		equal(t, "whole", term.Terms[1].Value.String(), "300")
	})
	t.Run("the return of a retraction to the treasury", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		bought := b.issue(ada, class, "100", "2024-01-01")
		b.do(captable.RepurchaseShareholding{ID: bought, Shares: number("100"), Price: &captable.Price{Amount: number("1")}, Date: exact.MustDate("2025-01-01"), ToTreasury: true})
		drawn := b.issue(bob, class, "60", "2025-02-01")
		b.do(captable.RetractShareholding{ID: drawn, Date: exact.MustDate("2025-03-01"), Reason: "r"})

		term := b.figure("security/" + class.String() + "/treasury")

		back := term.Terms[2]
		equal(t, "given back", back.Value.String(), "60")
		equal(t, "by", back.Records[0].ID, [16]byte(drawn))
	})
	t.Run("a raised limit", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common := b.common("1000")
		b.do(captable.AuthorizeShares{ID: common, Quantity: number("500"), EffectiveDate: exact.MustDate(today)})

		term := b.figure("security/" + common.String() + "/authorized")

		equal(t, "limit", term.Value.String(), "1500")
		equal(t, "raised by", term.Terms[1].Value.String(), "500")
	})
}

func TestUnknownFiguresAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	common := b.common("1000")
	b.issue(ada, common, "1", "2025-01-01")
	for _, figure := range []string{
		"", "security", "security/x/issued", "security/" + common.String(), "security/" + common.String() + "/colour",
		"holder/" + ada.String() + "/", "holder/" + ada.String() + "/age", "total/percentOutstanding", "moon/" + ada.String() + "/shares",
	} {
		_, err := explain.Figure(b.state, figure, exact.MustDate(today), b.nameOf)
		if err == nil {
			t.Errorf("%q was explained", figure)
		}
	}
}
