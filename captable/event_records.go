package captable

func records[R any](record R, ok bool) []any {
	if !ok {
		return nil
	}
	return []any{record}
}

// Creates returns the security.
func (e SecurityCreated) Creates() []Created { return []Created{{e.ID, kindSecurity}} }

// Records returns the security.
func (e SecurityCreated) Records(s *State) []any { return records(s.Security(e.ID)) }

// Creates returns nil: the event creates no record.
func (SecurityChanged) Creates() []Created { return nil }

// Records returns the security.
func (e SecurityChanged) Records(s *State) []any { return records(s.Security(e.ID)) }

// Creates returns nil: the event creates no record.
func (SecurityDeleted) Creates() []Created { return nil }

// Records returns nil: the security is deleted.
func (SecurityDeleted) Records(*State) []any { return nil }

// Creates returns nil: the event creates no record.
func (SharesAuthorized) Creates() []Created { return nil }

// Records returns the security.
func (e SharesAuthorized) Records(s *State) []any { return records(s.Security(e.ID)) }

// Creates returns nil: the event creates no record.
func (SecuritySplit) Creates() []Created { return nil }

// Records returns the security.
func (e SecuritySplit) Records(s *State) []any { return records(s.Security(e.ID)) }

// Creates returns the legend.
func (e LegendCreated) Creates() []Created { return []Created{{e.ID, kindLegend}} }

// Records returns the legend.
func (e LegendCreated) Records(s *State) []any { return records(s.Legend(e.ID)) }

// Creates returns nil: the event creates no record.
func (LegendChanged) Creates() []Created { return nil }

// Records returns the legend.
func (e LegendChanged) Records(s *State) []any { return records(s.Legend(e.ID)) }

// Creates returns nil: the event creates no record.
func (LegendDeleted) Creates() []Created { return nil }

// Records returns nil: the legend is deleted.
func (LegendDeleted) Records(*State) []any { return nil }

// Creates returns the shareholding.
func (e ShareholdingIssued) Creates() []Created { return []Created{{e.ID, kindShareholding}} }

// Records returns the shareholding.
func (e ShareholdingIssued) Records(s *State) []any { return records(s.Shareholding(e.ID)) }

// Creates returns nil: the event creates no record.
func (ShareholdingAccepted) Creates() []Created { return nil }

// Records returns the shareholding.
func (e ShareholdingAccepted) Records(s *State) []any { return records(s.Shareholding(e.ID)) }

// Creates returns nil: the event creates no record.
func (ShareholdingAmended) Creates() []Created { return nil }

// Records returns the shareholding.
func (e ShareholdingAmended) Records(s *State) []any { return records(s.Shareholding(e.ID)) }

// Creates returns nil: the event creates no record.
func (ShareholdingCorrected) Creates() []Created { return nil }

// Records returns the shareholding.
func (e ShareholdingCorrected) Records(s *State) []any { return records(s.Shareholding(e.ID)) }

// Creates returns nil: the event creates no record.
func (ShareholdingVoided) Creates() []Created { return nil }

// Records returns the shareholding.
func (e ShareholdingVoided) Records(s *State) []any { return records(s.Shareholding(e.ID)) }

// Creates returns the results and the balance.
func (e Ending) Creates() []Created {
	var created []Created
	for _, issue := range e.issues() {
		created = append(created, Created{issue.ID, kindShareholding})
	}
	return created
}

// Records returns the ended shareholdings, then the results, then the balance.
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

// Creates returns nil: the event creates no record.
func (ConfigurationChanged) Creates() []Created { return nil }

// Records returns the configuration.
func (ConfigurationChanged) Records(s *State) []any { return []any{s.configuration} }

// Creates returns nil: the event creates no record.
func (PackageImported) Creates() []Created { return nil }

// Records returns nil: the import itself is not a record.
func (PackageImported) Records(*State) []any { return nil }

// Creates returns nil: the event creates no record.
func (ObjectCarried) Creates() []Created { return nil }

// Records returns nil: a carried object is not a record of the cap table.
func (ObjectCarried) Records(*State) []any { return nil }

// Creates returns the valuation.
func (e ValuationCreated) Creates() []Created { return []Created{{e.ID, kindValuation}} }

// Records returns the valuation.
func (e ValuationCreated) Records(s *State) []any { return records(s.Valuation(e.ID)) }

// Creates returns nil: the event creates no record.
func (ValuationChanged) Creates() []Created { return nil }

// Records returns the valuation.
func (e ValuationChanged) Records(s *State) []any { return records(s.Valuation(e.ID)) }

// Creates returns the capital change.
func (e CapitalChanged) Creates() []Created { return []Created{{e.ID, kindCapitalChange}} }

// Records returns the capital change.
func (e CapitalChanged) Records(s *State) []any { return records(s.CapitalChange(e.ID)) }

// Creates returns nil: the event creates no record.
func (CapitalChangeAmended) Creates() []Created { return nil }

// Records returns the capital change.
func (e CapitalChangeAmended) Records(s *State) []any { return records(s.CapitalChange(e.ID)) }

// Creates returns the funding round.
func (e BlockCreated) Creates() []Created { return []Created{{e.ID, kindBlock}} }

// Records returns the funding round.
func (e BlockCreated) Records(s *State) []any { return records(s.Block(e.ID)) }

// Creates returns nil: the event creates no record.
func (BlockChanged) Creates() []Created { return nil }

// Records returns the funding round.
func (e BlockChanged) Records(s *State) []any { return records(s.Block(e.ID)) }

// Creates returns nil: the event creates no record.
func (BlockDeleted) Creates() []Created { return nil }

// Records returns nil: the funding round is deleted.
func (BlockDeleted) Records(*State) []any { return nil }

// Creates returns the plan. Its pools are not listed separately.
func (e PlanCreated) Creates() []Created { return []Created{{e.ID, kindPlan}} }

// Records returns the plan.
func (e PlanCreated) Records(s *State) []any { return records(s.Plan(e.ID)) }

// Creates returns nil: the event creates no record.
func (PlanChanged) Creates() []Created { return nil }

// Records returns the plan.
func (e PlanChanged) Records(s *State) []any { return records(s.Plan(e.ID)) }

// Creates returns nil: the event creates no record.
func (PlanDeleted) Creates() []Created { return nil }

// Records returns nil: the plan is deleted.
func (PlanDeleted) Records(*State) []any { return nil }

// Creates returns the vesting schedule.
func (e VestingScheduleCreated) Creates() []Created { return []Created{{e.ID, kindVestingSchedule}} }

// Records returns the vesting schedule.
func (e VestingScheduleCreated) Records(s *State) []any { return records(s.VestingSchedule(e.ID)) }

// Creates returns the successor.
func (e VestingScheduleSuperseded) Creates() []Created {
	return []Created{{e.ID, kindVestingSchedule}}
}

// Records returns the successor, then the superseded schedule.
func (e VestingScheduleSuperseded) Records(s *State) []any {
	return append(records(s.VestingSchedule(e.ID)), records(s.VestingSchedule(e.Old))...)
}

// Creates returns nil: the event creates no record.
func (VestingScheduleDeleted) Creates() []Created { return nil }

// Records returns nil: the vesting schedule is deleted.
func (VestingScheduleDeleted) Records(*State) []any { return nil }

// Creates returns nil: the event creates no record.
func (PoolAdjusted) Creates() []Created { return nil }

// Records returns the plan of the pool.
func (e PoolAdjusted) Records(s *State) []any { return records(s.Plan(e.Plan)) }
