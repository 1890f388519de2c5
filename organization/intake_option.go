package organization

import (
	"strings"

	"equity/captable"
	"equity/fault"
)

// GrantRow is a grant as a row of a spreadsheet, with the holder, plan and pool as texts. Its fields are the
// columns of the template, in order.
type GrantRow struct {
	// Holder is the full name, externalId or id of a member, or the id of an entity.
	Holder string `json:"holder"`
	// Plan is the name, externalId or id of a plan.
	Plan string `json:"plan"`
	// Pool is the name or id of a pool of the plan. It may be empty if the plan has only one.
	Pool string `json:"pool"`
	// Type is iso, nso, international, rsu or sar, case-insensitive.
	Type           string           `json:"type"`
	Quantity       captable.Decimal `json:"quantity"`
	IssueDate      captable.Date    `json:"issueDate,omitzero"`
	ExercisePrice  *captable.Price  `json:"exercisePrice,omitempty"`
	ExpirationDate captable.Date    `json:"expirationDate,omitzero"`
	// VestingSchedule is the name or id of a schedule.
	VestingSchedule string        `json:"vestingSchedule"`
	VestingStart    captable.Date `json:"vestingStart,omitzero"`
	// EarlyExercise is yes or no. Empty means no.
	EarlyExercise     string          `json:"earlyExercise"`
	MarketValue       *captable.Price `json:"marketValue,omitempty"`
	BoardApprovalDate captable.Date   `json:"boardApprovalDate,omitzero"`
	Block             string          `json:"block"`
	ExternalID        string          `json:"externalId"`
}

// Decide decides the grant. Unknown names are reported together with the faults found by the cap table, so that
// all of them can be corrected at once.
func (r GrantRow) Decide(s *State, m DecideContext) ([]Event, error) {
	var faults fault.Fields
	holder := s.holderNamed(&faults, r.Holder)
	ref := s.poolNamed(&faults, r.Plan, r.Pool)
	command := captable.GrantOption{
		HolderRef: captable.HolderRef{Entity: holder}, Quantity: r.Quantity, ExercisePrice: r.ExercisePrice, MarketValue: r.MarketValue,
		GrantTerms: captable.GrantTerms{
			Plan: ref.Plan, Pool: ref.Pool, Type: captable.GrantType(strings.ToLower(r.Type)), IssueDate: r.IssueDate,
			ExpirationDate: r.ExpirationDate, VestingSchedule: r.VestingSchedule, VestingStart: r.VestingStart,
			EarlyExercise: isYes(&faults, "/earlyExercise", r.EarlyExercise),
		},
		GrantDetails: captable.GrantDetails{BoardApprovalDate: r.BoardApprovalDate, Block: r.Block, ExternalID: r.ExternalID},
	}
	events, err := Table{command}.Decide(s, m)
	if len(faults) == 0 {
		return events, err
	}
	return nil, withFaults(faults, err)
}

// poolNamed returns the pool identified by two texts.
func (s *State) poolNamed(faults *fault.Fields, plan, pool string) captable.PoolRef {
	found := s.planNamed(plan)
	if found == nil {
		faults.Add("/plan", "unknownReference", "Use the name, externalId or id of a plan.")
		return captable.PoolRef{}
	}
	if pool == "" && len(found.Pools) == 1 {
		return captable.PoolRef{Plan: found.ID, Pool: found.Pools[0].ID}
	}
	for i := range found.Pools {
		if pool != "" && (strings.EqualFold(pool, found.Pools[i].Name) || strings.EqualFold(pool, found.Pools[i].ID.String())) {
			return captable.PoolRef{Plan: found.ID, Pool: found.Pools[i].ID}
		}
	}
	if pool == "" {
		faults.Add("/pool", "required", "pool is required unless the plan has exactly one pool.")
	} else {
		faults.Add("/pool", "unknownReference", "Use the name or id of a pool of the plan.")
	}
	return captable.PoolRef{Plan: found.ID}
}

// planNamed returns the plan identified by a text, or nil.
func (s *State) planNamed(text string) *captable.Plan {
	for plan := range s.table.Plans() {
		if text != "" && (strings.EqualFold(text, plan.Name) || text == plan.ExternalID || strings.EqualFold(text, plan.ID.String())) {
			return plan
		}
	}
	return nil
}

// isYes parses common spellings of yes and no.
func isYes(faults *fault.Fields, pointer, text string) bool {
	switch strings.ToLower(text) {
	case "", "no", "n", "false", "0":
		return false
	case "yes", "y", "true", "1":
		return true
	default:
		faults.Add(pointer, "enum", "The value must be yes or no.")
		return false
	}
}
