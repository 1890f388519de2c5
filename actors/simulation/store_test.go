package simulation_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"equity/actors"
	"equity/actors/consumer"
	"equity/actors/mail"
	"equity/messages"
	"equity/organization"
)

// store is the database of all nodes. Only the world reads and changes it.
type store struct {
	planted   mutation
	journals  map[organization.ID][]messages.Row
	snapshots map[organization.ID][]messages.Snapshot
	cursors   map[instance]messages.Cursor
	alarms    map[instance]messages.Alarm
	// holders are the nodes of a cluster that have claimed alarms, by the identifier of their list.
	holders map[instance]string
	// generation is the last generation of an alarm.
	generation uint64
	letters    map[letter][]byte
	// mails maps the ids of mails to their events.
	mails map[[16]byte]position
	lease lease
	// members are the rows of the nodes of the cluster in order of their addresses.
	members []*memberRow
}

type (
	// instance is a consumer in an organization.
	instance struct {
		organization organization.ID
		name         string
	}
	// letter is a sealed value of an organization.
	letter struct {
		organization organization.ID
		name         string
	}
	// position is a row of a journal.
	position struct {
		organization organization.ID
		sequence     uint64
	}
)

func newStore(planted mutation) *store {
	return &store{
		planted: planted, holders: map[instance]string{}, journals: map[organization.ID][]messages.Row{},
		snapshots: map[organization.ID][]messages.Snapshot{},
		cursors:   map[instance]messages.Cursor{}, alarms: map[instance]messages.Alarm{}, letters: map[letter][]byte{},
		mails: map[[16]byte]position{},
	}
}

func (s *store) head(id organization.ID) uint64 { return uint64(len(s.journals[id])) }

// append stores the batch in one transaction, like the store of the product: a used sequence is refused.
func (s *store) append(batch *messages.Append) error {
	id := batch.Organization
	for i := range batch.Rows {
		if batch.Rows[i].Sequence != s.head(id)+uint64(i)+1 && s.planted != acceptsUsedSequences {
			return fmt.Errorf("%w: sequence %d", messages.ErrFenced, batch.Rows[i].Sequence)
		}
	}
	if s.planted == losesAppends && batch.Rows[0].Sequence%7 == 0 {
		return nil
	}
	s.journals[id] = append(s.journals[id], batch.Rows...)
	for i := range batch.Rows {
		if row := &batch.Rows[i]; row.Type == (organization.MemberInvited{}).EventType() {
			s.mails[mail.ID(messages.EventID(id, row.Sequence))] = position{id, row.Sequence}
		}
	}
	for _, value := range batch.Sealed {
		s.letters[letter{id, value.Name}] = value.Value
	}
	s.addWakes(batch)
	return nil
}

// micros rounds a time like the stores.
func micros(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.UTC().Truncate(time.Microsecond)
}

// port is the access of one node to the store.
type port struct {
	*node
	store *store
}

var (
	_ actors.Journal  = port{}
	_ consumer.Store  = port{}
	_ consumer.Alarms = port{}
	_ mail.Letters    = port{}
	_ mail.Deferred   = port{}
)

// Append stores the batch.
func (p port) Append(batch messages.Append, done func(error)) {
	if p.dead.Load() {
		done(fmt.Errorf("%w: %w", messages.ErrUnknownOutcome, errCrashed))
		return
	}
	last := batch.Rows[len(batch.Rows)-1]
	text := fmt.Sprintf("append %s %d-%d %x", p.world.label(batch.Organization), batch.Rows[0].Sequence, last.Sequence, last.Hash[:4])
	if p.store.planted == answersEarly && last.Sequence%5 == 0 {
		done(nil)
		done = func(error) {}
	}
	p.world.gate.add(&access{from: p.node, kind: appending, text: text, effect: func() error {
		err := p.store.append(&batch)
		if err == nil {
			p.notes(batch.Organization, last.Sequence)
		}
		return err
	}, answer: done})
}

// Scan reads rows. A torn read ends within them.
func (p port) Scan(ctx context.Context, id organization.ID, after, upTo uint64, each func(messages.Row) error) error {
	var rows []messages.Row
	err := p.wait(ctx, reading, fmt.Sprintf("scan %s %d-%d%s", p.world.label(id), after, upTo, attemptIn(ctx)), func() error {
		rows = p.store.journals[id]
		if upTo > 0 {
			rows = rows[:min(upTo, uint64(len(rows)))]
		}
		p.notes(id, uint64(len(rows)))
		rows = rows[min(after, uint64(len(rows))):]
		return nil
	})
	torn := err != nil && ctx.Err() == nil
	if torn {
		rows = rows[:len(rows)/2]
	} else if err != nil {
		return err
	}
	for _, row := range rows {
		if err := each(row); err != nil {
			return err
		}
	}
	return err
}

// Head returns the last row.
func (p port) Head(ctx context.Context, id organization.ID) (sequence uint64, hash messages.Hash, err error) {
	err = p.wait(ctx, reading, fmt.Sprintf("head %s%s", p.world.label(id), attemptIn(ctx)), func() error {
		if rows := p.store.journals[id]; len(rows) > 0 {
			sequence, hash = uint64(len(rows)), rows[len(rows)-1].Hash
		}
		return nil
	})
	if err != nil {
		return 0, messages.Hash{}, err
	}
	return sequence, hash, nil
}

// notes records that the node has seen a sequence.
func (p port) notes(id organization.ID, sequence uint64) { p.seen[id] = max(p.seen[id], sequence) }

// headsTime is the limit of the store.
const headsTime = 4*time.Second + 987_654_321

// Heads returns the last sequences of journals.
func (p port) Heads(ctx context.Context, ids []organization.ID) (map[organization.ID]uint64, error) {
	labels := make([]string, len(ids))
	for i, id := range ids {
		labels[i] = p.world.label(id)
	}
	slices.Sort(labels)
	asked, _ := ctx.Value(attemptKey{}).(*delivery)
	found := map[organization.ID]uint64{}
	ctx, cancel := context.WithTimeout(ctx, headsTime)
	defer cancel()
	err := p.wait(ctx, reading, "heads "+strings.Join(labels, " "), func() error {
		for _, id := range ids {
			if head := p.store.head(id); head > 0 {
				found[id] = head
			}
			if known := p.seen[id]; known > 0 && asked != nil && p.store.planted.skipsComparison(asked) {
				found[id] = known
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// Confirm has no effect: the store has no standby.
func (port) Confirm(context.Context) error { return nil }

// StoredHead returns the last row as recorded by its append.
func (p port) StoredHead(ctx context.Context, id organization.ID) (sequence uint64, hash messages.Hash, err error) {
	err = p.wait(ctx, reading, fmt.Sprintf("stored head %s%s", p.world.label(id), attemptIn(ctx)), func() error {
		if rows := p.store.journals[id]; len(rows) > 0 {
			sequence, hash = uint64(len(rows)), rows[len(rows)-1].Hash
		}
		return nil
	})
	if err != nil {
		return 0, messages.Hash{}, err
	}
	return sequence, hash, nil
}

// Keys reads the idempotency keys.
func (p port) Keys(ctx context.Context, id organization.ID, since time.Time, each func(key, fingerprint string, sequence uint64) error) error {
	var rows []messages.Row
	if err := p.wait(ctx, reading, "keys "+p.world.label(id), func() error {
		rows = p.store.journals[id]
		return nil
	}); err != nil || p.store.planted == forgetsKeys {
		return err
	}
	for i := range rows {
		if row := &rows[i]; row.IdempotencyKey != "" && !row.RecordedAt.Before(since) {
			if err := each(row.IdempotencyKey, row.Fingerprint, row.Sequence); err != nil {
				return err
			}
		}
	}
	return nil
}

// SaveSnapshot stores a snapshot.
func (p port) SaveSnapshot(ctx context.Context, id organization.ID, taken messages.Snapshot) error {
	return p.wait(ctx, writing, fmt.Sprintf("save snapshot %s %d", p.world.label(id), taken.Sequence), func() error {
		p.store.snapshots[id] = append(p.store.snapshots[id], taken)
		return nil
	})
}

// LoadSnapshot returns the latest snapshot up to the sequence.
func (p port) LoadSnapshot(ctx context.Context, id organization.ID, atMost uint64) (messages.Snapshot, error) {
	best := messages.Snapshot{}
	err := p.wait(ctx, reading, fmt.Sprintf("load snapshot %s %d%s", p.world.label(id), atMost, attemptIn(ctx)), func() error {
		for _, s := range p.store.snapshots[id] {
			if s.Sequence >= best.Sequence && (atMost == 0 || s.Sequence <= atMost) {
				best = s
			}
		}
		return nil
	})
	if err != nil {
		return messages.Snapshot{}, err
	}
	return best, nil
}

// Open returns the contents of a mail.
func (p port) Open(ctx context.Context, id organization.ID, name string) (value []byte, err error) {
	var found []byte
	err = p.wait(ctx, reading, "open letter "+p.world.label(id)+" "+name, func() error {
		if found = p.store.letters[letter{id, name}]; found == nil {
			return messages.ErrNotSealed
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// Remove deletes the contents of a mail.
func (p port) Remove(ctx context.Context, id organization.ID, name string) error {
	return p.wait(ctx, writing, "remove letter "+p.world.label(id)+" "+name, func() error {
		delete(p.store.letters, letter{id, name})
		return nil
	})
}

// Defer leaves a mail to the courier, which counts as its effect.
func (p port) Defer(ctx context.Context, deferred messages.Mail) error {
	return p.wait(ctx, writing, fmt.Sprintf("defer mail %x", deferred.ID), func() error {
		p.world.mailed(deferred.ID)
		return nil
	})
}
