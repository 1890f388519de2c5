package captable

import (
	"math/big"
	"slices"
	"strings"

	"equity/captable/exact"
)

// The wishes that end a shareholding, each with its own rules on top of those
// that every ending shares.
type (
	// TransferShareholding moves shares to another holder. Totals do not move.
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
	// CancelShareholding ends shares without anything in their place; no Shares means all.
	CancelShareholding struct {
		ID     ShareholdingID `json:"-"`
		Shares *Decimal       `json:"shares,omitempty"`
		Date   Date           `json:"date"`
		Reason string         `json:"reason"`
	}
	// RepurchaseShareholding buys shares back: they are retired, or kept as treasury.
	RepurchaseShareholding struct {
		ID         ShareholdingID `json:"-"`
		Shares     Decimal        `json:"shares"`
		Price      *Price         `json:"price"`
		Date       Date           `json:"date"`
		ToTreasury bool           `json:"toTreasury,omitempty"`
		Reason     string         `json:"reason,omitempty"`
	}
	// ConvertShareholding exchanges all shares for those of the security that theirs
	// converts into, at its ratio, fractions paid in cash.
	ConvertShareholding struct {
		ID       ShareholdingID `json:"-"`
		Security SecurityID     `json:"security"`
		Date     Date           `json:"date"`
	}
	// ReplaceShareholding ends shareholdings as a package of an import states it,
	// its results and its balance spelled out.
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
		// Behavior says what becomes of shares of a pool; none: what the plan says.
		Behavior CancellationBehavior
		// Ratio is by how much a split multiplies the shares of a reissue; none is 1 : 1.
		Ratio  *Ratio
		Source *Source
	}
)

// decide moves shares to another holder. They are ended whole and issued anew, to the new
// holder and, where some remain, to the old one (UCC §8-401): no certificate ever changes
// its quantity. What the new holder paid takes the place of what the old one had.
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
	if _, err := s.outstanding(h.ID); err != nil {
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

// decide cancels all shares or some of them, for a reason that the register keeps.
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

// decide buys shares back (DGCL §160). Those that are kept in the treasury stay issued, so
// that a plan's pool does not get them back.
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

// decide converts shares into those of the class that their own names, at its ratio of the
// day. No part of a share is issued where the class has none: it is paid in cash (DGCL
// §155), and stated here. What was invested stays invested.
func (c ConvertShareholding) decide(s *State, m Moment) ([]Event, error) {
	h, err := s.outstanding(c.ID)
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
