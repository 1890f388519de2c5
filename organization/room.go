package organization

import (
	"encoding/json"

	"equity/captable"
	"equity/organization/document"
)

// Room is a command of the data room.
type Room struct{ document.Command }

// RoomEvent is an event of the data room.
type RoomEvent struct{ document.Event }

// MarshalJSON returns the payload of the wrapped event.
func (e RoomEvent) MarshalJSON() ([]byte, error) { return json.Marshal(e.Event) }

// Records returns the affected records of the data room.
func (e RoomEvent) Records(s *State) []any { return e.Event.Records(s.documents) }

func (e RoomEvent) Apply(s *State, stamp captable.Stamp) { s.documents.Apply(e.Event, stamp) }

func (c Room) Decide(s *State, m DecideContext) ([]Event, error) {
	decided, err := document.Decide(
		s.documents, c.Command,
		document.DecideContext{Now: m.Now, NewID: m.NewID, StorageLimit: m.StorageLimit, References: s.fileReferences()},
	)
	if err != nil {
		return nil, err
	}
	events := make([]Event, len(decided))
	for i, event := range decided {
		events[i] = RoomEvent{event}
	}
	return events, nil
}

// RoomCommand returns the command of the data room as a command of the organization.
func RoomCommand[R any](command document.CommandOf[R]) CommandOf[R] {
	return roomOf[R]{Room{command}, command}
}

// roomOf is a [Room] with a result.
type roomOf[R any] struct {
	Room
	command document.CommandOf[R]
}

func (c roomOf[R]) Result(events []Event, after *State) (R, bool) {
	decided := make([]document.Event, 0, len(events))
	for _, event := range events {
		if room, ok := event.(RoomEvent); ok {
			decided = append(decided, room.Event)
		}
	}
	return document.ResultOf(c.command, decided, after.documents)
}

// Documents returns the data room. It is not changed.
func (s *State) Documents() *document.Tree { return s.documents }
