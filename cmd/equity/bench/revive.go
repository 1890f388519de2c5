package bench

import (
	"context"
	"log/slog"
	"runtime"
	"time"

	"equity/actors"
	"equity/actors/system"
	"equity/messages"
	"equity/organization"
)

// reviver measures the loading of a large organization.
type reviver struct {
	schema  *organization.Schema
	journal actors.Journal
	log     *slog.Logger
	events  uint64
	rounds  int
}

// The history starts with its holders, to which shares are then issued in turn.
const (
	holdersOfHistory = 1000
	// MinEvents is the minimum length of a useful history: about half of it issues shares.
	MinEvents = 2 * holdersOfHistory
)

func (r reviver) settings() actors.Settings {
	return actors.Settings{
		Schema: r.schema, PassivateAfter: time.Hour, SnapshotEvery: 1 << 62, RememberKeys: time.Hour, Patience: 5 * time.Minute,
		Now: time.Now, NewID: newID,
	}
}

// measure seeds an organization and compares loading it, without and with a
// snapshot, with scanning and decoding its journal, in alternation.
func (r reviver) measure(ctx context.Context) ([]row, error) {
	s := newSeeder(r.journal, r.schema)
	founder := organization.Founder{User: newID(), Entity: newID(), Name: "Bench"}
	security, holders, err := s.company(founder, "Revival", holdersOfHistory)
	if err != nil {
		return nil, err
	}
	if err := s.issue(security, holders, r.events); err != nil {
		return nil, err
	}
	var bare, without, with []float64
	for range r.rounds {
		seconds, err := r.scan(ctx, s.id)
		if err != nil {
			return nil, err
		}
		bare = append(bare, seconds)
		if seconds, err = r.revive(ctx, s.id); err != nil {
			return nil, err
		}
		without = append(without, seconds)
	}
	if err := r.journal.SaveSnapshot(ctx, s.id, messages.NewSnapshot(s.last, s.hash, s.state)); err != nil {
		return nil, err
	}
	for range r.rounds {
		seconds, err := r.revive(ctx, s.id)
		if err != nil {
			return nil, err
		}
		with = append(with, seconds)
	}
	memory, err := r.memory(ctx, s.id)
	if err != nil {
		return nil, err
	}
	return []row{
		ratio("revival from the journal alone, "+number(float64(r.events))+" events", "s", "≤ 1.5×", without, bare),
		ratio("revival with a snapshot", "s", "≤ 0.1×", with, bare),
		memory,
	}, nil
}

// scan reads and decodes the journal and discards the events.
func (r reviver) scan(ctx context.Context, id organization.ID) (float64, error) {
	runtime.GC()
	begin := time.Now()
	err := r.journal.Scan(ctx, id, 0, 0, func(row messages.Row) error {
		_, err := r.schema.Decode(row.Type, row.Payload)
		return err
	})
	return time.Since(begin).Seconds(), err
}

// revive loads the organization with new actors.
func (r reviver) revive(ctx context.Context, id organization.ID) (float64, error) {
	runtime.GC()
	organizations := actors.NewOrganizations(system.New(r.log), r.journal, r.settings(), r.log)
	begin := time.Now()
	_, err := organizations.View(ctx, id)
	took := time.Since(begin).Seconds()
	if err != nil {
		return 0, err
	}
	return took, organizations.Stop(ctx)
}

// memory measures the growth of the heap by the loaded organization.
func (r reviver) memory(ctx context.Context, id organization.ID) (row, error) {
	organizations := actors.NewOrganizations(system.New(r.log), r.journal, r.settings(), r.log)
	before := heap()
	view, err := organizations.View(ctx, id)
	if err != nil {
		return row{}, err
	}
	gained := heap() - before
	_, _, shareholdings := view.State.Table().Counts()
	runtime.KeepAlive(view)
	if err := organizations.Stop(ctx); err != nil {
		return row{}, err
	}
	return row{
		what: "memory of a live organization, per shareholding of " + number(float64(shareholdings)),
		ours: float64(gained) / float64(shareholdings) / 1024, unit: "KB", reach: "≤ 1.5",
	}, nil
}

// idle measures the memory of idle organizations.
func (r reviver) idle(ctx context.Context, count int) (row, error) {
	ids := make([]organization.ID, 0, count)
	for range count {
		s := newSeeder(r.journal, r.schema)
		founder := organization.Founder{User: newID(), Entity: newID(), Name: "Bench"}
		if _, _, err := s.company(founder, "Idle", 10); err != nil {
			return row{}, err
		}
		if err := s.flush(); err != nil {
			return row{}, err
		}
		ids = append(ids, s.id)
	}
	settings := r.settings()
	settings.PassivateAfter = 200 * time.Millisecond
	organizations := actors.NewOrganizations(system.New(r.log), r.journal, settings, r.log)
	before := heap()
	for _, id := range ids {
		if _, err := organizations.View(ctx, id); err != nil {
			return row{}, err
		}
	}
	live := float64(heap()-before) / float64(count) / 1024
	for organizations.Live() > 0 && ctx.Err() == nil {
		time.Sleep(50 * time.Millisecond)
	}
	left := max(float64(heap()-before), 0) / float64(count) / 1024
	if err := organizations.Stop(ctx); err != nil {
		return row{}, err
	}
	return row{
		what: "memory per idle organization", ours: left, unit: "KB", reach: "nothing",
		note: "while in use " + number(live) + " KB each",
	}, nil
}

// heap returns the bytes of live objects.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc) //nolint:gosec // far below 2^63
}
