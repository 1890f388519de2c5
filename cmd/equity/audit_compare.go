package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"

	"equity/actors/anchor"
	"equity/captable"
	"equity/config"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
)

// auditPosition is the last exported event of an organization. Earlier builds stored its sequence only.
type auditPosition struct {
	Sequence uint64 `json:"sequence"`
	Hash     string `json:"hash"`
}

// UnmarshalJSON reads a position, also a sequence without a hash.
func (a *auditPosition) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, &a.Sequence) == nil {
		return nil
	}
	type plain auditPosition
	return json.Unmarshal(text, (*plain)(a))
}

// compare returns an error if the journal does not contain the last exported event.
func (a auditPosition) compare(ctx context.Context, id organization.ID, journal *persistence.Journal) error {
	if a.Sequence == 0 {
		return nil
	}
	hash, found, err := journal.HashAt(ctx, id, a.Sequence)
	switch {
	case err != nil:
		return err
	case !found:
		return &disagreement{auditExport, a.Sequence, errCut}
	case a.Hash != "" && hex.EncodeToString(hash[:]) != a.Hash:
		return &disagreement{auditExport, a.Sequence, errRewritten}
	}
	return nil
}

// auditExport names the file in messages.
const auditExport = "the earlier export"

// auditRun is one run of an export.
type auditRun struct {
	out     *auditOutput
	anchors *anchor.Service // nil without a file of anchors or a key
	faults  error
	seen    map[string]bool
}

// add signs the end of an exported journal. A journal that contradicts the earlier export is reported at the end of the run, after the others.
func (r *auditRun) add(ctx context.Context, id organization.ID, err error) error {
	if r.seen == nil {
		r.seen = map[string]bool{}
	}
	r.seen[id.String()] = true
	if _, differs := errors.AsType[*disagreement](err); differs {
		r.faults = errors.Join(r.faults, fmt.Errorf("%s: %w", id, err))
		return nil
	}
	last := r.out.last[id.String()]
	if err != nil || r.anchors == nil || r.out.written[id.String()] == 0 {
		return err
	}
	head := messages.Head{Organization: id, Sequence: last.Sequence}
	if _, err := hex.Decode(head.Hash[:], []byte(last.Hash)); err != nil {
		return fmt.Errorf("sign the head of %s: %w", id, err)
	}
	_, err = r.anchors.SignNow(ctx, head)
	return err
}

// absent returns the faults of the run, with those of organizations that only the earlier export knows.
func (r *auditRun) absent() error {
	for text := range r.out.last {
		if id, err := captable.ParseID[organization.Organization](text); err == nil && !r.seen[text] {
			r.faults = errors.Join(r.faults, fmt.Errorf("%s: %w", id, &disagreement{auditExport, r.out.last[text].Sequence, errCut}))
		}
	}
	return r.faults
}

// commandAnchors returns the service that signs heads for a command, or nil without a key.
func commandAnchors(
	ctx context.Context, c config.Config, db *persistence.Database, journal *persistence.Journal, p program,
) (*anchor.Service, error) {
	key, err := storedAnchorKey(ctx, c, db)
	if err != nil || key == nil {
		return nil, err
	}
	return anchor.New(
		anchor.Settings{File: c.Anchors.File}, key, anchorStore{persistence.NewAnchors(db), journal}, p.now, slog.New(slog.DiscardHandler),
	), nil
}
