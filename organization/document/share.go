package document

import (
	"time"

	"equity/captable"
	"equity/fault"
)

// ShareID identifies a share.
type ShareID = captable.ID[Share]

// The lifetimes of shares.
const (
	longestShare = 90 * 24 * time.Hour
	usualShare   = 14 * 24 * time.Hour
)

// Share permits a person outside of the organization to read a document until it expires. The address of the person and the token
// are stored beside the journal.
type Share struct {
	ID        ShareID          `json:"id"`
	Document  ItemID           `json:"document"`
	ExpiresAt captable.Instant `json:"expiresAt"`
	Watermark bool             `json:"watermark"`
	Download  bool             `json:"download"`
	CreatedBy string           `json:"createdBy"`
	RevokedAt captable.Instant `json:"revokedAt,omitzero"`
	captable.Meta
}

// ShareCreated records a new share.
type ShareCreated struct {
	ID        ShareID          `json:"id"`
	Document  ItemID           `json:"document"`
	ExpiresAt captable.Instant `json:"expiresAt"`
	Watermark bool             `json:"watermark"`
	Download  bool             `json:"download"`
}

// EventType returns the event's name in the journal.
func (ShareCreated) EventType() string { return "shareCreated" }

// Creates returns the share.
func (e ShareCreated) Creates() []captable.Created {
	return []captable.Created{{ID: e.ID, Kind: kindShare}}
}

// Records returns the share.
func (e ShareCreated) Records(t *Tree) []any { return t.shareRecord(e.ID) }

// ShareRevoked records the end of a share before its expiry.
type ShareRevoked struct {
	ID ShareID `json:"id"`
}

// EventType returns the event's name in the journal.
func (ShareRevoked) EventType() string { return "shareRevoked" }

// Creates returns nil.
func (ShareRevoked) Creates() []captable.Created { return nil }

// Records returns the share.
func (e ShareRevoked) Records(t *Tree) []any { return t.shareRecord(e.ID) }

// CreateShare shares a document. The caller chooses the id, because the token and the address are stored under it.
type CreateShare struct {
	ID       ShareID
	Document ItemID
	// ExpiresAt defaults to 14 days from now.
	ExpiresAt time.Time
	Watermark bool
	Download  bool
}

// RevokeShare ends a share.
type RevokeShare struct {
	ID       ShareID
	Document ItemID
}

func (c CreateShare) decide(t *Tree, m DecideContext) ([]Event, error) {
	item, err := t.item(c.Document)
	if err != nil {
		return nil, err
	}
	if item.Type == Folder {
		return nil, fault.Refuse(CodeIsFolder, "Only documents can be shared, not folders.")
	}
	expires := c.ExpiresAt
	if expires.IsZero() {
		expires = m.Now.Add(usualShare)
	}
	if expires.Before(m.Now) || expires.After(m.Now.Add(longestShare)) {
		return nil, fault.InvalidField("/expiresAt", "range", "expiresAt must be in the future, at most 90 days from now.")
	}
	return []Event{ShareCreated{c.ID, c.Document, captable.InstantOf(expires), c.Watermark, c.Download}}, nil
}

// decide ignores the repetition for a share that has ended.
func (c RevokeShare) decide(t *Tree, m DecideContext) ([]Event, error) {
	share, ok := t.shares.Get(c.ID)
	if !ok || share.Document != c.Document {
		return nil, fault.Refuse(fault.NotFound, "The share does not exist.")
	}
	if !share.Valid(m.Now) {
		return nil, nil
	}
	return []Event{ShareRevoked{c.ID}}, nil
}

// Valid reports whether the share is neither expired nor revoked.
func (s *Share) Valid(now time.Time) bool { return s.RevokedAt == 0 && now.Before(s.ExpiresAt.Time()) }

// Share returns the share with the id.
func (t *Tree) Share(id ShareID) (*Share, bool) { return t.shares.Get(id) }

// Shares returns the shares of a document in order of creation.
func (t *Tree) Shares(document ItemID) []*Share {
	found := []*Share{}
	for share := range t.shares.All() {
		if share.Document == document {
			found = append(found, share)
		}
	}
	return found
}

func (t *Tree) shareRecord(id ShareID) []any {
	if share, ok := t.shares.Get(id); ok {
		return []any{share}
	}
	return nil
}

func (e ShareCreated) apply(t *Tree, stamp captable.Stamp) {
	t.shares.Set(e.ID, &Share{
		ID: e.ID, Document: e.Document, ExpiresAt: e.ExpiresAt, Watermark: e.Watermark, Download: e.Download,
		CreatedBy: stamp.By, Meta: captable.NewMeta(stamp),
	})
}

func (e ShareRevoked) apply(t *Tree, stamp captable.Stamp) {
	old, ok := t.shares.Get(e.ID)
	if !ok {
		return
	}
	next := *old
	next.RevokedAt = stamp.At
	next.Touch(stamp)
	t.shares.Set(e.ID, &next)
}
