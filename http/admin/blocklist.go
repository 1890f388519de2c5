package admin

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"time"

	"equity/captable"
	"equity/http/api"
	"equity/messages"
)

// Blocklist stores the addresses and domains that may not register. It does not affect existing
// accounts.
type Blocklist interface {
	Block(ctx context.Context, entry string, now time.Time) error
	// Unblock reports whether the entry existed.
	Unblock(ctx context.Context, entry string) (bool, error)
	// Blocked returns a page of entries in alphabetical order.
	Blocked(ctx context.Context, query messages.BlockedQuery) ([]messages.Blocked, error)
}

func (s blocklist) operations() map[string]api.Handler {
	return map[string]api.Handler{
		"listBlocked":  s.listBlocked,
		"blockEntry":   s.blockEntry,
		"unblockEntry": s.unblockEntry,
	}
}

// blockedRecord is the JSON form of an entry of the blocklist.
type blockedRecord struct {
	Entry string           `json:"entry"`
	Since captable.Instant `json:"since"`
}

func (s blocklist) listBlocked(ctx context.Context, c *api.Call) (api.Answer, error) {
	limit, after := c.Limit(), cmp.Or(c.Query("cursor"), c.Query("after"))
	found, err := s.Blocklist.Blocked(ctx, messages.BlockedQuery{Text: c.Query("search"), After: after, Limit: limit + 1})
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "list blocked", err))
	}
	list := api.Listed(found[:min(len(found), limit)], func(b messages.Blocked) blockedRecord {
		return blockedRecord{b.Entry, captable.InstantOf(b.Since)}
	})
	if len(found) > limit {
		list.NextCursor = found[limit-1].Entry
	}
	return s.Digested(c, 0, list)
}

// blockEntry adds an entry. The answer is the same if the entry exists already.
func (s blocklist) blockEntry(ctx context.Context, c *api.Call) (api.Answer, error) {
	if err := s.Blocklist.Block(ctx, c.Path("entry"), c.At); err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "block", err))
	}
	s.administered(c, slog.String("entry", c.Path("entry")))
	return api.Answer{Status: http.StatusNoContent, Private: true}, nil
}

func (s blocklist) unblockEntry(ctx context.Context, c *api.Call) (api.Answer, error) {
	was, err := s.Blocklist.Unblock(ctx, c.Path("entry"))
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "unblock", err))
	}
	if !was {
		return api.Answer{}, api.NotFound()
	}
	s.administered(c, slog.String("entry", c.Path("entry")))
	return api.Answer{Status: http.StatusNoContent, Private: true}, nil
}

// administered logs a change by a site administrator, because no journal records it.
func (s *base) administered(c *api.Call, about slog.Attr) {
	s.Log.Info("site administration", slog.String("request", c.ID), slog.String("operation", c.OperationID()),
		slog.String("by", c.By()), about)
}
