package api

import (
	"context"
	"net/http"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// Do carries out a command in the organization of the call.
func (s *Kernel) Do(ctx context.Context, c *Call, command messages.Command) (messages.Reply, error) {
	reply, err := s.organizations.Do(ctx, command)
	return reply, Wrap(ctx, c.OperationID()+" "+c.Organization.String(), err)
}

// Decide carries out a command without a result. If-Match applies to the record with the id.
func (s *Kernel) Decide(ctx context.Context, c *Call, body organization.Command, id any) (messages.Reply, error) {
	command, err := c.Command(body, id)
	if err != nil {
		return messages.Reply{}, err
	}
	return s.Do(ctx, c, command)
}

// DecideFor carries out a command and returns its result. If-Match applies to the record with the id.
func DecideFor[R any](ctx context.Context, s *Kernel, c *Call, body organization.CommandOf[R], id any) (R, messages.Reply, error) {
	command, err := c.Command(body, id)
	if err != nil {
		var none R
		return none, messages.Reply{}, err
	}
	result, reply, err := messages.Do(ctx, s.organizations, command, body)
	return result, reply, Wrap(ctx, c.OperationID()+" "+c.Organization.String(), err)
}

// Result is the JSON form of a command's result.
type Result struct {
	Record any
	// Version is the version of the record; 0 stands for the sequence of the change.
	Version uint64
	// Location is the path of a new record; empty if no record was created.
	Location string
}

// Change carries out a command of the cap table. It returns the result as formatted by show, or the preview of a dry run.
// If-Match applies to the record with the id. When show runs, the call has the view after the change.
func Change[R any](
	ctx context.Context, s *Kernel, c *Call, command captable.CommandOf[R], id any, show func(result R) Result,
) (Answer, error) {
	return ChangeOrganization(ctx, s, c, organization.TableCommand(command), id, show)
}

// ChangeOrganization is alter for a command of the organization.
func ChangeOrganization[R any](
	ctx context.Context, s *Kernel, c *Call, command organization.CommandOf[R], id any, show func(result R) Result,
) (Answer, error) {
	result, reply, err := DecideFor(ctx, s, c, command, id)
	if err != nil {
		return Answer{}, err
	}
	s.renewView(ctx, c)
	formatted := show(result)
	if c.DryRun() {
		return s.Preview(c, reply, formatted.Record), nil
	}
	if formatted.Version == 0 {
		formatted.Version = reply.Sequence
	}
	answer := Answered(formatted.Record, VersionTag(formatted.Version, reply.Sequence))
	if formatted.Location != "" {
		answer = Created(formatted.Record, formatted.Location, answer.ETag)
	}
	answer.Replayed = reply.Replayed
	return answer, nil
}

// renewView replaces the view of the call by the present one. Without a present view, the earlier view is a good
// substitute, because members are never deleted.
func (s *Kernel) renewView(ctx context.Context, c *Call) {
	if view, err := s.View(ctx, c.Organization); err == nil && view.Sequence >= c.View.Sequence {
		c.View = view
	}
}

// remove carries out a command that deletes a record. If-Match applies to the record with the id.
func (s *Kernel) remove(ctx context.Context, c *Call, command organization.Command, id any) (Answer, error) {
	reply, err := s.Decide(ctx, c, command, id)
	if err != nil {
		return Answer{}, err
	}
	if c.DryRun() {
		return s.Preview(c, reply), nil
	}
	return Answer{Status: http.StatusNoContent}, nil
}

// About returns a handler that decodes a command for the record of a path parameter. setID stores the record's id in
// the command; do carries it out.
func About[C captable.CommandOf[R], T, R any](
	parameter string, setID func(command *C, id captable.ID[T]),
	do func(ctx context.Context, c *Call, id captable.ID[T], command captable.CommandOf[R]) (Answer, error),
) Handler {
	return func(ctx context.Context, c *Call) (Answer, error) {
		command, err := Decode[C](c)
		if err != nil {
			return Answer{}, err
		}
		id := PathID[T](c, parameter)
		setID(&command, id)
		return do(ctx, c, id, command)
	}
}
