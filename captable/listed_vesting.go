package captable

import (
	"math/big"
	"slices"

	"equity/captable/exact"
	"equity/captable/vesting"
)

// checkVestings adds a fault for listed instalments by which the shares cannot vest.
func (d *ShareholdingDetails) checkVestings(faults *Faults, shares Decimal, issued Date) {
	if len(d.Vestings) == 0 {
		return
	}
	if d.VestingSchedule != "" {
		faults.Add("/vestings", "ambiguous", "Shares vest by either a schedule or listed instalments.")
		return
	}
	_, err := vesting.Project(vesting.Award{Quantity: shares, GrantDate: issued, Places: max(shares.Scale(), 0), Vestings: d.Vestings}, vesting.Terms{}, nil)
	faults.vestingFaults("", err)
}

// vests reports whether the details have a vesting schedule or listed instalments.
func (d *ShareholdingDetails) vests() bool { return d.VestingSchedule != "" || len(d.Vestings) > 0 }

// listedFor returns the listed instalments of a part of the present shares, in present shares. The
// cumulative sums of the instalments are divided in proportion and rounded down.
func (h *Shareholding) listedFor(part Decimal) []vesting.Vesting {
	return listed(h.Vestings, quotient(part.Rat(), h.original().Rat()), max(part.Scale(), h.Shares.Scale(), 0))
}

// listedUpTo returns the listed instalments of the given number of shares that vest first.
func (h *Shareholding) listedUpTo(most Decimal) (kept []vesting.Vesting) {
	left := most
	for _, instalment := range h.listedFor(h.Shares) {
		instalment.Quantity = instalment.Quantity.Min(left)
		if left = left.Sub(instalment.Quantity); instalment.Quantity.Sign() > 0 {
			kept = append(kept, instalment)
		}
	}
	return kept
}

// listed multiplies instalments by a factor. It rounds down their cumulative sums to the given
// number of decimal places.
func listed(instalments []vesting.Vesting, by *big.Rat, places int) (multiplied []vesting.Vesting) {
	sum, counted := new(big.Rat), Decimal{}
	for _, instalment := range instalments {
		sum.Add(sum, instalment.Quantity.Rat())
		until := exact.RoundDown(new(big.Rat).Mul(sum, by), places)
		if quantity := until.Sub(counted); quantity.Sign() > 0 {
			multiplied = append(multiplied, vesting.Vesting{Date: instalment.Date, Quantity: quantity})
		}
		counted = until
	}
	return multiplied
}

// sameVesting reports whether both have the same vesting.
func (d *ShareholdingDetails) sameVesting(other *ShareholdingDetails) bool {
	return d.VestingSchedule == other.VestingSchedule && d.VestingStart == other.VestingStart &&
		slices.EqualFunc(d.Vestings, other.Vestings, func(a, b vesting.Vesting) bool { return a.Date == b.Date && a.Quantity.Equal(b.Quantity) })
}
