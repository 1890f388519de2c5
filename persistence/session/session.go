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

// ErrEnded refuses to save an ended session.
var ErrEnded = errors.New("the session was ended")

// Options are the settings of both stores.
type Options struct {
	// Name is the cookie's name; connect.sid if empty.
	Name string
	// Idle is the lifetime of an unused session; 7 days if 0.
	Idle time.Duration
	// Absolute is the maximum lifetime of a session; 30 days if 0.
	Absolute time.Duration
	// Grace is the time after its last verification during which a session is accepted for reads while the store is unavailable; 0
	// disables this.
	Grace time.Duration
	// Timeout limits one step of an exchange with Redis and the wait for a connection; 2 s if 0.
	Timeout time.Duration
	// Exclusive states that no other program changes the sessions in SQL. Most checks are then answered from memory.
	Exclusive bool
	// Secure restricts the cookie to HTTPS.
	Secure bool
	// Keys sign cookies, at least 32 bytes each. The first one signs and all are accepted, which permits key rotation.
	Keys [][]byte
	// Clock returns the current time.
	Clock func() time.Time
	// Random is the source of identifiers, such as crypto/rand.Reader.
	Random io.Reader
}

const (
	cookieName    = "connect.sid"
	idleAge       = 7 * 24 * time.Hour
	absoluteAge   = 30 * 24 * time.Hour
	shortestKey   = 32
	maxValueBytes = 16 << 10 // bytes of one session in the store
)

var errOptions = errors.New("session options")

// complete returns the options with defaults, or an error for invalid ones.
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

// touchAfter is the part of its idle age that a session may lose before a check extends the expiry. Most checks are therefore
// reads, and need no query if the store reports changes. The age of the cookie is renewed by every response.
const touchAfter = time.Minute

func (o Options) touch() time.Duration { return min(touchAfter, o.Idle/10) }

// The names of a session's values.
const (
	valueUser      = "user"
	valueSiteAdmin = "siteAdmin"
	valueMust      = "mustChangePassword"
	valueAddress   = "address"
	valueAgent     = "agent"
	valueCreatedAt = "createdAt"
	valueFactorAt  = "secondFactorAt"
)

// record is the part of a stored session that is read by each check. Other values are preserved.
type record struct {
	User      organization.UserID `json:"user"`
	SiteAdmin bool                `json:"siteAdmin"`
	Must      bool                `json:"mustChangePassword"`
	Address   string              `json:"address"`
	Agent     string              `json:"agent"`
	CreatedAt time.Time           `json:"createdAt"`
	FactorAt  time.Time           `json:"secondFactorAt"`
}

func (r record) signIn() messages.SignIn {
	return messages.SignIn{
		User: r.User, SiteAdmin: r.SiteAdmin, MustChangePassword: r.Must, Address: r.Address, Agent: r.Agent, SecondFactorAt: r.FactorAt,
	}
}

var errTooLong = errors.New("the session's values are too long")

// serializer encodes a session's values as a JSON object. It also replaces redistore's serializer, which prints to standard output.
type serializer struct{}

// Serialize returns the JSON object of the session's values, whose names must be strings.
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
	if len(data) > maxValueBytes {
		return nil, errTooLong
	}
	return data, nil
}

// Deserialize adds the values of a serialized session.
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
