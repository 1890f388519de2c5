package session

import (
	"net/http"

	"github.com/gorilla/sessions"

	"equity/messages"
)

// Get returns the request's session. Repeated calls return the same session.
func (s *Store) Get(r *http.Request, name string) (*sessions.Session, error) {
	return sessions.GetRegistry(r).Get(s, name)
}

// New returns the session that the request presents, or an empty one without an identifier: an unknown
// identifier is not adopted. It returns an error only if the store is unavailable.
func (s *Store) New(r *http.Request, name string) (*sessions.Session, error) {
	made := s.empty(name)
	id, _, found := s.presented(r)
	if !found || name != s.options.Name {
		return made, nil
	}
	key := keyOf(id)
	sealed, _, found, err := s.backend.load(r.Context(), key)
	if err != nil || !found {
		return made, err
	}
	_, data, found, err := s.read(r.Context(), key, sealed)
	if err != nil || !found {
		return made, err
	}
	if err := (serializer{}).Deserialize(data, made); err != nil {
		return made, err
	}
	made.ID, made.IsNew = id, false
	return made, nil
}

// Save stores the session and sets its cookie. An empty new session is not stored. For a session that was ended after it
// was read, it returns ErrEnded. A negative Options.MaxAge ends the session; 0 means the
// default age.
func (s *Store) Save(r *http.Request, w http.ResponseWriter, saved *sessions.Session) error {
	switch {
	case saved.Options.MaxAge < 0:
		if saved.ID != "" {
			if err := s.destroy(r.Context(), saved.ID); err != nil {
				return err
			}
		}
		s.clear(w, saved.Name())
		return nil
	case saved.ID == "" && len(saved.Values) == 0:
		return nil
	case saved.ID == "":
		_, err := s.create(w, r, saved)
		return err
	default:
		return s.update(w, r, saved)
	}
}

// update stores the values of an existing session. It does not restore a session that ended
// while the request was running.
func (s *Store) update(w http.ResponseWriter, r *http.Request, saved *sessions.Session) error {
	data, err := serializer{}.Serialize(saved)
	if err != nil {
		return err
	}
	key := keyOf(saved.ID)
	stored, err := s.backend.update(r.Context(), key, s.sealer.seal(key, data))
	s.recent.forgetKey(key)
	if err != nil {
		return err
	}
	if !stored {
		return ErrEnded
	}
	token, err := s.signers[0].Encode(saved.Name(), saved.ID)
	if err != nil {
		return err
	}
	s.Refresh(w, messages.Session{Token: token})
	return nil
}
