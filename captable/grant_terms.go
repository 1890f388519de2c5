package captable

import (
	"slices"
	"strconv"

	"equity/captable/vesting"
)

// terminationReasons returns all termination reasons.
func terminationReasons() []TerminationReason {
	return []TerminationReason{
		VoluntaryOther, VoluntaryGoodCause, VoluntaryRetirement,
		InvoluntaryOther, InvoluntaryDeath, InvoluntaryDisability, InvoluntaryWithCause,
	}
}

// known reports whether the reason is part of the contract.
func (r TerminationReason) known() bool { return slices.Contains(terminationReasons(), r) }

// faults adds the faults of the terms themselves.
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
	t.windowFaults(faults)
}

// longestWindow is the upper limit of a window in its unit: days, months or years.
const longestWindow = 36_500

// windowFaults adds faults for invalid windows and for several windows of the same reason.
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

// faults adds the faults of the amounts for a grant of the given type.
func (a *GrantAmounts) faults(faults *Faults, granted GrantType, security *Security) {
	checkShares(faults, "/quantity", a.Quantity, security)
	checkPrice(faults, "/exercisePrice", a.ExercisePrice)
	checkPrice(faults, "/marketValue", a.MarketValue)
	switch {
	case granted == GrantRSU && a.ExercisePrice != nil:
		faults.Add("/exercisePrice", "notOfType", "Units are released without a price.")
	case granted != GrantRSU && a.ExercisePrice == nil && security != nil: // an unknown pool has no known strike price
		faults.Add("/exercisePrice", "required", "An option has an exercise price; its pool has none either.")
	case a.ExercisePrice != nil && (!a.ExercisePrice.Amount.Fits() || !worth(a.ExercisePrice.Amount, a.Quantity).Fits()):
		faults.Add("/exercisePrice", "tooLarge", "The shares would cost more than can be written.")
	}
}

// vestingFaults adds a fault for vesting terms that cannot be projected. Inconsistent terms are
// refused here, so that later projections always succeed.
func (g *Grant) vestingFaults(faults *Faults) {
	award := vesting.Award{
		Quantity: g.Quantity, GrantDate: g.IssueDate, Start: g.VestingStart, Places: max(g.Quantity.Scale(), 0), Vestings: g.Vestings,
		Accelerations: g.Accelerations,
	}
	_, err := vesting.Project(award, g.terms(), g.Happenings)
	faults.vestingFaults("", err)
}
