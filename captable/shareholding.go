package captable

import (
	"math/big"

	"equity/captable/exact"
	"equity/captable/vesting"
)

// Status is where a shareholding or another holding stands in its life.
type Status string

// The states of a holding. Active and accepted ones count as outstanding; every other
// state is final. Only what is no share yet is repaid, exercised, released, forfeited or
// expires.
const (
	StatusActive       Status = "active"
	StatusAccepted     Status = "accepted"
	StatusTransferred  Status = "transferred"
	StatusRepurchased  Status = "repurchased"
	StatusCancelled    Status = "cancelled"
	StatusConverted    Status = "converted"
	StatusReissued     Status = "reissued"
	StatusConsolidated Status = "consolidated"
	StatusRetracted    Status = "retracted"
	StatusRepaid       Status = "repaid"
	StatusExercised    Status = "exercised"
	StatusReleased     Status = "released"
	StatusForfeited    Status = "forfeited"
	StatusExpired      Status = "expired"
	StatusVoided       Status = "voided"
)

// Outstanding reports whether what is in this state is still held.
func (s Status) Outstanding() bool { return s == StatusActive || s == StatusAccepted }

// Consideration is what was given for shares, in the organization's currency.
type Consideration struct { //nolint:recvcheck // one that is absent is nil, its total is that of a value
	Cash          Decimal `json:"cash,omitzero"`
	DebtCancelled Decimal `json:"debtCancelled,omitzero"`
	IP            Decimal `json:"ip,omitzero"`
	Services      Decimal `json:"services,omitzero"`
	Other         Decimal `json:"other,omitzero"`
}

// Total is the sum of its parts.
func (c Consideration) Total() Decimal {
	return c.Cash.Add(c.DebtCancelled).Add(c.IP).Add(c.Services).Add(c.Other)
}

// ShareholdingDetails are the clerical fields of a shareholding: changing one
// moves no total.
type ShareholdingDetails struct {
	// ShareholderName is the holder's name as printed.
	ShareholderName string `json:"shareholderName,omitempty"`
	// Certificate is the certificate's number, such as CS-12, unique in the organization.
	Certificate   string         `json:"certificate,omitempty"`
	Legends       []LegendID     `json:"legends,omitempty"`
	PricePerShare *Price         `json:"pricePerShare,omitempty"`
	Consideration *Consideration `json:"consideration,omitempty"`
	IssuanceType  string         `json:"issuanceType,omitempty"`
	// VestingSchedule is the id of the schedule by which the shares vest; none: they are
	// the holder's own from the first day. VestingStart is then when they begin to vest.
	VestingSchedule string `json:"vestingSchedule,omitempty"`
	VestingStart    Date   `json:"vestingStart,omitzero"`
	// Vestings are listed instalments in place of a schedule, in shares of the issue.
	Vestings          []vesting.Vesting `json:"vestings,omitempty"`
	BoardApprovalDate Date              `json:"boardApprovalDate,omitzero"`
	Rule144Date       Date              `json:"rule144Date,omitzero"`
	// Block is the id of a funding round, or a word for one that has no record.
	Block      string   `json:"block,omitempty"`
	ExternalID string   `json:"externalId,omitempty"`
	Comments   []string `json:"comments,omitempty"`
}

// Issue is everything that brings a shareholding into being: the fact that an
// event records, whether by issuance or as the result of another shareholding.
type Issue struct {
	ID        ShareholdingID `json:"id"`
	Entity    EntityID       `json:"entity"`
	Security  SecurityID     `json:"security"`
	Shares    Decimal        `json:"shares"`
	IssueDate Date           `json:"issueDate"`
	// SerialNumber counts the certificates of the security from 1, without gaps.
	SerialNumber uint32 `json:"serialNumber"`
	// FromTreasury is how many of the shares the company itself held before.
	FromTreasury Decimal `json:"fromTreasury,omitzero"`
	Award
	ShareholdingDetails
	Source *Source `json:"source,omitempty"`
}

// Origin tells what a shareholding came from.
type Origin struct {
	// Kind is transferred, cancelled, … after what ended its forebears; exercised or
	// released for what came of a grant or a warrant.
	Kind Status           `json:"kind"`
	From []ShareholdingID `json:"from,omitempty"`
	// Option is the grant that it came of.
	Option GrantID `json:"option,omitzero"`
	// Holding is the warrant or convertible that it came of, in the place of From.
	Holding InstrumentID `json:"holding,omitzero"`
}

// End tells how and when a shareholding ended.
type End struct {
	Date   Date   `json:"date"`
	Reason string `json:"reason,omitempty"`
	// At and By are when it was recorded and by whom, a user's id or system:…; none of a
	// lapse that nobody recorded.
	At Instant `json:"at,omitzero"`
	By string  `json:"by,omitempty"`
}

// ShareCount is a quantity that held until a split changed it.
type ShareCount struct {
	Until  Date    `json:"until"`
	Shares Decimal `json:"shares"`
	// Ratio is that of the split.
	Ratio Ratio `json:"ratio"`
	// FromTreasury is how many of them the company itself held before.
	FromTreasury Decimal `json:"-"`
}

// Shareholding is one certificate. The record is immutable: an event about it
// makes a new one.
type Shareholding struct {
	Issue
	Status Status `json:"status"`
	// AcceptedOn is when the holder accepted it; none before.
	AcceptedOn Date    `json:"acceptedOn,omitzero"`
	Origin     *Origin `json:"origin,omitempty"`
	// Results are the shareholdings that came from it, oldest first.
	Results []ShareholdingID `json:"results,omitempty"`
	End     *End             `json:"end,omitempty"`
	// Termination stops the vesting of the shares; nil while they vest.
	Termination *Termination `json:"termination,omitempty"`
	// Before holds the quantities before splits, oldest first.
	Before []ShareCount `json:"before,omitempty"`
	Meta
}

// SharesOn gives the shares that the holding was worth to its holder at the end
// of the day: none before issue and from its end on, what stood before a later
// split, and none at all once voided.
func (h *Shareholding) SharesOn(day Date) Decimal {
	ended := h.End != nil && h.End.Date <= day
	if h.Status == StatusVoided || h.IssueDate > day || ended {
		return Decimal{}
	}
	for _, count := range h.Before {
		if day < count.Until {
			return count.Shares
		}
	}
	return h.Shares
}

// endedShares returns the shares with which the holding ended, in shares of that day.
func (h *Shareholding) endedShares() Decimal {
	for _, count := range h.Before {
		if h.End != nil && h.End.Date < count.Until {
			return count.Shares
		}
	}
	return h.Shares
}

// Invested is what was paid for the shares in the organization's currency: the
// consideration where it is given, else price times shares.
func (h *Shareholding) Invested() Decimal {
	switch {
	case h.Consideration != nil:
		return h.Consideration.Total()
	case h.PricePerShare != nil && h.PricePerShare.Currency == "":
		return worth(h.PricePerShare.Amount, h.original())
	default:
		return Decimal{}
	}
}

// shownPrice returns the price per share in present shares. It is kept as it was quoted: in
// shares of the issue.
func (h *Shareholding) shownPrice() *Price {
	if h.PricePerShare == nil || len(h.Before) == 0 {
		return h.PricePerShare
	}
	return shownPrice(new(big.Rat).Quo(h.PricePerShare.Amount.Rat(), h.growth()), h.PricePerShare.Currency)
}

// growth returns by how much splits multiplied the shares since the issue.
func (h *Shareholding) growth() *big.Rat {
	return grown(h.Before, lastDay, func(count ShareCount) (Date, Ratio) { return count.Until, count.Ratio })
}

// Shown returns the shareholding as it is read: with its price per share in the same shares as
// its quantity.
func (h *Shareholding) Shown() *Shareholding {
	if len(h.Before) == 0 || h.PricePerShare == nil {
		return h
	}
	shown := *h
	shown.PricePerShare = h.shownPrice()
	return &shown
}

// quoted returns a price that was stated in present shares as the journal keeps it: in shares
// of the issue. The price that is read stays as it was quoted.
func (h *Shareholding) quoted(price *Price) *Price {
	switch {
	case price == nil || len(h.Before) == 0:
		return price
	case price.equal(h.shownPrice()):
		return h.PricePerShare
	default:
		return shownPrice(new(big.Rat).Mul(price.Amount.Rat(), h.growth()), price.Currency)
	}
}

// original is the quantity at issue, before any split.
func (h *Shareholding) original() Decimal {
	if len(h.Before) > 0 {
		return h.Before[0].Shares
	}
	return h.Shares
}

// portion is what a part of the shares carries on: the same terms under a new
// number, and its part of what was given for all of them.
func (h *Shareholding) portion(shares Decimal) ShareholdingDetails {
	details := h.ShareholdingDetails
	details.Certificate, details.ExternalID = "", ""
	details.Consideration = h.Consideration.portion(shares, h.Shares)
	details.PricePerShare, details.Vestings = h.shownPrice(), h.listedFor(shares)
	return details
}

// portion gives the part of the consideration for so many of all shares.
func (c *Consideration) portion(shares, all Decimal) *Consideration {
	if c == nil {
		return nil
	}
	part := func(amount Decimal) Decimal {
		product := new(big.Rat).Mul(amount.Rat(), shares.Rat())
		return exact.RoundHalfUp(product.Quo(product, all.Rat()), exact.Places)
	}
	return &Consideration{
		Cash: part(c.Cash), DebtCancelled: part(c.DebtCancelled), IP: part(c.IP), Services: part(c.Services), Other: part(c.Other),
	}
}

// less gives what is left of the consideration without a part of it.
func (c *Consideration) less(part *Consideration) *Consideration {
	if c == nil || part == nil {
		return c
	}
	return &Consideration{
		Cash: c.Cash.Sub(part.Cash), DebtCancelled: c.DebtCancelled.Sub(part.DebtCancelled), IP: c.IP.Sub(part.IP),
		Services: c.Services.Sub(part.Services), Other: c.Other.Sub(part.Other),
	}
}
