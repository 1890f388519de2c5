package captable

import (
	"cmp"
	"math/big"
	"slices"
)

// TableConvertible is the line of a note, a SAFE or a custom agreement. Its conversion price is
// unknown, so that it does not count as shares of the company.
type TableConvertible struct {
	Holding   InstrumentID   `json:"holding"`
	Kind      InstrumentKind `json:"kind"`
	Entity    EntityID       `json:"entity"`
	Name      string         `json:"name"`
	IssueDate Date           `json:"issueDate"`
	// Principal is the unpaid principal. The other amounts are in its currency.
	Principal       Money    `json:"principal"`
	AccruedInterest Decimal  `json:"accruedInterest"`
	Balance         Decimal  `json:"balance"`
	MaturityDate    Date     `json:"maturityDate,omitzero"`
	ValuationCap    *Price   `json:"valuationCap,omitempty"`
	CapBasis        string   `json:"capBasis,omitempty"`
	Discount        *Decimal `json:"discount,omitempty"`
	MFN             bool     `json:"mfn,omitempty"`
}

// ConvertibleSum is the total of the convertibles in one currency.
type ConvertibleSum struct {
	Currency string `json:"currency"`
	// Count is the number of convertibles.
	Count           int     `json:"count"`
	Principal       Decimal `json:"principal"`
	AccruedInterest Decimal `json:"accruedInterest"`
	Balance         Decimal `json:"balance"`
}

// TableWarrant is the line of a warrant. Its shares are counted in the position of its holder.
type TableWarrant struct {
	Holding   InstrumentID `json:"holding"`
	Entity    EntityID     `json:"entity"`
	Name      string       `json:"name"`
	IssueDate Date         `json:"issueDate"`
	// Security is the class of the shares; zero if it is unknown.
	Security SecurityID `json:"security,omitzero"`
	// Quantity is the number of shares that the warrant can still buy; zero if it depends on the
	// coverage.
	Quantity       Decimal  `json:"quantity"`
	Coverage       *Decimal `json:"coverage,omitempty"`
	ExercisePrice  *Price   `json:"exercisePrice,omitempty"`
	ExpirationDate Date     `json:"expirationDate,omitzero"`
	// FullyDiluted is the quantity as converted; zero if the security or the quantity is unknown.
	FullyDiluted Decimal `json:"fullyDiluted"`
}

// addInstruments adds the instruments that were outstanding at the end of the day, in the order
// of entry.
func (r *instrumentRegister) addInstruments(table *Table, ratios map[SecurityID]*big.Rat, name func(EntityID) string) {
	for now := range r.records.All() {
		i, issued := now.On(table.AsOf)
		switch {
		case !issued || !i.Status.Outstanding():
		case i.IsConvertible():
			table.Convertibles = append(table.Convertibles, i.convertibleLine(table.AsOf, name))
		default:
			table.Warrants = append(table.Warrants, i.warrantLine(ratios, name))
		}
	}
	table.Totals.Convertibles = convertibleSums(table.Convertibles)
}

func (i *Instrument) convertibleLine(day Date, name func(EntityID) string) TableConvertible {
	line := TableConvertible{
		Holding: i.ID, Kind: i.Kind, Entity: i.Entity, Name: name(i.Entity), IssueDate: i.IssueDate, MaturityDate: i.MaturityDate,
		ValuationCap: i.ValuationCap, CapBasis: i.CapBasis, Discount: i.Discount, MFN: i.MFN,
	}
	line.Balance, line.AccruedInterest = i.Balance(day)
	line.Principal = Money{Amount: line.Balance.Sub(line.AccruedInterest), Currency: i.Principal.Currency}
	return line
}

func (i *Instrument) warrantLine(ratios map[SecurityID]*big.Rat, name func(EntityID) string) TableWarrant {
	line := TableWarrant{
		Holding: i.ID, Entity: i.Entity, Name: name(i.Entity), IssueDate: i.IssueDate, Security: i.Security, Quantity: i.Left,
		Coverage: i.Coverage, ExercisePrice: i.ExercisePrice, ExpirationDate: i.ExpirationDate,
	}
	if !i.Security.IsZero() {
		line.FullyDiluted = diluted(i.Left, i.Security, ratios)
	}
	return line
}

// convertibleSums returns the sums of the convertibles by currency, in the order of the currency
// codes.
func convertibleSums(lines []TableConvertible) []ConvertibleSum {
	var sums []ConvertibleSum
	for _, line := range lines {
		n, found := slices.BinarySearchFunc(sums, line.Principal.Currency, func(sum ConvertibleSum, currency string) int {
			return cmp.Compare(sum.Currency, currency)
		})
		if !found {
			sums = slices.Insert(sums, n, ConvertibleSum{Currency: line.Principal.Currency})
		}
		sum := &sums[n]
		sum.Count++
		sum.Principal, sum.Balance = sum.Principal.Add(line.Principal.Amount), sum.Balance.Add(line.Balance)
		sum.AccruedInterest = sum.AccruedInterest.Add(line.AccruedInterest)
	}
	return sums
}

// addWarrants adds the shares that warrants can still buy, for warrants with a known class and
// quantity.
func (r *instrumentRegister) addWarrants(lines *register, day Date) {
	for i := range r.records.All() {
		if left := i.LeftOn(day); !left.IsZero() && !i.Security.IsZero() {
			p := lines.position(i.Entity, i.Security)
			p.Warrants = p.Warrants.Add(left)
		}
	}
}

// ungranted returns the available shares of the pools at the end of the day, as converted.
func ungranted(s *State, day Date, ratios map[SecurityID]*big.Rat) (shares Decimal) {
	pools := Table{AsOf: day}
	addPools(s, &pools, ratios)
	for _, pool := range pools.Pools {
		shares = shares.Add(pool.FullyDiluted)
	}
	return shares
}
