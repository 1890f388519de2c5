package organization

import (
	"strings"

	"equity/captable"
)

// GrantRow asks for a grant as a row of a spreadsheet does: it names the holder, the plan
// and the pool in words. Its fields are the columns of the template, in their order.
type GrantRow struct {
	// Holder is a member by full name, by externalId or by id, or an entity by id.
	Holder string `json:"holder"`
	// Plan is a plan by name, by externalId or by id.
	Plan string `json:"plan"`
	// Pool is one of the plan's by name or id; empty where the plan has only one.
	Pool string `json:"pool"`
	// Type is iso, nso, international, rsu or sar, in whatever case.
	Type           string           `json:"type"`
	Quantity       captable.Decimal `json:"quantity"`
	IssueDate      captable.Date    `json:"issueDate,omitzero"`
	ExercisePrice  *captable.Price  `json:"exercisePrice,omitempty"`
	ExpirationDate captable.Date    `json:"expirationDate,omitzero"`
	// VestingSchedule is a schedule by name or id.
	VestingSchedule string        `json:"vestingSchedule"`
	VestingStart    captable.Date `json:"vestingStart,omitzero"`
	// EarlyExercise is yes or no; empty means no.
	EarlyExercise     string          `json:"earlyExercise"`
	MarketValue       *captable.Price `json:"marketValue,omitempty"`
	BoardApprovalDate captable.Date   `json:"boardApprovalDate,omitzero"`
	Block             string          `json:"block"`
	ExternalID        string          `json:"externalId"`
}

// decide makes the grant that the row means. Names that nobody has are told together with what the cap table finds
// wrong, so that a spreadsheet is mended in one go.
func (r GrantRow) decide(s *State, m Moment) ([]Event, error) {
	var faults captable.Faults
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
	events, err := Table{command}.decide(s, m)
	if len(faults) == 0 {
		return events, err
	}
	return nil, withFaults(faults, err)
}

// poolNamed finds the pool that two texts mean.
func (s *State) poolNamed(faults *captable.Faults, plan, pool string) captable.PoolRef {
	found := s.planNamed(plan)
	if found == nil {
		faults.Add("/plan", "unknownReference", "No plan has this name, externalId or id.")
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
		faults.Add("/pool", "required", "The plan has several pools, or none: name the one.")
	} else {
		faults.Add("/pool", "unknownReference", "No pool of the plan has this name or id.")
	}
	return captable.PoolRef{Plan: found.ID}
}

// planNamed finds the plan that a text means; nil where there is none.
func (s *State) planNamed(text string) *captable.Plan {
	for plan := range s.table.Plans() {
		if text != "" && (strings.EqualFold(text, plan.Name) || text == plan.ExternalID || strings.EqualFold(text, plan.ID.String())) {
			return plan
		}
	}
	return nil
}

// isYes reads what people and programs write for yes and no.
func isYes(faults *captable.Faults, pointer, text string) bool {
	switch strings.ToLower(text) {
	case "", "no", "n", "false", "0":
		return false
	case "yes", "y", "true", "1":
		return true
	default:
		faults.Add(pointer, "enum", "It is yes or no.")
		return false
	}
}
