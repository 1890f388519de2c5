package bench

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"sync/atomic"
	"time"

	"equity/actors"
	"equity/actors/system"
	"equity/captable"
	"equity/captable/exact"
	"equity/organization"
	"equity/persistence"
)

// The sizes of the group many: the organizations of the smaller store, those in memory at the same time, and those whose first
// read is measured.
const (
	fewOrganizations  = 1000
	liveOrganizations = 10_000
	firstReads        = 200
	// fillAtOnce is the number of appends in flight while the store is filled. The committer stores them in groups.
	fillAtOnce = 4096
	// MinOrganizations is the minimum size of a store of many organizations.
	MinOrganizations = 2 * fewOrganizations
)

// many compares a store with many organizations with a store that has a thousand of them: the start of the server, the first read of an
// organization, and the memory of organizations.
func many(ctx context.Context, o Options) ([]row, error) {
	var few, all measuredStore
	var err error
	f := &filler{options: o}
	if few, err = f.measure(ctx, fewOrganizations); err != nil {
		return nil, err
	}
	begin := time.Now()
	if all, err = f.measure(ctx, o.Organizations); err != nil {
		return nil, err
	}
	filled := time.Since(begin) - all.took
	suffix := fmt.Sprintf(", %s organizations against %s", number(float64(o.Organizations)), number(fewOrganizations))
	return []row{
		{
			what: "organizations stored", ours: float64(o.Organizations-fewOrganizations) / filled.Seconds(), unit: "organizations/s",
			note: fmt.Sprintf("in %s", filled.Round(time.Second)),
		},
		ratio("start of the server"+suffix, "s", "≤ 1.2×", all.start, few.start),
		ratio("first read"+suffix, "ms", "≤ 1.5×", all.first, few.first),
		ratio(fmt.Sprintf("memory of a live organization, %d against %d live", all.live, few.live), "KB", "≤ 1.1×", all.memory, few.memory),
	}, nil
}

// measuredStore are the figures of a store: of each start and of each first read, and the memory for one live organization.
type measuredStore struct {
	start, first, memory []float64
	live                 int
	took                 time.Duration
}

// filler fills a store with small organizations.
type filler struct {
	options Options
	ids     []organization.ID
}

// measure fills the store up to the number of organizations, and measures it.
func (f *filler) measure(ctx context.Context, organizations int) (m measuredStore, err error) {
	db, err := persistence.Open(ctx, f.options.DatabaseURL)
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if _, err := db.Migrate(ctx); err != nil {
		return m, err
	}
	journal := persistence.NewJournal(db)
	defer func() { err = errors.Join(err, journal.Close()) }()
	if err := f.fill(ctx, journal, organizations); err != nil {
		return m, err
	}
	begin := time.Now()
	if m.first, err = f.firstReads(ctx, journal); err != nil {
		return m, err
	}
	m.live = min(liveOrganizations, organizations)
	kilobytes, err := f.memory(ctx, journal, m.live)
	if err != nil {
		return m, err
	}
	m.memory = []float64{kilobytes}
	for range f.options.Rounds {
		started := time.Now()
		server, err := startChild(ctx, f.options.Arguments, f.options.Environment, os.Stderr)
		if err != nil {
			return m, err
		}
		m.start = append(m.start, time.Since(started).Seconds())
		if err := server.stop(); err != nil {
			return m, err
		}
	}
	m.took = time.Since(begin)
	return m, nil
}

// fill stores organizations with one class and one shareholding.
func (f *filler) fill(ctx context.Context, journal Journal, organizations int) error {
	turns := make(chan struct{}, fillAtOnce)
	var failed atomic.Pointer[error] // the first one
	for len(f.ids) < organizations && ctx.Err() == nil && failed.Load() == nil {
		s := newSeeder(journal, f.options.Schema)
		founder := organization.Founder{User: newID(), Entity: newID(), Name: "Bench"}
		security, _, err := s.company(founder, "One of many", 0)
		if err == nil {
			_, err = s.do(organization.Table{Command: captable.IssueShareholding{
				HolderRef: captable.HolderRef{Entity: founder.Entity}, Security: security,
				Shares: exact.NewDecimal(100), IssueDate: exact.MustDate("2024-03-15"),
			}})
		}
		if err != nil {
			return err
		}
		f.ids = append(f.ids, s.id)
		turns <- struct{}{}
		journal.Append(s.batch, func(err error) {
			if err != nil {
				failed.CompareAndSwap(nil, &err)
			}
			<-turns
		})
	}
	for range fillAtOnce { // until all are stored
		turns <- struct{}{}
	}
	if err := failed.Load(); err != nil {
		return *err
	}
	return ctx.Err()
}

// actors starts actors on the journal and calls use.
func (f *filler) actors(ctx context.Context, journal actors.Journal, use func(*actors.Organizations) error) error {
	log := slog.New(slog.DiscardHandler)
	settings := reviver{schema: f.options.Schema}.settings()
	organizations := actors.NewOrganizations(system.New(log), journal, settings, log)
	return errors.Join(use(organizations), organizations.Stop(ctx))
}

// firstReads returns the milliseconds of reads of random organizations that are not in memory.
func (f *filler) firstReads(ctx context.Context, journal actors.Journal) (took []float64, err error) {
	err = f.actors(ctx, journal, func(organizations *actors.Organizations) error {
		for range firstReads {
			begin := time.Now()
			if _, err := organizations.View(ctx, f.ids[rand.IntN(len(f.ids))]); err != nil { //nolint:gosec // a sample
				return err
			}
			took = append(took, time.Since(begin).Seconds()*1000)
		}
		return nil
	})
	return took, err
}

// memory returns the kilobytes of the heap for each of the live organizations.
func (f *filler) memory(ctx context.Context, journal actors.Journal, live int) (kilobytes float64, err error) {
	err = f.actors(ctx, journal, func(organizations *actors.Organizations) error {
		before := heap()
		for _, i := range rand.Perm(len(f.ids))[:live] { //nolint:gosec // a sample
			if _, err := organizations.View(ctx, f.ids[i]); err != nil {
				return err
			}
		}
		kilobytes = float64(heap()-before) / float64(live) / 1024
		if now := organizations.Live(); now != live {
			return fmt.Errorf("%d organizations are in memory; want %d", now, live)
		}
		return nil
	})
	return kilobytes, err
}
