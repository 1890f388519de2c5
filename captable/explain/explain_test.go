package explain_test

import (
	"testing"

	"equity/captable"
	"equity/captable/captabletest"
	"equity/captable/exact"
	"equity/captable/explain"
)

// today is the date of every test.
const today = captabletest.Today

// Holders of the tests.
var (
	ada = captabletest.Entity(0xa)
	bob = captabletest.Entity(0xb)
)

// bundle is a cap table with the dependencies of its commands.
type bundle struct{ *captabletest.Company }

func setup(tb testing.TB) *bundle {
	tb.Helper()
	return &bundle{captabletest.New(tb)}
}

// figure returns the explanation of the figure as of today.
func (b *bundle) figure(path string) explain.Term {
	b.Helper()
	term, err := explain.Figure(b.State, path, exact.MustDate(today), b.NameOf)
	if err != nil {
		b.Fatalf("explain %s: %v", path, err)
	}
	return term
}

func TestAFigureIsExplainedDownToItsRecords(t *testing.T) {
	t.Parallel()
	t.Run("the available shares of a security", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common := b.Common("1000")
		first := b.Issue(ada, common, "300", today)
		b.Issue(bob, common, "200", today)

		term := b.figure("security/" + common.String() + "/available")

		captabletest.Equal(t, "available", term.Value.String(), "500")
		captabletest.Equal(t, "terms", len(term.Terms), 3)
		outstanding := term.Terms[1]
		captabletest.Equal(t, "the first leaf", outstanding.Terms[0].Records[0].ID, [16]byte(first))
		captabletest.Equal(t, "in words", outstanding.Terms[0].Label, "CS-1, Ada Lovelace")
	})
	t.Run("the percentage of a holder", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common := b.Common("1000")
		b.Issue(ada, common, "100", today)
		b.Issue(bob, common, "200", today)

		term := b.figure("holder/" + ada.String() + "/percentOutstanding")

		captabletest.Equal(t, "percent", term.Value.String(), "0.3333333333")
		captabletest.Equal(t, "part", term.Terms[0].Value.String(), "100")
		captabletest.Equal(t, "whole", term.Terms[1].Value.String(), "300")
	})
	t.Run("the return of a retraction to the treasury", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.Common("100")
		bought := b.Issue(ada, class, "100", "2024-01-01")
		b.Do(captable.RepurchaseShareholding{
			ID: bought, Shares: captabletest.Number("100"), Price: &captable.Price{Amount: captabletest.Number("1")},
			Date: exact.MustDate("2025-01-01"), ToTreasury: true,
		})
		drawn := b.Issue(bob, class, "60", "2025-02-01")
		b.Do(captable.RetractShareholding{ID: drawn, Date: exact.MustDate("2025-03-01"), Reason: "r"})

		term := b.figure("security/" + class.String() + "/treasury")

		back := term.Terms[2]
		captabletest.Equal(t, "given back", back.Value.String(), "60")
		captabletest.Equal(t, "by", back.Records[0].ID, [16]byte(drawn))
	})
	t.Run("a raised limit", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common := b.Common("1000")
		b.Do(captable.AuthorizeShares{ID: common, Quantity: captabletest.Number("500"), EffectiveDate: exact.MustDate(today)})

		term := b.figure("security/" + common.String() + "/authorized")

		captabletest.Equal(t, "limit", term.Value.String(), "1500")
		captabletest.Equal(t, "raised by", term.Terms[1].Value.String(), "500")
	})
}

func TestUnknownFiguresAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	common := b.Common("1000")
	b.Issue(ada, common, "1", "2025-01-01")
	for _, figure := range []string{
		"", "security", "security/x/issued", "security/" + common.String(), "security/" + common.String() + "/colour",
		"holder/" + ada.String() + "/", "holder/" + ada.String() + "/age", "total/percentOutstanding", "moon/" + ada.String() + "/shares",
	} {
		_, err := explain.Figure(b.State, figure, exact.MustDate(today), b.NameOf)
		if err == nil {
			t.Errorf("%q was explained", figure)
		}
	}
}
