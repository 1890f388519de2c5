package captable

import (
	"math/big"

	"equity/captable/exact"
	"equity/captable/vesting"
)

// Status is the state of a shareholding or of another holding.
type Status string

// The states of a holding. Active and accepted holdings are outstanding; every other state is
// final. Repaid, exercised, released, forfeited and expired apply only to rights that are not
// shares yet.
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

// Outstanding reports whether a holding in this state is outstanding.
func (s Status) Outstanding() bool { return s == StatusActive || s == StatusAccepted }

// Consideration is the payment for shares, in the organization's currency.
type Consideration struct { //nolint:recvcheck // an absent consideration is nil, Total is a method of the value
	Cash          Decimal `json:"cash,omitzero"`
	DebtCancelled Decimal `json:"debtCancelled,omitzero"`
	IP            Decimal `json:"ip,omitzero"`
	Services      Decimal `json:"services,omitzero"`
	Other         Decimal `json:"other,omitzero"`
}

// Total returns the sum of the parts.
func (c Consideration) Total() Decimal {
	return c.Cash.Add(c.DebtCancelled).Add(c.IP).Add(c.Services).Add(c.Other)
}

// ShareholdingDetails are the clerical fields of a shareholding. Changing them does not change
// any total.
type ShareholdingDetails struct {
	// ShareholderName is the printed name of the holder.
	ShareholderName string `json:"shareholderName,omitempty"`
	// Certificate is the number of the certificate, such as CS-12. It is unique in the
	// organization.
	Certificate   string         `json:"certificate,omitempty"`
	Legends       []LegendID     `json:"legends,omitempty"`
	PricePerShare *Price         `json:"pricePerShare,omitempty"`
	Consideration *Consideration `json:"consideration,omitempty"`
	IssuanceType  string         `json:"issuanceType,omitempty"`
	// VestingSchedule is the id of the schedule by which the shares vest; empty for shares that
	// do not vest by a schedule. VestingStart is the start of the vesting.
	VestingSchedule string `json:"vestingSchedule,omitempty"`
	VestingStart    Date   `json:"vestingStart,omitzero"`
	// Vestings are listed instalments instead of a schedule, in shares of the issue.
	Vestings          []vesting.Vesting `json:"vestings,omitempty"`
	BoardApprovalDate Date              `json:"boardApprovalDate,omitzero"`
	Rule144Date       Date              `json:"rule144Date,omitzero"`
	// Block is the id of a funding round, or the name of a round without a record.
	Block      string   `json:"block,omitempty"`
	ExternalID string   `json:"externalId,omitempty"`
	Comments   []string `json:"comments,omitempty"`
}

// Issue contains the data of a new shareholding. An event records it, for an issuance or for the
// result of another shareholding.
type Issue struct {
	ID        ShareholdingID `json:"id"`
	Entity    EntityID       `json:"entity"`
	Security  SecurityID     `json:"security"`
	Shares    Decimal        `json:"shares"`
	IssueDate Date           `json:"issueDate"`
	// SerialNumber is the number of the certificate within the security, counted from 1 without
	// gaps.
	SerialNumber uint32 `json:"serialNumber"`
	// FromTreasury is the number of the shares that came from the treasury.
	FromTreasury Decimal `json:"fromTreasury,omitzero"`
	Award
	ShareholdingDetails
	Source *Source `json:"source,omitempty"`
}

// Origin contains the records from which a shareholding results.
type Origin struct {
	// Kind is the status with which the earlier shareholdings ended; exercised or released for
	// shares from a grant or a warrant.
	Kind Status           `json:"kind"`
	From []ShareholdingID `json:"from,omitempty"`
	// Option is the grant from which the shares result.
	Option GrantID `json:"option,omitzero"`
	// Holding is the warrant or convertible from which the shares result. From is then empty.
	Holding InstrumentID `json:"holding,omitzero"`
}

// End describes the end of a shareholding.
type End struct {
	Date   Date   `json:"date"`
	Reason string `json:"reason,omitempty"`
	// At and By are the time of the record and its author: the id of a user or system:…. Both are
	// empty for an expiry, which nobody decides.
	At Instant `json:"at,omitzero"`
	By string  `json:"by,omitempty"`
}

// ended returns the end of a record. An expiry has no author, because nobody decides it.
func ended(status Status, date Date, reason string, stamp Stamp) *End {
	if status == StatusExpired {
		stamp = Stamp{}
	}
	return &End{Date: date, Reason: reason, At: stamp.At, By: stamp.By}
}

// ShareCount is a quantity until the split that changed it.
type ShareCount struct {
	Until  Date    `json:"until"`
	Shares Decimal `json:"shares"`
	// Ratio is the ratio of the split.
	Ratio Ratio `json:"ratio"`
	// FromTreasury is the number of these shares that came from the treasury.
	FromTreasury Decimal `json:"-"`
}

// Shareholding is one certificate. The record is immutable: an event replaces it by a changed
// copy.
type Shareholding struct {
	Issue
	Status Status `json:"status"`
	// AcceptedOn is the day on which the holder accepted it; zero before.
	AcceptedOn Date    `json:"acceptedOn,omitzero"`
	Origin     *Origin `json:"origin,omitempty"`
	// Results are the shareholdings that result from it, oldest first.
	Results []ShareholdingID `json:"results,omitempty"`
	End     *End             `json:"end,omitempty"`
	// EndedShares is the quantity that ended of all shareholdings that ended together. The rest is
	// in their balance. EndedSplits is the number of splits before the end: a split that was
	// recorded later can have the same day.
	EndedShares Decimal `json:"-"`
	EndedSplits uint64  `json:"-"`
	// Termination is the termination that stopped the vesting of the shares; nil while they vest.
	Termination *Termination `json:"termination,omitempty"`
	// Before contains the quantities before splits, oldest first.
	Before []ShareCount `json:"before,omitempty"`
	// PreferencePrice is the price paid per share if it differs from the issue price of the class.
	// It is inherited by the shareholdings that result from this one.
	PreferencePrice *PaidPrice `json:"preferencePrice,omitempty"`
	// OriginalConsideration is the amount that the company received for shares that came from
	// others, in its currency, if it differs from the cost of the holder. It follows from those
	// shares: a sale between holders and a corrected price change only the cost.
	OriginalConsideration *Decimal `json:"originalConsideration,omitempty"`
	Meta
}

// SharesOn returns the outstanding shares of the holding at the end of the day, in shares of that
// day. It returns zero before the issue, from the end on, and for a voided holding.
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

// endedShares returns the quantity at the end of the holding, in shares of that day.
func (h *Shareholding) endedShares() Decimal {
	for _, count := range h.Before {
		if h.End != nil && h.End.Date < count.Until {
			return count.Shares
		}
	}
	return h.Shares
}

// Invested returns the price paid for the shares in the organization's currency: the
// consideration if it is known, else price times shares.
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

// shownPrice returns the price per present share. The stored price is per share of the issue.
func (h *Shareholding) shownPrice() *Price {
	if h.PricePerShare == nil || len(h.Before) == 0 {
		return h.PricePerShare
	}
	return shownPrice(new(big.Rat).Quo(h.PricePerShare.Amount.Rat(), h.SplitFactor()), h.PricePerShare.Currency)
}

// SplitFactor returns the factor by which splits multiplied the shares since the issue.
func (h *Shareholding) SplitFactor() *big.Rat {
	return grown(h.Before, lastDay, func(count ShareCount) (Date, Ratio) { return count.Until, count.Ratio })
}

// Shown returns the shareholding for output: its prices per share refer to the same shares as its
// quantity.
func (h *Shareholding) Shown() *Shareholding {
	if h.PreferencePrice == nil && (len(h.Before) == 0 || h.PricePerShare == nil) {
		return h
	}
	shown := *h
	shown.PricePerShare = h.shownPrice()
	if price := h.PreferencePriceOn(lastDay).price(); price != nil {
		shown.PreferencePrice = &PaidPrice{Price: *price}
	}
	return &shown
}

// quoted converts a price per present share to the stored price per share of the issue. If the
// price equals the shown one, it returns the stored price unchanged.
func (h *Shareholding) quoted(price *Price) *Price {
	switch {
	case price == nil || len(h.Before) == 0:
		return price
	case price.equal(h.shownPrice()):
		return h.PricePerShare
	default:
		return shownPrice(new(big.Rat).Mul(price.Amount.Rat(), h.SplitFactor()), price.Currency)
	}
}

// original returns the quantity at issue, before any split.
func (h *Shareholding) original() Decimal {
	if len(h.Before) > 0 {
		return h.Before[0].Shares
	}
	return h.Shares
}

// paid returns the consideration. If none is known and the price per present share is rounded, it
// returns the cost of the shares, so that it is not computed from the rounded price.
func (h *Shareholding) paid() *Consideration {
	shown := h.shownPrice()
	if h.Consideration != nil || shown == nil || shown.Currency != "" || worth(shown.Amount, h.Shares).Equal(h.Invested()) {
		return h.Consideration
	}
	return &Consideration{Other: h.Invested()}
}

// portion returns the details for a part of the shares: the same terms without the certificate
// number and external id, and the proportional part of the consideration.
func (h *Shareholding) portion(shares Decimal) ShareholdingDetails {
	details := h.ShareholdingDetails
	details.Certificate, details.ExternalID = "", ""
	details.Consideration = h.paid().portion(shares, h.Shares)
	details.PricePerShare, details.Vestings = h.shownPrice(), h.listedFor(shares)
	return details
}

// portion returns the part of the consideration for the given part of all shares.
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

// less returns the consideration minus a part of it.
func (c *Consideration) less(part *Consideration) *Consideration {
	if c == nil || part == nil {
		return c
	}
	return &Consideration{
		Cash: c.Cash.Sub(part.Cash), DebtCancelled: c.DebtCancelled.Sub(part.DebtCancelled), IP: c.IP.Sub(part.IP),
		Services: c.Services.Sub(part.Services), Other: c.Other.Sub(part.Other),
	}
}
