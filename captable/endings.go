package captable

import (
	"math/big"
	"slices"
	"strings"

	"equity/captable/exact"
)

// The commands that end a shareholding. Each has its own rules in addition to
// those common to all endings.
type (
	// TransferShareholding moves shares to another holder. The totals do not change.
	TransferShareholding struct {
		Shareholding  ShareholdingID `json:"shareholding"`
		To            HolderRef      `json:"to"`
		Shares        Decimal        `json:"shares"`
		Date          Date           `json:"date"`
		PricePerShare *Price         `json:"pricePerShare,omitempty"`
		// Kind is sale, gift, inheritance or internal.
		Kind   string `json:"kind"`
		Reason string `json:"reason,omitempty"`
	}
	// CancelShareholding ends shares without replacement. If Shares is nil, all shares end.
	CancelShareholding struct {
		ID     ShareholdingID `json:"-"`
		Shares *Decimal       `json:"shares,omitempty"`
		Date   Date           `json:"date"`
		Reason string         `json:"reason"`
	}
	// RepurchaseShareholding buys shares back. They are retired or become treasury shares.
	RepurchaseShareholding struct {
		ID         ShareholdingID `json:"-"`
		Shares     Decimal        `json:"shares"`
		Price      *Price         `json:"price"`
		Date       Date           `json:"date"`
		ToTreasury bool           `json:"toTreasury,omitempty"`
		Reason     string         `json:"reason,omitempty"`
	}
	// ConvertShareholding converts all shares into the security of their conversion right at
	// its ratio. Fractions are paid in cash.
	ConvertShareholding struct {
		ID       ShareholdingID `json:"-"`
		Security SecurityID     `json:"security"`
		Date     Date           `json:"date"`
	}
	// ReplaceShareholding ends shareholdings with the results and the balance stated by an
	// imported package.
	ReplaceShareholding struct {
		Kind       Status
		From       []ShareholdingID
		Date       Date
		Shares     Decimal
		Results    []Result
		Balance    *Result
		Price      *Price
		ToTreasury bool
		Reason     string
		// Behavior is the disposition of awarded shares. If empty, the behavior of the plan
		// applies.
		Behavior CancellationBehavior
		// Ratio is the split ratio of a reissue. Nil means 1:1.
		Ratio  *Ratio
		Source *Source
	}
)

// decide moves shares to another holder. The shareholding ends as a whole. New shareholdings
// are issued to the new holder and, for the remaining shares, to the old one (UCC §8-401), so
// that the quantity of a certificate never changes. The price paid by the new holder replaces
// the original consideration.
func (c TransferShareholding) decide(s *State, m Moment) ([]Event, error) {
	var faults Faults
	h, known := s.Shareholding(c.Shareholding)
	if !known {
		faults.Add("/shareholding", "unknownReference", "There is no such shareholding.")
	}
	to := c.toHolder(&faults, m)
	if known && to.Entity == h.Entity {
		faults.Add("/to", "sameHolder", "The shares already belong to this holder.")
	}
	if !slices.Contains([]string{"sale", "gift", "inheritance", "internal"}, c.Kind) {
		faults.Add("/kind", "enum", "The kind is sale, gift, inheritance or internal.")
	}
	checkPrice(&faults, "/pricePerShare", c.PricePerShare)
	if !known {
		m.checkDate(&faults, "/date", c.Date)
		checkShares(&faults, "/shares", c.Shares, nil)
		return nil, faults.Err()
	}
	if _, err := s.shares.outstanding(h.ID); err != nil {
		return nil, err
	}
	details := h.portion(c.Shares)
	details.ShareholderName = to.Name
	if c.PricePerShare != nil {
		details.PricePerShare, details.Consideration = c.PricePerShare, nil
	}
	ending, _, err := replacement{
		kind: StatusTransferred, from: []ShareholdingID{h.ID}, date: c.Date, shares: &c.Shares, faults: faults,
		results: []Result{{Holder: c.To, Security: h.Security, Shares: c.Shares, ShareholdingDetails: details}},
	}.decide(s, m)
	if err != nil {
		return nil, err
	}
	ending.TransferKind, ending.Price, ending.Reason = c.Kind, c.PricePerShare.in(m.Currency), c.Reason
	return []Event{*ending}, nil
}

func (c TransferShareholding) toHolder(faults *Faults, m Moment) Holder {
	var own Faults
	holder := c.To.checkHolder(&own, m)
	for _, fault := range own {
		faults.Add("/to"+fault.Pointer, fault.Code, fault.Message)
	}
	return holder
}

// decide cancels all or some of the shares. A reason is required for the register.
func (c CancelShareholding) decide(s *State, m Moment) ([]Event, error) {
	var faults Faults
	if strings.TrimSpace(c.Reason) == "" {
		faults.Add("/reason", "required", "A cancellation says why.")
	}
	ending, _, err := replacement{
		kind: StatusCancelled, from: []ShareholdingID{c.ID}, date: c.Date, shares: c.Shares, faults: faults,
	}.decide(s, m)
	if err != nil {
		return nil, err
	}
	ending.Reason = c.Reason
	return []Event{*ending}, nil
}

// decide buys shares back (DGCL §160). Treasury shares remain issued, so they do not return to
// the pool of a plan.
func (c RepurchaseShareholding) decide(s *State, m Moment) ([]Event, error) {
	var faults Faults
	if c.Price == nil {
		faults.Add("/price", "required", "Shares are bought for a price; for nothing is \"0\".")
	}
	checkPrice(&faults, "/price", c.Price)
	ending, _, err := replacement{
		kind: StatusRepurchased, from: []ShareholdingID{c.ID}, date: c.Date, shares: &c.Shares, faults: faults,
	}.decide(s, m)
	if err != nil {
		return nil, err
	}
	ending.Price, ending.ToTreasury, ending.Reason = c.Price.in(m.Currency), c.ToTreasury, c.Reason
	ending.Returns = ending.Returns && !c.ToTreasury
	return []Event{*ending}, nil
}

// decide converts shares into the class of their conversion right at the ratio of the day. If
// the class has whole shares only, the fraction is paid in cash and recorded (DGCL §155). The
// invested amount is carried over.
func (c ConvertShareholding) decide(s *State, m Moment) ([]Event, error) {
	h, err := s.shares.outstanding(c.ID)
	if err != nil {
		return nil, err
	}
	into, known := s.Security(c.Security)
	if !known {
		var faults Faults
		faults.Add("/security", "unknownReference", "There is no such security.")
		m.checkDate(&faults, "/date", c.Date)
		return nil, faults.Err()
	}
	old, _ := s.Security(h.Security)
	if old.Conversion == nil || old.Conversion.Security != c.Security {
		return nil, Refuse(CodeConflict, "The shares do not convert into this security.")
	}
	product := new(big.Rat).Mul(h.Shares.Rat(), old.Conversion.Each())
	shares := exact.RoundDown(product, into.Places())
	if shares.IsZero() {
		return nil, Refuse(CodeConflict, "The shares convert into less than one share.")
	}
	if !into.Issued.Add(shares).Fits() {
		return nil, Refuse(CodeConflict, "The shares convert into more shares than can be written.")
	}
	details := h.portion(h.Shares)
	details.PricePerShare, details.Consideration, details.Legends, details.Vestings = nil, nil, into.Legends, h.listedFor(shares)
	if invested := h.Invested(); !invested.IsZero() {
		details.Consideration = &Consideration{Other: invested}
	}
	ending, _, err := replacement{
		kind: StatusConverted, from: []ShareholdingID{h.ID}, date: c.Date,
		results: []Result{{Holder: HolderRef{Entity: h.Entity}, Security: c.Security, Shares: shares, ShareholdingDetails: details}},
	}.decide(s, m)
	if err != nil {
		return nil, err
	}
	ending.CashFraction = exact.RoundDown(product.Sub(product, shares.Rat()), exact.Places)
	return []Event{*ending}, nil
}
