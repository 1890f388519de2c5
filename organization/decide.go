package organization

import (
	"time"

	"equity/captable"
)

// Command is a wish to change the organization.
type Command interface {
	decide(s *State, m Moment) ([]Event, error)
}

// Table is a command of the cap table.
type Table struct{ captable.Command }

// Moment is what a decision needs from outside.
type Moment struct {
	// Now is when the command was received.
	Now time.Time
	// By is the account that wishes it; none for the system itself.
	By UserID
	// NewID gives a fresh UUID each time it is called.
	NewID func() [16]byte
}

// Decide checks a command against the state and gives the events that would make
// it true, or a [captable.Error]. It changes nothing, but it may copy the state, so it
// is for the goroutine that owns it: see [State.Copy].
func Decide(s *State, command Command, m Moment) ([]Event, error) {
	if _, creates := command.(Create); !creates && s.id.IsZero() {
		return nil, captable.Refuse(captable.CodeNotFound, "There is no such organization.")
	}
	return command.decide(s, m)
}

// Apply moves the state on by one event. It never fails.
func (s *State) Apply(event Event, stamp captable.Stamp) { event.apply(s, stamp) }

func (c Table) decide(s *State, m Moment) ([]Event, error) {
	decided, err := captable.Decide(s.table, c.Command, s.tableMoment(m))
	if err != nil {
		return nil, err
	}
	events := make([]Event, len(decided))
	for i, event := range decided {
		events[i] = TableEvent{event}
	}
	return events, nil
}

func (s *State) tableMoment(m Moment) captable.Moment {
	return captable.Moment{Now: m.Now, NewID: m.NewID, Register: s, Currency: s.profile.Currency}
}
