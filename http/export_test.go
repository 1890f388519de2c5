package http

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"equity/http/admission"
)

// Rendered is the cache of answers, for tests of its own.
type Rendered struct{ *rendered }

// NewRendered makes one.
func NewRendered(limit int64) Rendered { return Rendered{newRendered(limit)} }

// Get finds an answer by its tag.
func (r Rendered) Get(tag string) ([]byte, bool) { return r.get(answerKey{content: tag}) }

// Put keeps an answer.
func (r Rendered) Put(tag string, body []byte) { r.put(answerKey{content: tag}, body) }

// Size is what it takes in bytes.
func (r Rendered) Size() int64 { return r.size }

// Contract is the bundled OpenAPI document, YAML.
func Contract() []byte { return openapi }

// NewServerOf makes a server of another contract and other handlers.
func NewServerOf(document []byte, settings Settings, services Services, handlers map[string]Handler) (*Server, error) {
	return newServer(document, settings, services, func(*Server) map[string]Handler { return handlers })
}

// NewServerWith makes a server of another contract, whose handlers are the server's.
func NewServerWith(document []byte, settings Settings, services Services, table func(*Server) map[string]Handler) (*Server, error) {
	return newServer(document, settings, services, table)
}

// CrowdPasswords takes all slots in which passwords are checked. Requests wait for one as long as the patience.
func CrowdPasswords(s *Server, patience time.Duration) {
	s.passwords.slots = admission.New(admission.Settings{Parallel: 1, Wait: patience, Patient: true})
	_, _ = s.passwords.slots.Enter(context.Background(), admission.Flow{})
}

// Nobody is the hash that the password of an unknown account is compared with.
const Nobody = nobody

// WriteLetter fills the templates of a mail.
func WriteLetter(occasion, subject, from string, facts any) (text, page string, err error) {
	read, err := newLetters()
	if err != nil {
		return "", "", err
	}
	return read.write(occasion, subject, from, facts)
}

// Occasions are the mails there are.
var Occasions = occasions

// FlowOf returns the group and the caller that a request counts for in the queue.
func FlowOf(s *Server, r *http.Request, organization string) (group, caller string) {
	flow := s.flow(r, organization)
	return flow.Group, flow.Caller
}

// TakeSlots takes free slots of the queue for callers of different organizations.
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

// LiftExportBounds lets any number of exports be made and sent at once.
func LiftExportBounds(s *Server) {
	const many = 1 << 20
	s.exports.bounds.ofCaller, s.exports.bounds.ofOrganization, s.exports.bounds.all = many, many, many
}

// Inert is the text as a CSV file holds it.
func Inert(text string) string { return inert(text) }
