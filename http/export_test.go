package http

import "time"

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

// CrowdPasswords takes all places where passwords are checked, for which nobody waits any longer than that.
func CrowdPasswords(s *Server, patience time.Duration) {
	s.passwords.patience = patience
	for range cap(s.passwords.slots) {
		s.passwords.slots <- struct{}{}
	}
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

// LiftExportBounds lets any number of exports be made and sent at once.
func LiftExportBounds(s *Server) {
	const many = 1 << 20
	s.exports.bounds.ofCaller, s.exports.bounds.ofOrganization, s.exports.bounds.all = many, many, many
}

// Inert is the text as a CSV file holds it.
func Inert(text string) string { return inert(text) }
