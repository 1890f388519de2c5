package simulation_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"equity/messages"
	"equity/organization"
)

// addWakes stores the alarms of a batch.
func (s *store) addWakes(batch *messages.Append) {
	id, at := batch.Organization, micros(batch.Rows[len(batch.Rows)-1].RecordedAt)
	for _, wake := range batch.Wakes {
		if wake.Armed && s.planted == trustsArmedInstances {
			continue
		}
		a := messages.Alarm{Organization: id, Consumer: wake.Consumer, DueAt: at, LeasedUntil: at, First: wake.First, Last: wake.Last}
		known, exists := s.alarms[instance{id, wake.Consumer}]
		switch {
		case wake.Open:
			a.LeasedUntil = time.Time{}
			if exists && s.planted == forgetsOpenEvents && known.LeasedUntil.After(at) {
				continue
			}
		case exists && wake.Armed:
			a.DueAt = known.DueAt
		case !wake.Armed:
			a.LeasedUntil = at.Add(messages.WakeLease)
		}
		s.arm(a)
	}
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

// clear removes an alarm with the generation of the held one unless events after the sequence are pending. It then ends the lease of the held one.
func (s *store) clear(key instance, upTo uint64, held messages.Alarm) {
	alarm, exists := s.alarms[key]
	pending := alarm.Last > upTo && s.planted != removesPending
	switch {
	case !exists:
	case !pending && (alarm.Generation == held.Generation || s.planted == removesRequests):
		delete(s.alarms, key)
		delete(s.holders, key)
	case s.planted != keepsLeases && !held.LeasedUntil.IsZero() && alarm.LeasedUntil.Equal(micros(held.LeasedUntil)):
		alarm.LeasedUntil = time.Time{}
		s.alarms[key] = alarm
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
func (s *store) claim(now time.Time, lease time.Duration, limit int, holder string) []messages.Alarm {
	if s.planted == forgetsAlarms {
		return nil
	}
	var due []messages.Alarm
	for key, alarm := range s.alarms {
		if !alarm.DueAt.IsZero() && !alarm.DueAt.After(now) && s.isFree(key, now) {
			due = append(due, alarm)
		}
	}
	slices.SortFunc(due, func(a, b messages.Alarm) int {
		return cmp.Or(a.DueAt.Compare(b.DueAt), cmp.Compare(a.Organization.String(), b.Organization.String()), cmp.Compare(a.Consumer, b.Consumer))
	})
	return s.grant(due[:min(len(due), limit)], now.Add(lease), holder)
}

// claimEach leases the given alarms, also those that are not due.
func (s *store) claimEach(wanted []messages.Alarm, now time.Time, lease time.Duration, holder string) []messages.Alarm {
	var found []messages.Alarm
	for _, one := range wanted {
		key := instance{one.Organization, one.Consumer}
		alarm, exists := s.alarms[key]
		free := s.isFree(key, now) || holder != "" && s.holders[key] == holder
		if exists && !alarm.DueAt.IsZero() && free && s.planted != forgetsAlarms {
			found = append(found, alarm)
		}
	}
	return s.grant(found, now.Add(lease), holder)
}

// isFree reports whether an alarm can be claimed: it is not leased, or its holder is not in the list any more.
func (s *store) isFree(key instance, now time.Time) bool {
	holder := s.holders[key]
	return !s.alarms[key].LeasedUntil.After(now) || holder != "" && !s.lists(holder)
}

func (s *store) grant(alarms []messages.Alarm, until time.Time, holder string) []messages.Alarm {
	for i := range alarms {
		key := instance{alarms[i].Organization, alarms[i].Consumer}
		alarms[i].LeasedUntil = micros(until)
		s.alarms[key], s.holders[key] = alarms[i], holder
	}
	return alarms
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
func (p port) Clear(ctx context.Context, id organization.ID, name string, upTo uint64, held messages.Alarm) error {
	return p.wait(ctx, writing, fmt.Sprintf("clear alarm %s %s %d", p.world.label(id), name, upTo), func() error {
		p.store.clear(instance{id, name}, upTo, held)
		return nil
	})
}

// Drop removes the cursor and the alarm of a consumer.
func (p port) Drop(ctx context.Context, id organization.ID, name string, version, upTo uint64, held messages.Alarm) error {
	return p.wait(ctx, writing, fmt.Sprintf("drop cursor %s %s %d", p.world.label(id), name, upTo), func() error {
		key := instance{id, name}
		if p.store.cursors[key].Version == version {
			p.store.clear(key, upTo, held)
			delete(p.store.cursors, key)
		}
		return nil
	})
}

const claimTime = 29*time.Second + 123_456_789

// Claim leases due alarms.
func (p port) Claim(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]messages.Alarm, error) {
	return p.claim(ctx, "claim alarms", func(holder string) []messages.Alarm { return p.store.claim(now, lease, limit, holder) })
}

// ClaimEach leases the given alarms.
func (p port) ClaimEach(ctx context.Context, now time.Time, lease time.Duration, wanted []messages.Alarm) ([]messages.Alarm, error) {
	slices.SortFunc(wanted, func(a, b messages.Alarm) int {
		return cmp.Or(cmp.Compare(a.Organization.String(), b.Organization.String()), cmp.Compare(a.Consumer, b.Consumer))
	})
	var text strings.Builder
	text.WriteString("claim")
	for _, one := range wanted {
		text.WriteString(" " + p.world.label(one.Organization) + " " + one.Consumer)
	}
	return p.claim(ctx, text.String(), func(holder string) []messages.Alarm { return p.store.claimEach(wanted, now, lease, holder) })
}

func (p port) claim(ctx context.Context, text string, lease func(holder string) []messages.Alarm) ([]messages.Alarm, error) {
	// The limit of the caller would end at the same time as its next tick, in an order that the scheduler chooses.
	ctx, cancel := context.WithTimeout(ctx, claimTime)
	defer cancel()
	p.claiming.Add(1)
	defer p.claiming.Add(-1)
	holder := ""
	if p.world.plan.Cluster {
		holder = p.identity().ID
	}
	var claimed []messages.Alarm
	err := p.wait(ctx, repeating, text, func() error {
		claimed = lease(holder)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return claimed, nil
}

// requestAlarm hands the request of an organization to the clock, in a step in which the clock does nothing else.
func (n *node) requestAlarm(id organization.ID, name string) {
	n.world.gate.add(&access{
		from: n, kind: stepping, text: "request alarm " + n.world.label(id) + " " + name, when: func() bool { return n.claiming.Load() == 0 },
		effect: func() error {
			n.mu.Lock()
			defer n.mu.Unlock()
			if n.clock != nil {
				n.clock.Request(id, name)
			}
			return nil
		}, answer: func(error) {},
	})
}
