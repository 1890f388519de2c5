package equity

import (
	"context"
	"net/http"

	"equity/captable"
	"equity/fault"
	"equity/http/api"
)

// exerciseRecord is the result of an exercise or a release.
type exerciseRecord struct {
	Option       optionRecord       `json:"option"`
	Shareholding shareholdingRecord `json:"shareholding"`
	Withheld     captable.Decimal   `json:"withheld,omitzero"`
	CashFraction captable.Decimal   `json:"cashFraction,omitzero"`
}

// grantOption creates a grant, the holding of kind option.
func (s *base) grantOption(ctx context.Context, c *api.Call) (api.Answer, error) {
	command, err := api.DecodeOnly[captable.GrantOption](c, "organization", "kind")
	if err != nil {
		return api.Answer{}, err
	}
	return api.Change(ctx, s.Kernel, c, command, nil, func(grant *captable.Grant) api.Result {
		return api.Result{Record: holdersOf(c).option(grant, c.AsOf()), Version: grant.Version, Location: "/holding/" + grant.ID.String()}
	})
}

// correctGrant replaces the terms of a grant.
func (s *base) correctGrant(ctx context.Context, c *api.Call, id captable.GrantID) (api.Answer, error) {
	command, err := api.DecodeOnly[captable.CorrectGrant](c, "kind")
	if err != nil {
		return api.Answer{}, err
	}
	command.ID = id
	return s.changeOption(ctx, c, id, command)
}

// optionInPath returns the id of the holding in the path if the holding is a grant.
func optionInPath(c *api.Call) (captable.GrantID, bool) {
	id := api.PathID[captable.Grant](c, "holding")
	_, is := c.View.State.Table().Grant(id)
	return id, is
}

// notOfOptions refuses a change that grants do not have.
func notOfOptions(refusal string, change api.Handler) api.Handler {
	return func(ctx context.Context, c *api.Call) (api.Answer, error) {
		if _, is := optionInPath(c); is {
			return api.Answer{}, fault.Refuse(fault.Conflict, refusal)
		}
		return change(ctx, c)
	}
}

// cancelOptionHolding cancels a grant. Its answer has the form of any cancelled holding, with the
// grant as the remainder.
func (s *base) cancelOptionHolding(ctx context.Context, c *api.Call, id captable.GrantID) (api.Answer, error) {
	command, err := api.Decode[captable.CancelGrant](c)
	if err != nil {
		return api.Answer{}, err
	}
	command.ID = id
	return api.Change(ctx, s.Kernel, c, command, id, func(grant *captable.Grant) api.Result {
		return api.Result{Record: map[string]any{"from": holdersOf(c).option(grant, c.AsOf())}, Version: grant.Version}
	})
}

// changeOption carries out a command for a grant.
func (s *base) changeOption(
	ctx context.Context, c *api.Call, id captable.GrantID, command captable.CommandOf[*captable.Grant],
) (api.Answer, error) {
	return api.Change(ctx, s.Kernel, c, command, id, func(grant *captable.Grant) api.Result {
		return api.Result{Record: holdersOf(c).option(grant, c.AsOf()), Version: grant.Version}
	})
}

// exercised carries out a command that creates shares from a grant. The shares are the created record.
func (s options) exercised(
	ctx context.Context, c *api.Call, id captable.GrantID, command captable.CommandOf[captable.ExercisedGrant],
) (api.Answer, error) {
	return api.Change(ctx, s.Kernel, c, command, id, func(exercised captable.ExercisedGrant) api.Result {
		h := holdersOf(c)
		record := exerciseRecord{
			h.option(exercised.Grant, c.AsOf()), h.show(exercised.Shares), exercised.Withheld, exercised.CashFraction,
		}
		return api.Result{Record: record, Version: exercised.Grant.Version, Location: "/shareholding/" + exercised.Shares.ID.String()}
	})
}

func (s options) exerciseOption(ctx context.Context, c *api.Call) (api.Answer, error) {
	command, err := api.Decode[captable.ExerciseGrant](c)
	if err != nil {
		return api.Answer{}, err
	}
	grant, err := optionOfPool(c)
	if err != nil {
		return api.Answer{}, err
	}
	command.ID = grant.ID
	return s.exercised(ctx, c, grant.ID, command)
}

// requestExercise stores the holder's request until an authorized member exercises or declines it.
func (s options) requestExercise(ctx context.Context, c *api.Call) (api.Answer, error) {
	command, err := api.Decode[captable.RequestExercise](c)
	if err != nil {
		return api.Answer{}, err
	}
	grant, err := optionOfPool(c)
	if err != nil {
		return api.Answer{}, err
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
func (s options) acceptExercise(ctx context.Context, c *api.Call) (api.Answer, error) {
	command, err := api.Decode[captable.ExerciseGrant](c)
	if err != nil {
		return api.Answer{}, err
	}
	command.ID, command.Request = api.PathID[captable.Grant](c, "option"), api.PathID[captable.ExerciseRequest](c, "request")
	grant, _ := c.View.State.Table().Grant(command.ID)
	request, known := grant.Request(command.Request)
	if !known {
		return api.Answer{}, api.NotFound()
	}
	command.Quantity, command.Payment = request.Quantity, request.Payment
	if command.Date.IsZero() {
		command.Date = request.Date
	}
	return s.exercised(ctx, c, command.ID, command)
}

func (s options) declineExercise(ctx context.Context, c *api.Call) (api.Answer, error) {
	command, err := api.Decode[captable.DeclineExercise](c)
	if err != nil {
		return api.Answer{}, err
	}
	command.ID, command.Request = api.PathID[captable.Grant](c, "option"), api.PathID[captable.ExerciseRequest](c, "request")
	return s.changeOption(ctx, c, command.ID, command)
}

func (s *base) acceptGrant(ctx context.Context, c *api.Call, id captable.GrantID) (api.Answer, error) {
	command, err := api.Decode[captable.AcceptGrant](c)
	if err != nil {
		return api.Answer{}, err
	}
	command.ID = id
	return s.changeOption(ctx, c, id, command)
}

// expireOptions records the options and warrants that have expired by today. Reads show them as
// expired already.
func (s options) expireOptions(ctx context.Context, c *api.Call) (api.Answer, error) {
	command, err := api.Decode[captable.ExpireGrants](c)
	if err != nil {
		return api.Answer{}, err
	}
	return api.Change(ctx, s.Kernel, c, command, nil, func(lapses []captable.Lapse) api.Result {
		lapsed, holders := api.Page[any]{Data: []any{}}, holdersOf(c)
		for _, lapse := range lapses {
			if lapse.Grant != nil {
				lapsed.Data = append(lapsed.Data, holders.option(lapse.Grant, c.AsOf()))
			} else {
				lapsed.Data = append(lapsed.Data, holders.instrument(lapse.Instrument, c.AsOf()))
			}
		}
		return api.Result{Record: lapsed}
	})
}
