package http

import (
	"context"
	"fmt"
	"net/http"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// exerciseRecord is the result of an exercise or a release.
type exerciseRecord struct {
	Option       optionRecord       `json:"option"`
	Shareholding shareholdingRecord `json:"shareholding"`
	Withheld     captable.Decimal   `json:"withheld,omitzero"`
	CashFraction captable.Decimal   `json:"cashFraction,omitzero"`
}

// last returns the last affected record of type R. Expired records that were recorded with the change
// come before it.
func last[R any](reply messages.Reply) (found R, err error) {
	err = fmt.Errorf("the change touched no %T", found)
	for _, record := range reply.Records {
		if one, ok := record.(R); ok {
			found, err = one, nil
		}
	}
	return found, err
}

// grantOption creates a grant, the holding of kind option.
func (s *Server) grantOption(ctx context.Context, c *Call) (Answer, error) {
	command, err := decodeOnly[captable.GrantOption](c, "organization", "kind")
	if err != nil {
		return Answer{}, err
	}
	return s.alter(ctx, c, command, nil, func(reply messages.Reply) (shown, error) {
		made, err := s.shownOption(ctx, c, reply)
		if record, ok := made.record.(optionRecord); ok {
			made.location = "/holding/" + record.ID.String()
		}
		return made, err
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
	return s.alter(ctx, c, command, id, func(reply messages.Reply) (shown, error) {
		made, err := s.shownOption(ctx, c, reply)
		made.record = map[string]any{"from": made.record}
		return made, err
	})
}

// changeOption carries out a command for a grant.
func (s *Server) changeOption(ctx context.Context, c *Call, id captable.GrantID, command captable.Command) (Answer, error) {
	return s.alter(ctx, c, command, id, func(reply messages.Reply) (shown, error) { return s.shownOption(ctx, c, reply) })
}

// exercised carries out a command that creates shares from a grant. The shares are the created record.
func (s *Server) exercised(ctx context.Context, c *Call, id captable.GrantID, command captable.Command) (Answer, error) {
	return s.alter(ctx, c, command, id, func(reply messages.Reply) (shown, error) {
		option, err := s.shownOption(ctx, c, reply)
		if err != nil {
			return shown{}, err
		}
		held, err := last[*captable.Shareholding](reply)
		if err != nil {
			return shown{}, err
		}
		record, _ := option.record.(optionRecord)
		made := exerciseRecord{Option: record, Shareholding: s.holdersNow(ctx, c).show(held)}
		for _, happened := range reply.Events {
			table, _ := happened.(organization.TableEvent)
			if event, ok := table.Event.(captable.OptionExercised); ok {
				made.Withheld, made.CashFraction = event.Withheld, event.CashFraction
			}
		}
		return shown{made, option.version, "/shareholding/" + held.ID.String()}, nil
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
	return s.alter(ctx, c, command, nil, func(reply messages.Reply) (shown, error) {
		lapsed := page[any]{Data: []any{}}
		holders := s.holdersNow(ctx, c)
		for _, record := range reply.Records {
			switch held := record.(type) {
			case *captable.Grant:
				lapsed.Data = append(lapsed.Data, holders.option(held, c.AsOf()))
			case *captable.Instrument:
				lapsed.Data = append(lapsed.Data, holders.instrument(held, c.AsOf()))
			}
		}
		return shown{record: lapsed, version: reply.Sequence}, nil
	})
}
