package integration

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"equity/fault"
	"equity/http/api"
	"equity/messages"
)

// The names of the consumers.
const (
	consumerMail    = "mail"
	consumerBilling = "billing"
)

// state is the JSON form of the state of an integration.
type state struct {
	ID            string    `json:"id"`
	Name          string    `json:"name"`
	State         string    `json:"state"`
	LastSuccessAt time.Time `json:"lastSuccessAt,omitzero"`
	LastError     string    `json:"lastError,omitempty"`
	Behind        uint64    `json:"behind"`
	Event         uint64    `json:"event,omitempty"`
	NextAttemptAt time.Time `json:"nextAttemptAt,omitzero"`
}

// key is the key of an integration in the list. The instances of rooms follow the others, in order of creation.
func (s states) key(at int, one state) string {
	if owner, ok := s.owner(one.ID); ok {
		return owner + one.ID
	}
	return "0" + api.PlaceKey(at, one)
}

// owner returns the name of the consumer that has an instance with the name.
func (s states) owner(id string) (consumer string, ok bool) {
	for _, instances := range s.Instances {
		if instances.Owns(id) {
			return instances.Consumer, true
		}
	}
	return "", false
}

// list returns the states of all integrations, also of those without work so far.
func (s states) list(ctx context.Context, c *api.Call) (api.Answer, error) {
	stored, err := s.Consumers.Status(ctx, c.Organization)
	if err != nil {
		return api.Answer{}, api.Unavailable(err)
	}
	all := []state{}
	for _, name := range append([]string{consumerMail, consumerBilling}, s.Rooms...) {
		all = append(all, state{ID: name, Name: name, State: messages.ConsumerOff})
	}
	for _, instances := range s.Instances {
		for _, name := range instances.Of(c.View.State) {
			all = append(all, state{ID: name, Name: instances.Consumer, State: messages.ConsumerOff})
		}
	}
	for i := range stored {
		one := &stored[i]
		shown := state{
			ID: one.Name, Name: one.Name, State: one.State, LastSuccessAt: one.LastSuccessAt, LastError: one.LastError,
			Behind: one.Behind, Event: one.Event, NextAttemptAt: one.NextAttemptAt,
		}
		if one.Instance != "" {
			shown.ID = one.Instance
		}
		if at := slices.IndexFunc(all, func(known state) bool { return known.ID == shown.ID }); at >= 0 {
			all[at] = shown
		}
	}
	page, err := api.PageByKey(c, all, s.key)
	if err != nil {
		return api.Answer{}, err
	}
	return api.ReadContent(c, page, 0)
}

// consumerOf returns the name of the consumer of the integration in the path.
func (s states) consumerOf(c *api.Call) string {
	id := c.Path("integration")
	if owner, ok := s.owner(id); ok {
		return owner + "/" + id
	}
	return id
}

func (s states) retry(ctx context.Context, c *api.Call) (api.Answer, error) {
	return s.changed(c, s.Consumers.Retry(ctx, c.Organization, s.consumerOf(c), c.At))
}

func (s states) skip(ctx context.Context, c *api.Call) (api.Answer, error) {
	given, err := api.Decode[struct {
		Sequence uint64 `json:"sequence"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	return s.changed(c, s.Consumers.Skip(ctx, c.Organization, s.consumerOf(c), given.Sequence, c.By(), c.At))
}

// changed wakes the consumer after a change of its state.
func (s states) changed(c *api.Call, err error) (api.Answer, error) {
	switch {
	case errors.Is(err, messages.ErrNotFailed):
		return api.Answer{}, fault.Refuse(fault.Conflict, "The integration has no such failing event. Read its state again.")
	case err != nil:
		return api.Answer{}, api.Unavailable(err)
	}
	s.Wake(c.Organization, s.consumerOf(c))
	return api.Answer{Status: http.StatusAccepted}, nil
}
