package http

import (
	"context"

	"equity/captable"
	"equity/organization"
)

// scenarioHandlers is the table of what may be asked about things that have not happened.
func (s *Server) scenarioHandlers() map[string]Handler {
	return map[string]Handler{"planRound": s.planRound, "closeRound": s.closeRound, "planExit": s.planExit}
}

// planRound answers what would come of a round. Without a date it closes today.
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

// closeRound answers the funding round as what was created. Without a date it closes today.
func (s *Server) closeRound(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[captable.CloseRound](c)
	if err != nil {
		return Answer{}, err
	}
	if command.Date.IsZero() {
		command.Date = c.through()
	}
	return s.changeBlock(ctx, c, organization.CloseRound{CloseRound: command}, nil, true)
}

// planExit answers who would get what at a sale. Without a date it is today's, or that
// of the table's last entry where the company is a day ahead.
func (s *Server) planExit(_ context.Context, c *Call) (Answer, error) {
	terms, err := decode[captable.ExitTerms](c)
	if err != nil {
		return Answer{}, err
	}
	state := c.View.State
	if terms.Date.IsZero() {
		terms.Date = max(c.through(), state.Table().LastDate())
	}
	moment := captable.Moment{Now: s.now(), Register: state, Currency: state.Profile().Currency}
	outcome, err := state.Table().PlanExit(terms, moment, state.NameOf)
	return Answer{Record: outcome, Private: true}, err
}
