package bench

import (
	"context"
	"io"
	"log/slog"
	"time"

	"equity/actors"
	"equity/captable"
	"equity/organization"
)

// Unexported functions for the tests.

// Exchange sends one request over a new connection and returns the response.
func Exchange(ctx context.Context, address string, request []byte, status int, wanted bool) (etag string, body []byte, err error) {
	c, err := dial(ctx, address)
	if err != nil {
		return "", nil, err
	}
	defer c.close()
	return c.answer(request, status, wanted)
}

// ExchangeTwice sends the request twice over one connection without reading the first body.
func ExchangeTwice(ctx context.Context, address string, request []byte, status int) error {
	c, err := dial(ctx, address)
	if err != nil {
		return err
	}
	defer c.close()
	if err := c.exchange(request, status); err != nil {
		return err
	}
	return c.exchange(request, status)
}

// NewRequest calls newRequest.
func NewRequest(method, path, host, cookie string, body []byte, headers ...string) []byte {
	return newRequest(method, path, host, cookie, body, headers...)
}

// Load calls load with the same request for all callers.
func Load(ctx context.Context, address string, callers int, d time.Duration, status int, request []byte) (done int64, rate float64, err error) {
	r, err := load(ctx, address, callers, d, status, func(int) Request { return request })
	if err != nil {
		return 0, 0, err
	}
	return r.done, r.rate(), nil
}

// Request is request.
type Request = request

// ErrAnswer is errAnswer.
var ErrAnswer = errAnswer

// Median is median.
func Median(values ...float64) float64 { return median(values) }

// PrintTable prints the table of one ratio and one plain figure.
func PrintTable(out io.Writer, ours, theirs []float64, figure float64) error {
	return printTable(out, []row{
		ratio("compared", "requests/s", "≥ 2×", ours, theirs),
		{what: "alone", ours: figure, unit: "KB", reach: "≤ 1.5", note: "noted"},
	})
}

// Seed writes a company with the given numbers of holders and events.
func Seed(journal Journal, holders int, events uint64) (organization.ID, *organization.State, uint64, error) {
	s := newSeeder(journal, organization.NewSchema())
	security, entities, err := s.company(organization.Founder{User: newID(), Entity: newID(), Name: "Bench"}, "Seeded", holders)
	if err == nil {
		err = s.issue(security, entities, events)
	}
	return s.id, s.state, s.last, err
}

// Figure is one result of a run.
type Figure struct {
	What         string
	Ours, Theirs float64
}

// AtRest measures a history of the given length and a number of idle organizations.
func AtRest(ctx context.Context, journal actors.Journal, events uint64, idle int) ([]Figure, error) {
	r := reviver{schema: organization.NewSchema(), journal: journal, log: slog.New(slog.DiscardHandler), events: events, rounds: 1}
	rows, err := r.measure(ctx)
	if err != nil {
		return nil, err
	}
	last, err := r.idle(ctx, idle)
	var figures []Figure
	for _, r := range append(rows, last) {
		figures = append(figures, Figure{r.what, r.ours, r.theirs})
	}
	return figures, err
}

// SignIn calls signIn and returns the cookie.
func SignIn(ctx context.Context, a Addresses) (string, error) {
	_, cookie, err := signIn(ctx, a)
	return cookie, err
}

// Issued returns the issued quantity of the security in the baseline, and the numbers of its
// rows and audit rows.
func (b *Baseline) Issued(ctx context.Context, org organization.ID, security captable.SecurityID) (issued string, rows, audits int, err error) {
	err = b.store.Reader().QueryRowContext(ctx, `SELECT issued, (SELECT count(*) FROM bench_shareholding WHERE security = $1),
		(SELECT count(*) FROM bench_audit WHERE organization = $2) FROM bench_security WHERE id = $1`,
		security[:], org[:]).Scan(&issued, &rows, &audits)
	return issued, rows, audits, err
}

// Computed runs the computations on a company with the given number of holders.
func Computed(holders, rounds int) ([]Figure, error) {
	rows, err := computed(holders, rounds, time.Millisecond)
	var figures []Figure
	for _, r := range rows {
		figures = append(figures, Figure{r.what, r.ours, r.theirs})
	}
	return figures, err
}

// Fill fills the journal up to the number of organizations in two steps, and returns the ids, the milliseconds of first reads, and the
// kilobytes of a live organization.
func Fill(ctx context.Context, journal actors.Journal, organizations int) (ids []organization.ID, took []float64, kilobytes float64, err error) {
	f := &filler{options: Options{Schema: organization.NewSchema()}}
	for _, number := range []int{organizations / 2, organizations} {
		if err := f.fill(ctx, journal, number); err != nil {
			return nil, nil, 0, err
		}
	}
	if took, err = f.firstReads(ctx, journal); err != nil {
		return nil, nil, 0, err
	}
	kilobytes, err = f.memory(ctx, journal, organizations)
	return f.ids, took, kilobytes, err
}

// ArriveAfter opens a connection, sends one request after the pause, and returns the number of accepted ones.
func ArriveAfter(ctx context.Context, address string, pause time.Duration) (accepted int, err error) {
	s := &senders{address: address}
	if err := s.open(ctx); err != nil {
		return 0, err
	}
	s.run(ctx, func(context.Context, time.Time) {
		time.Sleep(pause)
		s.send(time.Now(), newRequest("POST", "/", address, "", nil, "Content-Length: 0"))
	})
	s.close()
	return len(s.outcome.accepted), s.failure
}
