package equity

import (
	"context"
	"io"
	"time"

	"equity/captable/ocf"
	"equity/http/admission"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// history holds the events of an exported package.
type history struct {
	api.Journal
	api.Index

	pause *pause
}

// Scan reads the rows with pauses.
func (h history) Scan(ctx context.Context, id organization.ID, after, upTo uint64, each func(messages.Row) error) error {
	return h.Journal.Scan(ctx, id, after, upTo, func(row messages.Row) error {
		h.pause.rest(ctx)
		return each(row)
	})
}

// pause interrupts long work at short intervals, so that short requests do not wait for a processor. Without other requests there is no pause.
type pause struct{ since time.Time }

// The longest work without a pause, and the longest pause.
const (
	workBeforePause = 500 * time.Microsecond
	longestPause    = 2 * time.Millisecond
)

// rest sleeps as long as the work took since the last pause, if that is due.
func (p *pause) rest(ctx context.Context) {
	worked := time.Since(p.since)
	if worked < workBeforePause {
		return
	}
	if !admission.IsAlone(ctx) {
		time.Sleep(min(worked, longestPause))
	}
	p.since = time.Now()
}

// exportPackage streams the organization as a package of the Open Cap Format. Without permission to view members, it omits
// the particulars of holders. The package is complete and compressed before the first byte, so that an error of the
// journal has its own status.
func (s capTables) exportPackage(ctx context.Context, c *api.Call, name string) (api.Answer, error) {
	c.Personal = c.Can(organization.ViewMembers)
	return c.StreamShared(api.ContentZip, name, func() ([]byte, func(io.Writer) error, error) {
		pause := &pause{time.Now()}
		// The time of the view, not the clock, so that equal states produce equal bytes.
		cover := ocf.Cover{AsOf: through(c), GeneratedAt: c.View.RecordedAt, Rest: func() { pause.rest(ctx) }}
		archive, err := messages.Package(
			ctx, s.Schema, history{s.Journal, s.Index, pause}, c.Organization, c.View.Sequence, cover, c.Personal,
		)
		if err != nil {
			return nil, nil, api.Unavailable(err)
		}
		return archive.Sum[:], archive.WriteZip, nil
	})
}
