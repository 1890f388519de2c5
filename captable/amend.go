package captable

import "strings"

// AmendShareholding asks to change clerical fields by a merge patch (RFC 7396).
type AmendShareholding struct {
	ID    ShareholdingID
	Patch []byte
}

// ShareholdingAmended records the clerical fields as they are now.
type ShareholdingAmended struct {
	ID      ShareholdingID      `json:"id"`
	Details ShareholdingDetails `json:"details"`
}

// CorrectShareholding asks to correct what moves totals: the record is stated
// anew, with the reason why it was wrong.
type CorrectShareholding struct {
	ID ShareholdingID `json:"-"`
	HolderRef
	Security  SecurityID `json:"security"`
	Shares    Decimal    `json:"shares"`
	IssueDate Date       `json:"issueDate"`
	ShareholdingDetails
	Reason string `json:"reason"`
}

// ShareholdingCorrected records the facts as they should have been from the start.
type ShareholdingCorrected struct {
	Issue
	Reason string `json:"reason"`
}

func (c AmendShareholding) decide(s *State, m Moment) ([]Event, error) {
	h, err := s.shareholding(c.ID)
	if err != nil {
		return nil, err
	}
	if h.Status == StatusVoided {
		return nil, Refuse(CodeConflict, "A voided shareholding stays as it is.")
	}
	details, err := Patched(h.ShareholdingDetails, c.Patch)
	if err != nil {
		return nil, err
	}
	details.PricePerShare = details.PricePerShare.in(m.Currency)
	if err := s.checkDetails(h, &details); err != nil {
		return nil, err
	}
	return []Event{ShareholdingAmended{ID: c.ID, Details: details}}, nil
}

func (s *State) checkDetails(h *Shareholding, details *ShareholdingDetails) error {
	var faults Faults
	details.check(s, &faults)
	if strings.TrimSpace(details.ShareholderName) == "" {
		faults.Add("/shareholderName", "required", "A certificate is printed with a name.")
	}
	if details.Certificate == "" {
		faults.Add("/certificate", "required", "A shareholding has a certificate number.")
	}
	if err := faults.Err(); err != nil {
		return err
	}
	if err := s.unusedExternalID(kindShareholding, details.ExternalID, h.ID); err != nil {
		return err
	}
	security, _ := s.Security(h.Security)
	return s.number(&Issue{ID: h.ID, ShareholdingDetails: *details}, security)
}

// decide checks a correction:
//
//  1. the shareholding is outstanding and nothing came from it, nor it from another
//     when quantity or security change;
//  2. the corrected facts could have been issued in place of the old ones.
func (c CorrectShareholding) decide(s *State, m Moment) ([]Event, error) {
	h, err := s.outstanding(c.ID)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(c.Reason) == "" {
		var faults Faults
		faults.Add("/reason", "required", "A correction says why.")
		return nil, faults.Err()
	}
	moved := c.Security != h.Security || !c.Shares.Equal(h.Shares)
	if moved && (h.Origin != nil || len(h.Before) > 0) {
		return nil, Refuse(CodeHasResults, "The shares came from others or were split: their quantity and security follow from those.")
	}
	scratch := s.Copy() // as if the old facts had never been entered
	scratch.leave(h)
	issue, err := c.restate(scratch, m, h)
	if err != nil {
		return nil, err
	}
	return []Event{ShareholdingCorrected{Issue: issue, Reason: c.Reason}}, nil
}

func (c CorrectShareholding) restate(scratch *State, m Moment, h *Shareholding) (Issue, error) {
	details := c.ShareholdingDetails
	if details.Certificate == "" && c.Security == h.Security {
		details.Certificate = h.Certificate
	}
	again := IssueShareholding{
		HolderRef: c.HolderRef, Security: c.Security, Shares: c.Shares, IssueDate: c.IssueDate, ShareholdingDetails: details,
	}
	issue, security, err := again.prepare(scratch, m)
	if err != nil {
		return Issue{}, err
	}
	if available := security.Available(); h.Origin == nil && !available.Covers(c.Shares) {
		return Issue{}, insufficient("There are not enough authorized shares left.", available, c.Shares)
	}
	issue.ID, issue.Source = h.ID, nil
	if h.Origin == nil {
		issue.FromTreasury = security.fromTreasury(c.Shares)
	}
	if c.Security == h.Security {
		issue.SerialNumber = h.SerialNumber
	}
	return issue, nil
}

func (e ShareholdingAmended) apply(s *State, stamp Stamp) {
	s.changeShareholding(e.ID, stamp, func(h *Shareholding) {
		s.setExternalID(kindShareholding, h.ExternalID, e.Details.ExternalID, h.ID)
		if h.Certificate != e.Details.Certificate {
			s.certificates.Delete(h.Certificate)
			s.certificates.Set(e.Details.Certificate, h.ID)
		}
		h.ShareholdingDetails = e.Details
	})
}

func (e ShareholdingCorrected) apply(s *State, stamp Stamp) {
	old, ok := s.Shareholding(e.ID)
	if !ok {
		return
	}
	s.leave(old)
	next := *old
	next.Issue = e.Issue
	next.Touch(stamp)
	s.hold(&next)
}

// leave takes a shareholding out of indexes and totals, as if never issued. Its
// serial number stays used.
func (s *State) leave(h *Shareholding) {
	s.shareholdings.Delete(h)
	s.holders.Delete(holderKey{h.Entity, h.ID})
	s.certificates.Delete(h.Certificate)
	s.setExternalID(kindShareholding, h.ExternalID, "", h.ID)
	s.changeTotals(h.Security, func(security *Security) { security.move(h.Shares.Neg(), h.FromTreasury, h.IssueDate) })
}
