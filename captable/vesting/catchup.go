package vesting

import (
	"sort"
	"strconv"

	"equity/captable/exact"
)

// catchUp moves the steps before the grant date. The steps are in order of date.
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

// check returns the faults of an award. atOnce permits an award without a schedule.
func (a Award) check(atOnce bool) Faults {
	var faults Faults
	if a.Quantity.Sign() < 0 || !a.Quantity.Fits() {
		faults.add("/quantity", "negative", "The quantity must not be negative.")
	}
	if atOnce && a.GrantDate.IsZero() {
		faults.add("/grantDate", "required", "grantDate is required for a grant without a schedule.")
	}
	if a.CatchUp != OnGrantDate && a.CatchUp != OnNextInstalment && a.CatchUp != AsScheduled {
		faults.add("/catchUp", "unknownValue", "catchUp must be empty (the grant date), nextInstallment or asScheduled.")
	}
	if a.Places < 0 || a.Places > exact.Places {
		faults.add("/places", "outOfRange", "places must be from 0 to 10.")
	}
	faults.within("/vestings", a.listed(a.Vestings, true))
	faults.within("/accelerations", a.listed(a.Accelerations, false))
	return faults
}

// listed returns the faults of explicit vestings. If all is set, they are the whole schedule: they must be in
// order of date and not exceed the granted quantity.
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
			faults.add(pointer+"/quantity", "negative", "The quantity must not be negative.")
		}
		switch {
		case v.Date.IsZero():
			faults.add(pointer+"/date", "required", "date is required.")
		case all && i > 0 && v.Date < vestings[i-1].Date:
			faults.add(pointer+"/date", "outOfOrder", "The dates must be in order.")
		}
		sum = sum.Add(v.Quantity)
	}
	if all && len(vestings) > 0 && sum.Cmp(a.Quantity) > 0 {
		faults.add("", "moreThanGranted", "The vestings exceed the grant: "+sum.String()+" of "+a.Quantity.String()+".")
	}
	return faults
}
