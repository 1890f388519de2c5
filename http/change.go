package http

import (
	"context"
	"net/http"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// decide carries out a command in the organization of the call.
func (s *Server) decide(ctx context.Context, c *Call, command messages.Command) (messages.Reply, error) {
	reply, err := s.organizations.Do(ctx, command)
	return reply, doing(ctx, c.operation.id+" "+c.Organization.String(), err)
}

// decideOn carries out a command without a result. If-Match applies to the record with the id.
func (s *Server) decideOn(ctx context.Context, c *Call, body organization.Command, id any) (messages.Reply, error) {
	command, err := c.command(body, id)
	if err != nil {
		return messages.Reply{}, err
	}
	return s.decide(ctx, c, command)
}

// decideFor carries out a command and returns its result. If-Match applies to the record with the id.
func decideFor[R any](ctx context.Context, s *Server, c *Call, body organization.CommandOf[R], id any) (R, messages.Reply, error) {
	command, err := c.command(body, id)
	if err != nil {
		var none R
		return none, messages.Reply{}, err
	}
	result, reply, err := messages.Do(ctx, s.organizations, command, body)
	return result, reply, doing(ctx, c.operation.id+" "+c.Organization.String(), err)
}

// decideByMembers is decideFor for a command that depends on the members of the call's view. It stores the particulars
// with the command's events.
func decideByMembers[R any](
	ctx context.Context, s *Server, c *Call, body organization.CommandOf[R], id any, particulars ...messages.Particular,
) (R, messages.Reply, error) {
	command, err := c.command(body, id)
	if err != nil {
		var none R
		return none, messages.Reply{}, err
	}
	command.Particulars, command.MembersAsOf = particulars, c.View.Sequence
	result, reply, err := messages.Do(ctx, s.organizations, command, body)
	return result, reply, doing(ctx, c.operation.id+" "+c.Organization.String(), err)
}

// shown is the JSON form of a command's result.
type shown struct {
	record any
	// version is the version of the record; 0 stands for the sequence of the change.
	version uint64
	// location is the path of a new record; empty if no record was created.
	location string
}

// alter carries out a command of the cap table. It returns the result as formatted by show, or the preview of a dry run.
// If-Match applies to the record with the id. When show runs, the call has the view after the change.
func alter[R any](
	ctx context.Context, s *Server, c *Call, command captable.CommandOf[R], id any, show func(result R) shown,
) (Answer, error) {
	return change(ctx, s, c, organization.InTable(command), id, show)
}

// change is alter for a command of the organization.
func change[R any](
	ctx context.Context, s *Server, c *Call, command organization.CommandOf[R], id any, show func(result R) shown,
) (Answer, error) {
	result, reply, err := decideFor(ctx, s, c, command, id)
	if err != nil {
		return Answer{}, err
	}
	s.renewView(ctx, c)
	formatted := show(result)
	if c.DryRun() {
		return s.preview(c, reply, formatted.record), nil
	}
	if formatted.version == 0 {
		formatted.version = reply.Sequence
	}
	answer := answered(formatted.record, versionTag(formatted.version, reply.Sequence))
	if formatted.location != "" {
		answer = created(formatted.record, formatted.location, answer.ETag)
	}
	answer.Replayed = reply.Replayed
	return answer, nil
}

// renewView replaces the view of the call by the present one. Without a present view, the earlier view is a good
// substitute, because members are never deleted.
func (s *Server) renewView(ctx context.Context, c *Call) {
	if view, err := s.view(ctx, c.Organization); err == nil && view.Sequence >= c.View.Sequence {
		c.View = view
	}
}

// remove carries out a command that deletes a record. If-Match applies to the record with the id.
func (s *Server) remove(ctx context.Context, c *Call, command organization.Command, id any) (Answer, error) {
	reply, err := s.decideOn(ctx, c, command, id)
	if err != nil {
		return Answer{}, err
	}
	if c.DryRun() {
		return s.preview(c, reply), nil
	}
	return Answer{Status: http.StatusNoContent}, nil
}

// about returns a handler that decodes a command for the record of a path parameter. setID stores the record's id in
// the command; do carries it out.
func about[C captable.CommandOf[R], T, R any](
	parameter string, setID func(command *C, id captable.ID[T]),
	do func(ctx context.Context, c *Call, id captable.ID[T], command captable.CommandOf[R]) (Answer, error),
) Handler {
	return func(ctx context.Context, c *Call) (Answer, error) {
		command, err := decode[C](c)
		if err != nil {
			return Answer{}, err
		}
		id := pathID[T](c, parameter)
		setID(&command, id)
		return do(ctx, c, id, command)
	}
}
