package organization

import (
	"time"

	"equity/captable"
	"equity/fault"
)

// Command is a requested change of the organization.
type Command interface {
	Decide(s *State, m DecideContext) ([]Event, error)
}

// Table is a command of the cap table.
type Table struct{ captable.Command }

// CodeLimit refuses a record beyond the number that an organization may have.
const CodeLimit fault.Code = "limitReached"

// DecideContext contains the external inputs of a decision.
type DecideContext struct {
	// Now is the time when the command was received.
	Now time.Time
	// By is the author's account, or zero for the system.
	By UserID
	// Bound bounds the rights of the author, for whom a token acts; nil without a bound.
	Bound *Rights
	// NewID returns a new UUID on each call.
	NewID func() [16]byte
	// StartLimits are the limits of the smallest plan. nil means that no organization has limits.
	StartLimits *PlanLimits
	// StorageLimit bounds the bytes of the files of the organization; 0 is no limit.
	StorageLimit int64
	// Schema is the schema of the program, which has the events of its extensions too. Decisions about names of events require it.
	Schema *Schema
}

// Decide checks a command against the state and returns the resulting events, or a [fault.Error]. It does not
// change the state, but it may copy it, so only the owning goroutine may call it: see [State.Copy].
func Decide(s *State, command Command, m DecideContext) ([]Event, error) {
	if _, creates := command.(Create); !creates && s.id.IsZero() {
		return nil, fault.Refuse(fault.NotFound, "The organization does not exist.")
	}
	events, err := command.Decide(s, m)
	if err != nil {
		return nil, err
	}
	files := s.FilesFor(s.author(m))
	s.keepHiddenFiles(events, files)
	if err := s.checkFiles(events, files); err != nil {
		return nil, err
	}
	if err := s.checkSecondPerson(events, m); err != nil {
		return nil, err
	}
	decision := &Decision{Before: s, Command: command, Events: events, Context: m}
	if err := withinLimits(decision); err != nil {
		return nil, err
	}
	if err := m.Schema.guard(decision); err != nil {
		return nil, err
	}
	return events, nil
}

// author returns the author as a reader. The system reads everything.
func (s *State) author(m DecideContext) Reader {
	if m.By.IsZero() {
		owner := &Member{}
		owner.Roles = []string{RoleOwner}
		return Reader{Member: owner}
	}
	reader, _ := s.Reader(m.By, nil)
	return reader
}

// Apply applies one event to the state. It never fails.
func (s *State) Apply(event Event, stamp captable.Stamp) { event.Apply(s, stamp) }

func (c Table) Decide(s *State, m DecideContext) ([]Event, error) {
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

func (s *State) tableMoment(m DecideContext) captable.DecideContext {
	return captable.DecideContext{Now: m.Now, NewID: m.NewID, Register: s, Currency: s.profile.Currency}
}
