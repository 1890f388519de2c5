package session

import (
	"bytes"
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

// handle identifies a session to its owner: the first half of the SHA-256 of its identifier.
type handle [sha256.Size / 2]byte

func handleOf(id string) handle { return handle(hashOf(id)[:len(handle{})]) }

// String returns the handle in hex.
func (h handle) String() string { return hex.EncodeToString(h[:]) }

// stored is a session as listed by a backend.
type stored struct {
	handle handle
	data   []byte
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
		if err := json.Unmarshal(one.data, &kept); err != nil {
			return nil, fmt.Errorf("read session: %w", err)
		}
		if s.options.Clock().Sub(kept.CreatedAt) >= s.options.Absolute {
			continue // the next check ends it
		}
		list = append(list, messages.ListedSession{
			SignIn: kept.signIn(), Handle: one.handle.String(), CreatedAt: kept.CreatedAt, SeenAt: one.seenAt.UTC(),
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
	matches := func(id string, _ verified) bool { return h.is(id) }
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

// is reports whether the handle belongs to the identifier.
func (h handle) is(id string) bool { return bytes.Equal(h[:], hashOf(id)[:len(h)]) }
