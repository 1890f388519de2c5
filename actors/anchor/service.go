// Package anchor signs the heads of journals, and keeps the signed lines outside of the database: in a file and at a webhook, with a time stamp
// of an authority if one is configured.
//
// The lines are JSON. Each anchor is a line ([messages.Anchor]). The line of a time stamp ([Stamp]) covers the exact bytes of the lines before it.
package anchor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"sync"
	"time"

	"equity/egress"
	"equity/messages"
	"equity/organization"
)

// Stamp is the line of a time stamp.
type Stamp struct {
	// Lines is the number of lines before this one that the token covers.
	Lines int `json:"lines"`
	// TimeStamp is the token (RFC 3161) over their bytes.
	TimeStamp []byte `json:"timeStamp"`
}

// Change is a head that differs from the last signed one, whose sequence is 0 without one.
type Change struct{ Head, Signed messages.Head }

// Store lists heads and remembers the signed ones.
type Store interface {
	// Next returns changed heads of organizations after the given one, in their order, except for organizations with a signed head after the time.
	Next(ctx context.Context, after organization.ID, signedBy time.Time, limit int) ([]Change, error)
	// Signed returns the last signed head, whose sequence is 0 without one.
	Signed(ctx context.Context, id organization.ID) (messages.Head, error)
	// HashAt returns the hash of a row; false if it is missing.
	HashAt(ctx context.Context, id organization.ID, sequence uint64) (messages.Hash, bool, error)
	Mark(ctx context.Context, heads []messages.Head, at time.Time) error
}

// Settings configure a [Service]. Empty addresses are not used.
type Settings struct {
	// File is appended to. Webhook receives the lines of each batch by POST.
	File, Webhook string
	Authority     Authority
	// Mail sends the anchor to the owners of its organization; nil sends none.
	Mail func(ctx context.Context, a messages.Anchor) error
}

// Service signs heads. It is safe for concurrent use.
type Service struct {
	settings Settings
	key      *messages.AnchorKey
	store    Store
	now      func() time.Time
	log      *slog.Logger
	file     sync.Mutex                 // held while the file is appended to
	proven   map[organization.ID]uint64 // the last sequences in the file, with file held; nil before they are read
}

// New returns a Service.
func New(settings Settings, key *messages.AnchorKey, store Store, now func() time.Time, log *slog.Logger) *Service {
	return &Service{settings: settings, key: key, store: store, now: now, log: log}
}

// Key returns the public key.
func (s *Service) Key() messages.AnchorPublicKey { return s.key.Public() }

const (
	// Every is the least time between two signed heads of an organization, except for proofs and exports.
	Every = 24 * time.Hour
	// batch is the number of heads that are signed and stamped at once.
	batch = 1000
	// maxProven bounds the remembered heads of proofs, and remembered is the length of the end of the file that is read for them.
	maxProven  = 10_000
	remembered = 256 << 10
)

// Keeps reports whether there is a place for signed heads.
func (s *Service) Keeps() bool {
	return s.settings.File != "" || s.settings.Webhook != "" || s.settings.Mail != nil
}

// Run signs the heads that changed since they were last signed, a day ago or earlier. A head that contradicts its signed one is reported and not signed.
func (s *Service) Run(ctx context.Context) error {
	var after organization.ID
	signedBy := s.now().Add(-Every)
	for {
		changed, err := s.store.Next(ctx, after, signedBy, batch)
		if err != nil || len(changed) == 0 {
			return err
		}
		after = changed[len(changed)-1].Head.Organization
		var heads []messages.Head
		for _, one := range changed {
			follows, err := s.follows(ctx, one)
			if err != nil {
				return err
			}
			if follows {
				heads = append(heads, one.Head)
			}
		}
		if err := s.anchor(ctx, heads); err != nil {
			return err
		}
	}
}

// follows reports whether the journal still contains the last signed head.
func (s *Service) follows(ctx context.Context, one Change) (bool, error) {
	if one.Signed.Sequence == 0 {
		return true, nil
	}
	hash, found, err := s.store.HashAt(ctx, one.Head.Organization, one.Signed.Sequence)
	if err != nil {
		return false, err
	}
	if !found || hash != one.Signed.Hash {
		s.log.Error("the journal contradicts its last signed head; run 'equity verify --against' with the anchors",
			"organization", one.Head.Organization.String(), "sequence", one.Signed.Sequence, "missing", !found)
		return false, nil
	}
	return true, nil
}

// anchor signs the heads and sends their lines to all places.
func (s *Service) anchor(ctx context.Context, heads []messages.Head) error {
	if len(heads) == 0 {
		return nil
	}
	at := s.now()
	var lines bytes.Buffer
	anchors := make([]messages.Anchor, len(heads))
	for i, head := range heads {
		anchors[i] = s.key.Sign(head, at)
		if err := writeLine(&lines, anchors[i]); err != nil {
			return err
		}
	}
	if s.settings.Authority.URL != "" {
		token, err := s.settings.Authority.Stamp(ctx, lines.Bytes())
		if err != nil { // the anchors are worth keeping without it
			s.log.Warn("the anchors have no time stamp", "cause", err)
		} else if err := writeLine(&lines, Stamp{len(heads), token}); err != nil {
			return err
		}
	}
	err := s.append(lines.Bytes())
	if s.settings.Webhook != "" {
		err = errors.Join(err, s.post(ctx, lines.Bytes()))
	}
	if err != nil {
		return fmt.Errorf("keep anchors: %w", err)
	}
	if err := s.store.Mark(ctx, heads, at); err != nil || s.settings.Mail == nil {
		return err
	}
	for _, one := range anchors { // a missing mail does not repeat those of the others
		if err := s.settings.Mail(ctx, one); err != nil {
			s.log.Error("an anchor was not mailed", "organization", one.Organization.String(), "cause", err)
		}
	}
	return nil
}

// SignNow is [Service.Sign] at the present time.
func (s *Service) SignNow(ctx context.Context, head messages.Head) (messages.Anchor, error) {
	return s.Sign(ctx, head, s.now())
}

// Sign returns the signed head of a proof or an export, and appends it to the file if it is newer than the last one.
func (s *Service) Sign(ctx context.Context, head messages.Head, at time.Time) (messages.Anchor, error) {
	signed := s.key.Sign(head, at)
	if s.settings.File == "" {
		return signed, nil
	}
	last, err := s.store.Signed(ctx, head.Organization)
	if err != nil {
		return signed, err
	}
	s.file.Lock()
	defer s.file.Unlock()
	if err := s.remember(); err != nil {
		return signed, err
	}
	if head.Sequence <= max(last.Sequence, s.proven[head.Organization]) {
		return signed, nil
	}
	var line bytes.Buffer
	if err := writeLine(&line, signed); err != nil {
		return signed, err
	}
	if err := s.write(line.Bytes()); err != nil {
		return signed, err
	}
	if len(s.proven) >= maxProven {
		clear(s.proven)
	}
	s.proven[head.Organization] = head.Sequence
	return signed, nil
}

// remember reads the last lines of the file once, with file held, so that restarts and commands repeat none.
func (s *Service) remember() error {
	if s.proven != nil {
		return nil
	}
	found := map[organization.ID]uint64{}
	file, err := os.Open(s.settings.File)
	if errors.Is(err, os.ErrNotExist) {
		s.proven = found
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	about, err := file.Stat()
	if err != nil {
		return err
	}
	text, err := io.ReadAll(io.NewSectionReader(file, max(0, about.Size()-remembered), remembered))
	if err != nil {
		return err
	}
	for line := range bytes.Lines(text) {
		var one messages.Anchor
		if json.Unmarshal(line, &one) == nil && s.key.Public().Verifies(one) { // neither a part of a line nor a time stamp
			found[one.Organization] = max(found[one.Organization], one.Sequence)
		}
	}
	s.proven = found
	return nil
}

func writeLine(to *bytes.Buffer, record any) error {
	text, err := json.Marshal(record)
	if err != nil {
		return err
	}
	to.Write(append(text, '\n'))
	return nil
}

// append adds the lines to the file durably.
func (s *Service) append(lines []byte) error {
	if s.settings.File == "" {
		return nil
	}
	s.file.Lock()
	defer s.file.Unlock()
	return s.write(lines)
}

// write appends with one write, while file is held.
func (s *Service) write(lines []byte) error {
	file, err := os.OpenFile(s.settings.File, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(lines)
	return errors.Join(err, file.Sync(), file.Close())
}

var errWebhook = errors.New("the webhook of anchors")

func (s *Service) post(ctx context.Context, lines []byte) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.settings.Webhook, bytes.NewReader(lines))
	if err != nil {
		return fmt.Errorf("%w: %w", errWebhook, err)
	}
	request.Header.Set("Content-Type", "application/x-ndjson")
	answer, err := egress.NewClient(nil, callTime).Do(request)
	if err != nil {
		return fmt.Errorf("%w: %w", errWebhook, err)
	}
	if err := answer.Body.Close(); err != nil || answer.StatusCode/100 != 2 {
		return errors.Join(fmt.Errorf("%w: status %d", errWebhook, answer.StatusCode), err)
	}
	return nil
}
