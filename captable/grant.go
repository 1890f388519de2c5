package captable

import (
	"iter"
	"slices"
	"strconv"

	"equity/captable/vesting"
	"equity/fault"
)

// GrantTerms are the terms of a grant.
type GrantTerms struct {
	// Plan and Pool are both zero for a grant outside a plan, which occurs in imported packages.
	Plan PlanID    `json:"plan,omitzero"`
	Pool PoolID    `json:"pool,omitzero"`
	Type GrantType `json:"type"`
	// IssueDate is the day of the grant.
	IssueDate Date `json:"issueDate"`
	// ExpirationDate is the last day on which the grant may be exercised. Zero means no expiry.
	ExpirationDate Date `json:"expirationDate,omitzero"`
	// VestingSchedule is the id of the vesting schedule. A grant without a schedule, compiled
	// terms and listed vestings is fully vested on the day of the grant.
	VestingSchedule string `json:"vestingSchedule,omitempty"`
	// VestingStart is the first day of the schedule. Zero means the day of the grant.
	VestingStart Date `json:"vestingStart,omitzero"`
	// EarlyExercise allows the exercise of unvested options. The resulting shares continue to
	// vest.
	EarlyExercise bool `json:"earlyExercise,omitempty"`
	// TerminationWindows limit the exercise of vested options after a termination. A reason
	// without a window leaves them exercisable until the expiration date.
	TerminationWindows []TerminationWindow `json:"terminationWindows,omitempty"`
}

// TerminationReason is the reason for the end of a holder's service, as listed in the Open Cap
// Format.
type TerminationReason string

// The termination reasons of the contract.
const (
	VoluntaryOther        TerminationReason = "voluntaryOther"
	VoluntaryGoodCause    TerminationReason = "voluntaryGoodCause"
	VoluntaryRetirement   TerminationReason = "voluntaryRetirement"
	InvoluntaryOther      TerminationReason = "involuntaryOther"
	InvoluntaryDeath      TerminationReason = "involuntaryDeath"
	InvoluntaryDisability TerminationReason = "involuntaryDisability"
	InvoluntaryWithCause  TerminationReason = "involuntaryWithCause"
)

// TerminationWindow is the period after a termination in which vested options may still be
// exercised. A period of 0 ends with the day of the termination.
type TerminationWindow struct {
	Reason TerminationReason `json:"reason"`
	Period vesting.Period    `json:"period"`
}

// Termination is the end of a holder's service.
type Termination struct {
	// Date is the last day on which the grant vests.
	Date   Date              `json:"date"`
	Reason TerminationReason `json:"reason"`
}

// GrantAmounts are the quantities and prices of a grant, all of which a split restates.
type GrantAmounts struct {
	Quantity Decimal `json:"quantity"`
	// ExercisePrice is the price of one share. It is the base price for an appreciation right and
	// nil for units.
	ExercisePrice *Price `json:"exercisePrice,omitempty"`
	// MarketValue is the value of one share on the day of the grant, for the $100,000 rule. If it
	// is nil, the valuation in force on that day is used, or else the exercise price.
	MarketValue *Price `json:"marketValue,omitempty"`
	// Terms are the terms of the vesting schedule, compiled on the day of the grant.
	Terms *vesting.Terms `json:"terms,omitempty"`
	// Vestings are listed instalments. If present, they replace Terms.
	Vestings []vesting.Vesting `json:"vestings,omitempty"`
	// Accelerations vest in addition, ahead of the schedule.
	Accelerations []vesting.Vesting `json:"accelerations,omitempty"`
	// Repricings are the earlier changes of the exercise price, oldest first.
	Repricings []Repricing `json:"repricings,omitempty"`
	// Deductions are the deductions from the grant in recorded order.
	Deductions []Deduction `json:"takings,omitempty"`
}

// Deduction reduces a grant: an exercise, release, cancellation, forfeiture, transfer or
// expiry.
type Deduction struct {
	// Kind is exercised, released, cancelled, forfeited, expired or transferred.
	Kind     Status  `json:"kind"`
	Date     Date    `json:"date"`
	Quantity Decimal `json:"quantity"`
	// Unvested is the part of the quantity that had not vested. Exercised shares continue to vest
	// with the grant, in the order of the exercises and before the remaining options.
	Unvested Decimal `json:"unvested,omitzero"`
	// Shareholding is the shareholding created by an exercise or a release.
	Shareholding ShareholdingID `json:"shareholding,omitzero"`
	Reason       string         `json:"reason,omitempty"`
}

// GrantDetails are the clerical fields of a grant. They do not affect quantities.
type GrantDetails struct {
	BoardApprovalDate Date `json:"boardApprovalDate,omitzero"`
	// Agreement is the file of the agreement that the holder signed.
	Agreement string `json:"agreement,omitempty"`
	// Block is the id of a funding round, or a free-text name for a round without a record.
	Block      string   `json:"block,omitempty"`
	ExternalID string   `json:"externalId,omitempty"`
	Comments   []string `json:"comments,omitempty"`
}

// GrantPast holds the amounts of a grant before a split.
type GrantPast struct {
	Until Date `json:"until"`
	// Ratio is the split ratio.
	Ratio Ratio `json:"ratio,omitzero"`
	GrantAmounts
	// Requested holds the quantities of the exercise requests before the split.
	Requested map[RequestID]Decimal `json:"requested,omitempty"`
}

// Grant is a promise of equity to a service provider: options (ISO, NSO, international),
// restricted stock units or stock appreciation rights. The record is immutable: each event creates
// a new one.
type Grant struct {
	ID     GrantID  `json:"id"`
	Entity EntityID `json:"entity"`
	// Security is the class of the shares: that of the pool, except for some grants of imported
	// packages.
	Security SecurityID `json:"security"`
	GrantTerms
	GrantAmounts
	GrantDetails
	// otherClass reports whether the pool is of another class. It follows from the pool; see
	// [State.linkClass].
	otherClass bool
	// Status is active, accepted, voided or retracted. Once the whole grant is used up, it is the
	// kind of the last deduction: exercised, released, cancelled, forfeited, expired or
	// transferred.
	Status     Status `json:"status"`
	AcceptedOn Date   `json:"acceptedOn,omitzero"`
	// RetractedOn is the first day without the grant. It is zero for a grant whose retraction was
	// recorded before retractions had an effective date. Such a grant counts on no day.
	RetractedOn Date `json:"retractedOn,omitzero"`
	// Happenings are the vesting events and milestones that occurred.
	Happenings  []vesting.Happening `json:"happenings,omitempty"`
	Termination *Termination        `json:"termination,omitempty"`
	Requests    []ExerciseRequest   `json:"requests,omitempty"`
	// Before holds the amounts before each split, oldest first.
	Before []GrantPast `json:"before,omitempty"`
	End    *End        `json:"end,omitempty"`
	Meta
}

// Ref returns the reference of the grant's pool.
func (t *GrantTerms) Ref() PoolRef { return PoolRef{t.Plan, t.Pool} }

// IsOption reports whether the grant is exercised at a price. This holds for options and
// appreciation rights; units are released.
func (t *GrantTerms) IsOption() bool { return t.Type != GrantRSU }

// Left returns the quantity without all deductions.
func (a *GrantAmounts) Left() Decimal {
	left := a.Quantity
	for _, deduction := range a.Deductions {
		left = left.Sub(deduction.Quantity)
	}
	return left
}

// Grant returns the grant with the given id, including ended grants.
func (s *State) Grant(id GrantID) (*Grant, bool) { return s.grants.records.Get(id) }

// Grants returns all grants in id order, including ended grants.
func (s *State) Grants() iter.Seq[*Grant] { return s.grants.records.All() }

// GrantsAfter returns the grants after the given id, in id order.
func (s *State) GrantsAfter(after GrantID) iter.Seq[*Grant] { return s.grants.records.After(after) }

// GrantsOf returns the grants of one holder in id order, including ended grants.
func (s *State) GrantsOf(entity EntityID) iter.Seq[*Grant] {
	return func(yield func(*Grant) bool) {
		for id := range heldBy(s.grants.byHolder, entity, GrantID{}) {
			if grant, ok := s.Grant(id); ok && !yield(grant) {
				return
			}
		}
	}
}

func (r *grantRegister) grant(id GrantID) (*Grant, error) {
	if grant, ok := r.records.Get(id); ok {
		return grant, nil
	}
	return nil, fault.Refuse(fault.NotFound, "There is no such grant.")
}

// outstanding returns the grant with the given id and refuses ended grants.
func (r *grantRegister) outstanding(id GrantID) (*Grant, error) {
	grant, err := r.grant(id)
	if err == nil && !grant.Status.Outstanding() {
		return nil, fault.Refuse(fault.Conflict, "The grant has ended.").With("status", string(grant.Status))
	}
	return grant, err
}

// setGrant stores a new or changed grant.
func (s *State) setGrant(grant *Grant) {
	was, _ := s.Grant(grant.ID)
	s.grants.records.Set(grant.ID, grant)
	s.replacedGrant(was, grant)
	s.grants.byHolder.Set(heldKey{grant.Entity, grant.ID})
}

func (s *State) changeGrant(id GrantID, stamp Stamp, change func(*Grant)) {
	was, _ := s.Grant(id)
	touch(s.grants.records, id, stamp, change)
	next, _ := s.Grant(id)
	s.replacedGrant(was, next)
}

// replacedGrant updates the totals of the classes and the index by lapse after a grant was stored.
func (s *State) replacedGrant(was, next *Grant) {
	s.classes.useGrantInstead(was, next)
	if was != nil {
		s.grants.byLapse.Delete(was.lapseKey())
	}
	if next != nil { // an event of an unknown grant changes nothing
		s.grants.indexLapse(next)
	}
}

// terminationReasons returns all termination reasons.
func terminationReasons() []TerminationReason {
	return []TerminationReason{
		VoluntaryOther, VoluntaryGoodCause, VoluntaryRetirement,
		InvoluntaryOther, InvoluntaryDeath, InvoluntaryDisability, InvoluntaryWithCause,
	}
}

// reasonNames lists the termination reasons for refusals.
const reasonNames = "voluntaryOther, voluntaryGoodCause, voluntaryRetirement, involuntaryOther, " +
	"involuntaryDeath, involuntaryDisability or involuntaryWithCause"

// known reports whether the reason is part of the contract.
func (r TerminationReason) known() bool { return slices.Contains(terminationReasons(), r) }

// faults adds the faults of the terms themselves.
func (t *GrantTerms) faults(faults *fault.Fields) {
	if !slices.Contains(grantTypes(), t.Type) {
		faults.Add("/type", "enum", "The type must be iso, nso, international, rsu or sar.")
	}
	if !t.ExpirationDate.IsZero() && t.ExpirationDate <= t.IssueDate {
		faults.Add(
			"/expirationDate", "datesOutOfOrder", "The expiration date must be after the issue of the grant, "+t.IssueDate.String()+".",
		)
	}
	if t.EarlyExercise && !t.IsOption() {
		faults.Add("/earlyExercise", "notOfType", "Remove the early exercise: units cannot be exercised.")
	}
	t.windowFaults(faults)
}

// longestWindow is the upper limit of a window in its unit: days, months or years.
const longestWindow = 36_500

// windowFaults adds faults for invalid windows and for several windows of the same reason.
func (t *GrantTerms) windowFaults(faults *fault.Fields) {
	seen := map[TerminationReason]bool{}
	for i, window := range t.TerminationWindows {
		pointer := "/terminationWindows/" + strconv.Itoa(i)
		switch {
		case !window.Reason.known():
			faults.Add(pointer+"/reason", "enum", "The reason must be "+reasonNames+".")
		case seen[window.Reason]:
			faults.Add(pointer+"/reason", "duplicate", "State only one window for each reason.")
		}
		seen[window.Reason] = true
		if window.Period.N < 0 || window.Period.N > longestWindow {
			faults.Add(pointer+"/period/n", "outOfRange", "The length of the window must be from 0 to "+strconv.Itoa(longestWindow)+".")
		}
		if !slices.Contains([]vesting.Unit{vesting.Days, vesting.Months, vesting.Years}, window.Period.Unit) {
			faults.Add(pointer+"/period/unit", "enum", "The unit must be days, months or years.")
		}
	}
}

// faults adds the faults of the amounts for a grant of the given type.
func (a *GrantAmounts) faults(faults *fault.Fields, granted GrantType, security *Security) {
	checkShares(faults, "/quantity", a.Quantity, security)
	checkPrice(faults, "/exercisePrice", a.ExercisePrice)
	checkPrice(faults, "/marketValue", a.MarketValue)
	switch {
	case granted == GrantRSU && a.ExercisePrice != nil:
		faults.Add("/exercisePrice", "notOfType", "Remove the exercise price: units are released without one.")
	case granted != GrantRSU && a.ExercisePrice == nil && security != nil: // an unknown pool has no known strike price
		faults.Add("/exercisePrice", "required", "The exercise price of the option is required: its pool has none either.")
	case a.ExercisePrice != nil && (!a.ExercisePrice.Amount.Fits() || !worth(a.ExercisePrice.Amount, a.Quantity).Fits()):
		faults.Add("/exercisePrice", "tooLarge", "The total price of the shares must have at most 19 digits before the decimal point.")
	}
}

// vestingFaults adds a fault for vesting terms that cannot be projected. Inconsistent terms are
// refused here, so that later projections always succeed.
func (g *Grant) vestingFaults(faults *fault.Fields) {
	award := vesting.Award{
		Quantity: g.Quantity, GrantDate: g.IssueDate, Start: g.VestingStart, Places: max(g.Quantity.Scale(), 0), Vestings: g.Vestings,
		Accelerations: g.Accelerations,
	}
	_, err := vesting.Project(award, g.terms(), g.Happenings)
	addVestingFaults(faults, "", err)
}

// pack packs the grants. After reading, it rebuilds the indexes.
func (r *grantRegister) pack(p *Packer) {
	PackFew(p, r.records, func(g *Grant) GrantID { return g.ID })
	if !p.reading {
		return
	}
	for grant := range r.records.All() {
		r.byHolder.Set(heldKey{grant.Entity, grant.ID})
		r.indexLapse(grant)
	}
}

// holds reports whether the entity has an outstanding grant.
func (r *grantRegister) holds(entity EntityID) bool {
	for id := range heldBy(r.byHolder, entity, GrantID{}) {
		if grant, ok := r.records.Get(id); ok && grant.Status.Outstanding() {
			return true
		}
	}
	return false
}
