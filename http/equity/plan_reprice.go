package equity

import (
	"context"

	"equity/captable"
	"equity/http/api"
)

// repriced is the result of repricing a plan.
type repriced struct {
	Plan captable.PlanID `json:"plan"`
	// Options are the grants with a changed price, in the order of their ids.
	Options []repricedOption `json:"options"`
}

// repricedOption is a grant with its price before and after.
type repricedOption struct {
	Option      captable.GrantID  `json:"option"`
	Entity      captable.EntityID `json:"entity"`
	Outstanding captable.Decimal  `json:"outstanding"`
	From        captable.Price    `json:"from"`
	To          captable.Price    `json:"to"`
}

// repricePlan lowers the exercise price of a plan's options and returns the changed grants.
func (s plans) repricePlan(ctx context.Context, c *api.Call) (api.Answer, error) {
	command, err := api.Decode[captable.RepriceGrants](c)
	if err != nil {
		return api.Answer{}, err
	}
	command.Plan = api.PathID[captable.Plan](c, "plan")
	return api.Change(ctx, s.Kernel, c, command, command.Plan, func(grants []*captable.Grant) api.Result {
		result := repriced{Plan: command.Plan, Options: []repricedOption{}}
		for _, grant := range grants {
			last := grant.Repricings[len(grant.Repricings)-1]
			result.Options = append(result.Options, repricedOption{grant.ID, grant.Entity, grant.Left(), last.From, last.To})
		}
		return api.Result{Record: result}
	})
}
