// Package hook serves the tokens of inbound hooks and the agent sessions of organizations. The hooks themselves are received by the
// gateway.
package hook

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"equity/captable"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// Tokens stores the hashes of tokens.
type Tokens interface {
	// Issue returns the token of the source and stores its hash. A repetition returns the same token.
	Issue(ctx context.Context, source messages.HookSource) (string, error)
	// Revoke removes the hash.
	Revoke(ctx context.Context, source messages.HookSource) error
}

// Sessions reads agent sessions.
type Sessions interface {
	Session(ctx context.Context, id organization.ID) (messages.HookSession, error)
}

// Services are the dependencies of the package.
type Services struct {
	Tokens   Tokens
	Sessions Sessions
	Log      *slog.Logger
	NewID    func() [16]byte
}

type base struct {
	*api.Kernel
	Services
}

// Operations returns the handlers of the package by operation id.
func Operations(kernel *api.Kernel, services Services) map[string]api.Handler {
	s := base{kernel, services}
	return map[string]api.Handler{
		"listHookTokens": s.list, "createHookToken": s.create, "getHookToken": s.get, "revokeHookToken": s.revoke,
		"getAgentSession": s.session,
	}
}

// record is the JSON form of a token.
type record struct {
	ID        organization.HookTokenID `json:"id"`
	Name      string                   `json:"name"`
	CreatedAt time.Time                `json:"createdAt"`
	Version   uint64                   `json:"version"`
	Token     string                   `json:"token,omitempty"`
}

func show(token *organization.HookToken) record {
	return record{ID: token.ID, Name: token.Name, CreatedAt: token.CreatedAt.Time(), Version: token.Version}
}

// found returns the token in the path.
func found(c *api.Call) (*organization.HookToken, error) {
	id, err := captable.ParseID[organization.HookToken](c.Path("hookToken"))
	if err != nil {
		return nil, api.NotFound()
	}
	token, ok := c.View.State.HookToken(id)
	if !ok {
		return nil, api.NotFound()
	}
	return token, nil
}

func (s base) list(_ context.Context, c *api.Call) (api.Answer, error) {
	key := func(_ int, token *organization.HookToken) string {
		return api.TimeKey(token.CreatedAt.Time()) + string(token.ID[:])
	}
	page, err := api.ListedByKey(c, c.View.State.HookTokens(), key, show)
	if err != nil {
		return api.Answer{}, err
	}
	return api.ReadContent(c, page, 0)
}

func (s base) get(_ context.Context, c *api.Call) (api.Answer, error) {
	token, err := found(c)
	if err != nil {
		return api.Answer{}, err
	}
	return api.ReadContent(c, show(token), token.Version)
}

// create stores the hash before the event, so that a valid token can always be found. A hash without an event authorizes nobody.
func (s base) create(ctx context.Context, c *api.Call) (api.Answer, error) {
	given, err := api.Decode[struct {
		Name string `json:"name"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	source := messages.HookSource{Organization: c.Organization, Token: organization.HookTokenID(s.NewID())}
	secret := ""
	if !c.DryRun() {
		if secret, err = s.Tokens.Issue(ctx, source); err != nil {
			return api.Answer{}, api.Unavailable(err)
		}
	}
	token, reply, err := api.DecideFor(ctx, s.Kernel, c, organization.CreateHookToken{ID: source.Token, Name: given.Name}, nil)
	if err != nil {
		if !c.DryRun() && !errors.Is(err, messages.ErrOutcomeUnknown) {
			s.forget(ctx, source)
		}
		return api.Answer{}, err
	}
	shown := show(token)
	if c.DryRun() {
		return s.Preview(c, reply, shown), nil
	}
	if token.ID != source.Token { // the answer of the first request
		first := messages.HookSource{Organization: c.Organization, Token: token.ID}
		if secret, err = s.Tokens.Issue(ctx, first); err != nil {
			return api.Answer{}, api.Unavailable(err)
		}
		s.forget(ctx, source)
	}
	shown.Token = secret
	return api.Answer{
		Status: http.StatusCreated, Record: shown,
		Location: "/organization/" + c.Organization.String() + "/hook-token/" + token.ID.String(),
		ETag:     api.VersionTag(token.Version, reply.Sequence), Private: true, Replayed: reply.Replayed,
	}, nil
}

// revoke ends a token. Its hash is removed after the event; if this fails, the consumer of hooks removes it.
func (s base) revoke(ctx context.Context, c *api.Call) (api.Answer, error) {
	token, err := found(c)
	if err != nil {
		return api.Answer{}, err
	}
	reply, err := s.Decide(ctx, c, organization.RevokeHookToken{ID: token.ID}, token.ID)
	if err != nil {
		return api.Answer{}, err
	}
	if c.DryRun() {
		return s.Preview(c, reply), nil
	}
	s.forget(ctx, messages.HookSource{Organization: c.Organization, Token: token.ID})
	return api.Answer{Status: http.StatusNoContent}, nil
}

// forget removes the hash of a token that is not valid. A failure only leaves an unused row.
func (s base) forget(ctx context.Context, source messages.HookSource) {
	if err := s.Tokens.Revoke(ctx, source); err != nil {
		s.Log.Warn("hash of a hook token not removed", "cause", err)
	}
}

// session is the JSON form of an agent session.
type session struct {
	Events               []event    `json:"events"`
	HeartbeatRequestedAt *time.Time `json:"heartbeatRequestedAt"`
	Runs                 []run      `json:"runs"`
}

// event is the JSON form of an event.
type event struct {
	ID      string    `json:"id"`
	At      time.Time `json:"at"`
	Text    string    `json:"text"`
	Source  string    `json:"source"`
	Handled bool      `json:"handled"`
	// Withheld reports that the text is only for callers with the rights of its run.
	Withheld bool `json:"withheld,omitempty"`
}

// run is the JSON form of a run.
type run struct {
	RunID      string    `json:"runId"`
	Name       string    `json:"name"`
	Message    string    `json:"message"`
	SessionKey string    `json:"sessionKey"`
	Channel    string    `json:"channel"`
	To         string    `json:"to,omitempty"`
	Deliver    bool      `json:"deliver"`
	WakeMode   string    `json:"wakeMode"`
	Status     string    `json:"status"`
	Delivered  bool      `json:"delivered"`
	Reason     string    `json:"reason,omitempty"`
	Summary    string    `json:"summary"`
	Withheld   bool      `json:"withheld,omitempty"`
	CreatedAt  time.Time `json:"createdAt"`
	EndedAt    time.Time `json:"endedAt,omitzero"`
}

// session returns the agent session of the organization. The texts of runs that read with more rights than the caller has are omitted.
func (s base) session(ctx context.Context, c *api.Call) (api.Answer, error) {
	stored, err := s.Sessions.Session(ctx, c.Organization)
	if err != nil {
		return api.Answer{}, api.Unavailable(err)
	}
	shown := session{Events: []event{}, Runs: []run{}}
	if at := stored.HeartbeatRequestedAt; !at.IsZero() {
		shown.HeartbeatRequestedAt = &at
	}
	reader := organization.Reader{Member: c.Member, Permissions: c.Permissions}
	readable := map[string]bool{}
	for i := range stored.Runs {
		r := &stored.Runs[i]
		one := run{
			r.RunID, r.Name, r.Message, r.SessionKey, r.Channel, r.To, r.Deliver, r.WakeMode, r.Status, r.Delivered, r.Reason, r.Summary,
			false,
			r.CreatedAt, r.EndedAt,
		}
		if readable[r.RunID] = c.View.State.ReadsRunsOf(r.Token, reader); !readable[r.RunID] {
			one.Message, one.Summary, one.Withheld = "", "", true
		}
		shown.Runs = append(shown.Runs, one)
	}
	for _, e := range stored.Events {
		one := event{e.ID, e.At, e.Text, e.Source, e.Handled, false}
		if id, ofRun := strings.CutPrefix(e.Source, "run:"); ofRun && !readable[id] && !c.Member.Owns() {
			one.Text, one.Withheld = "", true
		}
		shown.Events = append(shown.Events, one)
	}
	return api.ReadContent(c, shown, 0)
}
