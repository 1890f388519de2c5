package captable

import (
	"iter"

	"equity/captable/vesting"
)

// GrantTerms are what a grant promises to whom it is made.
type GrantTerms struct {
	// Plan and Pool are both zero for a grant outside a plan, as packages have them.
	Plan PlanID    `json:"plan,omitzero"`
	Pool PoolID    `json:"pool,omitzero"`
	Type GrantType `json:"type"`
	// IssueDate is the day of the grant.
	IssueDate Date `json:"issueDate"`
	// ExpirationDate is the last day on which it may be exercised; none: without end.
	ExpirationDate Date `json:"expirationDate,omitzero"`
	// VestingSchedule is the id of the schedule by which it vests; without one, and without
	// terms and vestings of its own, all is vested on the day of the grant.
	VestingSchedule string `json:"vestingSchedule,omitempty"`
	// VestingStart is from when on it vests; none: the day of the grant.
	VestingStart Date `json:"vestingStart,omitzero"`
	// EarlyExercise allows to exercise what has not vested: the shares go on vesting.
	EarlyExercise bool `json:"earlyExercise,omitempty"`
	// TerminationWindows say how long what has vested may be exercised after the holder left;
	// where none is of the reason, until the expiration date.
	TerminationWindows []TerminationWindow `json:"terminationWindows,omitempty"`
	// MarketValue is what a share was worth on the day of the grant, for the $100,000 rule;
	// none: what the valuations of the day say, else the exercise price.
	MarketValue *Price `json:"marketValue,omitempty"`
}

// TerminationReason is why a holder's service ended, in the words of the Open Cap Format.
type TerminationReason string

// The reasons of the contract.
const (
	VoluntaryOther        TerminationReason = "voluntaryOther"
	VoluntaryGoodCause    TerminationReason = "voluntaryGoodCause"
	VoluntaryRetirement   TerminationReason = "voluntaryRetirement"
	InvoluntaryOther      TerminationReason = "involuntaryOther"
	InvoluntaryDeath      TerminationReason = "involuntaryDeath"
	InvoluntaryDisability TerminationReason = "involuntaryDisability"
	InvoluntaryWithCause  TerminationReason = "involuntaryWithCause"
)

// TerminationWindow is the time after a termination for the reason in which what has
// vested may still be exercised; a period of 0 ends it with that day.
type TerminationWindow struct {
	Reason TerminationReason `json:"reason"`
	Period vesting.Period    `json:"period"`
}

// Termination is the end of a holder's service.
type Termination struct {
	// Date is the last day on which anything vested.
	Date   Date              `json:"date"`
	Reason TerminationReason `json:"reason"`
}

// GrantAmounts are what a split restates: everything that is counted in shares, and prices.
type GrantAmounts struct {
	Quantity Decimal `json:"quantity"`
	// ExercisePrice is what a share costs; none for units, the base for a right to appreciation.
	ExercisePrice *Price `json:"exercisePrice,omitempty"`
	// Terms are those of the vesting schedule, compiled on the day of the grant.
	Terms *vesting.Terms `json:"terms,omitempty"`
	// Vestings, where there are any, are what vests instead of the terms.
	Vestings []vesting.Vesting `json:"vestings,omitempty"`
	// Accelerations vest besides, ahead of schedule.
	Accelerations []vesting.Vesting `json:"accelerations,omitempty"`
	// Repricings are the prices that it had before, oldest first.
	Repricings []Repricing `json:"repricings,omitempty"`
	// Takings are what was taken out of the grant, as it was recorded.
	Takings []Taking `json:"takings,omitempty"`
}

// Taking is a part of a grant that was exercised, released, cancelled or that expired.
type Taking struct {
	// Kind is exercised, released, cancelled, forfeited, expired or transferred.
	Kind     Status  `json:"kind"`
	Date     Date    `json:"date"`
	Quantity Decimal `json:"quantity"`
	// Unvested is the part of the quantity that had not vested. The shares of an exercise
	// vest by the grant, in the order of the exercises and before the options that remain.
	Unvested Decimal `json:"unvested,omitzero"`
	// Shareholding is what an exercise or a release gave.
	Shareholding ShareholdingID `json:"shareholding,omitzero"`
	Reason       string         `json:"reason,omitempty"`
}

// GrantDetails are the clerical fields of a grant: changing one moves nothing.
type GrantDetails struct {
	BoardApprovalDate Date `json:"boardApprovalDate,omitzero"`
	// Agreement is the file of what the holder signed.
	Agreement string `json:"agreement,omitempty"`
	// Block is the id of a funding round, or a word for one that has no record.
	Block      string   `json:"block,omitempty"`
	ExternalID string   `json:"externalId,omitempty"`
	Comments   []string `json:"comments,omitempty"`
}

// GrantPast is what a grant was counted in until a split.
type GrantPast struct {
	Until Date `json:"until"`
	// Ratio is that of the split.
	Ratio Ratio `json:"ratio,omitzero"`
	GrantAmounts
}

// Grant is a promise of shares to somebody who works for the organization: options
// (ISO, NSO, international), restricted stock units or stock appreciation rights. The
// record is immutable: an event about it makes a new one.
type Grant struct {
	ID     GrantID  `json:"id"`
	Entity EntityID `json:"entity"`
	// Security is the class of the pool.
	Security SecurityID `json:"security"`
	GrantTerms
	GrantAmounts
	GrantDetails
	// Status is active, accepted or voided, or what became of the last of it: exercised,
	// released, cancelled, forfeited or expired.
	Status     Status `json:"status"`
	AcceptedOn Date   `json:"acceptedOn,omitzero"`
	// RetractedOn is the first day without the grant. It is empty for a grant whose
	// retraction was recorded before retractions had an effective date: that grant counts
	// on no day.
	RetractedOn Date `json:"retractedOn,omitzero"`
	// Happenings are the events and milestones of its vesting that came true.
	Happenings  []vesting.Happening `json:"happenings,omitempty"`
	Termination *Termination        `json:"termination,omitempty"`
	Requests    []ExerciseRequest   `json:"requests,omitempty"`
	// Before holds what splits restated, oldest first.
	Before []GrantPast `json:"before,omitempty"`
	End    *End        `json:"end,omitempty"`
	Meta
}

// Ref names the pool that the grant came out of.
func (t *GrantTerms) Ref() PoolRef { return PoolRef{t.Plan, t.Pool} }

// IsOption reports whether it is exercised for a price: options are, and rights to
// appreciation; units are released.
func (t *GrantTerms) IsOption() bool { return t.Type != GrantRSU }

// Left is what was never taken out of the grant.
func (a *GrantAmounts) Left() Decimal {
	left := a.Quantity
	for _, taking := range a.Takings {
		left = left.Sub(taking.Quantity)
	}
	return left
}

// Grant finds a grant, ended ones too.
func (s *State) Grant(id GrantID) (*Grant, bool) { return s.grants.Get(id) }

// Grants lists all grants in the order of their ids, ended ones too.
func (s *State) Grants() iter.Seq[*Grant] { return s.grants.All() }

// GrantsAfter lists them from behind the given id on.
func (s *State) GrantsAfter(after GrantID) iter.Seq[*Grant] { return s.grants.After(after) }

// GrantsOf lists the grants of one holder in the order of their ids, ended ones too.
func (s *State) GrantsOf(entity EntityID) iter.Seq[*Grant] {
	return func(yield func(*Grant) bool) {
		for id := range heldBy(s.granted, entity, GrantID{}) {
			if grant, ok := s.Grant(id); ok && !yield(grant) {
				return
			}
		}
	}
}

func (s *State) grant(id GrantID) (*Grant, error) {
	if grant, ok := s.Grant(id); ok {
		return grant, nil
	}
	return nil, Refuse(CodeNotFound, "There is no such grant.")
}

// outstandingGrant finds a grant of which something is left.
func (s *State) outstandingGrant(id GrantID) (*Grant, error) {
	grant, err := s.grant(id)
	if err == nil && !grant.Status.Outstanding() {
		return nil, Refuse(CodeConflict, "The grant has ended.").With("status", string(grant.Status))
	}
	return grant, err
}

// setGrant enters a grant, new or changed.
func (s *State) setGrant(grant *Grant) {
	s.grants.Set(grant.ID, grant)
	s.granted.Set(grantKey{grant.Entity, grant.ID})
}

func (s *State) changeGrant(id GrantID, stamp Stamp, change func(*Grant)) {
	touch(s.grants, id, stamp, change)
}
