package captable

import (
	"strings"

	"equity/fault"
)

// AmendShareholding changes clerical fields by a JSON merge patch (RFC 7396).
type AmendShareholding struct {
	ID    ShareholdingID
	Patch []byte
}

// ShareholdingAmended records the new clerical fields.
type ShareholdingAmended struct {
	ID      ShareholdingID      `json:"id"`
	Details ShareholdingDetails `json:"details"`
}

// EventType returns the name of the event in the journal.
func (ShareholdingAmended) EventType() string { return "shareholdingAmended" }

// Creates returns nil: the event creates no record.
func (ShareholdingAmended) Creates() []Created { return nil }

// Records returns the shareholding.
func (e ShareholdingAmended) Records(s *State) []any { return records(s.Shareholding(e.ID)) }

// CorrectShareholding corrects fields that affect totals. The command contains the complete
// corrected record and the reason for the correction.
type CorrectShareholding struct {
	ID ShareholdingID `json:"-"`
	HolderRef
	Security  SecurityID `json:"security"`
	Shares    Decimal    `json:"shares"`
	IssueDate Date       `json:"issueDate"`
	Award
	ShareholdingDetails
	Reason string `json:"reason"`
}

// ShareholdingCorrected records the corrected facts, which apply from the issue date.
type ShareholdingCorrected struct {
	Issue
	Reason string `json:"reason"`
}

// EventType returns the name of the event in the journal.
func (ShareholdingCorrected) EventType() string { return "shareholdingCorrected" }

// Creates returns nil: the event creates no record.
func (ShareholdingCorrected) Creates() []Created { return nil }

// Records returns the shareholding.
func (e ShareholdingCorrected) Records(s *State) []any { return records(s.Shareholding(e.ID)) }

// decide patches clerical fields. Ended shareholdings can be amended, because their
// certificates remain part of the register. Voided shareholdings cannot.
func (c AmendShareholding) decide(s *State, m DecideContext) ([]Event, error) {
	h, err := s.shares.shareholding(c.ID)
	if err != nil {
		return nil, err
	}
	if h.Status == StatusVoided {
		return nil, fault.Refuse(fault.Conflict, "A voided shareholding cannot be changed.")
	}
	details, err := Patched(h.Shown().ShareholdingDetails, c.Patch)
	if err != nil {
		return nil, err
	}
	details.PricePerShare = h.quoted(details.PricePerShare.in(m.Currency))
	var faults fault.Fields
	checkVestsByOption(s, &faults, h, &details)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	if err := checkDetails(s, h, &details); err != nil {
		return nil, err
	}
	return []Event{ShareholdingAmended{ID: c.ID, Details: details}}, nil
}

// checkVestsByOption refuses other vesting terms for shares that vest with the option of an
// early exercise.
func checkVestsByOption(s *State, faults *fault.Fields, h *Shareholding, details *ShareholdingDetails) {
	now := &h.ShareholdingDetails
	if now.sameVesting(details) {
		return
	}
	if _, early := newExerciseVesting(s, endOfTime()).of(h); !early {
		return
	}
	refuse := func(pointer string, same bool) {
		if !same {
			faults.Add(pointer, "vestsByOption", "Change the vesting of the option instead: the shares came from its exercise.")
		}
	}
	refuse("/vestingSchedule", now.VestingSchedule == details.VestingSchedule)
	refuse("/vestingStart", now.VestingStart == details.VestingStart)
	refuse("/vestings", len(details.Vestings) == 0)
}

// checkDetails checks the new details of an existing shareholding. A certificate number may be
// set manually if it is unique.
func checkDetails(s *State, h *Shareholding, details *ShareholdingDetails) error {
	var faults fault.Fields
	details.check(s, &faults, h.original())
	details.startVesting(s, &faults, h.original(), h.IssueDate)
	if strings.TrimSpace(details.ShareholderName) == "" {
		faults.Add("/shareholderName", "required", "The name of the shareholder for the certificate is required.")
	}
	if details.Certificate == "" {
		faults.Add("/certificate", "required", "The number of the certificate is required.")
	}
	if err := faults.Err(); err != nil {
		return err
	}
	if err := s.externalIDs.checkUnused(kindShareholding, details.ExternalID, h.ID); err != nil {
		return err
	}
	security, _ := s.Security(h.Security)
	return s.shares.number(&Issue{ID: h.ID, ShareholdingDetails: *details}, security)
}

// decide checks a correction:
//
//  1. The shareholding is outstanding, so no other record results from it.
//  2. If the shareholding results from others or was split, the fields that follow from its
//     origin or from the split stay unchanged.
//  3. The corrected shares could have been issued instead of the old ones.
func (c CorrectShareholding) decide(s *State, m DecideContext) ([]Event, error) {
	h, err := s.shares.outstanding(c.ID)
	if err != nil {
		return nil, err
	}
	scratch := s.Copy() // the state without the old facts
	scratch.leave(h)
	revokeAward(scratch, h, Stamp{})
	restated := c.restated(h)
	faults := c.faults(h)
	checkVestsByOption(s, &faults, h, &restated.ShareholdingDetails)
	issue, security, err := restated.prepare(scratch, m, faults)
	if err != nil {
		return nil, err
	}
	moved := c.Security != h.Security || !c.Shares.Equal(h.Shares)
	if h.derived() && moved || c.IssueDate != h.IssueDate && h.dated(c.IssueDate) {
		return nil, fault.Refuse(fault.HasResults, "Quantity, security and date cannot change: the shares came from others or were split.")
	}
	if issue.Entity != h.Entity && s.shares.stayed(h) {
		return nil, fault.Refuse(fault.HasResults, "The holder cannot change: the shares came from another record of the same holder.")
	}
	if !h.derived() && (moved || c.IssueDate != h.IssueDate || restated.Award != h.Award) {
		if err := restated.checkRoom(scratch, security); err != nil {
			return nil, err
		}
	}
	issue.ID, issue.FromTreasury, issue.PricePerShare = h.ID, h.FromTreasury, h.quoted(issue.PricePerShare)
	if moved || restated.Award != h.Award || !h.derived() && c.IssueDate != h.IssueDate {
		issue.FromTreasury = restated.fromTreasury(s, security)
	}
	if c.Security == h.Security {
		issue.SerialNumber = h.SerialNumber
	}
	return []Event{ShareholdingCorrected{Issue: issue, Reason: c.Reason}}, nil
}

// derived reports whether the quantity follows from an event other than the issue.
func (h *Shareholding) derived() bool { return h.Origin != nil || len(h.Before) > 0 }

// stayed reports whether the holder follows from the origin of the shares. This is the case
// for every origin except a transfer to another holder.
func (r *shareRegister) stayed(h *Shareholding) bool {
	if !h.cameFromShares() { // the shares of an option or an instrument belong to its holder
		return h.Origin != nil
	}
	from, known := r.records.Get(h.Origin.From[0])
	return known && from.Entity == h.Entity
}

// dated reports whether the issue date cannot be changed to the day. The date of a
// shareholding with an origin is fixed. Split shares cannot move past their first split, or at
// all if they came from the treasury.
func (h *Shareholding) dated(day Date) bool {
	return h.Origin != nil || len(h.Before) > 0 && (day > h.Before[0].Until || !h.FromTreasury.IsZero())
}

// faults returns the faults of a correction beyond those of an issue.
func (c CorrectShareholding) faults(h *Shareholding) fault.Fields {
	var faults fault.Fields
	if strings.TrimSpace(c.Reason) == "" {
		faults.Add("/reason", "required", "The reason for the correction is required.")
	}
	if !h.AcceptedOn.IsZero() && c.IssueDate > h.AcceptedOn {
		faults.Add(
			"/issueDate", "afterAcceptance", "The issue date must not be after the acceptance of the shares, "+h.AcceptedOn.String()+".",
		)
	}
	return faults
}

// restated returns the issue that the correction describes. The certificate keeps its number
// unless the correction sets another one or changes the security. Derived shares keep their
// award.
func (c CorrectShareholding) restated(h *Shareholding) IssueShareholding {
	details := c.ShareholdingDetails
	if details.Certificate == "" && c.Security == h.Security {
		details.Certificate = h.Certificate
	}
	award := c.Award
	if h.derived() {
		award = h.Award
	}
	return IssueShareholding{
		HolderRef: c.HolderRef, Security: c.Security, Shares: c.Shares, IssueDate: c.IssueDate, Award: award, ShareholdingDetails: details,
	}
}

func (e ShareholdingAmended) apply(s *State, stamp Stamp) {
	changed := false
	s.shares.change(e.ID, stamp, func(h *Shareholding) {
		s.externalIDs.set(kindShareholding, h.ExternalID, e.Details.ExternalID, h.ID)
		if h.Certificate != e.Details.Certificate {
			s.shares.certificates.Delete(h.Certificate)
			s.shares.certificates.Set(e.Details.Certificate, h.ID)
		}
		old := *h
		h.ShareholdingDetails = e.Details
		s.followPrice(&old, h)
		h.keepReceived(&old)
		changed = !h.sameOrigin(&old)
	})
	if changed {
		s.followOrigin(e.ID, stamp)
	}
}

func (e ShareholdingCorrected) apply(s *State, stamp Stamp) {
	old, ok := s.Shareholding(e.ID)
	if !ok {
		return
	}
	s.leave(old)
	revokeAward(s, old, stamp)
	next := *old
	next.Issue = e.Issue
	if e.Security != old.Security {
		next.PreferencePrice = nil
	}
	s.followPrice(old, &next)
	next.keepReceived(old)
	next.Touch(stamp)
	s.restateShares(&next, stamp)
	awardShares(s, &next, stamp)
	s.hold(&next)
}

// leave removes a shareholding from indexes and totals, as if it had never been issued. Its
// serial number is not reused.
func (s *State) leave(h *Shareholding) {
	s.shares.records.Delete(h.ID)
	s.shares.byHolder.Delete(heldKey{h.Entity, h.ID})
	s.shares.certificates.Delete(h.Certificate)
	s.externalIDs.set(kindShareholding, h.ExternalID, "", h.ID)
	s.classes.changeTotals(h.Security, func(security *Security) { security.leave(h) })
}
