package organization

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"equity/captable"
	"equity/organization/document"
)

// Schema is the events and the kinds of records of a program. A program has one, which is safe for concurrent use.
type Schema struct {
	events  map[string]func(payload []byte) (Event, error)
	records map[reflect.Type]Kind // by the type of a record
	ids     map[reflect.Type]Kind // by the type of an id
}

// NewSchema returns the schema of the cap table, the data room and this package.
func NewSchema() *Schema {
	s := &Schema{map[string]func([]byte) (Event, error){}, map[reflect.Type]Kind{}, map[reflect.Type]Kind{}}
	for name, decode := range captable.Decoders() {
		s.events[name] = func(payload []byte) (Event, error) {
			event, err := decode(payload)
			return TableEvent{event}, err
		}
	}
	for name, decode := range document.Decoders() {
		s.events[name] = func(payload []byte) (Event, error) {
			event, err := decode(payload)
			return RoomEvent{event}, err
		}
	}
	for _, declared := range declarations() {
		s.events[declared.name] = declared.decode
	}
	for _, kind := range kinds() {
		s.records[kind.record], s.ids[kind.id] = kind, kind
	}
	return s
}

// Types returns the names of all events in alphabetical order.
func (s *Schema) Types() []string { return slices.Sorted(maps.Keys(s.events)) }

// Decode decodes one event. An unknown type is an error, because a replay without the event would produce a
// different state.
func (s *Schema) Decode(eventType string, payload []byte) (Event, error) {
	decode, ok := s.events[eventType]
	if !ok {
		return nil, fmt.Errorf("event %q is unknown to this version", eventType)
	}
	event, err := decode(payload)
	if err != nil {
		return nil, fmt.Errorf("event %s: %w", eventType, err)
	}
	return event, nil
}

// Version returns the version of the record with the id, or false if it does not exist. The id may also be that of the
// organization, or a [captable.Configuration].
func (s *Schema) Version(state *State, id any) (version uint64, found bool) {
	switch id.(type) {
	case ID:
		return state.meta.Version, true
	case captable.Configuration:
		return state.table.ConfigurationVersion(), true
	}
	kind, ok := s.ids[reflect.TypeOf(id)]
	if !ok {
		return 0, false
	}
	return kind.version(state, id)
}

// References returns the records that the event affects, each once, including deleted ones. The result is the same for every
// later state of the organization, so that the past can be read with the present state.
func (s *Schema) References(event Event, state *State) []Reference {
	var all []Reference
	add := func(r Reference) {
		if !slices.Contains(all, r) {
			all = append(all, r)
		}
	}
	if affecting, ok := event.(Affecting); ok {
		for _, reference := range affecting.Affects(state) {
			add(reference)
		}
	}
	for _, record := range event.Records(state) {
		if reference, ok := s.ReferenceTo(record, state.ID()); ok {
			add(reference)
		}
	}
	for _, created := range event.Creates() {
		add(Reference{Kind: created.Kind, ID: created.ID})
	}
	return all
}

// ReferenceTo returns the reference to a record of the organization; false for an unknown kind.
func (s *Schema) ReferenceTo(record any, organization ID) (Reference, bool) {
	switch r := record.(type) {
	case ID:
		return Reference{Kind: KindOrganization, ID: r}, true
	case captable.Configuration:
		return Reference{Kind: KindShareholdingConfig, ID: organization}, true
	case *Subscription:
		return Reference{Kind: KindSubscription, ID: r.ID}, true
	case *Payment:
		return Reference{Kind: KindInvoice, ID: r.Invoice}, true
	case *document.Outside:
		return Reference{Kind: KindDocument, ID: r.ID, Outside: true}, true
	}
	kind, ok := s.records[reflect.TypeOf(record)]
	if !ok {
		return Reference{}, false
	}
	return Reference{Kind: kind.Name, ID: kind.identify(record)}, true
}
