package messages

import (
	"bytes"
	"strings"
)

// Origin is the way in which a change reached its organization.
type Origin string

// The origins. The empty Origin is that of events recorded by versions without origins.
const (
	// OriginRequest is a request of the author over the API, for example by the browser app.
	OriginRequest Origin = "request"
	// OriginImport is an import of a package or of a spreadsheet.
	OriginImport Origin = "import"
	// OriginAssistant is a step of the assistant, or of a client of the Model Context Protocol, that the author confirmed.
	OriginAssistant Origin = "assistant"
	// OriginOnboarding is the build of a company from its description or from files.
	OriginOnboarding Origin = "onboarding"
	// OriginSystem is a part of the server that acts by itself, or for an outside service.
	OriginSystem Origin = "system"
)

// The origin is the first member of an event's payload, so that the hash covers it and payloads without it keep theirs. No event
// defines a field with its name. The name sorts before all names of fields: a salted payload is sorted by name.
const (
	originStart = `{"$origin":"`
	systemStart = "system:"
)

// OriginPrefix returns the text with which the payloads of the origin begin.
func OriginPrefix(origin Origin) []byte { return []byte(originStart + string(origin) + `"`) }

// SetOrigin adds the origin to a payload without one. The empty origin changes nothing. Call it before [Row.Salt].
func (r *Row) SetOrigin(origin Origin) {
	fields, object := bytes.CutPrefix(r.Payload, []byte("{"))
	if origin == "" || !object {
		return
	}
	prefix := OriginPrefix(origin)
	payload := make([]byte, 0, len(prefix)+1+len(fields))
	payload = append(payload, prefix...)
	if len(fields) > 1 {
		payload = append(payload, ',')
	}
	r.Payload = append(payload, fields...)
}

// Origin returns the origin of the event. It is empty for events recorded without one.
func (r *Row) Origin() Origin {
	origin, _ := r.cutOrigin()
	return origin
}

// Data returns the event's JSON: the payload without the origin. The result may share the memory of the payload.
func (r *Row) Data() []byte {
	_, data := r.cutOrigin()
	return data
}

func (r *Row) cutOrigin() (origin Origin, data []byte) {
	rest, stated := bytes.CutPrefix(r.Payload, []byte(originStart))
	if !stated {
		return "", r.Payload
	}
	value, rest, ended := bytes.Cut(rest, []byte(`"`))
	if !ended {
		return "", r.Payload
	}
	rest = bytes.TrimPrefix(rest, []byte(","))
	return Origin(value), append([]byte("{"), rest...)
}

// Source returns the origin of the command's events. A command without an origin is a request of its author, or an action of the server.
func (c Command) Source() Origin {
	switch {
	case c.Origin != "":
		return c.Origin
	case strings.HasPrefix(c.By, systemStart):
		return OriginSystem
	default:
		return OriginRequest
	}
}
