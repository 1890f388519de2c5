package captable

import (
	"slices"
	"strconv"
	"strings"

	"equity/captable/exact"
	"equity/captable/vesting"
	"equity/fault"
)

// IssueShareholding issues shares to a holder. The certificate number defaults to the prefix of
// the class with the next serial number, and the holder's name to the name in the register.
type IssueShareholding struct {
	HolderRef
	Security  SecurityID `json:"security"`
	Shares    Decimal    `json:"shares"`
	IssueDate Date       `json:"issueDate"`
	Award
	ShareholdingDetails
	CostBasis *CostBasis `json:"-"`
	// FromTreasury is the number of shares from the treasury that a package states. It applies to
	// [DeferLimits] only.
	FromTreasury Decimal `json:"-"`
	// PreferencePrice is the price paid per share, from a closing or a package. It is recorded if it
	// replaces the issue price of the class.
	PreferencePrice *Price  `json:"-"`
	Source          *Source `json:"-"`
}

// CostBasis is the total price of the shares as a package states it. In the organization's
// currency it becomes the consideration, unless a consideration is stated.
type CostBasis struct {
	Price
	// Parts are the components of the price. Their sum is the price, or zero if the package does
	// not state them.
	Parts Consideration
}

// ShareholdingIssued records new shares.
type ShareholdingIssued struct {
	Issue
	// PreferencePrice is the price paid per share if it replaces the issue price of the class in the
	// liquidation preference.
	PreferencePrice *Price `json:"preferencePrice,omitempty"`
}

// EventType returns the name of the event in the journal.
func (ShareholdingIssued) EventType() string { return "shareholdingIssued" }

// Creates returns the shareholding.
func (e ShareholdingIssued) Creates() []Created { return []Created{{e.ID, kindShareholding}} }

// Records returns the shareholding.
func (e ShareholdingIssued) Records(s *State) []any { return records(s.Shareholding(e.ID)) }

func (c IssueShareholding) decide(s *State, m DecideContext) ([]Event, error) {
	issue, security, err := c.prepare(s, m, nil)
	if err != nil {
		return nil, err
	}
	if err := c.checkRoom(s, security); err != nil {
		return nil, err
	}
	issue.FromTreasury = c.fromTreasury(s, security)
	issued := ShareholdingIssued{Issue: issue}
	if paid := s.paidPrice(c.Security, c.PreferencePrice.in(m.Currency), c.IssueDate); paid != nil {
		issued.PreferencePrice = &paid.Price
	}
	return []Event{issued}, nil
}

// prepare checks new shares and adds to the given faults. It does not check the available shares.
func (c IssueShareholding) prepare(s *State, m DecideContext, faults fault.Fields) (Issue, *Security, error) {
	security, known := s.Security(c.Security)
	if !known {
		faults.Add("/security", "unknownReference", "There is no such security.")
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
	if err := s.externalIDs.checkUnused(kindShareholding, details.ExternalID, [16]byte{}); err != nil {
		return Issue{}, nil, err
	}
	if details.ShareholderName == "" {
		details.ShareholderName = holder.Name
	}
	issue := Issue{
		ID: m.NewID(), Entity: holder.Entity, Security: c.Security, Shares: c.Shares, IssueDate: c.IssueDate,
		SerialNumber: security.Serials + 1, Award: c.Award, ShareholdingDetails: details, Source: c.Source,
	}
	return issue, security, s.shares.number(&issue, security)
}

// checkHolder returns the referenced holder. It adds a fault unless exactly one of member and
// entity is set and the holder is in the register.
func (r HolderRef) checkHolder(faults *fault.Fields, m DecideContext) Holder {
	if r.Member.IsZero() == r.Entity.IsZero() {
		faults.Add("/entity", "required", "Name the holder by either member or entity.")
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

// checkShares adds a fault for an invalid quantity. The security may be nil.
func checkShares(faults *fault.Fields, pointer string, shares Decimal, security *Security) {
	switch {
	case shares.Sign() <= 0:
		faults.Add(pointer, "notPositive", "The quantity must be more than zero.")
	case security != nil && !security.Whole(shares):
		faults.Add(pointer, "notWhole", "The number of shares must be whole: the security has no fractional shares.")
	case security != nil && security.AuthorizedShares.Unlimited && !security.Issued.Add(shares).Fits():
		faults.Add(pointer, "tooLarge", "The issued shares must have at most 19 digits before the decimal point.")
	}
}

// checkPast adds a fault for a date before the last split of the security, because earlier
// quantities are stated in shares before the split.
func (s *Security) checkPast(faults *fault.Fields, pointer string, date Date) {
	if n := len(s.Splits); n > 0 && !date.IsZero() && date < s.Splits[n-1].Date {
		faults.Add(pointer, "beforeSplit", "The date must not be before the last split of the security, "+s.Splits[n-1].Date.String()+".")
	}
}

// cost sets the consideration from a cost basis. A basis in another currency is ignored, because a
// consideration is in the organization's currency.
func (d *ShareholdingDetails) cost(basis *CostBasis, own string) {
	switch {
	case d.Consideration != nil || basis == nil || basis.in(own).Currency != "":
	case basis.Parts.Total().Equal(basis.Amount):
		d.Consideration = &basis.Parts
	default:
		d.Consideration = &Consideration{Other: basis.Amount}
	}
}

// check adds the faults of the details and links the funding round and the vesting schedule.
func (d *ShareholdingDetails) check(s *State, faults *fault.Fields, shares Decimal) {
	checkPrice(faults, "/pricePerShare", d.PricePerShare)
	if price := d.PricePerShare; price != nil && (!price.Amount.Fits() || !worth(price.Amount, shares).Fits()) {
		faults.Add("/pricePerShare", "tooLarge", "The total price of the shares must have at most 19 digits before the decimal point.")
	}
	d.Consideration.check(faults)
	if !slices.Contains([]string{"", "standard", "founders", "restrictedStockAward"}, d.IssuanceType) {
		faults.Add("/issuanceType", "enum", "The issuance type must be standard, founders or restrictedStockAward.")
	}
	s.classes.legendFaults(faults, d.Legends)
	d.Block = s.blocks.linked(faults, "/block", d.Block)
	d.VestingSchedule = s.schedules.link(faults, "/vestingSchedule", d.VestingSchedule)
}

// startVesting sets the default start of a vesting schedule to the day of issue, so that later
// results of the shares continue from there. It adds a fault if the shares cannot vest by the
// schedule.
func (d *ShareholdingDetails) startVesting(s *State, faults *fault.Fields, shares Decimal, issued Date) {
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

// worth returns the cost of the shares. Products with more decimal places than the contract allows
// are rounded, which is rare.
func worth(price, shares Decimal) Decimal {
	product := price.Mul(shares)
	if product.Scale() <= exact.Places {
		return product
	}
	return exact.RoundHalfUp(product.Rat(), exact.Places)
}

// check adds faults for negative parts and for a sum that exceeds the number format. It does not
// restrict the kinds of consideration: any benefit to the corporation is valid (DGCL §152).
func (c *Consideration) check(faults *fault.Fields) {
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
			faults.Add(part.pointer, "negative", "The consideration must not be negative.")
		}
	}
	if !c.Total().Fits() {
		faults.Add("/consideration", "tooLarge", "The total consideration must have at most 19 digits before the decimal point.")
	}
}

// number sets the certificate number, or refuses a number that is taken.
func (r *shareRegister) number(issue *Issue, security *Security) error {
	if issue.Certificate != "" {
		if taken, ok := r.certificates.Get(issue.Certificate); ok && taken != issue.ID {
			return fault.Refuse(
				fault.Conflict, "Another shareholding has this certificate number. Choose another number.",
			).With("certificate", issue.Certificate)
		}
		return nil
	}
	issue.Certificate = security.certificate(issue.SerialNumber)
	// An earlier certificate may have the next number. It keeps the number, and this one gets a
	// suffix.
	for {
		if _, taken := r.certificates.Get(issue.Certificate); !taken {
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

// initials returns the upper-case first letters of the words, for example CS for Common Stock.
func initials(name string) string {
	var letters []rune
	for word := range strings.FieldsSeq(strings.ToUpper(name)) {
		letters = append(letters, []rune(word)[0])
	}
	return string(letters)
}

func insufficient(message string, available Authorized, wanted Decimal) *fault.Error {
	return fault.Refuse(fault.InsufficientShares, message).
		With("available", available.String()).With("requested", wanted.String())
}

func (e ShareholdingIssued) apply(s *State, stamp Stamp) {
	held := &Shareholding{Issue: e.Issue, Status: StatusActive, Meta: NewMeta(stamp)}
	if e.PreferencePrice != nil {
		held.PreferencePrice = &PaidPrice{Price: *e.PreferencePrice}
	}
	s.restateShares(held, stamp)
	awardShares(s, held, stamp)
	s.hold(held)
}

// hold stores a new shareholding.
func (s *State) hold(h *Shareholding) {
	h.Source = nil // the journal keeps the source; the live state does not need it
	s.shares.records.Set(h.ID, h)
	s.shares.byHolder.Set(heldKey{h.Entity, h.ID})
	s.claim(h)
}

// claim registers the certificate, the external id and the serial number of a shareholding and
// adds its shares to the totals of its security.
func (s *State) claim(h *Shareholding) {
	s.shares.certificates.Set(h.Certificate, h.ID)
	s.externalIDs.set(kindShareholding, "", h.ExternalID, h.ID)
	s.classes.changeTotals(h.Security, func(security *Security) {
		security.Serials = max(security.Serials, h.SerialNumber)
		security.enter(h)
	})
}

// changeTotals changes figures that are derived from the shareholdings of a security. The version
// of the security does not change.
func (c *classes) changeTotals(id SecurityID, change func(*Security)) {
	if old, ok := c.securities.Get(id); ok {
		next := *old
		change(&next)
		c.securities.Set(id, &next)
	}
}

// AcceptShareholding records that the holder accepted the shares.
type AcceptShareholding struct {
	ID     ShareholdingID `json:"-"`
	Date   Date           `json:"date,omitzero"`
	Source *Source        `json:"-"`
}

// RetractShareholding undoes an issuance before its acceptance. From its date on, the shares
// count as never issued.
type RetractShareholding struct {
	ID     ShareholdingID
	Date   Date
	Reason string
	Source *Source
}

// ShareholdingAccepted records an acceptance.
type ShareholdingAccepted struct {
	ID     ShareholdingID `json:"id"`
	Date   Date           `json:"date"`
	Source *Source        `json:"source,omitempty"`
}

// EventType returns the name of the event in the journal.
func (ShareholdingAccepted) EventType() string { return "shareholdingAccepted" }

// Creates returns nil: the event creates no record.
func (ShareholdingAccepted) Creates() []Created { return nil }

// Records returns the shareholding.
func (e ShareholdingAccepted) Records(s *State) []any { return records(s.Shareholding(e.ID)) }

// decide refuses a second acceptance, because the first one has effects that must not be
// repeated: accepted shares can no longer be retracted. The default date is today, or the
// issue date if it is in the future.
func (c AcceptShareholding) decide(s *State, m DecideContext) ([]Event, error) {
	h, err := s.shares.outstanding(c.ID)
	if err != nil {
		return nil, err
	}
	if h.Status == StatusAccepted {
		return nil, fault.Refuse(fault.Conflict, "The shares are already accepted.").With("acceptedOn", h.AcceptedOn.String())
	}
	date := c.Date
	if date.IsZero() {
		date = max(exact.DateOf(m.Now.UTC()), h.IssueDate)
	}
	var faults fault.Fields
	m.checkDate(&faults, "/date", date)
	if date < h.IssueDate {
		faults.Add("/date", "beforeIssue", "The date must not be before the issue of the shares, "+h.IssueDate.String()+".")
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	return []Event{ShareholdingAccepted{ID: c.ID, Date: date, Source: c.Source}}, nil
}

func (c RetractShareholding) decide(s *State, m DecideContext) ([]Event, error) {
	ending, _, err := replacement{kind: StatusRetracted, from: []ShareholdingID{c.ID}, date: c.Date}.decide(s, m)
	if err != nil {
		return nil, err
	}
	ending.Reason, ending.Source = c.Reason, c.Source
	return []Event{*ending}, nil
}

func (e ShareholdingAccepted) apply(s *State, stamp Stamp) {
	s.shares.change(e.ID, stamp, func(h *Shareholding) { h.Status, h.AcceptedOn = StatusAccepted, e.Date })
}
