package anchor_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"equity/actors/anchor"
	"equity/actors/anchor/anchortest"
	"equity/messages"
	"equity/organization"
)

// heads are the changed heads of a store, and the hashes of its rows.
type heads struct {
	changed []anchor.Change
	rows    map[uint64]messages.Hash
	marked  []messages.Head
}

func (h *heads) Next(_ context.Context, after organization.ID, _ time.Time, _ int) ([]anchor.Change, error) {
	if !after.IsZero() {
		return nil, nil
	}
	return h.changed, nil
}

func (h *heads) HashAt(_ context.Context, _ organization.ID, sequence uint64) (messages.Hash, bool, error) {
	hash, found := h.rows[sequence]
	return hash, found, nil
}

func (h *heads) Signed(_ context.Context, id organization.ID) (messages.Head, error) {
	for _, one := range h.marked {
		if one.Organization == id {
			return one, nil
		}
	}
	return messages.Head{}, nil
}

func (h *heads) Mark(_ context.Context, marked []messages.Head, _ time.Time) error {
	h.marked = append(h.marked, marked...)
	return nil
}

func TestChangedHeadsAreSignedStampedAndSent(t *testing.T) {
	t.Parallel()
	key, err := messages.NewAnchorKey(bytes.Repeat([]byte{1}, messages.AnchorSeedBytes))
	if err != nil {
		t.Fatal(err)
	}
	var posted []byte
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { posted, _ = io.ReadAll(r.Body) }))
	t.Cleanup(hook.Close)
	good, bad := organization.ID{1}, organization.ID{2}
	store := &heads{
		changed: []anchor.Change{
			{
				Head:   messages.Head{Organization: good, Sequence: 9, Hash: messages.Hash{9}},
				Signed: messages.Head{Organization: good, Sequence: 5, Hash: messages.Hash{5}},
			},
			{
				Head:   messages.Head{Organization: bad, Sequence: 9, Hash: messages.Hash{9}},
				Signed: messages.Head{Organization: bad, Sequence: 6, Hash: messages.Hash{66}},
			},
		},
		rows: map[uint64]messages.Hash{5: {5}, 6: {6}},
	}
	var log bytes.Buffer
	path, now := filepath.Join(t.TempDir(), "anchors.jsonl"), time.Unix(1_800_000_000, 0)
	service := anchor.New(anchor.Settings{File: path, Webhook: hook.URL, Authority: of(anchortest.NewAuthority(t, "sha256").URL)},
		key, store, func() time.Time { return now }, slog.New(slog.NewTextHandler(&log, nil)))
	if err := service.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(path)
	lines := strings.SplitAfter(string(written), "\n")
	if err != nil || len(lines) != 3 || string(posted) != string(written) {
		t.Fatalf("%v: %q, posted %q; log %s", err, written, posted, &log)
	}
	var signed messages.Anchor
	var stamp anchor.Stamp
	if json.Unmarshal(
		[]byte(lines[0]), &signed,
	) != nil || json.Unmarshal([]byte(lines[1]), &stamp) != nil || !key.Public().Verifies(signed) || signed.Organization != good {
		t.Fatalf("%s", written)
	}
	if at, err := anchor.Stamped(stamp.TimeStamp, []byte(lines[0]), nil); err != nil || time.Since(at) > time.Minute {
		t.Errorf("%v %v", at, err)
	}
	if _, err := anchor.Stamped(stamp.TimeStamp, []byte(lines[0]+" "), nil); err == nil {
		t.Error("the time stamp fits another content")
	}
	if len(store.marked) != 1 || store.marked[0].Organization != good || !strings.Contains(log.String(), bad.String()) {
		t.Errorf("marked %v; log %s", store.marked, &log)
	}
}

func TestProofsOfAnUnchangedJournalAddOneLine(t *testing.T) {
	t.Parallel()
	key, err := messages.NewAnchorKey(bytes.Repeat([]byte{1}, messages.AnchorSeedBytes))
	if err != nil {
		t.Fatal(err)
	}
	path, at := filepath.Join(t.TempDir(), "anchors.jsonl"), time.Unix(1_800_000_000, 0)
	head := func(of byte, sequence uint64) messages.Head {
		return messages.Head{Organization: organization.ID{of}, Sequence: sequence, Hash: messages.Hash{byte(sequence)}}
	}
	store := &heads{marked: []messages.Head{head(3, 8)}}
	service := anchor.New(anchor.Settings{File: path}, key, store, time.Now, slog.New(slog.DiscardHandler))
	for _, step := range []struct {
		head  messages.Head
		lines int
	}{
		{head(1, 5), 1},
		{head(1, 5), 1},
		{head(2, 5), 2},
		{head(2, 5), 2},
		{head(1, 5), 2},
		{head(1, 4), 2},
		{head(1, 6), 3},
		{head(3, 8), 3},
		{head(3, 9), 4},
	} {
		if step.head == head(1, 4) { // another process continues
			service = anchor.New(anchor.Settings{File: path}, key, store, time.Now, slog.New(slog.DiscardHandler))
		}
		signed, err := service.Sign(t.Context(), step.head, at)
		if err != nil || !key.Public().Verifies(signed) {
			t.Fatalf("%v: %v", step.head, err)
		}
		if text, err := os.ReadFile(path); err != nil || strings.Count(string(text), "\n") != step.lines {
			t.Errorf("after sequence %d of %s: %v, not %d lines: %s", step.head.Sequence, step.head.Organization, err, step.lines, text)
		}
	}
}

func TestFailedMailRepeatsNoAnchor(t *testing.T) {
	t.Parallel()
	key, err := messages.NewAnchorKey(bytes.Repeat([]byte{1}, messages.AnchorSeedBytes))
	if err != nil {
		t.Fatal(err)
	}
	var mailed []organization.ID
	mail := func(_ context.Context, a messages.Anchor) error {
		mailed = append(mailed, a.Organization)
		return os.ErrInvalid
	}
	store := &heads{changed: []anchor.Change{
		{Head: messages.Head{Organization: organization.ID{1}, Sequence: 2}},
		{Head: messages.Head{Organization: organization.ID{2}, Sequence: 2}},
	}}
	service := anchor.New(anchor.Settings{Mail: mail}, key, store, time.Now, slog.New(slog.DiscardHandler))
	if err := service.Run(t.Context()); err != nil || len(mailed) != 2 || len(store.marked) != 2 {
		t.Errorf("%v: %d mails, %d marked heads", err, len(mailed), len(store.marked))
	}
}
