package captable

// GrantQuantities are the quantities of one or several grants at the end of a day. These equations
// always hold:
//
//	quantity = outstanding + exercised + released + cancelled + expired
//	quantity = vested + unvested + quantity that ended before it vested
type GrantQuantities struct {
	Quantity Decimal `json:"quantity"`
	// Vested includes exercised and released shares.
	Vested   Decimal `json:"vested"`
	Unvested Decimal `json:"unvested"`
	// Exercisable is the quantity that may be exercised on the day. It is zero for units.
	Exercisable Decimal `json:"exercisable"`
	// Releasable is the number of vested units that are not released.
	Releasable Decimal `json:"releasable"`
	Exercised  Decimal `json:"exercised"`
	Released   Decimal `json:"released"`
	// Cancelled includes forfeited and transferred options.
	Cancelled   Decimal `json:"cancelled"`
	Expired     Decimal `json:"expired"`
	Outstanding Decimal `json:"outstanding"`
}

// Add returns the sum of both quantities.
func (q GrantQuantities) Add(other GrantQuantities) GrantQuantities {
	return GrantQuantities{
		Quantity: q.Quantity.Add(other.Quantity), Vested: q.Vested.Add(other.Vested), Unvested: q.Unvested.Add(other.Unvested),
		Exercisable: q.Exercisable.Add(other.Exercisable), Releasable: q.Releasable.Add(other.Releasable),
		Exercised: q.Exercised.Add(other.Exercised), Released: q.Released.Add(other.Released),
		Cancelled: q.Cancelled.Add(other.Cancelled), Expired: q.Expired.Add(other.Expired), Outstanding: q.Outstanding.Add(other.Outstanding),
	}
}
