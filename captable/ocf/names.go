package ocf

import "equity/captable"

// names maps ids of the package to ids of the cap table.
type names struct {
	securities    map[string]captable.SecurityID
	legendIDs     map[string]captable.LegendID
	shareholdings map[string]captable.ShareholdingID
	entities      map[string]captable.EntityID
	blocks        map[string]captable.BlockID
	pools         map[string]captable.PoolRef
	schedules     map[string]captable.VestingScheduleID
	grants        map[string]captable.GrantID
	instruments   map[string]captable.InstrumentID
}

func (n *names) holder(issuance *Object) captable.HolderRef {
	return captable.HolderRef{Entity: n.entities[issuance.text("stakeholder_id")]}
}

// complete adds the references of the issuance to the details: its legends without
// duplicates, its vesting terms and its financing.
func (n *names) complete(details captable.ShareholdingDetails, issuance *Object, financing string) captable.ShareholdingDetails {
	if block, known := n.blocks[financing]; known {
		details.Block = block.String()
	}
	if schedule, known := n.schedules[vestsBy(issuance)]; known {
		details.VestingSchedule = schedule.String()
	}
	seen := map[string]bool{}
	for _, legend := range issuance.texts("stock_legend_ids") {
		if !seen[legend] {
			seen[legend] = true
			details.Legends = append(details.Legends, n.legendIDs[legend])
		}
	}
	return details
}

// learn records the ids that an event created.
func (n *names) learn(event captable.Event) {
	switch e := event.(type) {
	case captable.LegendCreated:
		n.legendIDs[e.Terms.ExternalID] = e.ID
	case captable.BlockCreated:
		n.blocks[e.Terms.ExternalID] = e.ID
	case captable.OptionGranted:
		n.grants[e.ExternalID] = e.ID
	case captable.OptionExercised:
		n.shareholdings[e.Result.ExternalID] = e.Result.ID
	case captable.VestingScheduleCreated:
		n.schedules[e.Terms.ExternalID] = e.ID
	case captable.PlanCreated:
		n.pools[e.Terms.ExternalID] = captable.PoolRef{Plan: e.ID, Pool: e.Terms.Pools[0].ID}
	case captable.SecurityCreated:
		n.securities[e.Terms.ExternalID] = e.ID
	case captable.ShareholdingIssued:
		n.shareholdings[e.ExternalID] = e.ID
	case captable.ShareholdingEnded:
		for _, issue := range e.Results {
			n.shareholdings[issue.ExternalID] = issue.ID
		}
		if e.Balance != nil {
			n.shareholdings[e.Balance.ExternalID] = e.Balance.ID
		}
	default:
		n.learnInstrument(event)
	}
}

// learnInstrument records the ids of instruments and of the shares that result from them.
func (n *names) learnInstrument(event captable.Event) {
	switch e := event.(type) {
	case captable.InstrumentIssued:
		n.instruments[e.ExternalID] = e.ID
	case captable.InstrumentEnded:
		for _, issue := range []*captable.InstrumentIssue{e.Result, e.Balance} {
			if issue != nil {
				n.instruments[issue.ExternalID] = issue.ID
			}
		}
	case captable.InstrumentConverted:
		for _, result := range append([]captable.Issue{e.Result}, e.Others...) {
			n.shareholdings[result.ExternalID] = result.ID
		}
		if e.Balance != nil {
			n.instruments[e.Balance.ExternalID] = e.Balance.ID
		}
	case captable.WarrantExercised:
		n.shareholdings[e.Result.ExternalID] = e.Result.ID
	}
}
