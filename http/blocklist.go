package http

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"equity/captable"
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

func (s *Server) blocklistHandlers() map[string]Handler {
	return map[string]Handler{
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

func (s *Server) listBlocked(ctx context.Context, c *Call) (Answer, error) {
	found, err := s.beside.Blocklist.Blocked(ctx, messages.BlockedQuery{Text: c.Query("search"), After: c.Query("after"), Limit: c.Limit()})
	if err != nil {
		return Answer{}, unavailable(doing(ctx, "list blocked", err))
	}
	return s.digested(c, 0, listed(found, func(b messages.Blocked) blockedRecord {
		return blockedRecord{b.Entry, captable.InstantOf(b.Since)}
	}))
}

// blockEntry adds an entry. The answer is the same if the entry exists already.
func (s *Server) blockEntry(ctx context.Context, c *Call) (Answer, error) {
	if err := s.beside.Blocklist.Block(ctx, c.Path("entry"), c.At); err != nil {
		return Answer{}, unavailable(doing(ctx, "block", err))
	}
	s.administered(c, slog.String("entry", c.Path("entry")))
	return Answer{Status: http.StatusNoContent, Private: true}, nil
}

func (s *Server) unblockEntry(ctx context.Context, c *Call) (Answer, error) {
	was, err := s.beside.Blocklist.Unblock(ctx, c.Path("entry"))
	if err != nil {
		return Answer{}, unavailable(doing(ctx, "unblock", err))
	}
	if !was {
		return Answer{}, errNotFound()
	}
	s.administered(c, slog.String("entry", c.Path("entry")))
	return Answer{Status: http.StatusNoContent, Private: true}, nil
}

// administered logs a change by a site administrator, because no journal records it.
func (s *Server) administered(c *Call, about slog.Attr) {
	s.log.Info("site administration", slog.String("request", c.ID), slog.String("operation", c.operation.id),
		slog.String("by", c.By()), about)
}
