package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/gorilla/sessions"

	"equity/messages"
	"equity/organization"
)

// ErrEnded refuses to save a session that was ended meanwhile.
var ErrEnded = errors.New("the session was ended")

// Options are what both stores need to know.
type Options struct {
	// Name is the cookie's; connect.sid when empty.
	Name string
	// Idle is how long a session lives without use; 7 days when 0.
	Idle time.Duration
	// Absolute is how long a session lives however much it is used; 30 days when 0.
	Absolute time.Duration
	// Grace is how long after its last verification a session is accepted for reading while the store does not answer; 0
	// for not at all.
	Grace time.Duration
	// Timeout limits one step of an exchange with Redis and the wait for a connection; 2 s when 0.
	Timeout time.Duration
	// Secure keeps browsers from sending the cookie over plain HTTP.
	Secure bool
	// Keys sign cookies, at least 32 bytes each: the first signs, and all are accepted, so that keys can be changed.
	Keys [][]byte
	// Clock tells the time.
	Clock func() time.Time
	// Random is where identifiers come from, such as crypto/rand.Reader.
	Random io.Reader
}

const (
	cookieName   = "connect.sid"
	idleAge      = 7 * 24 * time.Hour
	absoluteAge  = 30 * 24 * time.Hour
	shortestKey  = 32
	longestValue = 16 << 10 // bytes of one session in the store
)

var errOptions = errors.New("session options")

// complete fills in what was left out, and refuses what cannot work.
func (o Options) complete() (Options, error) {
	if o.Name == "" {
		o.Name = cookieName
	}
	if o.Idle == 0 {
		o.Idle = idleAge
	}
	if o.Absolute == 0 {
		o.Absolute = absoluteAge
	}
	if o.Timeout == 0 {
		o.Timeout = redisTimeout
	}
	switch {
	case o.Idle < time.Second || o.Absolute < time.Second:
		return o, fmt.Errorf("%w: an age is shorter than a second", errOptions)
	case len(o.Keys) == 0:
		return o, fmt.Errorf("%w: no signing key", errOptions)
	case o.Clock == nil || o.Random == nil:
		return o, fmt.Errorf("%w: no clock, or no source of randomness", errOptions)
	}
	for _, key := range o.Keys {
		if len(key) < shortestKey {
			return o, fmt.Errorf("%w: a signing key is shorter than %d bytes", errOptions, shortestKey)
		}
	}
	return o, nil
}

// The names under which a session's values are kept.
const (
	valueUser      = "user"
	valueSiteAdmin = "siteAdmin"
	valueMust      = "mustChangePassword"
	valueAddress   = "address"
	valueAgent     = "agent"
	valueCreatedAt = "createdAt"
)

// record is a stored session as the check of every request reads it. Other values are left alone.
type record struct {
	User      organization.UserID `json:"user"`
	SiteAdmin bool                `json:"siteAdmin"`
	Must      bool                `json:"mustChangePassword"`
	Address   string              `json:"address"`
	Agent     string              `json:"agent"`
	CreatedAt time.Time           `json:"createdAt"`
}

func (r record) signIn() messages.SignIn {
	return messages.SignIn{User: r.User, SiteAdmin: r.SiteAdmin, MustChangePassword: r.Must, Address: r.Address, Agent: r.Agent}
}

var errTooLong = errors.New("the session's values are too long")

// serializer keeps a session's values as a JSON object. It serves redistore too, whose own prints to standard output.
type serializer struct{}

// Serialize makes the JSON object of the session's values, whose names must be strings.
func (serializer) Serialize(s *sessions.Session) ([]byte, error) {
	named := make(map[string]any, len(s.Values))
	for name, value := range s.Values {
		text, isText := name.(string)
		if !isText {
			return nil, fmt.Errorf("save session: the value %v has a name that is not a string", name)
		}
		named[text] = value
	}
	data, err := json.Marshal(named)
	if err != nil {
		return nil, fmt.Errorf("save session: %w", err)
	}
	if len(data) > longestValue {
		return nil, errTooLong
	}
	return data, nil
}

// Deserialize adds what Serialize made to the session's values.
func (serializer) Deserialize(data []byte, s *sessions.Session) error {
	named := map[string]any{}
	if err := json.Unmarshal(data, &named); err != nil {
		return fmt.Errorf("read session: %w", err)
	}
	for name, value := range named {
		s.Values[name] = value
	}
	return nil
}
