package http

import (
	"context"
	"fmt"
	"net/http"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// about makes the handler of an operation whose body is a command about the record that a
// parameter of the path names: the command is told its id, and do carries it out.
func about[C captable.Command, R any](
	parameter string, tell func(command *C, id captable.ID[R]),
	do func(ctx context.Context, c *Call, id captable.ID[R], command captable.Command) (Answer, error),
) Handler {
	return func(ctx context.Context, c *Call) (Answer, error) {
		command, err := decode[C](c)
		if err != nil {
			return Answer{}, err
		}
		id := pathID[R](c, parameter)
		tell(&command, id)
		return do(ctx, c, id, command)
	}
}

// shown is what a change of a record answers with.
type shown struct {
	record  any
	version uint64
	// location is where a new record is; empty when none was made.
	location string
}

// alter carries out a command of the cap table and answers what show makes of the
// reply, or the preview of a dry run. About is the id that If-Match is about.
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

// remove carries out a command that leaves no record behind.
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

// touched gives the first record of the type that the command touched. That there is
// none would be a mistake of ours.
func touched[R any](reply messages.Reply) (R, error) {
	record, ok := messages.First[R](reply.Records)
	if !ok {
		return record, fmt.Errorf("the change touched no %T", record)
	}
	return record, nil
}

// read answers one record of the call's view; 304 when the caller has it.
func (c *Call) read(record any, version uint64) Answer {
	return c.readTagged(record, c.recordTag(version))
}

// readOn is read for a record whose figures are of a day: tomorrow they may be others.
func (c *Call) readOn(record any, version uint64) Answer {
	return c.readTagged(record, c.recordTag(version))
}

func (c *Call) readTagged(record any, tag string) Answer {
	if c.unchanged(tag) {
		return notModified(tag)
	}
	return answered(record, tag)
}

// shownPage shows every record of a page.
func shownPage[R any](found page[R], show func(R) any) page[any] {
	made := page[any]{Data: make([]any, 0, len(found.Data)), NextCursor: found.NextCursor}
	for _, record := range found.Data {
		made.Data = append(made.Data, show(record))
	}
	return made
}
