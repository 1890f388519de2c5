package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/gorilla/securecookie"
	"github.com/gorilla/sessions"

	"equity/messages"
)

// backend is where sessions are kept.
type backend interface {
	// load returns the values of a session that has not expired, and pushes its expiry forward.
	load(ctx context.Context, id string) (data []byte, found bool, err error)
	// create stores a session whose identifier is new, and sets its cookie.
	create(r *http.Request, w http.ResponseWriter, s *sessions.Session, user string, createdAt time.Time) error
	// update replaces the values of a session that is there, and reports whether it is.
	update(ctx context.Context, id string, data []byte) (bool, error)
	// destroy ends a session; one that is not there is no error.
	destroy(ctx context.Context, id string) error
	owned
	// sweep removes what has expired.
	sweep(ctx context.Context) error
	close() error
}

// owned is what a backend does with the sessions of one user.
type owned interface {
	// list returns what is alive, in any order.
	list(ctx context.Context, user string) ([]stored, error)
	// end ends the session with the handle, and reports whether the user had one.
	end(ctx context.Context, user string, h handle) (bool, error)
	// revoke ends all.
	revoke(ctx context.Context, user string) error
}

// Store keeps sessions. It is a gorilla sessions.Store, and offers a server what it needs without gorilla's detours.
// It is safe for concurrent use.
type Store struct {
	options Options
	signers []*signer
	codecs  []securecookie.Codec // the same signers, for gorilla
	suffix  string
	backend backend
	recent  *recent
}

var _ sessions.Store = (*Store)(nil)

// newStore checks the options and readies everything but the backend.
func newStore(o Options) (*Store, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	s := &Store{options: o, suffix: o.suffix(), recent: newRecent(o.Grace, o.Clock)}
	for _, key := range o.Keys {
		one := newSigner(o.Name, key)
		s.signers, s.codecs = append(s.signers, one), append(s.codecs, one)
	}
	return s, nil
}

// Load returns the session that the request presents, and pushes its expiry forward. Without a valid one it returns
// false. While the store does not answer, it returns a session that was verified within the grace period, with VerifiedAt
// set; otherwise an error.
func (s *Store) Load(r *http.Request) (messages.Session, bool, error) {
	id, token, found := s.presented(r)
	if !found {
		return messages.Session{}, false, nil
	}
	if kept, ok := s.remembered(id, token); ok && s.recent.isAway(r.Context(), s.Ready) {
		return kept, true, nil
	}
	endings := s.recent.endings()
	session, found, err := s.load(r.Context(), id)
	switch {
	case err == nil && found:
		s.recent.confirm(id, session, endings)
		session.Token = token
		return session, true, nil
	case err == nil:
		s.recent.forgetID(id)
		return messages.Session{}, false, nil
	case r.Context().Err() != nil: // the caller left, which tells nothing about the store
		return messages.Session{}, false, err
	}
	s.recent.failed()
	if kept, ok := s.remembered(id, token); ok {
		return kept, true, nil
	}
	return messages.Session{}, false, err
}

// remembered returns a session that was verified within the grace period and has not reached its absolute age.
func (s *Store) remembered(id, token string) (messages.Session, bool) {
	v, ok := s.recent.find(id)
	kept := v.session
	kept.Token, kept.VerifiedAt = token, v.at
	return kept, ok && s.options.Clock().Sub(kept.CreatedAt) < s.options.Absolute
}

// load reads a session from the store.
func (s *Store) load(ctx context.Context, id string) (messages.Session, bool, error) {
	data, found, err := s.backend.load(ctx, id)
	if err != nil || !found {
		return messages.Session{}, false, err
	}
	kept, found, err := s.read(ctx, id, data)
	if err != nil || !found || kept.User.IsZero() {
		return messages.Session{}, false, err
	}
	return messages.Session{SignIn: kept.signIn(), Handle: handleOf(id).String(), CreatedAt: kept.CreatedAt}, true, nil
}

// clockSkew is the time by which a session may seem to be created in the future.
const clockSkew = time.Hour

// read decodes a session, and ends it when it has reached its absolute age.
func (s *Store) read(ctx context.Context, id string, data []byte) (record, bool, error) {
	var kept record
	if err := json.Unmarshal(data, &kept); err != nil {
		return kept, false, fmt.Errorf("read session: %w", err)
	}
	if s.options.Clock().Sub(kept.CreatedAt) >= s.options.Absolute {
		return kept, false, s.backend.destroy(messages.WithoutChanges(ctx), id)
	}
	if kept.CreatedAt.Sub(s.options.Clock()) > clockSkew { // else it would last longer than the absolute age
		return kept, false, nil
	}
	return kept, true, nil
}

// Create signs a user in: it ends the session that the request presents, if any, stores a new one under a new
// identifier, and sets the cookie.
func (s *Store) Create(w http.ResponseWriter, r *http.Request, signIn messages.SignIn) (messages.Session, error) {
	// A session whose cookie was never sent is of no use to anybody: a failure here changed nothing for the caller.
	r = r.WithContext(messages.WithoutChanges(r.Context()))
	if id, _, found := s.presented(r); found {
		if err := s.destroy(r.Context(), id); err != nil { //nolint:contextcheck // derived from the context of the request
			return messages.Session{}, err
		}
	}
	made := s.empty(s.options.Name)
	signIn.Address, signIn.Agent = cut(signIn.Address, longestAddress), cut(signIn.Agent, longestAgent)
	made.Values[valueUser] = signIn.User.String()
	made.Values[valueSiteAdmin] = signIn.SiteAdmin
	made.Values[valueMust] = signIn.MustChangePassword
	made.Values[valueAddress] = signIn.Address
	made.Values[valueAgent] = signIn.Agent
	createdAt, err := s.create(w, r, made)
	if err != nil {
		return messages.Session{}, err
	}
	token, err := s.signers[0].Encode(s.options.Name, made.ID)
	if err != nil {
		return messages.Session{}, err
	}
	return messages.Session{SignIn: signIn, Handle: handleOf(made.ID).String(), CreatedAt: createdAt, Token: token}, nil
}

// create stores a session that has no identifier yet.
func (s *Store) create(w http.ResponseWriter, r *http.Request, made *sessions.Session) (time.Time, error) {
	id, err := newID(s.options.Random)
	if err != nil {
		return time.Time{}, err
	}
	now := s.options.Clock().UTC().Truncate(time.Microsecond)
	made.Values[valueCreatedAt] = now.Format(time.RFC3339Nano)
	user, _ := made.Values[valueUser].(string)
	made.ID = id
	if err := s.backend.create(r, w, made, user, now); err != nil {
		made.ID = ""
		return time.Time{}, err
	}
	made.IsNew = false
	return now, nil
}

// Destroy ends the session that the request presents, if any, and clears the cookie.
func (s *Store) Destroy(w http.ResponseWriter, r *http.Request) error {
	if id, _, found := s.presented(r); found {
		if err := s.destroy(r.Context(), id); err != nil {
			return err
		}
	}
	s.clear(w, s.options.Name)
	return nil
}

// destroy ends a session: first in memory, so that it is not accepted even when the store does not answer.
func (s *Store) destroy(ctx context.Context, id string) error {
	s.recent.forgetID(id)
	err := s.backend.destroy(ctx, id)
	noteChange(ctx, err)
	return err
}

// noteChange notes in the caller's context that a change was stored, or may have been.
func noteChange(ctx context.Context, err error) {
	if err == nil || errors.Is(err, messages.ErrUnknownOutcome) {
		messages.NoteChange(ctx)
	}
}

func (s *Store) clear(w http.ResponseWriter, name string) {
	attributes := s.options.attributes()
	attributes.MaxAge = -1
	http.SetCookie(w, sessions.NewCookie(name, "", &attributes))
}

// Refresh sets the session's cookie again, so that the browser keeps it as long as the store does. Every answer to a
// request with a session carries it.
func (s *Store) Refresh(w http.ResponseWriter, kept messages.Session) {
	w.Header().Add("Set-Cookie", s.options.Name+"="+kept.Token+s.suffix)
}

// Sweep removes what has expired. It is for a timer: nothing depends on it but space.
func (s *Store) Sweep(ctx context.Context) error { return s.backend.sweep(ctx) }

// Ready reports whether sessions can be looked up: an error says why not.
func (s *Store) Ready(ctx context.Context) error {
	_, _, err := s.backend.load(ctx, "ready") // there is none of this name
	return err
}

// Close gives back what the store itself has opened.
func (s *Store) Close() error { return s.backend.close() }

// empty is a session that nobody has stored.
func (s *Store) empty(name string) *sessions.Session {
	made := sessions.NewSession(s, name)
	attributes := s.options.attributes()
	made.Options, made.IsNew = &attributes, true
	return made
}
