package http

import (
	"context"
	"fmt"
	"net/http"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// about returns the handler of an operation whose body is a command for the record in a path
// parameter. setID stores the record's id in the command; do carries out the command.
func about[C captable.Command, R any](
	parameter string, setID func(command *C, id captable.ID[R]),
	do func(ctx context.Context, c *Call, id captable.ID[R], command captable.Command) (Answer, error),
) Handler {
	return func(ctx context.Context, c *Call) (Answer, error) {
		command, err := decode[C](c)
		if err != nil {
			return Answer{}, err
		}
		id := pathID[R](c, parameter)
		setID(&command, id)
		return do(ctx, c, id, command)
	}
}

// shown is the result of changing a record.
type shown struct {
	record  any
	version uint64
	// location is the path of a new record; empty if no record was created.
	location string
}

// alter carries out a command of the cap table. It returns the result of show, or the preview of a dry
// run. If-Match applies to the record with the id of.
func (s *Server) alter(
	ctx context.Context, c *Call, command captable.Command, of any, show func(messages.Reply) (shown, error),
) (Answer, error) {
	return s.change(ctx, c, organization.Table{Command: command}, of, show)
}

// change is alter for a command of the organization.
func (s *Server) change(
	ctx context.Context, c *Call, command organization.Command, about any, show func(messages.Reply) (shown, error),
) (Answer, error) {
	reply, err := s.decideOn(ctx, c, command, about)
	if err != nil {
		return Answer{}, err
	}
	made, err := show(reply)
	if err != nil {
		return Answer{}, err
	}
	if c.DryRun() {
		return s.preview(c, reply, made.record), nil
	}
	answer := answered(made.record, versionTag(made.version, reply.Sequence))
	if made.location != "" {
		answer = created(made.record, made.location, answer.ETag)
	}
	answer.Replayed = reply.Replayed
	return answer, nil
}

// remove carries out a command that deletes a record.
func (s *Server) remove(ctx context.Context, c *Call, command captable.Command, about any) (Answer, error) {
	return s.drop(ctx, c, organization.Table{Command: command}, about)
}

// drop is remove for a command of the organization.
func (s *Server) drop(ctx context.Context, c *Call, command organization.Command, about any) (Answer, error) {
	reply, err := s.decideOn(ctx, c, command, about)
	if err != nil {
		return Answer{}, err
	}
	if c.DryRun() {
		return s.preview(c, reply), nil
	}
	return Answer{Status: http.StatusNoContent}, nil
}

// touched returns the first affected record of type R. A missing record is a programming error.
func touched[R any](reply messages.Reply) (R, error) {
	record, ok := messages.First[R](reply.Records)
	if !ok {
		return record, fmt.Errorf("the change touched no %T", record)
	}
	return record, nil
}

// read returns one record of the call's view, or 304 if the caller has the current version.
func (c *Call) read(record any, version uint64) Answer {
	return c.readTagged(record, c.recordTag(version))
}

// readOn is read for a record with figures of a day, which can differ on the next day.
func (c *Call) readOn(record any, version uint64) Answer {
	return c.readTagged(record, c.recordTag(version))
}

func (c *Call) readTagged(record any, tag string) Answer {
	if c.unchanged(tag) {
		return notModified(tag)
	}
	return answered(record, tag)
}

// shownPage converts every record of a page with show.
func shownPage[R any](found page[R], show func(R) any) page[any] {
	made := page[any]{Data: make([]any, 0, len(found.Data)), NextCursor: found.NextCursor}
	for _, record := range found.Data {
		made.Data = append(made.Data, show(record))
	}
	return made
}
