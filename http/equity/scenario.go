package equity

import (
	"context"

	"equity/captable"
	"equity/captable/exit"
	"equity/http/api"
	"equity/organization"
)

// operations maps operation ids to the handlers of scenarios.
func (s scenarios) operations() map[string]api.Handler {
	return map[string]api.Handler{"planRound": s.planRound, "closeRound": s.rounds().Create(closing), "planExit": s.planExit}
}

// planRound returns the effects of a funding round. The default date is today.
func (s scenarios) planRound(_ context.Context, c *api.Call) (api.Answer, error) {
	terms, err := api.Decode[captable.RoundTerms](c)
	if err != nil {
		return api.Answer{}, err
	}
	if terms.Date.IsZero() {
		terms.Date = through(c)
	}
	outcome, err := c.View.State.PlanRound(terms, s.Now())
	return api.Answer{Record: outcome, Private: true}, err
}

// closing decodes the command that records a funding round. The default date is today.
func closing(c *api.Call) (organization.CommandOf[*captable.Block], error) {
	command, err := api.Decode[captable.CloseRound](c)
	if command.Date.IsZero() {
		command.Date = through(c)
	}
	return organization.CloseRound{CloseRound: command}, err
}

// planExit returns the distribution of proceeds of a sale. The default date is today, or the date of
// the last event if that is later, which is possible in time zones ahead of UTC.
func (s scenarios) planExit(_ context.Context, c *api.Call) (api.Answer, error) {
	terms, err := api.Decode[exit.Terms](c)
	if err != nil {
		return api.Answer{}, err
	}
	state := c.View.State
	if terms.Date.IsZero() {
		terms.Date = max(through(c), state.Table().LastDate())
	}
	moment := captable.DecideContext{Now: s.Now(), Register: state, Currency: state.Profile().Currency}
	outcome, err := exit.Plan(state.Table(), terms, moment, state.NameOf)
	return api.Answer{Record: outcome, Private: true}, err
}
