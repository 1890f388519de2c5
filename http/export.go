package http

import (
	"context"
	"time"

	"equity/captable/ocf"
	"equity/messages"
	"equity/organization"
)

// history holds the events of an exported package.
type history struct {
	Journal
	Index

	pause *pause
}

// Scan reads the rows with pauses.
func (h history) Scan(ctx context.Context, id organization.ID, after, upTo uint64, each func(messages.Row) error) error {
	return h.Journal.Scan(ctx, id, after, upTo, func(row messages.Row) error {
		h.pause.rest()
		return each(row)
	})
}

// pause interrupts long work at short intervals, so that short requests do not wait for a processor.
type pause struct{ since time.Time }

// The longest work without a pause, and the longest pause.
const (
	workBeforePause = 2 * time.Millisecond
	longestPause    = 2 * time.Millisecond
)

// rest sleeps as long as the work took since the last pause, if that is due.
func (p *pause) rest() {
	worked := time.Since(p.since)
	if worked < workBeforePause {
		return
	}
	time.Sleep(min(worked, longestPause))
	p.since = time.Now()
}

// exportPackage streams the organization as a package of the Open Cap Format. Without permission to view members, it omits
// the particulars of holders. The objects of the package are collected before the first byte, so that an error of the
// journal has its own status.
func (s *Server) exportPackage(ctx context.Context, c *Call, name string) (Answer, error) {
	key := c.answerKey()
	key.scope = scope{permissions: c.Permissions}
	personal := c.Can(organization.ViewMembers)
	if tag := c.tagOf(key); !personal && c.unchanged(tag) {
		return notModified(tag), nil
	}
	pause := &pause{time.Now()}
	// The time of the view, not the clock, so that equal states produce equal bytes.
	cover := ocf.Cover{AsOf: c.through(), GeneratedAt: c.View.RecordedAt, Rest: pause.rest}
	archive, err := messages.Package(ctx, history{s.journal, s.index, pause}, c.Organization, c.View.Sequence, cover, personal)
	if err != nil {
		return Answer{}, unavailable(err)
	}
	if personal { // an erasure changes the content
		key.content = string(archive.Sum[:])
	}
	tag := c.tagOf(key)
	if c.unchanged(tag) {
		return notModified(tag), nil
	}
	return Answer{ContentType: contentZip, ETag: tag, FileName: name, Stream: archive.WriteZip}, nil
}
