package captable

import (
	"slices"
	"strconv"
	"strings"
)

// longestTerm is the longest term of a plan in years.
const longestTerm = 100

// checked returns the normalized terms for the plan, with ids for new pools. The error lists all
// invalid fields, or reports a conflict with another plan.
func (t PlanTerms) checked(s *State, m Moment, plan *Plan) (PlanTerms, error) {
	t.Name = strings.TrimSpace(t.Name)
	if t.CancellationBehavior == "" {
		t.CancellationBehavior = ReturnToPool
	}
	t.Pools, t.VestingSchedules = slices.Clone(t.Pools), slices.Clone(t.VestingSchedules)
	faults := t.faults(s, m)
	for i, schedule := range t.VestingSchedules {
		pointer := "/vestingSchedules/" + strconv.Itoa(i)
		t.VestingSchedules[i] = s.schedules.link(&faults, pointer, schedule)
		if slices.Contains(t.VestingSchedules[:i], t.VestingSchedules[i]) {
			faults.Add(pointer, "duplicate", "The vesting schedule is listed twice.")
		}
	}
	for i := range t.Pools {
		pool, pointer := &t.Pools[i], "/pools/"+strconv.Itoa(i)
		pool.Name, pool.StrikePrice = strings.TrimSpace(pool.Name), pool.StrikePrice.in(m.Currency)
		t.poolFaults(s, m, &faults, pointer, i)
		if _, known := plan.pool(pool.ID); !known && !pool.ID.IsZero() {
			faults.Add(pointer+"/id", "unknownReference", "The plan has no such pool.")
		}
	}
	if err := faults.Err(); err != nil {
		return t, err
	}
	for i := range t.Pools {
		if t.Pools[i].ID.IsZero() {
			t.Pools[i].ID = m.NewID()
		}
	}
	if other := s.plans.named(t.Name); other != nil && other.ID != plan.ID {
		return t, Refuse(CodeConflict, "Another plan has this name.").With("plan", other.ID.String())
	}
	return t, s.externalIDs.checkUnused(kindPlan, t.ExternalID, plan.ID)
}

// faults returns the invalid fields of the terms, without those of the pools.
func (t PlanTerms) faults(s *State, m Moment) Faults {
	var faults Faults
	if t.Name == "" {
		faults.Add("/name", "required", "A plan has a name.")
	}
	m.checkApproval(&faults, "/boardApprovalDate", t.BoardApprovalDate)
	m.checkApproval(&faults, "/stockholderApprovalDate", t.StockholderApprovalDate)
	if t.TermYears < 0 || t.TermYears > longestTerm {
		faults.Add("/termYears", "outOfRange", "The term is 1 to "+strconv.Itoa(longestTerm)+" years.")
	}
	if !slices.Contains([]CancellationBehavior{ReturnToPool, Retire, HoldAsCapitalStock}, t.CancellationBehavior) {
		faults.Add("/cancellationBehavior", "enum", "The cancellation behavior is returnToPool, retire or holdAsCapitalStock.")
	}
	for i, id := range t.Securities {
		if _, known := s.Security(id); !known {
			faults.Add("/securities/"+strconv.Itoa(i), "unknownReference", "There is no such security.")
		}
	}
	for i, approved := range t.ApprovedEquities {
		approved.check(&faults, "/approvedEquities/"+strconv.Itoa(i))
	}
	for i, document := range t.Documents {
		document.check(&faults, "/documents/"+strconv.Itoa(i))
	}
	return faults
}

func (a ApprovedEquity) check(faults *Faults, pointer string) {
	if !slices.Contains(grantTypes(), a.Type) {
		faults.Add(pointer+"/type", "enum", "The type is iso, nso, international, rsu or sar.")
	}
	if a.Quantity != nil && a.Quantity.Sign() < 0 {
		faults.Add(pointer+"/quantity", "negative", "A quantity is not negative.")
	}
}

func (d PlanDocument) check(faults *Faults, pointer string) {
	if !slices.Contains([]string{"plan", "boardApproval", "grantAgreement"}, d.Kind) {
		faults.Add(pointer+"/kind", "enum", "The kind is plan, boardApproval or grantAgreement.")
	}
	if d.File == "" {
		faults.Add(pointer+"/file", "required", "A document has a file.")
	}
}

// poolFaults adds the faults of the pool with index i.
func (t PlanTerms) poolFaults(s *State, m Moment, faults *Faults, pointer string, i int) {
	pool := t.Pools[i]
	if pool.Name == "" {
		faults.Add(pointer+"/name", "required", "A pool has a name.")
	}
	for _, earlier := range t.Pools[:i] {
		if strings.EqualFold(earlier.Name, pool.Name) {
			faults.Add(pointer+"/name", "duplicate", "Another pool of the plan has this name.")
		}
		if earlier.ID == pool.ID && !pool.ID.IsZero() {
			faults.Add(pointer+"/id", "duplicate", "The pool is listed twice.")
		}
	}
	_, known := s.Security(pool.Security)
	switch {
	case !known:
		faults.Add(pointer+"/security", "unknownReference", "There is no such security.")
	case len(t.Securities) > 0 && !slices.Contains(t.Securities, pool.Security):
		faults.Add(pointer+"/security", "notOfPlan", "The plan does not grant this security.")
	}
	checkPoolSize(faults, pointer+"/totalShares", pool.TotalShares, s, pool.Security)
	checkPrice(faults, pointer+"/strikePrice", pool.StrikePrice)
	m.checkApproval(faults, pointer+"/boardApprovalDate", pool.BoardApprovalDate)
}

// checkApproval adds a fault for the date of an approval in the future.
func (m Moment) checkApproval(faults *Faults, pointer string, date Date) {
	if date > m.Latest() {
		faults.Add(pointer, "dateInFuture", "The date lies in the future.")
	}
}
