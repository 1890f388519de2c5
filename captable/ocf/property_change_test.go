package ocf_test

import (
	"iter"
	"slices"
	"strconv"

	"pgregory.net/rapid"

	"equity/captable"
	"equity/captable/vesting"
)

// drawn draws a record. Found is false without records.
func drawn[R any](t *rapid.T, records iter.Seq[R]) (record R, found bool) {
	all := slices.Collect(records)
	if len(all) == 0 {
		return record, false
	}
	return rapid.SampledFrom(all).Draw(t, "record"), true
}

// changes returns actions on records that exist, and records that the format cannot represent.
func (l *life) changes() map[string]func(*rapid.T) {
	fresh := func() string { return "n" + strconv.FormatUint(l.ids, 10) }
	return map[string]func(*rapid.T){
		"amend a legend": func(t *rapid.T) {
			if legend, found := drawn(t, l.state.Legends()); found {
				l.try(captable.AmendLegend{ID: legend.ID, Patch: []byte(`{"text":"` + fresh() + `"}`)})
			}
		},
		"delete a legend": func(t *rapid.T) {
			if legend, found := drawn(t, l.state.Legends()); found {
				l.try(captable.DeleteLegend{ID: legend.ID})
			}
		},
		"replace a block": func(t *rapid.T) {
			if block, found := drawn(t, l.state.Blocks()); found {
				terms := block.BlockTerms
				terms.Kind, terms.CloseDate = fresh(), l.ago(t)
				l.try(captable.ReplaceBlock{ID: block.ID, BlockTerms: terms})
			}
		},
		"delete a block": func(t *rapid.T) {
			if block, found := drawn(t, l.state.Blocks()); found {
				l.try(captable.DeleteBlock{ID: block.ID})
			}
		},
		"replace a plan": func(t *rapid.T) {
			if plan, found := drawn(t, l.state.Plans()); found {
				terms := captable.PlanTerms{PlanDetails: plan.PlanDetails}
				for i := range plan.Pools {
					terms.Pools = append(terms.Pools, plan.Pools[i].PoolTerms)
				}
				terms.Name, terms.VestingSchedules = fresh(), nil
				for schedule := range l.state.VestingSchedules() {
					terms.VestingSchedules = append(terms.VestingSchedules, schedule.ID.String())
				}
				terms.Pools[0].TotalShares = terms.Pools[0].TotalShares.Add(l.some(50))
				l.try(captable.ReplacePlan{ID: plan.ID, PlanTerms: terms})
			}
		},
		"delete a plan": func(t *rapid.T) {
			if plan, found := drawn(t, l.state.Plans()); found && plan.ID != l.pool.Plan {
				l.try(captable.DeletePlan{ID: plan.ID})
			}
		},
		"supersede a schedule": func(t *rapid.T) {
			if schedule, found := drawn(t, l.state.VestingSchedules()); found {
				terms := schedule.VestingScheduleTerms
				terms.Name, terms.Allocation = fresh(), vesting.FrontLoaded
				l.try(captable.SupersedeVestingSchedule{Old: schedule.ID, VestingScheduleTerms: terms})
			}
		},
		"delete a schedule": func(t *rapid.T) {
			schedule, found := drawn(t, l.state.VestingSchedules())
			for plan := range l.state.Plans() {
				if found && slices.Contains(plan.VestingSchedules, schedule.ID.String()) {
					l.try(captable.DeleteVestingSchedule{Plan: plan.ID, ID: schedule.ID})
					return
				}
			}
		},
		"delete a class": func(t *rapid.T) {
			if class, found := drawn(t, l.state.Securities()); found && class.ID != l.common && class.ID != l.preferred {
				l.try(captable.DeleteSecurity{ID: class.ID})
			}
		},
		"replace a valuation": func(t *rapid.T) {
			if valuation, found := drawn(t, l.state.Valuations()); found {
				terms := valuation.ValuationTerms
				terms.PricePerShare = &captable.Money{Amount: l.some(20), Currency: "USD"}
				l.try(captable.PutValuation{ID: valuation.ID, ValuationTerms: terms})
			}
		},
		"amend a price": func(t *rapid.T) {
			if h, found := drawn(t, l.state.Shareholdings()); found {
				l.try(captable.AmendShareholding{ID: h.ID, Patch: []byte(`{"pricePerShare":"` + l.some(20).String() + `"}`)})
			}
		},
		"replace shares": func(t *rapid.T) { l.replaced(t) },
		"request an exercise": func(*rapid.T) {
			l.try(captable.RequestExercise{ID: l.given(), Quantity: l.some(9), Date: l.day()})
		},
		"decline an exercise": func(*rapid.T) {
			for grant := range l.state.Grants() {
				for _, request := range grant.Requests {
					if request.Status == captable.RequestPending {
						l.try(captable.DeclineExercise{ID: grant.ID, Request: request.ID, Reason: "later"})
						return
					}
				}
			}
		},
		"amend a right": func(t *rapid.T) {
			patch := rapid.SampledFrom([]string{`{"comments":["noted"]}`, `{"discount":"0.15"}`, `{"exercisePrice":{"amount":"2.5"}}`}).Draw(t, "patch")
			l.try(captable.AmendInstrument{ID: l.anyRight(), Patch: []byte(patch)})
		},
		"void a right": func(*rapid.T) { l.try(captable.VoidInstrument{ID: l.anyRight(), Reason: "twice"}) },
		"correct a right": func(t *rapid.T) {
			id := l.anyRight()
			right, known := l.state.Instrument(id)
			if !known {
				return
			}
			promised := l.promise(t)
			promised.Kind, promised.IssueDate = right.Kind, right.IssueDate
			if right.Kind == captable.KindWarrant {
				promised.InstrumentTerms = right.InstrumentTerms
				promised.Principal, promised.Security, promised.Quantity = nil, right.Security, l.some(50)
			} else if promised.Principal == nil {
				return
			}
			l.try(captable.CorrectInstrument{
				ID: id, HolderRef: promised.HolderRef, InstrumentFacts: promised.InstrumentFacts, InstrumentTerms: promised.InstrumentTerms,
				Reason: "misread",
			})
		},
		"change capital": func(*rapid.T) {
			l.try(captable.ChangeCapital{Entity: l.anybody().Entity, CapitalChangeTerms: captable.CapitalChangeTerms{
				Kind: "contribution", Amount: captable.Money{Amount: l.some(99), Currency: "USD"}, Date: l.day(),
			}})
		},
		"amend a change of capital": func(t *rapid.T) {
			if change, found := drawn(t, l.state.CapitalChanges()); found {
				l.try(captable.AmendCapitalChange{ID: change.ID, Entity: change.Entity, Patch: []byte(`{"note":"` + fresh() + `"}`)})
			}
		},
		"configure": func(*rapid.T) {
			configuration := l.state.Configuration()
			configuration.CertificateSignatories = []captable.Signatory{{Name: fresh(), Title: "Secretary"}}
			l.try(captable.Configure{Configuration: configuration})
		},
	}
}

// anyRight draws an outstanding convertible or warrant.
func (l *life) anyRight() captable.InstrumentID {
	return l.right(captable.KindNote, captable.KindSAFE, captable.KindCustom, captable.KindWarrant)
}

// replaced reissues or consolidates the shares of a holder in one class.
func (l *life) replaced(t *rapid.T) {
	first, known := l.state.Shareholding(l.one())
	if !known {
		return
	}
	command := captable.ReplaceShareholding{Kind: captable.StatusReissued, From: []captable.ShareholdingID{first.ID}, Date: l.day()}
	total := first.Shares
	for h := range l.state.Shareholdings() {
		if h.ID != first.ID && h.Entity == first.Entity && h.Security == first.Security && h.Status.Outstanding() && h.Pool == first.Pool {
			command.Kind, command.From = captable.StatusConsolidated, append(command.From, h.ID)
			total = total.Add(h.Shares)
			break
		}
	}
	result := captable.Result{Holder: holder(first.Entity), Security: first.Security, Shares: total}
	if rapid.Bool().Draw(t, "the same terms") {
		result.ShareholdingDetails = first.ShareholdingDetails
	}
	command.Results = []captable.Result{result}
	l.try(command)
}
