package ocf

import (
	"encoding/json"

	"equity/captable"
)

// stated is an object of an export with its initial and current terms. Both are kept because
// the export of an imported object overlays their differences on the imported object. Fields
// that are unknown to the cap table thus survive a change.
type stated[Terms any] struct {
	place  place
	source *captable.Source // nil for an object that was not imported
	// was holds the initial terms; nil if they are the current ones.
	was     *Terms
	now     Terms
	id      string
	changed bool
}

// initial returns the initial terms.
func (s *stated[Terms]) initial() Terms {
	if s.was == nil {
		return s.now
	}
	return *s.was
}

// keep stores the initial terms before the current ones change.
func (s *stated[Terms]) keep() {
	if s.was == nil {
		was := s.now
		s.was = &was
	}
}

// enter adds an object, imported or not, under its export id.
func enter[Terms any](x *Exporter, id string, terms Terms, source *captable.Source) stated[Terms] {
	return stated[Terms]{place: x.place(source), source: source, now: terms, id: id}
}

// restate replaces the current terms.
func (s *stated[Terms]) restate(terms Terms) {
	s.keep()
	s.now, s.changed = terms, true
}

// json returns the object in the format.
func (s *stated[Terms]) json(object func(Terms) any) json.RawMessage {
	if s.source != nil && !s.changed {
		return s.source.Object // avoids marshalling, as most objects are unchanged
	}
	return written(s.source, s.changed, object(s.initial()), object(s.now))
}

// written returns the imported object if it is unchanged, the imported object with its
// changed fields, or a new object if there is no source.
func written(source *captable.Source, changed bool, was, now any) json.RawMessage {
	if source != nil && !changed {
		return source.Object
	}
	if source == nil {
		return encoded(now)
	}
	fields := recordOf(now)
	object, err := parseRecord(source.Object)
	if err != nil {
		return fields.json()
	}
	return object.overlay(recordOf(was), fields).json()
}
