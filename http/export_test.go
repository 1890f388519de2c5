package http

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"equity/http/admission"
)

// Rendered exposes the cache of answers to its tests.
type Rendered struct{ *rendered }

// NewRendered returns a cache with the given limit in bytes.
func NewRendered(limit int64) Rendered { return Rendered{newRendered(limit)} }

// Get returns the answer with the tag.
func (r Rendered) Get(tag string) ([]byte, bool) { return r.get(answerKey{content: tag}) }

// Put stores an answer.
func (r Rendered) Put(tag string, body []byte) { r.put(answerKey{content: tag}, body) }

// Size returns the size of the cache in bytes.
func (r Rendered) Size() int64 { return r.size }

// Document returns the bundled OpenAPI document as YAML.
func Document() []byte { return openapi }

// NewServerOf returns a server with another contract and other handlers.
func NewServerOf(document []byte, settings Settings, services Services, handlers map[string]Handler) (*Server, error) {
	return NewServerWith(document, settings, services, func(*Server) map[string]Handler { return handlers })
}

// NewServerWith returns a server with another contract and handlers built from the server.
func NewServerWith(document []byte, settings Settings, services Services, table func(*Server) map[string]Handler) (*Server, error) {
	var err error
	if services.Contract, err = loadContract(document); err != nil {
		return nil, err
	}
	return newServer(settings, services, table)
}

// CrowdPasswords occupies all slots for password checks. Requests wait at most patience for a slot.
func CrowdPasswords(s *Server, patience time.Duration) {
	s.passwords.slots = admission.New(admission.Settings{Parallel: 1, Wait: patience, Patient: true})
	_, _ = s.passwords.slots.Enter(context.Background(), admission.Flow{})
}

// AbsentHash returns the hash that the password of an unknown account is compared with.
func AbsentHash() string { return absentHash(PasswordCost()) }

// WriteLetter fills in the templates of a mail.
func WriteLetter(occasion, subject, from string, facts any) (text, page string, err error) {
	read, err := newLetters()
	if err != nil {
		return "", "", err
	}
	return read.write(occasion, subject, from, facts)
}

// Occasions lists the kinds of mail.
var Occasions = occasions

// FlowOf returns the group and the caller of a request in the queue.
func FlowOf(s *Server, r *http.Request, organization string) (group, caller string) {
	flow := s.flow(r, organization)
	return flow.Group, flow.Caller
}

// TakeSlots occupies free slots of the queue with callers of different organizations.
func TakeSlots(s *Server, slots int) (leave func()) {
	tickets := make([]*admission.Ticket, slots)
	for i := range tickets {
		name := strconv.Itoa(i)
		tickets[i], _ = s.queue.Enter(context.Background(), admission.Flow{Group: name, Caller: name})
	}
	return func() {
		for _, ticket := range tickets {
			ticket.Leave()
		}
	}
}

// RefuseArrivals makes the queue refuse the requests of some flows at their arrival.
func RefuseArrivals(s *Server, refused func(group, caller string) bool) {
	s.refuses = func(flow admission.Flow) (time.Duration, bool) {
		const wait = 1500 * time.Millisecond
		return wait, refused(flow.Group, flow.Caller)
	}
}

// LiftExportBounds removes the limits on concurrent exports.
func LiftExportBounds(s *Server) {
	s.exports = admission.New(admission.Settings{Parallel: s.settings.ExportsParallel, Wait: exportPatience, Patient: true, Returning: true})
}

// Inert returns the text as it is written to a CSV cell.
func Inert(text string) string { return inert(text) }
