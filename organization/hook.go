package organization

import (
	"encoding/json"
	"slices"
	"strings"

	"equity/captable"
	"equity/fault"
)

// HookTokenID identifies a hook token of an organization.
type HookTokenID = captable.ID[HookToken]

// HookToken authorizes inbound hooks of the organization. The record is immutable. The token itself is not stored; its hash is
// stored beside the journal.
type HookToken struct {
	ID   HookTokenID `json:"id"`
	Name string      `json:"name"`
	// Author is the user with whose rights the runs of the token read. Zero for the system.
	Author UserID `json:"author,omitzero"`
	// Rights bound those of the author. Tokens of earlier versions have none.
	Rights *Rights `json:"rights,omitempty"`
	captable.Meta
}

// The limits of hook tokens. A second token is for rotation.
const (
	MostHookTokens = 2
	mostHookName   = 100
)

// CreateHookToken adds a hook token. The caller chooses its id, because its hash is stored under the id.
type CreateHookToken struct {
	ID   HookTokenID
	Name string
}

// RevokeHookToken ends the validity of a hook token.
type RevokeHookToken struct{ ID HookTokenID }

// HookTokenCreated records a new hook token.
type HookTokenCreated struct {
	ID   HookTokenID `json:"id"`
	Name string      `json:"name"`
	// Rights are those of the author.
	Rights *Rights `json:"rights,omitempty"`
}

// EventType returns the event's name in the journal.
func (HookTokenCreated) EventType() string { return "hookTokenCreated" }

// Creates returns the token.
func (e HookTokenCreated) Creates() []captable.Created {
	return []captable.Created{{ID: e.ID, Kind: KindHookToken}}
}

// Records returns the token.
func (e HookTokenCreated) Records(s *State) []any {
	if token, ok := s.HookToken(e.ID); ok {
		return []any{token}
	}
	return nil
}

func (e HookTokenCreated) Apply(s *State, stamp captable.Stamp) {
	s.hookTokens = append(slices.Clone(s.hookTokens), &HookToken{
		ID: e.ID, Name: e.Name, Author: AccountOf(stamp), Rights: e.Rights, Meta: captable.NewMeta(stamp),
	})
}

// HookTokenRevoked records the end of a hook token.
type HookTokenRevoked struct {
	ID HookTokenID `json:"id"`
}

// EventType returns the event's name in the journal.
func (HookTokenRevoked) EventType() string { return "hookTokenRevoked" }

// Creates returns nil.
func (HookTokenRevoked) Creates() []captable.Created { return nil }

// Records returns nil: the token no longer exists.
func (HookTokenRevoked) Records(*State) []any { return nil }

func (e HookTokenRevoked) Affects(*State) []Reference { return affected(KindHookToken, e.ID) }

func (e HookTokenRevoked) Apply(s *State, _ captable.Stamp) {
	s.hookTokens = slices.DeleteFunc(slices.Clone(s.hookTokens), func(t *HookToken) bool { return t.ID == e.ID })
}

func (c CreateHookToken) Decide(s *State, m DecideContext) ([]Event, error) {
	c.Name = strings.TrimSpace(c.Name)
	var faults fault.Fields
	switch {
	case c.Name == "":
		faults.Add("/name", "required", "name is required.")
	case len([]rune(c.Name)) > mostHookName:
		faults.Add("/name", "maxLength", "name has at most 100 characters.")
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	if s.id.IsZero() {
		return nil, fault.Refuse(fault.NotFound, "The organization does not exist.")
	}
	if len(s.hookTokens) >= MostHookTokens {
		return nil, fault.Refuse(CodeLimit, "An organization can have at most 2 hook tokens. Revoke one first.")
	}
	if _, exists := s.HookToken(c.ID); exists {
		return nil, fault.Refuse(fault.Conflict, "The hook token exists already.")
	}
	return []Event{HookTokenCreated{c.ID, c.Name, s.RightsOf(m.By)}}, nil
}

func (c CreateHookToken) Result(_ []Event, after *State) (*HookToken, bool) {
	return after.HookToken(c.ID)
}

func (c RevokeHookToken) Decide(s *State, _ DecideContext) ([]Event, error) {
	if _, ok := s.HookToken(c.ID); !ok {
		return nil, fault.Refuse(fault.NotFound, "The hook token does not exist.")
	}
	return []Event{HookTokenRevoked(c)}, nil
}

// HookTokens returns the valid hook tokens in order of creation. The caller must not change the list.
func (s *State) HookTokens() []*HookToken { return s.hookTokens }

// HookToken returns a valid hook token, or false.
func (s *State) HookToken(id HookTokenID) (*HookToken, bool) {
	for _, token := range s.hookTokens {
		if token.ID == id {
			return token, true
		}
	}
	return nil, false
}

// HookReader returns the reader for the runs of a hook token: its author within the recorded rights; false if the token is not valid or the
// author is not a member. The zero id is the token of the operator, whose runs read like an Auditor without restricted documents.
func (s *State) HookReader(id HookTokenID) (Reader, bool) {
	if id.IsZero() {
		return Reader{&Member{}, s.permitted([]string{RoleAuditor})}, true
	}
	token, ok := s.HookToken(id)
	if !ok {
		return Reader{}, false
	}
	return s.Reader(token.Author, token.Rights)
}

// ReadsRunsOf reports whether the reader may read all that the runs of a hook token read. Only Owners may for a token that was revoked.
func (s *State) ReadsRunsOf(id HookTokenID, reader Reader) bool {
	token, ok := s.HookToken(id)
	switch {
	case reader.Member.Owns():
		return true
	case id.IsZero():
		return s.permitted([]string{RoleAuditor})&^reader.Permissions == 0
	case !ok || token.Author.IsZero() || token.Author != reader.Member.User:
		return false
	}
	bound := token.Rights
	if bound == nil {
		bound = s.RightsOf(token.Author)
	}
	missing := func(role string) bool { return !slices.Contains(reader.Member.Roles, role) }
	return bound != nil && bound.Permissions&^reader.Permissions == 0 && !slices.ContainsFunc(bound.Roles, missing)
}

// packHookTokens packs the tokens as JSON, because there are at most two.
func (s *State) packHookTokens(p *captable.Packer) error {
	packed, err := json.Marshal(s.hookTokens)
	text := string(packed)
	p.Text(&text)
	if !p.Reading() {
		return err
	}
	return json.Unmarshal([]byte(text), &s.hookTokens)
}
