package http

import (
	"context"

	"equity/captable"
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
func (s *Server) repricePlan(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[captable.RepriceGrants](c)
	if err != nil {
		return Answer{}, err
	}
	command.Plan = pathID[captable.Plan](c, "plan")
	return alter(ctx, s, c, command, command.Plan, func(grants []*captable.Grant) shown {
		result := repriced{Plan: command.Plan, Options: []repricedOption{}}
		for _, grant := range grants {
			last := grant.Repricings[len(grant.Repricings)-1]
			result.Options = append(result.Options, repricedOption{grant.ID, grant.Entity, grant.Left(), last.From, last.To})
		}
		return shown{record: result}
	})
}
