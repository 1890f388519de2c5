package captable_test

import (
	"testing"

	"equity/captable"
)

func TestAudit(t *testing.T) {
	t.Parallel()
	t.Run("an empty table is well", func(t *testing.T) {
		t.Parallel()
		if faults := captable.NewState().Audit(); len(faults) != 0 {
			t.Errorf("faults %v", faults)
		}
	})
	t.Run("events that no rule would allow are found out", func(t *testing.T) {
		t.Parallel()
		s := captable.NewState()
		security := captable.SecurityID{1}
		s.Apply(captable.SecurityCreated{ID: security, Terms: captable.SecurityTerms{
			Name: "Common", ShareType: captable.ShareCommon, AuthorizedShares: captable.AuthorizedOf(captable.NewDecimal(10)),
		}}, captable.Stamp{Sequence: 1})
		for i, certificate := range []string{"CS-1", "CS-1"} {
			s.Apply(captable.ShareholdingIssued{Issue: captable.Issue{
				ID: captable.ShareholdingID{byte(i + 1)}, Entity: captable.EntityID{9}, Security: security, Shares: captable.NewDecimal(8),
				IssueDate: captable.MustDate("2024-01-01"), SerialNumber: uint32(i + 1),
				ShareholdingDetails: captable.ShareholdingDetails{Certificate: certificate},
			}}, captable.Stamp{Sequence: uint64(i + 2)})
		}
		if faults := s.Audit(); len(faults) != 2 {
			t.Errorf("found %q, want the certificate that is there twice and the shares beyond what is authorized", faults)
		}
	})
}
