package captable

import (
	"slices"
	"strconv"

	"equity/captable/vesting"
)

// terminationReasons lists them all.
func terminationReasons() []TerminationReason {
	return []TerminationReason{
		VoluntaryOther, VoluntaryGoodCause, VoluntaryRetirement,
		InvoluntaryOther, InvoluntaryDeath, InvoluntaryDisability, InvoluntaryWithCause,
	}
}

// known reports whether it is one of the contract's.
func (r TerminationReason) known() bool { return slices.Contains(terminationReasons(), r) }

// faults lists what is wrong with the terms themselves.
func (t *GrantTerms) faults(faults *Faults) {
	if !slices.Contains(grantTypes(), t.Type) {
		faults.Add("/type", "enum", "The type is iso, nso, international, rsu or sar.")
	}
	if !t.ExpirationDate.IsZero() && t.ExpirationDate <= t.IssueDate {
		faults.Add("/expirationDate", "datesOutOfOrder", "The grant would expire before the day after it was made, "+t.IssueDate.String()+".")
	}
	if t.EarlyExercise && !t.IsOption() {
		faults.Add("/earlyExercise", "notOfType", "Units are released, not exercised.")
	}
	checkPrice(faults, "/marketValue", t.MarketValue)
	t.windowFaults(faults)
}

// longestWindow is more days, months or years than any window has.
const longestWindow = 36_500

// windowFaults notes windows that say nothing, or twice how long there is after one reason.
func (t *GrantTerms) windowFaults(faults *Faults) {
	seen := map[TerminationReason]bool{}
	for i, window := range t.TerminationWindows {
		pointer := "/terminationWindows/" + strconv.Itoa(i)
		switch {
		case !window.Reason.known():
			faults.Add(pointer+"/reason", "enum", "This is no reason of a termination.")
		case seen[window.Reason]:
			faults.Add(pointer+"/reason", "duplicate", "Another window is of this reason.")
		}
		seen[window.Reason] = true
		if window.Period.N < 0 || window.Period.N > longestWindow {
			faults.Add(pointer+"/period/n", "outOfRange", "A window is 0 to "+strconv.Itoa(longestWindow)+" long.")
		}
		if !slices.Contains([]vesting.Unit{vesting.Days, vesting.Months, vesting.Years}, window.Period.Unit) {
			faults.Add(pointer+"/period/unit", "enum", "The unit is days, months or years.")
		}
	}
}

// faults lists what is wrong with the amounts for a grant of the type.
func (a *GrantAmounts) faults(faults *Faults, granted GrantType, security *Security) {
	checkShares(faults, "/quantity", a.Quantity, security)
	checkPrice(faults, "/exercisePrice", a.ExercisePrice)
	switch {
	case granted == GrantRSU && a.ExercisePrice != nil:
		faults.Add("/exercisePrice", "notOfType", "Units are released without a price.")
	case granted != GrantRSU && a.ExercisePrice == nil && security != nil: // without a pool nobody knows its price
		faults.Add("/exercisePrice", "required", "An option has an exercise price; its pool has none either.")
	case a.ExercisePrice != nil && (!a.ExercisePrice.Amount.Fits() || !worth(a.ExercisePrice.Amount, a.Quantity).Fits()):
		faults.Add("/exercisePrice", "tooLarge", "The shares would cost more than can be written.")
	}
}

// vestingFaults notes why the grant could not vest as it says: what does not fit together
// is refused now, so that it can be projected ever after.
func (g *Grant) vestingFaults(faults *Faults) {
	award := vesting.Award{
		Quantity: g.Quantity, GrantDate: g.IssueDate, Start: g.VestingStart, Places: max(g.Quantity.Scale(), 0), Vestings: g.Vestings,
		Accelerations: g.Accelerations,
	}
	_, err := vesting.Project(award, g.terms(), g.Happenings)
	faults.vestingFaults("", err)
}
