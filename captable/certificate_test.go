package captable_test

import (
	"slices"
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

func TestCertificateNumbers(t *testing.T) {
	t.Parallel()
	numbered := func(b *bundle, class captable.SecurityID) string {
		b.Helper()
		return b.holding(b.issue(ada, class, "1", today)).Certificate
	}
	for name, c := range map[string]struct{ prefix, name, want string }{
		"begin with the security's prefix":            {"PA", "Series A Preferred", "PA-1"},
		"begin with the initials where it has none":   {"", "Series a preferred", "SAP-1"},
		"begin with initials in any script":           {"", "обыкновенные акции", "ОА-1"},
		"put one dash between prefix and number":      {"PA-", "Series A", "PA-1"},
		"begin with one letter where there is a word": {"", "Common", "C-1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			terms := preferred(c.name)
			terms.Prefix = c.prefix
			equal(t, "certificate", numbered(b, b.security(terms)), c.want)
		})
	}
	t.Run("certificates are numbered for each security separately", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common, other := b.common("100"), b.security(preferred("Preferred"))
		got := []string{numbered(b, common), numbered(b, other), numbered(b, common), numbered(b, other)}
		if want := []string{"CS-1", "P-1", "CS-2", "P-2"}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
	t.Run("a certificate number that is in use gets a mark", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		for _, taken := range []string{"CS-2", "CS-3", "CS-3*"} {
			command := issue(ada, class, "1", today)
			command.Certificate = taken
			b.do(command)
		}
		equal(t, "certificate 4", numbered(b, class), "CS-4")
		other := preferred("Cold Storage")
		equal(t, "of a class with the same initials", numbered(b, b.security(other)), "CS-1")
		second := b.security(preferred("Cash Store"))
		equal(t, "of another such", numbered(b, second), "CS-1*")
		equal(t, "and its next", numbered(b, second), "CS-2*")
		equal(t, "and the one after", numbered(b, second), "CS-3**")
	})
}

func TestSerialNumbers(t *testing.T) {
	t.Parallel()
	t.Run("serial numbers have no gap and are never used again", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class, day := b.common("1000"), exact.MustDate(today)
		one := b.issue(ada, class, "100", today)
		b.do(captable.VoidShareholding{ID: one})
		two := b.issue(ada, class, "100", today)
		moved := b.ended(captable.TransferShareholding{Shareholding: two, To: holder(bob), Shares: number("30"), Date: day, Kind: "sale"})
		b.refused(issue(ada, class, "10000", today), fault.InsufficientShares)
		b.ended(captable.CancelShareholding{ID: moved.Results[0].ID, Shares: figure("10"), Date: day, Reason: "r"})
		b.do(captable.RetractShareholding{ID: moved.Balance.ID, Date: day})
		b.issue(cleo, class, "1", today)
		var serials []uint32
		for h := range b.state.Shareholdings() {
			serials = append(serials, h.SerialNumber)
		}
		slices.Sort(serials)
		if want := []uint32{1, 2, 3, 4, 5, 6}; !slices.Equal(serials, want) {
			t.Errorf("got %v, want %v", serials, want)
		}
		equal(t, "last one given", b.class(class).Serials, 6)
	})
	t.Run("a corrected shareholding keeps its serial number unless its security changes", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common, other := b.common("100"), b.security(preferred("Preferred"))
		b.issue(ada, common, "1", today)
		id := b.issue(ada, common, "2", today)
		correct := captable.CorrectShareholding{
			ID: id, HolderRef: holder(bob), Security: common, Shares: number("3"), IssueDate: exact.MustDate(today), Reason: "r",
		}
		b.do(correct)
		equal(t, "same security", b.holding(id).Certificate, "CS-2")
		correct.Security = other
		b.do(correct)
		equal(t, "other security", b.holding(id).Certificate, "P-1")
		equal(t, "its serial", b.holding(id).SerialNumber, 1)
		equal(t, "next of the old one", b.holding(b.issue(ada, common, "1", today)).Certificate, "CS-3")
		equal(t, "next of the other", b.holding(b.issue(ada, other, "1", today)).Certificate, "P-2")
	})
}
