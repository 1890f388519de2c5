package captable

// CommandOf is a command with a result of type R.
type CommandOf[R any] interface {
	Command
	// result returns the result: a part of the state after the events of the command.
	result(events []Event, after *State) (R, bool)
}

// ResultOf returns the result of a decided command, or false if the state does not contain it. After is the state after
// the events.
func ResultOf[R any](command CommandOf[R], events []Event, after *State) (R, bool) {
	return command.result(events, after)
}

// eventOf returns the command's event of type E. Lapses may precede it.
func eventOf[E Event](events []Event) (event E, ok bool) {
	for _, one := range events {
		if event, ok = one.(E); ok {
			return event, true
		}
	}
	return event, false
}

// EndedShares is the result of a command that ends a shareholding.
type EndedShares struct {
	From *Shareholding
	// Results are the shareholdings that replace the affected shares.
	Results []*Shareholding
	// Balance is the shareholding of the unaffected shares, or nil.
	Balance *Shareholding
	// CashFraction is the fraction of a share that was paid in cash.
	CashFraction Decimal
}

// EndedInstrument is the result of a command that ends an instrument.
type EndedInstrument struct {
	From *Instrument
	// To is the instrument of the new holder, or nil.
	To *Instrument
	// Balance is the instrument of the unaffected part, or nil.
	Balance *Instrument
}

// ConvertedInstrument is the result of a conversion.
type ConvertedInstrument struct {
	Instrument *Instrument
	Shares     *Shareholding
	Conversion InstrumentConversion
}

// ExercisedInstrument is the result of the exercise of a warrant.
type ExercisedInstrument struct {
	Instrument *Instrument
	Shares     *Shareholding
	Exercise   Exercise
}

// ExercisedGrant is the result of an exercise or a release.
type ExercisedGrant struct {
	Grant  *Grant
	Shares *Shareholding
	// Withheld is the quantity of shares that were withheld, and CashFraction the fraction that was paid in cash.
	Withheld, CashFraction Decimal
}

// Lapse is a holding that has expired: a grant or an instrument. The other field is nil.
type Lapse struct {
	Grant      *Grant
	Instrument *Instrument
}

func (c CreateSecurity) result(events []Event, after *State) (*Security, bool) {
	event, _ := eventOf[SecurityCreated](events)
	return after.Security(event.ID)
}

func (c ReplaceSecurity) result(_ []Event, after *State) (*Security, bool) {
	return after.Security(c.ID)
}

func (c AuthorizeShares) result(_ []Event, after *State) (*Security, bool) {
	return after.Security(c.ID)
}

func (c SplitSecurity) result(_ []Event, after *State) (*Security, bool) {
	return after.Security(c.ID)
}

func (c CreateLegend) result(events []Event, after *State) (*Legend, bool) {
	event, _ := eventOf[LegendCreated](events)
	return after.Legend(event.ID)
}

func (c AmendLegend) result(_ []Event, after *State) (*Legend, bool) { return after.Legend(c.ID) }

func (c PutValuation) result(events []Event, after *State) (*Valuation, bool) {
	if event, created := eventOf[ValuationCreated](events); created {
		return after.Valuation(event.ID)
	}
	return after.Valuation(c.ID)
}

func (c ChangeCapital) result(events []Event, after *State) (*CapitalChange, bool) {
	event, _ := eventOf[CapitalChanged](events)
	return after.CapitalChange(event.ID)
}

func (c AmendCapitalChange) result(_ []Event, after *State) (*CapitalChange, bool) {
	return after.CapitalChange(c.ID)
}

func (c CreateBlock) result(events []Event, after *State) (*Block, bool) {
	event, _ := eventOf[BlockCreated](events)
	return after.Block(event.ID)
}

func (c ReplaceBlock) result(_ []Event, after *State) (*Block, bool) { return after.Block(c.ID) }

func (c CreatePlan) result(events []Event, after *State) (*Plan, bool) {
	event, _ := eventOf[PlanCreated](events)
	return after.Plan(event.ID)
}

func (c ReplacePlan) result(_ []Event, after *State) (*Plan, bool) { return after.Plan(c.ID) }

func (c CreateVestingSchedule) result(events []Event, after *State) (*VestingSchedule, bool) {
	event, _ := eventOf[VestingScheduleCreated](events)
	return after.VestingSchedule(event.ID)
}

func (c SupersedeVestingSchedule) result(events []Event, after *State) (*VestingSchedule, bool) {
	event, _ := eventOf[VestingScheduleSuperseded](events)
	return after.VestingSchedule(event.ID)
}

func (c Configure) result(_ []Event, after *State) (Configuration, bool) {
	return after.Configuration(), true
}

func (c IssueShareholding) result(events []Event, after *State) (*Shareholding, bool) {
	event, _ := eventOf[ShareholdingIssued](events)
	return after.Shareholding(event.ID)
}

func (c AcceptShareholding) result(_ []Event, after *State) (*Shareholding, bool) {
	return after.Shareholding(c.ID)
}

func (c AmendShareholding) result(_ []Event, after *State) (*Shareholding, bool) {
	return after.Shareholding(c.ID)
}

func (c CorrectShareholding) result(_ []Event, after *State) (*Shareholding, bool) {
	return after.Shareholding(c.ID)
}

func (c VoidShareholding) result(_ []Event, after *State) (*Shareholding, bool) {
	return after.Shareholding(c.ID)
}

func (c TransferShareholding) result(events []Event, after *State) (EndedShares, bool) {
	return endedShares(events, after)
}

func (c CancelShareholding) result(events []Event, after *State) (EndedShares, bool) {
	return endedShares(events, after)
}

func (c RepurchaseShareholding) result(events []Event, after *State) (EndedShares, bool) {
	return endedShares(events, after)
}

func (c ConvertShareholding) result(events []Event, after *State) (EndedShares, bool) {
	return endedShares(events, after)
}

// endedShares returns the shareholdings of a [ShareholdingEnded] of one shareholding.
func endedShares(events []Event, after *State) (ended EndedShares, ok bool) {
	event, ok := eventOf[ShareholdingEnded](events)
	if !ok || len(event.From) != 1 {
		return ended, false
	}
	if ended.From, ok = after.Shareholding(event.From[0]); !ok {
		return ended, false
	}
	for _, issue := range event.Results {
		result, ok := after.Shareholding(issue.ID)
		if !ok {
			return ended, false
		}
		ended.Results = append(ended.Results, result)
	}
	if event.Balance != nil {
		ended.Balance, ok = after.Shareholding(event.Balance.ID)
	}
	ended.CashFraction = event.CashFraction
	return ended, ok
}

func (c GrantOption) result(events []Event, after *State) (*Grant, bool) {
	event, _ := eventOf[OptionGranted](events)
	return after.Grant(event.ID)
}

func (c AcceptGrant) result(_ []Event, after *State) (*Grant, bool) { return after.Grant(c.ID) }

func (c AmendGrant) result(_ []Event, after *State) (*Grant, bool) { return after.Grant(c.ID) }

func (c CorrectGrant) result(_ []Event, after *State) (*Grant, bool) { return after.Grant(c.ID) }

func (c VoidGrant) result(_ []Event, after *State) (*Grant, bool) { return after.Grant(c.ID) }

func (c CancelGrant) result(_ []Event, after *State) (*Grant, bool) { return after.Grant(c.ID) }

func (c TerminateGrant) result(_ []Event, after *State) (*Grant, bool) { return after.Grant(c.ID) }

func (c AccelerateGrant) result(_ []Event, after *State) (*Grant, bool) { return after.Grant(c.ID) }

func (c HappenGrant) result(_ []Event, after *State) (*Grant, bool) { return after.Grant(c.ID) }

func (c RequestExercise) result(_ []Event, after *State) (*Grant, bool) { return after.Grant(c.ID) }

func (c DeclineExercise) result(_ []Event, after *State) (*Grant, bool) { return after.Grant(c.ID) }

func (c ExerciseGrant) result(events []Event, after *State) (ExercisedGrant, bool) {
	return exercisedGrant(events, after)
}

func (c ReleaseGrant) result(events []Event, after *State) (ExercisedGrant, bool) {
	return exercisedGrant(events, after)
}

func exercisedGrant(events []Event, after *State) (ExercisedGrant, bool) {
	event, ok := eventOf[OptionExercised](events)
	grant, known := after.Grant(event.ID)
	shares, issued := after.Shareholding(event.Result.ID)
	return ExercisedGrant{grant, shares, event.Withheld, event.CashFraction}, ok && known && issued
}

// result returns the repriced grants in the order of the events.
func (c RepriceGrants) result(events []Event, after *State) ([]*Grant, bool) {
	var grants []*Grant
	for _, one := range events {
		if event, ok := one.(OptionRepriced); ok {
			if grant, known := after.Grant(event.ID); known {
				grants = append(grants, grant)
			}
		}
	}
	return grants, true
}

// result returns the expired grants and instruments in the order of the events.
func (c ExpireGrants) result(events []Event, after *State) ([]Lapse, bool) {
	var lapses []Lapse
	for _, one := range events {
		switch event := one.(type) {
		case OptionReduced:
			if grant, known := after.Grant(event.ID); known {
				lapses = append(lapses, Lapse{Grant: grant})
			}
		case InstrumentEnded:
			if instrument, known := after.Instrument(event.ID); known {
				lapses = append(lapses, Lapse{Instrument: instrument})
			}
		}
	}
	return lapses, true
}

func (c IssueInstrument) result(events []Event, after *State) (*Instrument, bool) {
	event, _ := eventOf[InstrumentIssued](events)
	return after.Instrument(event.ID)
}

func (c AcceptInstrument) result(_ []Event, after *State) (*Instrument, bool) {
	return after.Instrument(c.ID)
}

func (c AmendInstrument) result(_ []Event, after *State) (*Instrument, bool) {
	return after.Instrument(c.ID)
}

func (c CorrectInstrument) result(_ []Event, after *State) (*Instrument, bool) {
	return after.Instrument(c.ID)
}

func (c VoidInstrument) result(_ []Event, after *State) (*Instrument, bool) {
	return after.Instrument(c.ID)
}

func (c RepayInstrument) result(_ []Event, after *State) (*Instrument, bool) {
	return after.Instrument(c.ID)
}

func (c TransferInstrument) result(events []Event, after *State) (EndedInstrument, bool) {
	return endedInstrument(c.ID, events, after)
}

func (c CancelInstrument) result(events []Event, after *State) (EndedInstrument, bool) {
	return endedInstrument(c.ID, events, after)
}

// endedInstrument returns the instruments of the ending. The lapses of other instruments may precede it.
func endedInstrument(id InstrumentID, events []Event, after *State) (ended EndedInstrument, ok bool) {
	for _, one := range events {
		event, is := one.(InstrumentEnded)
		if !is || event.ID != id {
			continue
		}
		ended.From, ok = after.Instrument(id)
		if event.Result != nil && ok {
			ended.To, ok = after.Instrument(event.Result.ID)
		}
		if event.Balance != nil && ok {
			ended.Balance, ok = after.Instrument(event.Balance.ID)
		}
	}
	return ended, ok
}

func (c ConvertInstrument) result(events []Event, after *State) (ConvertedInstrument, bool) {
	event, ok := eventOf[InstrumentConverted](events)
	instrument, known := after.Instrument(c.ID)
	shares, issued := after.Shareholding(event.Result.ID)
	return ConvertedInstrument{instrument, shares, event.InstrumentConversion}, ok && known && issued
}

func (c ExerciseWarrant) result(events []Event, after *State) (ExercisedInstrument, bool) {
	event, ok := eventOf[WarrantExercised](events)
	instrument, known := after.Instrument(c.ID)
	shares, issued := after.Shareholding(event.Result.ID)
	return ExercisedInstrument{instrument, shares, event.Exercise}, ok && known && issued
}
