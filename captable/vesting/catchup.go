package vesting

import (
	"sort"
	"strconv"

	"equity/captable/exact"
)

// catchUp moves the steps that lie before the grant, which are in order of date.
func (a Award) catchUp(steps []step) {
	before := sort.Search(len(steps), func(i int) bool { return steps[i].on >= a.GrantDate })
	to := a.GrantDate
	switch {
	case before == 0 || a.CatchUp == AsScheduled:
		return
	case a.CatchUp == OnNextInstalment && before < len(steps):
		to = steps[before].on
	}
	for i := range steps[:before] {
		steps[i].on, steps[i].joined = to, true
	}
}

// check gives what is wrong with an award, which may be vested at once.
func (a Award) check(atOnce bool) Faults {
	var faults Faults
	if a.Quantity.Sign() < 0 || !a.Quantity.Fits() {
		faults.add("/quantity", "negative", "A quantity is not negative.")
	}
	if atOnce && a.GrantDate.IsZero() {
		faults.add("/grantDate", "required", "What is vested at once vests on the grant date.")
	}
	if a.CatchUp != OnGrantDate && a.CatchUp != OnNextInstalment && a.CatchUp != AsScheduled {
		faults.add("/catchUp", "unknownValue", "Instalments from before the grant come on the grant date, with the next instalment, or as scheduled.")
	}
	if a.Places < 0 || a.Places > exact.Places {
		faults.add("/places", "outOfRange", "A share is divided into 0 to 10 places.")
	}
	faults.within("/vestings", a.listed(a.Vestings, true))
	faults.within("/accelerations", a.listed(a.Accelerations, false))
	return faults
}

// listed gives what is wrong with vestings that are told one by one. Those that are the
// whole schedule are in order of date, and no more than was granted.
func (a Award) listed(vestings []Vesting, all bool) Faults {
	var faults Faults
	var sum exact.Decimal
	if len(vestings) > MaxInstalments {
		faults.add("", "tooMany", "There are too many instalments.")
		return faults
	}
	for i, v := range vestings {
		pointer := "/" + strconv.Itoa(i)
		if v.Quantity.Sign() < 0 || !v.Quantity.Fits() {
			faults.add(pointer+"/quantity", "negative", "A quantity is not negative.")
		}
		switch {
		case v.Date.IsZero():
			faults.add(pointer+"/date", "required", "A date is needed.")
		case all && i > 0 && v.Date < vestings[i-1].Date:
			faults.add(pointer+"/date", "outOfOrder", "The dates are not in order.")
		}
		sum = sum.Add(v.Quantity)
	}
	if all && len(vestings) > 0 && sum.Cmp(a.Quantity) > 0 {
		faults.add("", "moreThanGranted", "More vests than was granted: "+sum.String()+" of "+a.Quantity.String()+".")
	}
	return faults
}
