package captable

import (
	"slices"
	"strconv"
	"strings"

	"equity/captable/exact"
	"equity/captable/vesting"
)

// IssueShareholding asks to issue shares to a holder. Certificate and name are
// given from the security's prefix and the register where the command has none.
type IssueShareholding struct {
	HolderRef
	Security  SecurityID `json:"security"`
	Shares    Decimal    `json:"shares"`
	IssueDate Date       `json:"issueDate"`
	Award
	ShareholdingDetails
	CostBasis *CostBasis `json:"-"`
	Source    *Source    `json:"-"`
}

// CostBasis is the price of all shares as a package states it. In the organization's
// currency it becomes the consideration, unless there is one.
type CostBasis struct {
	Price
	// Parts are the consideration that makes up the price; their sum is the price, or zero
	// where the package does not state them.
	Parts Consideration
}

// ShareholdingIssued records new shares.
type ShareholdingIssued struct {
	Issue
}

func (c IssueShareholding) decide(s *State, m Moment) ([]Event, error) {
	issue, security, err := c.prepare(s, m, nil, false)
	if err != nil {
		return nil, err
	}
	if err := c.checkRoom(s, security); err != nil {
		return nil, err
	}
	issue.FromTreasury = c.fromTreasury(security)
	return []Event{ShareholdingIssued{Issue: issue}}, nil
}

// prepare checks everything about new shares but whether there are enough, and adds
// to the faults that were found before. Shares that were split may be older than that.
func (c IssueShareholding) prepare(s *State, m Moment, faults Faults, split bool) (Issue, *Security, error) {
	security, known := s.Security(c.Security)
	if !known {
		faults.Add("/security", "unknownReference", "There is no such security.")
	}
	if known && !split {
		security.checkPast(&faults, "/issueDate", c.IssueDate)
	}
	holder := c.checkHolder(&faults, m)
	checkShares(&faults, "/shares", c.Shares, security)
	m.checkDate(&faults, "/issueDate", c.IssueDate)
	c.checkAward(s, &faults)
	details := c.ShareholdingDetails
	details.PricePerShare = details.PricePerShare.in(m.Currency)
	details.cost(c.CostBasis, m.Currency)
	details.check(s, &faults, c.Shares)
	details.startVesting(s, &faults, c.Shares, c.IssueDate)
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
		SerialNumber: security.Serials + 1, Award: c.Award, ShareholdingDetails: details, Source: c.Source,
	}
	return issue, security, s.number(&issue, security)
}

// checkHolder finds who is named, by one of the two ways there are, and notes it where they
// are nobody here.
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
	case security != nil && security.AuthorizedShares.Unlimited && !security.Issued.Add(shares).Fits():
		faults.Add(pointer, "tooLarge", "There would be more shares than can be written.")
	}
}

// checkPast notes a date before the security's last split: the quantities of those
// days are stated as they were then.
func (s *Security) checkPast(faults *Faults, pointer string, date Date) {
	if n := len(s.Splits); n > 0 && !date.IsZero() && date < s.Splits[n-1].Date {
		faults.Add(pointer, "beforeSplit", "The security was split since, on "+s.Splits[n-1].Date.String()+".")
	}
}

// cost sets the consideration to a cost basis. A basis in another currency is left out:
// a consideration is in the organization's own.
func (d *ShareholdingDetails) cost(basis *CostBasis, own string) {
	switch {
	case d.Consideration != nil || basis == nil || basis.in(own).Currency != "":
	case basis.Parts.Total().Equal(basis.Amount):
		d.Consideration = &basis.Parts
	default:
		d.Consideration = &Consideration{Other: basis.Amount}
	}
}

// check notes what is wrong with the details of so many shares, and links them to the
// funding round and the vesting schedule that they name.
func (d *ShareholdingDetails) check(s *State, faults *Faults, shares Decimal) {
	checkPrice(faults, "/pricePerShare", d.PricePerShare)
	if price := d.PricePerShare; price != nil && (!price.Amount.Fits() || !worth(price.Amount, shares).Fits()) {
		faults.Add("/pricePerShare", "tooLarge", "The shares would cost more than can be written.")
	}
	d.Consideration.check(faults)
	if !slices.Contains([]string{"", "standard", "founders", "restrictedStockAward"}, d.IssuanceType) {
		faults.Add("/issuanceType", "enum", "The issuance type is standard, founders or restrictedStockAward.")
	}
	s.legendFaults(faults, d.Legends)
	d.Block = s.linked(faults, "/block", d.Block)
	d.VestingSchedule = s.vestingLink(faults, "/vestingSchedule", d.VestingSchedule)
}

// startVesting lets what vests by a schedule begin on the day of issue, unless the
// details say when: what comes of the shares later goes on from there. A schedule by
// which so many shares cannot vest is noted.
func (d *ShareholdingDetails) startVesting(s *State, faults *Faults, shares Decimal, issued Date) {
	d.checkVestings(faults, shares, issued)
	schedule, known := s.VestingScheduleOf(d.VestingSchedule)
	if !known {
		return
	}
	if d.VestingStart.IsZero() {
		d.VestingStart = issued
	}
	_, err := schedule.Project(vesting.Award{Quantity: shares, GrantDate: issued, Start: d.VestingStart}, nil)
	if err != nil {
		faults.Add("/vestingSchedule", "cannotVest", "The shares cannot vest by this schedule: "+err.Error())
	}
}

// worth is what so many shares cost, rounded to the places of the contract. Hardly
// any product has as many places that it needs it.
func worth(price, shares Decimal) Decimal {
	product := price.Mul(shares)
	if product.Scale() <= exact.Places {
		return product
	}
	return exact.RoundHalfUp(product.Rat(), exact.Places)
}

// check notes parts below zero, and a sum that no figure could hold. What the parts are is
// for the board to say: any benefit to the corporation will do (DGCL §152).
func (c *Consideration) check(faults *Faults) {
	if c == nil {
		return
	}
	for _, part := range []struct {
		pointer string
		amount  Decimal
	}{
		{"/consideration/cash", c.Cash},
		{"/consideration/debtCancelled", c.DebtCancelled},
		{"/consideration/ip", c.IP},
		{"/consideration/services", c.Services},
		{"/consideration/other", c.Other},
	} {
		if part.amount.Sign() < 0 {
			faults.Add(part.pointer, "negative", "A consideration is not negative.")
		}
	}
	if !c.Total().Fits() {
		faults.Add("/consideration", "tooLarge", "The sum would be more than can be written.")
	}
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

func insufficient(message string, available Authorized, wanted Decimal) *Error {
	return Refuse(CodeInsufficientShares, message).
		With("available", available.String()).With("requested", wanted.String())
}

func (e ShareholdingIssued) apply(s *State, stamp Stamp) {
	held := &Shareholding{Issue: e.Issue, Status: StatusActive, Meta: NewMeta(stamp)}
	s.award(held, stamp)
	s.hold(held)
}

// hold enters a new shareholding.
func (s *State) hold(h *Shareholding) {
	h.Source = nil // the journal keeps it; the live state has no use for it
	s.shareholdings.Set(h.ID, h)
	s.holders.Set(holderKey{h.Entity, h.ID})
	s.claim(h)
}

// claim takes the names and the serial number of a shareholding and adds its shares
// to the totals of its security.
func (s *State) claim(h *Shareholding) {
	s.certificates.Set(h.Certificate, h.ID)
	s.setExternalID(kindShareholding, "", h.ExternalID, h.ID)
	s.changeTotals(h.Security, func(security *Security) {
		security.Serials = max(security.Serials, h.SerialNumber)
		security.enter(h)
	})
}

// changeTotals changes what follows from a security's shareholdings. It is no change
// of the security itself: its version stays.
func (s *State) changeTotals(id SecurityID, change func(*Security)) {
	if old, ok := s.Security(id); ok {
		next := *old
		change(&next)
		s.securities.Set(id, &next)
	}
}
