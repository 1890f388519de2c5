package captable

func records[R any](record R, ok bool) []any {
	if !ok {
		return nil
	}
	return []any{record}
}

// Creates gives the security.
func (e SecurityCreated) Creates() []Created { return []Created{{e.ID, kindSecurity}} }

// Records gives the security.
func (e SecurityCreated) Records(s *State) []any { return records(s.Security(e.ID)) }

// Creates gives nothing.
func (SecurityChanged) Creates() []Created { return nil }

// Records gives the security.
func (e SecurityChanged) Records(s *State) []any { return records(s.Security(e.ID)) }

// Creates gives nothing.
func (SecurityDeleted) Creates() []Created { return nil }

// Records gives nothing: the security is gone.
func (SecurityDeleted) Records(*State) []any { return nil }

// Creates gives nothing.
func (SharesAuthorized) Creates() []Created { return nil }

// Records gives the security.
func (e SharesAuthorized) Records(s *State) []any { return records(s.Security(e.ID)) }

// Creates gives nothing.
func (SecuritySplit) Creates() []Created { return nil }

// Records gives the security.
func (e SecuritySplit) Records(s *State) []any { return records(s.Security(e.ID)) }

// Creates gives the legend.
func (e LegendCreated) Creates() []Created { return []Created{{e.ID, kindLegend}} }

// Records gives the legend.
func (e LegendCreated) Records(s *State) []any { return records(s.Legend(e.ID)) }

// Creates gives nothing.
func (LegendChanged) Creates() []Created { return nil }

// Records gives the legend.
func (e LegendChanged) Records(s *State) []any { return records(s.Legend(e.ID)) }

// Creates gives nothing.
func (LegendDeleted) Creates() []Created { return nil }

// Records gives nothing: the legend is gone.
func (LegendDeleted) Records(*State) []any { return nil }

// Creates gives the shareholding.
func (e ShareholdingIssued) Creates() []Created { return []Created{{e.ID, kindShareholding}} }

// Records gives the shareholding.
func (e ShareholdingIssued) Records(s *State) []any { return records(s.Shareholding(e.ID)) }

// Creates gives nothing.
func (ShareholdingAccepted) Creates() []Created { return nil }

// Records gives the shareholding.
func (e ShareholdingAccepted) Records(s *State) []any { return records(s.Shareholding(e.ID)) }

// Creates gives nothing.
func (ShareholdingAmended) Creates() []Created { return nil }

// Records gives the shareholding.
func (e ShareholdingAmended) Records(s *State) []any { return records(s.Shareholding(e.ID)) }

// Creates gives nothing.
func (ShareholdingCorrected) Creates() []Created { return nil }

// Records gives the shareholding.
func (e ShareholdingCorrected) Records(s *State) []any { return records(s.Shareholding(e.ID)) }

// Creates gives nothing.
func (ShareholdingVoided) Creates() []Created { return nil }

// Records gives the shareholding.
func (e ShareholdingVoided) Records(s *State) []any { return records(s.Shareholding(e.ID)) }

// Creates gives the results and the balance.
func (e Ending) Creates() []Created {
	var created []Created
	for _, issue := range e.issues() {
		created = append(created, Created{issue.ID, kindShareholding})
	}
	return created
}

// Records gives the ended shareholdings, then the results, then the balance.
func (e Ending) Records(s *State) []any {
	var all []any
	for _, id := range e.From {
		all = append(all, records(s.Shareholding(id))...)
	}
	for _, issue := range e.issues() {
		all = append(all, records(s.Shareholding(issue.ID))...)
	}
	return all
}

// Creates gives nothing.
func (ConfigurationChanged) Creates() []Created { return nil }

// Records gives the configuration.
func (ConfigurationChanged) Records(s *State) []any { return []any{s.configuration} }

// Creates gives nothing.
func (PackageImported) Creates() []Created { return nil }

// Records gives nothing.
func (PackageImported) Records(*State) []any { return nil }

// Creates gives nothing.
func (ObjectCarried) Creates() []Created { return nil }

// Records gives nothing.
func (ObjectCarried) Records(*State) []any { return nil }

// Creates gives the valuation.
func (e ValuationCreated) Creates() []Created { return []Created{{e.ID, kindValuation}} }

// Records gives the valuation.
func (e ValuationCreated) Records(s *State) []any { return records(s.Valuation(e.ID)) }

// Creates gives nothing.
func (ValuationChanged) Creates() []Created { return nil }

// Records gives the valuation.
func (e ValuationChanged) Records(s *State) []any { return records(s.Valuation(e.ID)) }

// Creates gives the capital change.
func (e CapitalChanged) Creates() []Created { return []Created{{e.ID, kindCapitalChange}} }

// Records gives the capital change.
func (e CapitalChanged) Records(s *State) []any { return records(s.CapitalChange(e.ID)) }

// Creates gives nothing.
func (CapitalChangeAmended) Creates() []Created { return nil }

// Records gives the capital change.
func (e CapitalChangeAmended) Records(s *State) []any { return records(s.CapitalChange(e.ID)) }

// Creates gives the funding round.
func (e BlockCreated) Creates() []Created { return []Created{{e.ID, kindBlock}} }

// Records gives the funding round.
func (e BlockCreated) Records(s *State) []any { return records(s.Block(e.ID)) }

// Creates gives nothing.
func (BlockChanged) Creates() []Created { return nil }

// Records gives the funding round.
func (e BlockChanged) Records(s *State) []any { return records(s.Block(e.ID)) }

// Creates gives nothing.
func (BlockDeleted) Creates() []Created { return nil }

// Records gives nothing: the funding round is gone.
func (BlockDeleted) Records(*State) []any { return nil }

// Creates gives the plan; its pools are found by it.
func (e PlanCreated) Creates() []Created { return []Created{{e.ID, kindPlan}} }

// Records gives the plan.
func (e PlanCreated) Records(s *State) []any { return records(s.Plan(e.ID)) }

// Creates gives nothing.
func (PlanChanged) Creates() []Created { return nil }

// Records gives the plan.
func (e PlanChanged) Records(s *State) []any { return records(s.Plan(e.ID)) }

// Creates gives nothing.
func (PlanDeleted) Creates() []Created { return nil }

// Records gives nothing: the plan is gone.
func (PlanDeleted) Records(*State) []any { return nil }

// Creates gives the vesting schedule.
func (e VestingScheduleCreated) Creates() []Created { return []Created{{e.ID, kindVestingSchedule}} }

// Records gives the vesting schedule.
func (e VestingScheduleCreated) Records(s *State) []any { return records(s.VestingSchedule(e.ID)) }

// Creates gives the successor.
func (e VestingScheduleSuperseded) Creates() []Created {
	return []Created{{e.ID, kindVestingSchedule}}
}

// Records gives the successor, then the schedule that it succeeds.
func (e VestingScheduleSuperseded) Records(s *State) []any {
	return append(records(s.VestingSchedule(e.ID)), records(s.VestingSchedule(e.Old))...)
}

// Creates gives nothing.
func (VestingScheduleDeleted) Creates() []Created { return nil }

// Records gives nothing: the vesting schedule is gone.
func (VestingScheduleDeleted) Records(*State) []any { return nil }

// Creates lists nothing.
func (PoolAdjusted) Creates() []Created { return nil }

// Records gives the plan of the pool.
func (e PoolAdjusted) Records(s *State) []any { return records(s.Plan(e.Plan)) }
