package captable

import (
	"slices"

	"equity/captable/timeline"
)

// PoolTerms are the fields of a pool that its owners set.
type PoolTerms struct {
	// ID names the pool that these terms are of; zero for a new one.
	ID PoolID `json:"id,omitzero"`
	// Name is unique within the plan, whatever its case.
	Name string `json:"name"`
	// Security is the class that the pool reserves.
	Security SecurityID `json:"security"`
	// TotalShares is what the pool reserves in all, for what was granted long ago too.
	TotalShares Decimal `json:"totalShares"`
	// StrikePrice is the price of a grant that states none itself.
	StrikePrice *Price `json:"strikePrice,omitempty"`
	// BoardApprovalDate is since when the pool has its present size; none: since the
	// plan was approved, or since ever.
	BoardApprovalDate Date `json:"boardApprovalDate,omitzero"`
}

// PoolRef names a pool within its plan.
type PoolRef struct {
	Plan PlanID `json:"plan"`
	Pool PoolID `json:"pool"`
}

// Pool is a reserve of shares of one class, and what has become of it.
type Pool struct {
	PoolTerms
	PoolFigures
	// taken is the negative of what is available, over the days.
	taken timeline.Line
	// Grants counts what was ever granted from the pool, retracted grants too.
	Grants int `json:"grants"`
	// PastStrikes are the strike prices of the past, oldest first.
	PastStrikes []PastStrike `json:"pastStrikes,omitempty"`
	// PastBoardApprovals are the approvals before each change, in the order of entry.
	PastBoardApprovals []PastBoardApproval `json:"pastBoardApprovals,omitempty"`
}

// PastBoardApproval holds the board's approval of a pool before a change that takes effect on a date.
type PastBoardApproval struct {
	Until             Date `json:"until"`
	BoardApprovalDate Date `json:"boardApprovalDate,omitzero"`
}

// keepBoardApproval notes the board's approval before other terms take effect. A new approval
// takes effect on its own date, its removal on the day of entry.
func (p *Pool) keepBoardApproval(terms *PoolTerms, entered Date) {
	if terms.BoardApprovalDate == p.BoardApprovalDate {
		return
	}
	until := terms.BoardApprovalDate
	if until.IsZero() {
		until = entered
	}
	p.PastBoardApprovals = append(slices.Clip(p.PastBoardApprovals), PastBoardApproval{Until: until, BoardApprovalDate: p.BoardApprovalDate})
}

// boardApprovalOn returns the approval that was entered last of those in effect on the day.
func (p *Pool) boardApprovalOn(day Date) Date {
	approved := p.BoardApprovalDate
	for _, past := range slices.Backward(p.PastBoardApprovals) {
		if day >= past.Until {
			break
		}
		approved = past.BoardApprovalDate
	}
	return approved
}

// PastStrike holds a strike price of a pool until a date, in shares of the days before it.
type PastStrike struct {
	Until       Date   `json:"until"`
	StrikePrice *Price `json:"strikePrice,omitempty"`
	// Ratio is that of the split which restated it; absent if it was stated anew.
	Ratio Ratio `json:"ratio,omitzero"`
}

// keepStrike notes the strike price until a date, before it changes.
func (p *Pool) keepStrike(until Date, ratio Ratio) {
	if n := len(p.PastStrikes); n > 0 { // a split may be dated tomorrow, where the day begins first
		until = max(until, p.PastStrikes[n-1].Until)
	}
	p.PastStrikes = append(slices.Clip(p.PastStrikes), PastStrike{Until: until, StrikePrice: p.StrikePrice, Ratio: ratio})
}

// splitStrike divides the strike price by the ratio of a split.
func (p *Pool) splitStrike(ratio Ratio, on Date) {
	price := ratio.restatedPrice(p.StrikePrice, pastOf(p.PastStrikes, func(past PastStrike) pastPrice {
		return pastPrice{past.StrikePrice, past.Ratio}
	}))
	p.keepStrike(on, ratio)
	p.StrikePrice = price
}

// strikeOn returns the strike price of the end of the day.
func (p *Pool) strikeOn(day Date) *Price {
	for _, past := range p.PastStrikes {
		if day < past.Until {
			return past.StrikePrice
		}
	}
	return p.StrikePrice
}

// PoolFigures are what has become of a pool's shares. Always
//
//	granted = outstanding + exercised + cancelled
//	reserve = available + outstanding + exercised + retired
//
// and none of them is negative. Exercising does not refill a pool; what is cancelled
// returns once or never.
type PoolFigures struct {
	// Reserve is the pool's total.
	Reserve Decimal `json:"reserve"`
	// Granted is everything granted so far but what was retracted.
	Granted Decimal `json:"granted"`
	// Exercised is what became shares, or was given up to pay for them: options
	// exercised and units released.
	Exercised Decimal `json:"exercised"`
	// Cancelled is what ended otherwise: cancelled, forfeited and expired.
	Cancelled Decimal `json:"cancelled"`
	// Returned is the part of Cancelled that may be granted again.
	Returned Decimal `json:"returned"`
}

// Outstanding is what holders may still get shares for.
func (f PoolFigures) Outstanding() Decimal { return f.Granted.Sub(f.Exercised).Sub(f.Cancelled) }

// Retired is what was cancelled and did not return: used, though nobody has it.
func (f PoolFigures) Retired() Decimal { return f.Cancelled.Sub(f.Returned) }

// Available is what may still be granted.
func (f PoolFigures) Available() Decimal { return f.Reserve.Sub(f.Granted).Add(f.Returned) }

// Reserved is what the class keeps for the pool: what is available and outstanding.
// The rest was issued, or needs no shares any more.
func (f PoolFigures) Reserved() Decimal { return f.Available().Add(f.Outstanding()) }

// Add gives the figures moved on by a change.
func (f PoolFigures) Add(change PoolFigures) PoolFigures {
	return PoolFigures{
		Reserve: f.Reserve.Add(change.Reserve), Granted: f.Granted.Add(change.Granted), Exercised: f.Exercised.Add(change.Exercised),
		Cancelled: f.Cancelled.Add(change.Cancelled), Returned: f.Returned.Add(change.Returned),
	}
}

// Sub gives the figures as they were before a change.
func (f PoolFigures) Sub(change PoolFigures) PoolFigures {
	return PoolFigures{
		Reserve: f.Reserve.Sub(change.Reserve), Granted: f.Granted.Sub(change.Granted), Exercised: f.Exercised.Sub(change.Exercised),
		Cancelled: f.Cancelled.Sub(change.Cancelled), Returned: f.Returned.Sub(change.Returned),
	}
}

// negative reports whether one of the figures is below zero, which none may be.
func (f PoolFigures) negative() bool {
	for _, figure := range []Decimal{f.Reserve, f.Granted, f.Exercised, f.Cancelled, f.Returned, f.Outstanding(), f.Retired(), f.Available()} {
		if figure.Sign() < 0 {
			return true
		}
	}
	return false
}

// none reports whether all figures are zero.
func (f PoolFigures) none() bool {
	for _, figure := range []Decimal{f.Reserve, f.Granted, f.Exercised, f.Cancelled, f.Returned} {
		if !figure.IsZero() {
			return false
		}
	}
	return true
}
