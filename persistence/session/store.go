package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/gorilla/securecookie"
	"github.com/gorilla/sessions"

	"equity/messages"
)

// backend stores signed values of sessions by their keys, see keyOf.
type backend interface {
	// load returns the signed values of a session that has not expired, and extends its expiry unless that happened shortly before. A
	// backend that watches for changes also returns the time for which no extension is necessary; others return 0.
	load(ctx context.Context, key string) (sealed []byte, fresh time.Duration, found bool, err error)
	// create stores a session whose ID is its key.
	create(r *http.Request, s *sessions.Session, user string, createdAt time.Time) error
	// update replaces the values of an existing session, and reports whether it exists.
	update(ctx context.Context, key string, sealed []byte) (bool, error)
	// destroy ends a session. A missing session is not an error.
	destroy(ctx context.Context, key string) error
	owned
	// sweep removes expired sessions.
	sweep(ctx context.Context) error
	close() error
}

// owned is the part of a backend for the sessions of one user.
type owned interface {
	// list returns active sessions in any order.
	list(ctx context.Context, user string) ([]stored, error)
	// end ends the session with the handle, and reports whether the user had one.
	end(ctx context.Context, user string, h handle) (bool, error)
	// revoke ends all sessions of the user.
	revoke(ctx context.Context, user string) error
}

// Store stores sessions. It implements gorilla's sessions.Store and offers simpler operations for a server.
// It is safe for concurrent use.
type Store struct {
	options Options
	signers []*signer
	codecs  []securecookie.Codec // the same signers for gorilla
	sealer  sealer
	suffix  string
	backend backend
	recent  *recent
	// The numbers of checks answered from memory and by the store.
	memory, queries atomic.Uint64
}

var _ sessions.Store = (*Store)(nil)

// newStore checks the options and creates a Store without a backend.
func newStore(o Options) (*Store, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	s := &Store{options: o, suffix: o.suffix(), recent: newRecent(o.Grace, o.touch(), o.Clock)}
	for _, key := range o.Keys {
		one := newSigner(o.Name, key)
		s.signers, s.codecs = append(s.signers, one), append(s.codecs, one)
	}
	s.sealer, err = newSealer(o.Keys)
	return s, err
}

// Load returns the session that the request presents, and extends its expiry. Without a valid session it returns
// false. With a store that reports changes, most sessions come from memory. While the store is unavailable, it returns a session
// that was verified within the grace period, with VerifiedAt set; otherwise an error.
func (s *Store) Load(r *http.Request) (messages.Session, bool, error) {
	id, token, found := s.presented(r)
	if !found {
		return messages.Session{}, false, nil
	}
	key := keyOf(id)
	if kept, ok := s.recent.fresh(key); ok && s.options.Clock().Sub(kept.CreatedAt) < s.options.Absolute {
		s.memory.Add(1)
		kept.Token = token
		return kept, true, nil
	}
	if kept, ok := s.remembered(key, token); ok && s.recent.isAway(r.Context(), s.Ready) {
		return kept, true, nil
	}
	session, found, err := s.query(r.Context(), key)
	switch {
	case err == nil && found:
		session.Token = token
		return session, true, nil
	case err == nil:
		s.recent.forgetKey(key)
		return messages.Session{}, false, nil
	case r.Context().Err() != nil: // the caller left, so the store may be available
		return messages.Session{}, false, err
	}
	s.recent.failed()
	if kept, ok := s.remembered(key, token); ok {
		return kept, true, nil
	}
	return messages.Session{}, false, err
}

// query reads a session from the store, and caches it unless it changes meanwhile.
func (s *Store) query(ctx context.Context, key string) (messages.Session, bool, error) {
	s.queries.Add(1)
	flight := s.recent.begin(key)
	session, fresh, found, err := s.load(ctx, key)
	if err != nil || !found {
		s.recent.finish(key, flight, nil, 0)
		return messages.Session{}, false, err
	}
	s.recent.finish(key, flight, &session, fresh)
	return session, true, nil
}

// Checks returns the numbers of checks that were answered from memory, and of those that queried the store.
func (s *Store) Checks() (memory, queries uint64) { return s.memory.Load(), s.queries.Load() }

// remembered returns a session that was verified within the grace period and has not reached its absolute age.
func (s *Store) remembered(key, token string) (messages.Session, bool) {
	v, ok := s.recent.find(key)
	kept := v.session
	kept.Token, kept.VerifiedAt = token, v.at
	return kept, ok && s.options.Clock().Sub(kept.CreatedAt) < s.options.Absolute
}

// load reads a session from the store.
func (s *Store) load(ctx context.Context, key string) (messages.Session, time.Duration, bool, error) {
	sealed, fresh, found, err := s.backend.load(ctx, key)
	if err != nil || !found {
		return messages.Session{}, 0, false, err
	}
	kept, _, found, err := s.read(ctx, key, sealed)
	if err != nil || !found || kept.User.IsZero() {
		return messages.Session{}, 0, false, err
	}
	return messages.Session{SignIn: kept.signIn(), Handle: handleOf(key).String(), CreatedAt: kept.CreatedAt}, fresh, true, nil
}

// clockSkew is the tolerated difference of a creation time in the future.
const clockSkew = time.Hour

// read verifies and decodes a session, and ends it if it has reached its absolute age. Values that were not signed for the key are no
// session.
func (s *Store) read(ctx context.Context, key string, sealed []byte) (kept record, data []byte, found bool, err error) {
	data, authentic := s.sealer.open(key, sealed)
	if !authentic {
		return kept, nil, false, nil
	}
	if err := json.Unmarshal(data, &kept); err != nil {
		return kept, nil, false, fmt.Errorf("read session: %w", err)
	}
	if s.options.Clock().Sub(kept.CreatedAt) >= s.options.Absolute {
		return kept, nil, false, s.backend.destroy(messages.WithoutChanges(ctx), key)
	}
	if kept.CreatedAt.Sub(s.options.Clock()) > clockSkew { // otherwise it would exceed the absolute age
		return kept, nil, false, nil
	}
	return kept, data, true, nil
}

// Create signs a user in: it ends the presented session, stores a new one with a new
// identifier, and sets the cookie.
func (s *Store) Create(w http.ResponseWriter, r *http.Request, signIn messages.SignIn) (messages.Session, error) {
	// A session without a delivered cookie is unusable, so a failure here has changed nothing for the caller.
	r = r.WithContext(messages.WithoutChanges(r.Context()))
	if id, _, found := s.presented(r); found {
		if err := s.destroy(r.Context(), id); err != nil { //nolint:contextcheck // derived from the context of the request
			return messages.Session{}, err
		}
	}
	made := s.empty(s.options.Name)
	signIn.Address, signIn.Agent = cut(signIn.Address, maxAddressBytes), cut(signIn.Agent, maxAgentBytes)
	made.Values[valueUser] = signIn.User.String()
	made.Values[valueSiteAdmin] = signIn.SiteAdmin
	made.Values[valueMust] = signIn.MustChangePassword
	made.Values[valueAddress] = signIn.Address
	made.Values[valueAgent] = signIn.Agent
	if !signIn.SecondFactorAt.IsZero() {
		signIn.SecondFactorAt = signIn.SecondFactorAt.UTC().Truncate(time.Microsecond)
		made.Values[valueFactorAt] = signIn.SecondFactorAt.Format(time.RFC3339Nano)
	}
	createdAt, err := s.create(w, r, made)
	if err != nil {
		return messages.Session{}, err
	}
	token, err := s.signers[0].Encode(s.options.Name, made.ID)
	if err != nil {
		return messages.Session{}, err
	}
	return messages.Session{SignIn: signIn, Handle: handleOf(keyOf(made.ID)).String(), CreatedAt: createdAt, Token: token}, nil
}

// create stores a session without an identifier, and sets its cookie.
func (s *Store) create(w http.ResponseWriter, r *http.Request, made *sessions.Session) (time.Time, error) {
	id, err := newID(s.options.Random)
	if err != nil {
		return time.Time{}, err
	}
	now := s.options.Clock().UTC().Truncate(time.Microsecond)
	made.Values[valueCreatedAt] = now.Format(time.RFC3339Nano)
	user, _ := made.Values[valueUser].(string)
	token, err := s.signers[0].Encode(made.Name(), id)
	if err != nil {
		return time.Time{}, err
	}
	made.ID = keyOf(id)
	if err := s.backend.create(r, made, user, now); err != nil {
		made.ID = ""
		return time.Time{}, err
	}
	made.ID, made.IsNew = id, false
	http.SetCookie(w, sessions.NewCookie(made.Name(), token, made.Options))
	return now, nil
}

// NoteSecondFactor records the time of a second factor in the session that the request presents. For an ended session it returns
// ErrEnded.
func (s *Store) NoteSecondFactor(w http.ResponseWriter, r *http.Request, at time.Time) error {
	// A session without a recorded factor has no more rights, so a failure here has changed nothing for the caller.
	r = r.WithContext(messages.WithoutChanges(r.Context()))
	present, err := s.New(r, s.options.Name)
	if err != nil {
		return err
	}
	if present.IsNew {
		return ErrEnded
	}
	present.Values[valueFactorAt] = at.UTC().Truncate(time.Microsecond).Format(time.RFC3339Nano)
	return s.update(w, r, present)
}

// Destroy ends the session that the request presents and clears the cookie.
func (s *Store) Destroy(w http.ResponseWriter, r *http.Request) error {
	if id, _, found := s.presented(r); found {
		if err := s.destroy(r.Context(), id); err != nil {
			return err
		}
	}
	s.clear(w, s.options.Name)
	return nil
}

// destroy ends a session, first in memory, so that it is not accepted even if the store is unavailable. A check may have read it
// again before the store ended it, so it is removed from memory once more.
func (s *Store) destroy(ctx context.Context, id string) error {
	key := keyOf(id)
	s.recent.forgetKey(key)
	err := s.backend.destroy(ctx, key)
	s.recent.forgetKey(key)
	noteChange(ctx, err)
	return err
}

// noteChange records in the caller's context that a change was stored, or may have been.
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

// Refresh sets the session's cookie again, so that the browser keeps it as long as the store does. Every response to a
// request with a session contains it.
func (s *Store) Refresh(w http.ResponseWriter, kept messages.Session) {
	w.Header().Add("Set-Cookie", s.options.Name+"="+kept.Token+s.suffix)
}

// Sweep removes expired sessions to save space. It is meant to be called periodically.
func (s *Store) Sweep(ctx context.Context) error { return s.backend.sweep(ctx) }

// Ready returns an error if sessions cannot be read.
func (s *Store) Ready(ctx context.Context) error {
	_, _, _, err := s.backend.load(ctx, "ready") // this session never exists
	return err
}

// Close releases the resources opened by the store.
func (s *Store) Close() error { return s.backend.close() }

// empty returns a session that is not stored.
func (s *Store) empty(name string) *sessions.Session {
	made := sessions.NewSession(s, name)
	attributes := s.options.attributes()
	made.Options, made.IsNew = &attributes, true
	return made
}
