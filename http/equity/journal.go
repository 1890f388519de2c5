package equity

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math"
	"strconv"
	"time"

	"equity/captable"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// operations maps operation ids to the handlers of the journal.
func (s journals) operations() map[string]api.Handler {
	return map[string]api.Handler{
		"listAuthors":     s.listAuthors,
		"listJournal":     s.listJournal,
		"getJournalProof": s.getJournalProof,
	}
}

// journalEntry is the JSON form of an event.
type journalEntry struct {
	Sequence   uint64           `json:"sequence"`
	RecordedAt captable.Instant `json:"recordedAt"`
	By         string           `json:"by"`
	Origin     messages.Origin  `json:"origin,omitempty"`
	Type       string           `json:"type"`
	Data       json.RawMessage  `json:"data"`
	Hash       string           `json:"hash"`
	// AuthorGains reports that the author gains by the entry.
	AuthorGains bool `json:"authorGains,omitempty"`
}

// entries returns the matching events up to the sequence of the view, newest first.
func (s *base) entries(ctx context.Context, c *api.Call, query messages.JournalQuery) ([]journalEntry, error) {
	if end := c.View.Sequence + 1; query.Before == 0 || query.Before > end {
		query.Before = end
	}
	rows, err := s.Journal.Page(ctx, c.Organization, query)
	if err != nil {
		return nil, api.Unavailable(fmt.Errorf("journal of %s: %w", c.Organization, err))
	}
	entries, journal, gains := make([]journalEntry, 0, len(rows)), c.Journal(), gainsIn(s.Schema, c.View.State)
	for i := range rows {
		row := rows[i]
		gained, err := gains(row)
		if err != nil {
			return nil, err
		}
		if !s.Schema.Reads(journal, row.Type, row.Payload) {
			row, _ = row.Redacted()
		}
		entries = append(entries, journalEntry{
			row.Sequence, captable.InstantOf(row.RecordedAt), row.By, row.Origin(), row.Type, row.Data(), hex.EncodeToString(row.Hash[:]),
			gained,
		})
	}
	return entries, nil
}

// gainsIn returns a function that reports whether the author of a row gains by it.
func gainsIn(schema *organization.Schema, state *organization.State) func(messages.Row) (bool, error) {
	authors := map[string]*organization.Author{}
	return func(row messages.Row) (bool, error) {
		if !organization.MayGain(row.Type) {
			return false, nil
		}
		event, err := schema.Decode(row.Type, row.Payload)
		if err != nil {
			return false, err
		}
		author := authors[row.By]
		if author == nil {
			user, err := captable.ParseID[organization.User](row.By)
			if err != nil {
				user = organization.UserID{}
			}
			author = state.Author(user)
			authors[row.By] = author
		}
		return author.Gains(event), nil
	}
}

// maxGainPages bounds the pages of the journal that one page of entries by which their author gains reads.
const maxGainPages = 10

// gainful returns entries by which their author gains, newest first, and the sequence below which the search continues; 0 at the end.
func (s *base) gainful(
	ctx context.Context, c *api.Call, query messages.JournalQuery, limit int,
) (found []journalEntry, next uint64, err error) {
	query.Limit = journalPage
	for range maxGainPages {
		entries, err := s.entries(ctx, c, query)
		if err != nil {
			return nil, 0, err
		}
		for i := range entries {
			if !entries[i].AuthorGains {
				continue
			}
			if found = append(found, entries[i]); len(found) == limit {
				return found, entries[i].Sequence, nil
			}
		}
		if len(entries) < query.Limit {
			return found, 0, nil
		}
		query.Before = entries[len(entries)-1].Sequence
	}
	return found, query.Before, nil
}

// journalPage is the number of entries that one step of a search reads.
const journalPage = 200

// listJournal pages backwards through the events. It reads one event beyond the limit to detect a
// further page.
func (s journals) listJournal(ctx context.Context, c *api.Call) (api.Answer, error) {
	return s.RenderRecord(c, func() (any, error) {
		limit := c.Limit()
		query := messages.JournalQuery{
			Before: before(c), Limit: limit + 1, Type: c.Query("type"), By: c.Query("by"), Origin: messages.Origin(c.Query("origin")),
		}
		if c.Query("authorGains") == "true" {
			entries, next, err := s.gainful(ctx, c, query, limit)
			found := api.Page[journalEntry]{Data: entries}
			if found.Data == nil {
				found.Data = []journalEntry{}
			}
			if next > 0 {
				found.NextCursor = journalCursor(next)
			}
			return found, err
		}
		entries, err := s.entries(ctx, c, query)
		if err != nil {
			return nil, err
		}
		found := api.Page[journalEntry]{Data: entries}
		if len(entries) > limit {
			found.Data = entries[:limit]
			found.NextCursor = journalCursor(entries[limit-1].Sequence)
		}
		return found, nil
	})
}

// journalCursor returns the cursor of the next page, which begins below the sequence. Older events
// never change, so the cursor needs no pinned state.
func journalCursor(before uint64) string {
	cursor := api.Cursor{Sequence: math.MaxUint64}
	binary.BigEndian.PutUint64(cursor.After[:], before)
	return cursor.String()
}

// before returns the sequence in the cursor; 0 on the first page.
func before(c *api.Call) uint64 {
	after := c.After()
	return binary.BigEndian.Uint64(after[:])
}

// Anchors signs the heads of proofs.
type Anchors interface {
	// Sign returns the signed head, and keeps it outside of the store if it is newer than the last one.
	Sign(ctx context.Context, head messages.Head, at time.Time) (messages.Anchor, error)
}

// sign adds the signed last row. A proof without it is complete, so that a full disk of the anchors does not refuse proofs.
func (s journals) sign(ctx context.Context, header *messages.ProofHeader, last journalEntry) {
	if s.Anchors == nil {
		return
	}
	head := messages.Head{Organization: header.Organization, Sequence: last.Sequence}
	if _, err := hex.Decode(head.Hash[:], []byte(last.Hash)); err != nil {
		return
	}
	signed, err := s.Anchors.Sign(ctx, head, last.RecordedAt.Time())
	if err != nil {
		s.Log.Error("the head of a proof was not kept", slog.String("organization", header.Organization.String()), slog.Any("error", err))
	}
	header.Anchor = &signed
}

// getJournalProof streams the journal up to the present view, row by row.
func (s journals) getJournalProof(ctx context.Context, c *api.Call) (api.Answer, error) {
	tag := c.Tag()
	if c.Unchanged(tag) {
		return api.NotModified(tag), nil
	}
	last, err := s.entries(ctx, c, messages.JournalQuery{Limit: 1})
	if err != nil {
		return api.Answer{}, err
	}
	if len(last) == 0 {
		return api.Answer{}, fmt.Errorf("proof of %s: the journal is empty", c.Organization)
	}
	name := c.View.State.Profile().Name
	header := messages.ProofHeader{Organization: c.Organization, Name: name, Rows: last[0].Sequence, Hash: last[0].Hash}
	journal := c.Journal()
	s.sign(ctx, &header, last[0])
	return api.Answer{
		ContentType: "application/x-ndjson", ETag: tag,
		FileName: api.FileName(name+" journal "+strconv.FormatUint(header.Rows, 10), "jsonl"),
		Stream:   func(w io.Writer) error { return s.writeProof(ctx, w, header, journal) },
	}, nil
}

func (s journals) writeProof(ctx context.Context, w io.Writer, header messages.ProofHeader, journal *organization.Journal) error {
	proof, err := messages.NewProofWriter(w, header)
	if err != nil {
		return err
	}
	write := func(row messages.Row) error {
		if s.Schema.Reads(journal, row.Type, row.Payload) {
			return proof.Write(row)
		}
		return proof.WriteRedacted(row)
	}
	if err := s.Journal.Scan(ctx, header.Organization, 0, header.Rows, write); err != nil {
		return fmt.Errorf("proof of %s: %w", header.Organization, err)
	}
	return proof.Close()
}
