package captable

import (
	"slices"
	"strconv"
	"strings"
)

// IssueShareholding asks to issue shares to a holder. Certificate and name are
// given from the security's prefix and the register where the command has none.
type IssueShareholding struct {
	HolderRef
	Security  SecurityID `json:"security"`
	Shares    Decimal    `json:"shares"`
	IssueDate Date       `json:"issueDate"`
	ShareholdingDetails
	Source *Source `json:"-"`
}

// ShareholdingIssued records new shares.
type ShareholdingIssued struct {
	Issue
}

func (c IssueShareholding) decide(s *State, m Moment) ([]Event, error) {
	issue, security, err := c.prepare(s, m)
	if err != nil {
		return nil, err
	}
	if available := security.Available(); !available.Covers(c.Shares) {
		return nil, insufficient("There are not enough authorized shares left.", available, c.Shares)
	}
	issue.FromTreasury = security.fromTreasury(c.Shares)
	return []Event{ShareholdingIssued{Issue: issue}}, nil
}

// prepare checks everything about new shares but whether there are enough.
func (c IssueShareholding) prepare(s *State, m Moment) (Issue, *Security, error) {
	var faults Faults
	security, known := s.Security(c.Security)
	if !known {
		faults.Add("/security", "unknownReference", "There is no such security.")
	}
	holder := c.checkHolder(&faults, m)
	checkShares(&faults, "/shares", c.Shares, security)
	m.checkDate(&faults, "/issueDate", c.IssueDate)
	details := c.ShareholdingDetails
	details.PricePerShare = details.PricePerShare.in(m.Currency)
	details.check(s, &faults)
	if err := faults.Err(); err != nil {
		return Issue{}, nil, err
	}
	if err := s.unusedExternalID(kindShareholding, details.ExternalID, [16]byte{}); err != nil {
		return Issue{}, nil, err
	}
	if details.ShareholderName == "" {
		details.ShareholderName = holder.Name
	}
	issue := Issue{
		ID: m.NewID(), Entity: holder.Entity, Security: c.Security, Shares: c.Shares, IssueDate: c.IssueDate,
		SerialNumber: security.Serials + 1, ShareholdingDetails: details, Source: c.Source,
	}
	return issue, security, s.number(&issue, security)
}

func (r HolderRef) checkHolder(faults *Faults, m Moment) Holder {
	if r.Member.IsZero() == r.Entity.IsZero() {
		faults.Add("/entity", "required", "The holder is named by either member or entity.")
		return Holder{}
	}
	holder, known := m.Register.Holder(r)
	if !known {
		pointer := "/entity"
		if !r.Member.IsZero() {
			pointer = "/member"
		}
		faults.Add(pointer, "unknownReference", "There is no such holder in this organization.")
	}
	return holder
}

// checkShares notes a quantity that cannot be held. The security may be unknown.
func checkShares(faults *Faults, pointer string, shares Decimal, security *Security) {
	switch {
	case shares.Sign() <= 0:
		faults.Add(pointer, "notPositive", "The quantity must be more than zero.")
	case security != nil && !security.Whole(shares):
		faults.Add(pointer, "notWhole", "This security has whole shares only.")
	}
}

func (d *ShareholdingDetails) check(s *State, faults *Faults) {
	checkPrice(faults, "/pricePerShare", d.PricePerShare)
	if c := d.Consideration; c != nil {
		for pointer, part := range map[string]Decimal{
			"/consideration/cash": c.Cash, "/consideration/debtCancelled": c.DebtCancelled, "/consideration/ip": c.IP,
			"/consideration/services": c.Services, "/consideration/other": c.Other,
		} {
			if part.Sign() < 0 {
				faults.Add(pointer, "negative", "A consideration is not negative.")
			}
		}
	}
	s.legendFaults(faults, d.Legends)
}

// number gives the certificate its number, or refuses one that is taken.
func (s *State) number(issue *Issue, security *Security) error {
	if issue.Certificate != "" {
		if taken, ok := s.certificates.Get(issue.Certificate); ok && taken != issue.ID {
			return Refuse(CodeConflict, "Another shareholding has this certificate number.").With("certificate", issue.Certificate)
		}
		return nil
	}
	issue.Certificate = security.certificate(issue.SerialNumber)
	// Somebody may have used the number that would come next: theirs stays, ours is marked.
	for {
		if _, taken := s.certificates.Get(issue.Certificate); !taken {
			return nil
		}
		issue.Certificate += "*"
	}
}

func (s *Security) certificate(serial uint32) string {
	prefix := s.Prefix
	if prefix == "" {
		prefix = initials(s.Name)
	}
	return prefix + "-" + strconv.FormatUint(uint64(serial), 10)
}

// initials gives the capital first letters of the words: Common Stock gives CS.
func initials(name string) string {
	var letters []rune
	for word := range strings.FieldsSeq(strings.ToUpper(name)) {
		letters = append(letters, []rune(word)[0])
	}
	return string(letters)
}

// fromTreasury is how many of so many shares must come from the treasury because
// new ones are used up.
func (s *Security) fromTreasury(shares Decimal) Decimal {
	if s.AuthorizedShares.Unlimited || s.Treasury.IsZero() {
		return Decimal{}
	}
	fresh := s.AuthorizedShares.Shares.Sub(s.Issued).Sub(s.Reserved).Max(Decimal{})
	return shares.Sub(fresh).Max(Decimal{}).Min(s.Treasury)
}

func insufficient(message string, available Authorized, wanted Decimal) *Error {
	return Refuse(CodeInsufficientShares, message).
		With("available", available.String()).With("requested", wanted.String())
}

func (e ShareholdingIssued) apply(s *State, stamp Stamp) {
	s.hold(&Shareholding{Issue: e.Issue, Status: StatusActive, Meta: NewMeta(stamp)})
}

// hold enters a new shareholding, counts its serial number and adds its shares to
// the totals of its security.
func (s *State) hold(h *Shareholding) {
	h.Source = nil // the journal keeps it; the live state has no use for it
	s.shareholdings.Set(h)
	s.holders.Set(holderKey{h.Entity, h.ID})
	s.certificates.Set(h.Certificate, h.ID)
	s.setExternalID(kindShareholding, "", h.ExternalID, h.ID)
	s.changeTotals(h.Security, func(security *Security) {
		security.Serials = max(security.Serials, h.SerialNumber)
		security.move(h.Shares, h.FromTreasury.Neg(), h.IssueDate)
	})
}

// changeTotals changes what follows from a security's shareholdings. It is no change
// of the security itself: its version stays.
func (s *State) changeTotals(id SecurityID, change func(*Security)) {
	if old, ok := s.Security(id); ok {
		next := *old
		change(&next)
		s.securities.Set(&next)
	}
}

// move changes what is outstanding and what the treasury holds.
func (s *Security) move(outstanding, treasury Decimal, on Date) {
	s.Issued = s.Issued.Add(outstanding)
	if treasury.IsZero() {
		return
	}
	s.Issued = s.Issued.Add(treasury)
	s.Treasury = s.Treasury.Add(treasury)
	s.TreasuryMoves = append(slices.Clone(s.TreasuryMoves), TreasuryMove{Date: on, Change: treasury})
}
