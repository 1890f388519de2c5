package organization

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"equity/captable"
	"equity/organization/document"
)

// Schema is the events and the kinds of records of a program. A program has one, which is safe for concurrent use.
type Schema struct {
	events     map[string]func(payload []byte) (Event, error)
	records    map[reflect.Type]Kind // by the type of a record
	ids        map[reflect.Type]Kind // by the type of an id
	extensions map[string]Extension
	viewers    map[string]Permissions // by the kind of a record of an extension
	readers    map[string]Permission  // by the type of an event of an extension
	guards     []func(*Decision) error
}

// NewSchema returns the schema of the cap table, the data room, this package and the extensions. It panics if two of them declare the same
// name: a program has a fixed list of extensions.
func NewSchema(extensions ...Extension) *Schema {
	s := &Schema{
		map[string]func([]byte) (Event, error){},
		map[reflect.Type]Kind{},
		map[reflect.Type]Kind{},
		map[string]Extension{},
		map[string]Permissions{},
		map[string]Permission{},
		nil,
	}
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
	s.declare(declarations(), kinds())
	for _, extension := range extensions {
		if _, exists := s.extensions[extension.Name]; exists {
			panic("organization: two extensions are named " + extension.Name)
		}
		s.extensions[extension.Name] = extension
		s.extend(extension)
	}
	return s
}

// guard asks the guards of the extensions. A nil schema has none.
func (s *Schema) guard(d *Decision) error {
	if s == nil || len(d.Events) == 0 {
		return nil
	}
	for _, guard := range s.guards {
		if err := guard(d); err != nil {
			return err
		}
	}
	return nil
}

// extend adds the events and kinds of an extension, with their readers and viewers.
func (s *Schema) extend(extension Extension) {
	for _, kind := range extension.Kinds {
		for _, other := range s.records {
			if other.Name == kind.Name {
				panic("organization: two kinds are named " + kind.Name)
			}
		}
		s.viewers[kind.Name] = kind.viewers
	}
	for _, declared := range extension.Events {
		if declared.isReader {
			s.readers[declared.name] = declared.reader
		}
	}
	if extension.Guard != nil {
		s.guards = append(s.guards, extension.Guard)
	}
	s.declare(extension.Events, extension.Kinds)
}

func (s *Schema) declare(events []Declaration, kinds []Kind) {
	for _, declared := range events {
		if s.events[declared.name] != nil {
			panic("organization: two events are named " + declared.name)
		}
		s.events[declared.name] = declared.decode
	}
	for _, kind := range kinds {
		if other, exists := s.records[kind.record]; exists {
			panic("organization: the kinds " + other.Name + " and " + kind.Name + " have the same records")
		}
		s.records[kind.record], s.ids[kind.id] = kind, kind
	}
}

// Types returns the names of all events in alphabetical order.
func (s *Schema) Types() []string { return slices.Sorted(maps.Keys(s.events)) }

// Knows reports whether events of the journal have this name.
func (s *Schema) Knows(eventType string) bool { return s.events[eventType] != nil }

// Sees reports whether the record is visible, as in the operation that reads it.
func (s *Schema) Sees(a Access, state *State, r Reference) bool {
	if viewers, ok := s.viewers[r.Kind]; ok {
		return a.permissions&viewers != 0
	}
	return a.sees(state, r)
}

// Reads reports whether the reader of the journal may read the private fields of the event. Those of members require viewMembers, and
// folders of drives editDocuments. Events of the data room require access to each record that they name, and other events to the files that
// they name. The declarations of extensions name their permission.
func (s *Schema) Reads(j *Journal, eventType string, payload []byte) bool {
	if permission, ok := s.readers[eventType]; ok {
		return j.reader.can(permission)
	}
	return j.reads(eventType, payload)
}

// UnknownEventError is the error of an event that this program does not know: another version wrote it, or a program with more rooms. The
// journal is not damaged.
type UnknownEventError struct{ Type string }

// Error names the event.
func (e *UnknownEventError) Error() string {
	return "this program does not know the event " + strconv.Quote(e.Type) + "; another version or a program with more features wrote it"
}

// Decode decodes one event. An unknown type is an [UnknownEventError], because a replay without the event would produce a different state.
func (s *Schema) Decode(eventType string, payload []byte) (Event, error) {
	decode, ok := s.events[eventType]
	if !ok {
		return nil, &UnknownEventError{eventType}
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
