package captable

// GrantQuantities are what has become of a grant, or of several together, at the end of
// a day. Always
//
//	quantity = outstanding + exercised + released + cancelled + expired
//	quantity = vested + unvested + what was cancelled before it vested
type GrantQuantities struct {
	Quantity Decimal `json:"quantity"`
	// Vested counts what was exercised or released since.
	Vested   Decimal `json:"vested"`
	Unvested Decimal `json:"unvested"`
	// Exercisable is what may be exercised on the day; none of units.
	Exercisable Decimal `json:"exercisable"`
	// Releasable are vested units that are not yet shares.
	Releasable Decimal `json:"releasable"`
	Exercised  Decimal `json:"exercised"`
	Released   Decimal `json:"released"`
	// Cancelled counts what was forfeited.
	Cancelled   Decimal `json:"cancelled"`
	Expired     Decimal `json:"expired"`
	Outstanding Decimal `json:"outstanding"`
}

// Add gives the quantities of both together.
func (q GrantQuantities) Add(other GrantQuantities) GrantQuantities {
	return GrantQuantities{
		Quantity: q.Quantity.Add(other.Quantity), Vested: q.Vested.Add(other.Vested), Unvested: q.Unvested.Add(other.Unvested),
		Exercisable: q.Exercisable.Add(other.Exercisable), Releasable: q.Releasable.Add(other.Releasable),
		Exercised: q.Exercised.Add(other.Exercised), Released: q.Released.Add(other.Released),
		Cancelled: q.Cancelled.Add(other.Cancelled), Expired: q.Expired.Add(other.Expired), Outstanding: q.Outstanding.Add(other.Outstanding),
	}
}
