package ocf

import (
	"encoding/json"

	"equity/captable"
)

// stated is an object of an export: its terms as they were entered and as they are now.
// Both are kept because an object that came in goes out with the differences between
// them laid over what came: what the cap table has no field for survives a change.
type stated[Terms any] struct {
	place    place
	source   *captable.Source // nil for what was entered here
	was, now Terms
	id       string
	changed  bool
}

// enter takes an object in that was entered here or came in, under the id that it has
// in the export.
func enter[Terms any](x *Exporter, id string, terms Terms, source *captable.Source) stated[Terms] {
	return stated[Terms]{place: x.place(source), source: source, was: terms, now: terms, id: id}
}

// restate gives the object other terms.
func (s *stated[Terms]) restate(terms Terms) { s.now, s.changed = terms, true }

// json writes the object in the format's words.
func (s *stated[Terms]) json(object func(Terms) any) json.RawMessage {
	if s.source != nil && !s.changed {
		return s.source.Object // most objects: nothing is written only to be thrown away
	}
	return written(s.source, s.changed, object(s.was), object(s.now))
}

// written gives an object: as it came when nothing of it changed, else with the
// changed fields in it, or all made here.
func written(source *captable.Source, changed bool, was, now any) json.RawMessage {
	if source != nil && !changed {
		return source.Object
	}
	fields := recordOf(now)
	if source == nil {
		return fields.json()
	}
	object, err := parseRecord(source.Object)
	if err != nil {
		return fields.json()
	}
	return object.overlay(recordOf(was), fields).json()
}
