package http

import (
	"context"
	"net/http"

	"equity/captable"
)

// exerciseRecord is the result of an exercise or a release.
type exerciseRecord struct {
	Option       optionRecord       `json:"option"`
	Shareholding shareholdingRecord `json:"shareholding"`
	Withheld     captable.Decimal   `json:"withheld,omitzero"`
	CashFraction captable.Decimal   `json:"cashFraction,omitzero"`
}

// grantOption creates a grant, the holding of kind option.
func (s *Server) grantOption(ctx context.Context, c *Call) (Answer, error) {
	command, err := decodeOnly[captable.GrantOption](c, "organization", "kind")
	if err != nil {
		return Answer{}, err
	}
	return alter(ctx, s, c, command, nil, func(grant *captable.Grant) shown {
		return shown{c.holders().option(grant, c.AsOf()), grant.Version, "/holding/" + grant.ID.String()}
	})
}

// correctGrant replaces the terms of a grant.
func (s *Server) correctGrant(ctx context.Context, c *Call, id captable.GrantID) (Answer, error) {
	command, err := decodeOnly[captable.CorrectGrant](c, "kind")
	if err != nil {
		return Answer{}, err
	}
	command.ID = id
	return s.changeOption(ctx, c, id, command)
}

// optionInPath returns the id of the holding in the path if the holding is a grant.
func (c *Call) optionInPath() (captable.GrantID, bool) {
	id := pathID[captable.Grant](c, "holding")
	_, is := c.View.State.Table().Grant(id)
	return id, is
}

// cancelOptionHolding cancels a grant. Its answer has the form of any cancelled holding, with the
// grant as the remainder.
func (s *Server) cancelOptionHolding(ctx context.Context, c *Call, id captable.GrantID) (Answer, error) {
	command, err := decode[captable.CancelGrant](c)
	if err != nil {
		return Answer{}, err
	}
	command.ID = id
	return alter(ctx, s, c, command, id, func(grant *captable.Grant) shown {
		return shown{record: map[string]any{"from": c.holders().option(grant, c.AsOf())}, version: grant.Version}
	})
}

// changeOption carries out a command for a grant.
func (s *Server) changeOption(
	ctx context.Context, c *Call, id captable.GrantID, command captable.CommandOf[*captable.Grant],
) (Answer, error) {
	return alter(ctx, s, c, command, id, func(grant *captable.Grant) shown {
		return shown{record: c.holders().option(grant, c.AsOf()), version: grant.Version}
	})
}

// exercised carries out a command that creates shares from a grant. The shares are the created record.
func (s *Server) exercised(
	ctx context.Context, c *Call, id captable.GrantID, command captable.CommandOf[captable.ExercisedGrant],
) (Answer, error) {
	return alter(ctx, s, c, command, id, func(exercised captable.ExercisedGrant) shown {
		h := c.holders()
		record := exerciseRecord{
			h.option(exercised.Grant, c.AsOf()), h.show(exercised.Shares), exercised.Withheld, exercised.CashFraction,
		}
		return shown{record, exercised.Grant.Version, "/shareholding/" + exercised.Shares.ID.String()}
	})
}

func (s *Server) exerciseOption(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[captable.ExerciseGrant](c)
	if err != nil {
		return Answer{}, err
	}
	grant, err := c.optionOfPool()
	if err != nil {
		return Answer{}, err
	}
	command.ID = grant.ID
	return s.exercised(ctx, c, grant.ID, command)
}

// requestExercise stores the holder's request until an authorized member exercises or declines it.
func (s *Server) requestExercise(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[captable.RequestExercise](c)
	if err != nil {
		return Answer{}, err
	}
	grant, err := c.optionOfPool()
	if err != nil {
		return Answer{}, err
	}
	command.ID = grant.ID
	answer, err := s.changeOption(ctx, c, grant.ID, command)
	if err == nil && !c.DryRun() {
		answer.Status, answer.Location = http.StatusCreated, "/option/"+grant.ID.String()
	}
	return answer, err
}

// acceptExercise carries out a requested exercise, on the day of the request unless the body has
// another.
func (s *Server) acceptExercise(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[captable.ExerciseGrant](c)
	if err != nil {
		return Answer{}, err
	}
	command.ID, command.Request = pathID[captable.Grant](c, "option"), pathID[captable.ExerciseRequest](c, "request")
	grant, _ := c.View.State.Table().Grant(command.ID)
	request, known := grant.Request(command.Request)
	if !known {
		return Answer{}, errNotFound()
	}
	command.Quantity, command.Payment = request.Quantity, request.Payment
	if command.Date.IsZero() {
		command.Date = request.Date
	}
	return s.exercised(ctx, c, command.ID, command)
}

func (s *Server) declineExercise(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[captable.DeclineExercise](c)
	if err != nil {
		return Answer{}, err
	}
	command.ID, command.Request = pathID[captable.Grant](c, "option"), pathID[captable.ExerciseRequest](c, "request")
	return s.changeOption(ctx, c, command.ID, command)
}

func (s *Server) acceptGrant(ctx context.Context, c *Call, id captable.GrantID) (Answer, error) {
	command, err := decode[captable.AcceptGrant](c)
	if err != nil {
		return Answer{}, err
	}
	command.ID = id
	return s.changeOption(ctx, c, id, command)
}

// expireOptions records the options and warrants that have expired by today. Reads show them as
// expired already.
func (s *Server) expireOptions(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[captable.ExpireGrants](c)
	if err != nil {
		return Answer{}, err
	}
	return alter(ctx, s, c, command, nil, func(lapses []captable.Lapse) shown {
		lapsed, holders := page[any]{Data: []any{}}, c.holders()
		for _, lapse := range lapses {
			if lapse.Grant != nil {
				lapsed.Data = append(lapsed.Data, holders.option(lapse.Grant, c.AsOf()))
			} else {
				lapsed.Data = append(lapsed.Data, holders.instrument(lapse.Instrument, c.AsOf()))
			}
		}
		return shown{record: lapsed}
	})
}
