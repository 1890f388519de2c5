// Package assistant answers messages of users with a language model, or with an embedded grammar, and carries out tools for it.
//
// A tool is an operation of the contract, executed as the user. Reading tools run at once. A changing tool runs as a dry run and becomes
// a step ([messages.Step]), which the user confirms. The confirmed command is refused if its events would differ from those of the preview.
//
// An exchange (one message and its answer) runs beside the organization's actor, because the actor must not wait. The actor owns what has
// to be serial: the limits of tool calls, the number of concurrent exchanges, and the confirmed commands.
//
// The files: changes.go executes tools and keeps steps, confirm.go decides about them, exchange.go is the loop between model and tools,
// context.go builds its input, choice.go selects the tools for a message, uses.go stores the calls of tools. The packages openai,
// anthropic and embedded are the providers.
package assistant
