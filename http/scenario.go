package http

import (
	"context"

	"equity/captable"
	"equity/captable/exit"
	"equity/organization"
)

// scenarioHandlers maps operation ids to the handlers of scenarios.
func (s *Server) scenarioHandlers() map[string]Handler {
	return map[string]Handler{"planRound": s.planRound, "closeRound": s.rounds().create(closing), "planExit": s.planExit}
}

// planRound returns the effects of a funding round. The default date is today.
func (s *Server) planRound(_ context.Context, c *Call) (Answer, error) {
	terms, err := decode[captable.RoundTerms](c)
	if err != nil {
		return Answer{}, err
	}
	if terms.Date.IsZero() {
		terms.Date = c.through()
	}
	outcome, err := c.View.State.PlanRound(terms, s.now())
	return Answer{Record: outcome, Private: true}, err
}

// closing decodes the command that records a funding round. The default date is today.
func closing(c *Call) (organization.CommandOf[*captable.Block], error) {
	command, err := decode[captable.CloseRound](c)
	if command.Date.IsZero() {
		command.Date = c.through()
	}
	return organization.CloseRound{CloseRound: command}, err
}

// planExit returns the distribution of proceeds of a sale. The default date is today, or the date of
// the last event if that is later, which is possible in time zones ahead of UTC.
func (s *Server) planExit(_ context.Context, c *Call) (Answer, error) {
	terms, err := decode[exit.Terms](c)
	if err != nil {
		return Answer{}, err
	}
	state := c.View.State
	if terms.Date.IsZero() {
		terms.Date = max(c.through(), state.Table().LastDate())
	}
	moment := captable.Moment{Now: s.now(), Register: state, Currency: state.Profile().Currency}
	outcome, err := exit.Plan(state.Table(), terms, moment, state.NameOf)
	return Answer{Record: outcome, Private: true}, err
}
