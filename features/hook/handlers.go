package hook

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"equity/captable"
	"equity/features/hook/token"
	"equity/hooks"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// handlers are the operations of tokens and agent sessions. The hooks themselves are received by the gateway.
type handlers struct {
	*api.Kernel
	tokens *Tokens
	store  *Store
	log    *slog.Logger
	newID  func() [16]byte
}

func (s handlers) operations() map[string]api.Handler {
	return map[string]api.Handler{
		"listHookTokens": s.list, "createHookToken": s.create, "getHookToken": s.get, "revokeHookToken": s.revoke,
		"getAgentSession": s.session,
	}
}

// record is the JSON form of a token.
type record struct {
	ID        token.ID  `json:"id"`
	Name      string    `json:"name"`
	CreatedAt time.Time `json:"createdAt"`
	Version   uint64    `json:"version"`
	Token     string    `json:"token,omitempty"`
}

func show(t *token.Token) record {
	return record{ID: t.ID, Name: t.Name, CreatedAt: t.CreatedAt.Time(), Version: t.Version}
}

// found returns the token in the path.
func found(c *api.Call) (*token.Token, error) {
	id, err := captable.ParseID[token.Token](c.Path("hookToken"))
	if err != nil {
		return nil, api.NotFound()
	}
	stored, ok := token.Of(c.View.State).Get(id)
	if !ok {
		return nil, api.NotFound()
	}
	return stored, nil
}

func (s handlers) list(_ context.Context, c *api.Call) (api.Answer, error) {
	key := func(_ int, t *token.Token) string {
		return api.TimeKey(t.CreatedAt.Time()) + string(t.ID[:])
	}
	page, err := api.ListedByKey(c, token.Of(c.View.State).All(), key, show)
	if err != nil {
		return api.Answer{}, err
	}
	return api.ReadContent(c, page, 0)
}

func (s handlers) get(_ context.Context, c *api.Call) (api.Answer, error) {
	stored, err := found(c)
	if err != nil {
		return api.Answer{}, err
	}
	return api.ReadContent(c, show(stored), stored.Version)
}

// create stores the hash before the event, so that a valid token can always be found. A hash without an event authorizes nobody.
func (s handlers) create(ctx context.Context, c *api.Call) (api.Answer, error) {
	given, err := api.Decode[struct {
		Name string `json:"name"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	source := hooks.Source{Organization: c.Organization, Token: s.newID()}
	secret := ""
	if !c.DryRun() {
		if secret, err = s.tokens.Issue(ctx, source); err != nil {
			return api.Answer{}, api.Unavailable(err)
		}
	}
	made, reply, err := api.DecideFor(ctx, s.Kernel, c, token.Create{ID: token.ID(source.Token), Name: given.Name}, nil)
	if err != nil {
		if !c.DryRun() && !errors.Is(err, messages.ErrOutcomeUnknown) {
			s.forget(ctx, source)
		}
		return api.Answer{}, err
	}
	shown := show(made)
	if c.DryRun() {
		return s.Preview(c, reply, shown), nil
	}
	if made.ID != token.ID(source.Token) { // the answer of the first request
		first := hooks.Source{Organization: c.Organization, Token: hooks.TokenID(made.ID)}
		if secret, err = s.tokens.Issue(ctx, first); err != nil {
			return api.Answer{}, api.Unavailable(err)
		}
		s.forget(ctx, source)
	}
	shown.Token = secret
	return api.Answer{
		Status: http.StatusCreated, Record: shown,
		Location: "/organization/" + c.Organization.String() + "/hook-token/" + made.ID.String(),
		ETag:     api.VersionTag(made.Version, reply.Sequence), Private: true, Replayed: reply.Replayed,
	}, nil
}

// revoke ends a token. Its hash is removed after the event; if this fails, the consumer of hooks removes it.
func (s handlers) revoke(ctx context.Context, c *api.Call) (api.Answer, error) {
	stored, err := found(c)
	if err != nil {
		return api.Answer{}, err
	}
	reply, err := s.Decide(ctx, c, token.Revoke{ID: stored.ID}, stored.ID)
	if err != nil {
		return api.Answer{}, err
	}
	if c.DryRun() {
		return s.Preview(c, reply), nil
	}
	s.forget(ctx, hooks.Source{Organization: c.Organization, Token: hooks.TokenID(stored.ID)})
	return api.Answer{Status: http.StatusNoContent}, nil
}

// forget removes the hash of a token that is not valid. A failure only leaves an unused row.
func (s handlers) forget(ctx context.Context, source hooks.Source) {
	if err := s.tokens.Revoke(ctx, source); err != nil {
		s.log.Warn("hash of a hook token not removed", "cause", err)
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
func (s handlers) session(ctx context.Context, c *api.Call) (api.Answer, error) {
	stored, err := s.store.Session(ctx, c.Organization)
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
		if readable[r.RunID] = token.ReadsRunsOf(c.View.State, token.ID(r.Token), reader); !readable[r.RunID] {
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
