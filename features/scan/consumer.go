package scan

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"equity/actors/consumer"
	"equity/app"
	"equity/messages"
	"equity/organization"
	"equity/organization/document"
)

// Scanner examines contents.
type Scanner interface {
	// Scan returns the name of the malware in the content, empty for a clean content, or [ErrTooLarge].
	Scan(ctx context.Context, content io.Reader) (malware string, err error)
}

// Files opens stored files.
type Files interface {
	// Open returns the bytes with the hash. Reading altered bytes fails.
	Open(ctx context.Context, id organization.ID, sha256 string) (io.ReadCloser, error)
}

// Options are the dependencies of the consumer.
type Options struct {
	Scanner Scanner
	Files   Files
	Owners  app.Owners
	// Organizations start after the consumer.
	Organizations app.Organizations
	Now           func() time.Time
}

// Consumer examines stored files. Their contents are served after the scan only.
type Consumer struct{ Options }

// NewConsumer returns the consumer.
func NewConsumer(o Options) *Consumer { return &Consumer{o} }

const (
	consumerName = "scan"
	by           = "system:scan"
	// again is the time until files with a failed scan are examined again: the limits of the scanner may have been changed.
	again = time.Hour
)

// Name returns scan.
func (*Consumer) Name() string { return consumerName }

// Limits returns the constants. Attempts are not bounded: a file waits until the scanner is available.
func (*Consumer) Limits() consumer.Limits { return consumer.Limits{Chunk: 1} }

// Wants selects stored files and failed scans.
func (*Consumer) Wants(_ *organization.State, eventType string, each func(string)) {
	if eventType == (document.FileStored{}).EventType() {
		each("")
	}
}

// Handle examines the next file, and files with a failed scan if their time has come.
func (c *Consumer) Handle(ctx context.Context, work consumer.Work) consumer.Outcome {
	events, err := work.Events(ctx, 1)
	if err != nil {
		return consumer.Outcome{Err: err}
	}
	if len(events) == 0 {
		return c.repeat(ctx, work)
	}
	var stored document.FileStored
	if err := json.Unmarshal(events[0].Payload, &stored); err != nil {
		return consumer.Outcome{Err: consumer.Permanent(fmt.Errorf("read event: %w", err))}
	}
	view, err := work.ViewSince(ctx, c.Organizations, events[0].Sequence)
	if err != nil {
		return consumer.Outcome{Err: err}
	}
	if view == nil {
		return consumer.Outcome{Later: c.Now().Add(consumer.PublishTime)}
	}
	file, exists := view.State.Documents().File(stored.ID)
	if !exists || file.Scan != document.ScanPending {
		return consumer.Outcome{Done: 1, Next: c.next(view.State.Documents().HasFailedScans())}
	}
	result, err := c.examine(ctx, view, file)
	if err != nil {
		return consumer.Outcome{Err: err}
	}
	failed := result == document.ScanFailed || view.State.Documents().HasFailedScans()
	return consumer.Outcome{Done: 1, Succeeded: true, Next: c.next(failed)}
}

// repeat examines the files with a failed scan.
func (c *Consumer) repeat(ctx context.Context, work consumer.Work) consumer.Outcome {
	view, err := c.Organizations.View(ctx, work.Organization)
	if err != nil {
		return consumer.Outcome{Err: err}
	}
	failed := false
	for file := range view.State.Documents().Files() {
		if file.Scan != document.ScanFailed || file.ErasedAt != 0 {
			continue
		}
		result := document.ScanFailed
		if !c.Now().Before(file.UpdatedAt.Time().Add(again)) {
			if result, err = c.examine(ctx, view, file); err != nil {
				return consumer.Outcome{Err: err}
			}
		}
		failed = failed || result == document.ScanFailed
	}
	return consumer.Outcome{Next: c.next(failed)}
}

// next returns the time of the repetition of failed scans, or zero without one.
func (c *Consumer) next(failed bool) time.Time {
	if failed {
		return c.Now().Add(again)
	}
	return time.Time{}
}

// examine scans a file and records the result. The owners are informed before the record, so that a crash in between repeats the notice.
func (c *Consumer) examine(ctx context.Context, view *messages.View, file *document.File) (document.Scan, error) {
	id := view.State.ID()
	result, malware, err := c.scan(ctx, id, file)
	if err != nil {
		return "", err
	}
	if malware != "" {
		if err := c.inform(ctx, view, file, malware); err != nil {
			return "", err
		}
	}
	_, err = c.Organizations.Do(ctx, messages.Command{
		Organization: id, By: by, At: c.Now(), Body: organization.Room{Command: document.RecordScan{ID: file.ID, Scan: result}},
	})
	return result, err
}

func (c *Consumer) scan(ctx context.Context, id organization.ID, file *document.File) (result document.Scan, malware string, err error) {
	content, err := c.Files.Open(ctx, id, file.SHA256)
	if err != nil {
		return "", "", fmt.Errorf("open file: %w", err)
	}
	defer func() { _ = content.Close() }() // it was only read
	malware, err = c.Scanner.Scan(ctx, content)
	switch {
	case errors.Is(err, ErrTooLarge):
		return document.ScanFailed, "", nil
	case err != nil:
		return "", "", err
	case malware != "":
		return document.ScanInfected, malware, nil
	}
	return document.ScanClean, "", nil
}

// inform stores a mail about an infected file to the owners.
func (c *Consumer) inform(ctx context.Context, view *messages.View, file *document.File, malware string) error {
	return c.Owners.Inform(ctx, view, "infected "+file.ID.String(), "An infected file was uploaded",
		"The virus scan found a file of "+oneLine(view.State.Profile().Name)+" infected.\n\nFile: "+file.Name+"\nFound: "+oneLine(malware)+
			"\n\nIt cannot be opened or downloaded. Delete it, and check the device from which it was uploaded.\n")
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
