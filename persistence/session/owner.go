package session

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"equity/messages"
	"equity/organization"
)

// handle identifies a session to its owner: the first half of its key.
type handle [sha256.Size / 2]byte

// handleOf returns the handle of a key; the zero handle for a text that is no key.
func handleOf(key string) (h handle) {
	copy(h[:], digest(key))
	return h
}

// String returns the handle in hex.
func (h handle) String() string { return hex.EncodeToString(h[:]) }

// stored is a session as listed by a backend.
type stored struct {
	key    string
	sealed []byte
	seenAt time.Time
}

// The maximum stored lengths of a session's origin.
const (
	maxAddressBytes = 45 // an IPv6 address with an embedded IPv4 address
	maxAgentBytes   = 300
)

// cut returns the beginning of a text as valid UTF-8.
func cut(text string, most int) string { return strings.ToValidUTF8(text[:min(len(text), most)], "") }

// List returns the user's sessions, most recently used first.
func (s *Store) List(ctx context.Context, user organization.UserID) ([]messages.ListedSession, error) {
	found, err := s.backend.list(ctx, user.String())
	if err != nil {
		return nil, err
	}
	list := make([]messages.ListedSession, 0, len(found))
	for _, one := range found {
		var kept record
		data, authentic := s.sealer.open(one.key, one.sealed)
		if !authentic {
			continue
		}
		if err := json.Unmarshal(data, &kept); err != nil {
			return nil, fmt.Errorf("read session: %w", err)
		}
		if kept.User != user || s.options.Clock().Sub(kept.CreatedAt) >= s.options.Absolute {
			continue // of another user, or the next check ends it
		}
		list = append(list, messages.ListedSession{
			SignIn: kept.signIn(), Handle: handleOf(one.key).String(), CreatedAt: kept.CreatedAt, SeenAt: one.seenAt.UTC(),
		})
	}
	slices.SortFunc(list, func(a, b messages.ListedSession) int {
		return cmp.Or(b.SeenAt.Compare(a.SeenAt), b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(a.Handle, b.Handle))
	})
	return list, nil
}

// End ends the user's session with the handle, and reports whether it existed. Sessions of other users are not found.
func (s *Store) End(ctx context.Context, user organization.UserID, named string) (bool, error) {
	var h handle
	raw, err := hex.DecodeString(named)
	if err != nil || len(raw) != len(h) {
		return false, nil //nolint:nilerr // an invalid handle matches no session
	}
	copy(h[:], raw)
	matches := func(key string, _ verified) bool { return handleOf(key) == h }
	s.recent.forget(matches)
	ended, err := s.backend.end(ctx, user.String(), h)
	s.recent.forget(matches) // a check may have read it again meanwhile
	noteChange(ctx, err)
	return ended, err
}

// RevokeUser ends all sessions of the user, for example after a change of the password or of rights.
func (s *Store) RevokeUser(ctx context.Context, user organization.UserID) error {
	s.recent.forgetUser(user)
	err := s.backend.revoke(ctx, user.String())
	s.recent.forgetUser(user) // a check may have read them again meanwhile
	noteChange(ctx, err)
	return err
}
