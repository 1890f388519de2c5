package hook

import (
	"context"

	"equity/app"
	"equity/features/hook/token"
	"equity/hooks"
	"equity/organization"
)

// component is the name of the member as which runs read.
const component = "hooks"

// assistant answers the messages of runs with the assistant.
type assistant struct{ app.Assistant }

// Run answers the message of a run. The message is data, and the tools read with the rights of the token.
func (a assistant) Run(ctx context.Context, request RunRequest) (hooks.Result, error) {
	reply, err := a.Answer(ctx, app.Question{
		Organization: request.Source.Organization, Component: component, ID: request.RunID, Reads: ReaderOf(request.Source),
		Message: request.Message, Model: request.Model, Time: request.Timeout,
	})
	if err != nil {
		return hooks.Result{}, err
	}
	return hooks.Result{Status: hooks.StatusOK, Summary: reply, Reply: reply}, nil
}

// ReaderOf returns the function that returns the reader of runs of the source.
func ReaderOf(source hooks.Source) func(state *organization.State) (organization.Reader, bool) {
	return func(state *organization.State) (organization.Reader, bool) {
		return token.Reader(state, token.ID(source.Token))
	}
}
