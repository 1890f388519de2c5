package captable

import (
	"encoding/json"
	"errors"
	"maps"
)

// Event is something that happened to the cap table. Events are immutable facts:
// they are recorded once and applied again at every replay.
type Event interface {
	// EventType is the event's name in the journal, such as shareholdingIssued.
	EventType() string
	// Creates lists the records that the event brought into being.
	Creates() []Created
	// Records gives the records that the event touched as they are in the state,
	// in the order in which the event names them.
	Records(s *State) []any
	apply(s *State, stamp Stamp)
}

// Created is a record with an id of its own and what it is.
type Created struct {
	ID   [16]byte
	Kind string
}

// Command is a wish to change the cap table. Its decide method holds its rules.
type Command interface {
	decide(s *State, m Moment) ([]Event, error)
}

// Decide checks a command against the state and gives the events that would make
// it true, or an [Error]. It changes nothing, but it may copy the state, so it is for
// the goroutine that owns it: see [State.Copy]. Where too few shares are left, what has
// lapsed meanwhile is recorded first: what that gives back is there already.
func Decide(s *State, command Command, m Moment) ([]Event, error) {
	events, err := s.decided(command, m)
	lapses := s.makeRoom(err, m)
	if len(lapses) == 0 {
		return events, err
	}
	events, again := s.after(lapses).decided(command, m)
	switch {
	case again == nil:
		return append(lapses, events...), nil
	case isShort(again): // by figures that are right
		return nil, again
	default:
		return nil, err
	}
}

// decided decides the command, and checks the limits of every day.
func (s *State) decided(command Command, m Moment) ([]Event, error) {
	events, err := command.decide(s, m)
	if err == nil {
		err = s.checkDays(events, command)
	}
	if err != nil {
		return nil, err
	}
	return events, nil
}

// isShort reports whether a refusal is for too few shares.
func isShort(refused error) bool {
	refusal := new(Error)
	return errors.As(refused, &refusal) && refusal.Code == CodeInsufficientShares
}

// Apply moves the state on by one event. It never fails.
func (s *State) Apply(event Event, stamp Stamp) { event.apply(s, stamp) }

// endings are the kinds under which an [Ending] is recorded.
func endings() []Status {
	return []Status{
		StatusTransferred, StatusRepurchased, StatusCancelled, StatusConverted,
		StatusReissued, StatusConsolidated, StatusRetracted,
	}
}

// Decoders gives, by event type, how its payload is read.
func Decoders() map[string]func(payload []byte) (Event, error) {
	decoders := map[string]func([]byte) (Event, error){
		SecurityCreated{}.EventType():           decode[SecurityCreated],
		SecurityChanged{}.EventType():           decode[SecurityChanged],
		SecurityDeleted{}.EventType():           decode[SecurityDeleted],
		SharesAuthorized{}.EventType():          decode[SharesAuthorized],
		SecuritySplit{}.EventType():             decode[SecuritySplit],
		LegendCreated{}.EventType():             decode[LegendCreated],
		LegendChanged{}.EventType():             decode[LegendChanged],
		LegendDeleted{}.EventType():             decode[LegendDeleted],
		ShareholdingIssued{}.EventType():        decode[ShareholdingIssued],
		ShareholdingAccepted{}.EventType():      decode[ShareholdingAccepted],
		ShareholdingAmended{}.EventType():       decode[ShareholdingAmended],
		ShareholdingCorrected{}.EventType():     decode[ShareholdingCorrected],
		ShareholdingVoided{}.EventType():        decode[ShareholdingVoided],
		ConfigurationChanged{}.EventType():      decode[ConfigurationChanged],
		PackageImported{}.EventType():           decode[PackageImported],
		ObjectCarried{}.EventType():             decode[ObjectCarried],
		ValuationCreated{}.EventType():          decode[ValuationCreated],
		ValuationChanged{}.EventType():          decode[ValuationChanged],
		CapitalChanged{}.EventType():            decode[CapitalChanged],
		CapitalChangeAmended{}.EventType():      decode[CapitalChangeAmended],
		BlockCreated{}.EventType():              decode[BlockCreated],
		BlockChanged{}.EventType():              decode[BlockChanged],
		BlockDeleted{}.EventType():              decode[BlockDeleted],
		PlanCreated{}.EventType():               decode[PlanCreated],
		PlanChanged{}.EventType():               decode[PlanChanged],
		PlanDeleted{}.EventType():               decode[PlanDeleted],
		PoolAdjusted{}.EventType():              decode[PoolAdjusted],
		VestingScheduleCreated{}.EventType():    decode[VestingScheduleCreated],
		VestingScheduleSuperseded{}.EventType(): decode[VestingScheduleSuperseded],
		VestingScheduleDeleted{}.EventType():    decode[VestingScheduleDeleted],
	}
	decoders[ConversionAdjusted{}.EventType()] = decode[ConversionAdjusted]
	decoders[VestingStopped{}.EventType()] = decode[VestingStopped]
	maps.Copy(decoders, instrumentDecoders())
	for _, kind := range endings() {
		decoders[Ending{Kind: kind}.EventType()] = decode[Ending]
	}
	maps.Copy(decoders, grantDecoders())
	return decoders
}

func decode[E Event](payload []byte) (Event, error) {
	var event E
	err := json.Unmarshal(payload, &event)
	return event, err
}
