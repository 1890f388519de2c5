package captable_test

import (
	"slices"
	"testing"

	"equity/captable"
	"equity/captable/exact"
)

func TestAudit(t *testing.T) {
	t.Parallel()
	t.Run("an empty cap table has no faults", func(t *testing.T) {
		t.Parallel()
		if faults := captable.NewState().Audit(); len(faults) != 0 {
			t.Errorf("faults %v", faults)
		}
	})
	t.Run("a shareholding that a split rounds to zero is not a fault", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		b.issue(ada, class, "9", today)
		b.do(split(class, "1", "10", today))
		if faults := b.state.Audit(); len(faults) != 0 {
			t.Errorf("faults %v", faults)
		}
	})
	t.Run("the audit finds a negative treasury and shares that end twice", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		id := b.issue(ada, class, "9", "2025-01-02")
		taken := captable.Issue{
			ID: captable.ShareholdingID{9}, Entity: ada, Security: class, Shares: number("5"), FromTreasury: number("5"),
			IssueDate: exact.MustDate("2025-01-01"),
		}
		taken.Certificate = "T"
		end := captable.ShareholdingEnded{
			Kind: captable.StatusRepurchased, From: []captable.ShareholdingID{id}, Shares: number("9"), ToTreasury: true,
			Date: exact.MustDate("2025-01-02"),
		}
		b.apply([]captable.Event{captable.ShareholdingIssued{Issue: taken}, end, end})
		want := []string{
			"security " + class.String() + " says -4 shares are outstanding, its shareholdings say 5",
			"security " + class.String() + " had a treasury of -5 shares on 2025-01-01",
		}
		if faults := b.state.Audit(); !slices.Equal(faults, want) {
			t.Errorf("faults %q", faults)
		}
	})
	t.Run("the audit finds a duplicate certificate and shares beyond the authorized number", func(t *testing.T) {
		t.Parallel()
		s := captable.NewState()
		security := captable.SecurityID{1}
		s.Apply(captable.SecurityCreated{ID: security, Terms: captable.SecurityTerms{
			Name: "Common", ShareType: captable.ShareCommon, AuthorizedShares: captable.AuthorizedOf(exact.NewDecimal(10)),
		}}, captable.Stamp{Sequence: 1})
		for i, certificate := range []string{"CS-1", "CS-1"} {
			s.Apply(captable.ShareholdingIssued{Issue: captable.Issue{
				ID: captable.ShareholdingID{byte(i + 1)}, Entity: captable.EntityID{9}, Security: security, Shares: exact.NewDecimal(8),
				IssueDate: exact.MustDate("2024-01-01"), SerialNumber: uint32(i + 1),
				ShareholdingDetails: captable.ShareholdingDetails{Certificate: certificate},
			}}, captable.Stamp{Sequence: uint64(i + 2)})
		}
		if faults := s.Audit(); len(faults) != 2 {
			t.Errorf("found %q, want the certificate that is there twice and the shares beyond what is authorized", faults)
		}
	})
}
