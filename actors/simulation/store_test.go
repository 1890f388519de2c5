package simulation_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
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
	// generation is the last generation of an alarm.
	generation uint64
	letters    map[letter][]byte
	// mails maps the ids of mails to their events.
	mails map[[16]byte]position
	lease lease
	// members are the rows of the members of the cluster in order of their ids, and epoch counts the changes of the list.
	members []*memberRow
	epoch   uint64
	// announced are the organizations to which others than their owners append, by the notes of the appends.
	announced map[uint64]organization.ID
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
		announced: map[uint64]organization.ID{},
		planted:   planted, journals: map[organization.ID][]messages.Row{}, snapshots: map[organization.ID][]messages.Snapshot{},
		cursors: map[instance]messages.Cursor{}, alarms: map[instance]messages.Alarm{}, letters: map[letter][]byte{},
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
	at := micros(batch.Rows[len(batch.Rows)-1].RecordedAt)
	for _, wake := range batch.Wakes {
		if wake.Armed && s.planted == trustsArmedInstances {
			continue
		}
		a := messages.Alarm{Organization: id, Consumer: wake.Consumer, DueAt: at, LeasedUntil: at, First: wake.First, Last: wake.Last}
		if known, exists := s.alarms[instance{id, wake.Consumer}]; exists && wake.Armed {
			a.DueAt = known.DueAt
		} else if !wake.Armed {
			a.LeasedUntil = at.Add(messages.WakeLease)
		}
		s.arm(a)
	}
	return nil
}

// arm merges an alarm into an existing one. A paused one becomes due.
func (s *store) arm(a messages.Alarm) {
	key := instance{a.Organization, a.Consumer}
	if known, exists := s.alarms[key]; exists {
		if !known.DueAt.IsZero() && known.DueAt.Before(a.DueAt) {
			a.DueAt = known.DueAt
		}
		if known.LeasedUntil.After(a.LeasedUntil) {
			a.LeasedUntil = known.LeasedUntil
		}
		a.First, a.Last, a.Generation = min(known.First, a.First), max(known.Last, a.Last), max(known.Generation, a.Generation)
	}
	s.alarms[key] = a
}

// micros rounds a time like the stores.
func micros(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.UTC().Truncate(time.Microsecond)
}

// save stores a cursor and changes the alarm.
func (s *store) save(key instance, cursor messages.Cursor, rest *messages.Rest) error {
	if s.cursors[key].Version != cursor.Version {
		return messages.ErrCursorMoved
	}
	cursor.Version++
	cursor.FailingSince, cursor.LastSuccessAt, cursor.NextAttemptAt = micros(cursor.FailingSince), micros(cursor.LastSuccessAt), micros(cursor.NextAttemptAt)
	s.cursors[key] = cursor
	if rest == nil {
		return nil
	}
	alarm, exists := s.alarms[key]
	if !exists {
		alarm = messages.Alarm{Organization: key.organization, Consumer: key.name, First: cursor.Sequence, Last: cursor.Sequence}
	}
	if alarm.Generation == rest.Generation {
		alarm.DueAt, alarm.LeasedUntil = micros(rest.DueAt), micros(rest.LeasedUntil)
		s.alarms[key] = alarm
	}
	return nil
}

// clear removes an alarm with the generation unless events after the sequence are pending.
func (s *store) clear(key instance, upTo, generation uint64) {
	if alarm := s.alarms[key]; alarm.Last <= upTo && (alarm.Generation == generation || s.planted == removesRequests) {
		delete(s.alarms, key)
	}
}

// request makes a consumer due at the request of a user, for the events between the sequences.
func (s *store) request(key instance, first, last uint64) {
	s.generation++ // never that of a removed alarm
	s.arm(messages.Alarm{
		Organization: key.organization, Consumer: key.name, DueAt: micros(time.Now()), First: first, Last: last, Generation: s.generation,
	})
}

// rewind moves a cursor back.
func (s *store) rewind(key instance, from uint64) {
	cursor := s.cursors[key]
	cursor.Sequence, cursor.Version = min(cursor.Sequence, from-1), cursor.Version+1
	if cursor.State == "" {
		cursor.State = messages.ConsumerOK
	}
	s.cursors[key] = cursor
	s.request(key, from, s.head(key.organization))
}

// claim leases due alarms.
func (s *store) claim(now time.Time, lease time.Duration, limit int) []messages.Alarm {
	if s.planted == forgetsAlarms {
		return nil
	}
	var due []messages.Alarm
	for _, alarm := range s.alarms {
		if !alarm.DueAt.IsZero() && !alarm.DueAt.After(now) && !alarm.LeasedUntil.After(now) {
			due = append(due, alarm)
		}
	}
	slices.SortFunc(due, func(a, b messages.Alarm) int {
		return cmp.Or(a.DueAt.Compare(b.DueAt), cmp.Compare(a.Organization.String(), b.Organization.String()), cmp.Compare(a.Consumer, b.Consumer))
	})
	due = due[:min(len(due), limit)]
	for i := range due {
		due[i].LeasedUntil = micros(now.Add(lease))
		s.alarms[instance{due[i].Organization, due[i].Consumer}] = due[i]
	}
	return due
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
	p.world.gate.add(&access{from: p.node, kind: appending, text: text, effect: func() error { return p.store.append(&batch) }, answer: done})
}

// Scan reads rows. A torn read ends within them.
func (p port) Scan(ctx context.Context, id organization.ID, after, upTo uint64, each func(messages.Row) error) error {
	var rows []messages.Row
	err := p.wait(ctx, reading, fmt.Sprintf("scan %s %d-%d%s", p.world.label(id), after, upTo, attemptIn(ctx)), func() error {
		rows = p.store.journals[id]
		if upTo > 0 {
			rows = rows[:min(upTo, uint64(len(rows)))]
		}
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

// Load returns the cursor and the alarm of a consumer.
func (p port) Load(ctx context.Context, id organization.ID, name string) (messages.Cursor, messages.Alarm, error) {
	var cursor messages.Cursor
	var alarm messages.Alarm
	err := p.wait(ctx, reading, "load cursor "+p.world.label(id)+" "+name, func() error {
		cursor, alarm = p.store.cursors[instance{id, name}], p.store.alarms[instance{id, name}]
		return nil
	})
	if err != nil {
		return messages.Cursor{}, messages.Alarm{}, err
	}
	return cursor, alarm, nil
}

// Save stores the cursor of a consumer.
func (p port) Save(ctx context.Context, id organization.ID, name string, cursor messages.Cursor, rest *messages.Rest) error {
	text := fmt.Sprintf("save cursor %s %s %d v%d", p.world.label(id), name, cursor.Sequence, cursor.Version)
	return p.wait(ctx, writing, text, func() error { return p.store.save(instance{id, name}, cursor, rest) })
}

// Clear removes the alarm of a consumer.
func (p port) Clear(ctx context.Context, id organization.ID, name string, upTo, generation uint64) error {
	return p.wait(ctx, writing, fmt.Sprintf("clear alarm %s %s %d", p.world.label(id), name, upTo), func() error {
		p.store.clear(instance{id, name}, upTo, generation)
		return nil
	})
}

// Drop removes the cursor and the alarm of a consumer.
func (p port) Drop(ctx context.Context, id organization.ID, name string, version, upTo, generation uint64) error {
	return p.wait(ctx, writing, fmt.Sprintf("drop cursor %s %s %d", p.world.label(id), name, upTo), func() error {
		key := instance{id, name}
		if p.store.cursors[key].Version == version {
			p.store.clear(key, upTo, generation)
			delete(p.store.cursors, key)
		}
		return nil
	})
}

const claimTime = 29*time.Second + 123_456_789

// Claim leases due alarms.
func (p port) Claim(ctx context.Context, now time.Time, lease time.Duration, limit int) (claimed []messages.Alarm, err error) {
	var due []messages.Alarm
	// The limit of the caller would end at the same time as its next tick, in an order that the scheduler chooses.
	ctx, cancel := context.WithTimeout(ctx, claimTime)
	defer cancel()
	err = p.wait(ctx, repeating, "claim alarms", func() error {
		due = p.store.claim(now, lease, limit)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return due, nil
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
