package messages

import (
	"context"
	"errors"

	"equity/organization"
)

// errNoResult reports that a reply does not contain the result of its command.
var errNoResult = errors.New("the reply does not contain the result of the command")

// Executor executes commands.
type Executor interface {
	// Do returns the reply after the events are durable.
	Do(ctx context.Context, command Command) (Reply, error)
}

// With returns the command with the body and its result. Messages to actors are not generic, so the type of the
// result is erased here and restored by [ResultOf].
func With[R any](command Command, body organization.CommandOf[R]) Command {
	command.Body = body
	command.Result = func(events []organization.Event, after *organization.State) (any, bool) {
		return organization.ResultOf(body, events, after)
	}
	return command
}

// ResultOf returns the result in the reply to a command made by [With].
func ResultOf[R any](reply Reply) (R, error) {
	result, ok := reply.Result.(R)
	if !ok {
		return result, errNoResult
	}
	return result, nil
}

// Do executes the command with the body, and returns the result of the body and the reply.
func Do[R any](ctx context.Context, executor Executor, command Command, body organization.CommandOf[R]) (R, Reply, error) {
	reply, err := executor.Do(ctx, With(command, body))
	if err != nil {
		var none R
		return none, reply, err
	}
	result, err := ResultOf[R](reply)
	return result, reply, err
}
