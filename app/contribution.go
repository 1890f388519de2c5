package app

import (
	"context"
	"net/http"
	"time"

	"equity/config"
	"equity/organization"
)

// Assistant answers messages for components of the server, in place of users.
type Assistant interface {
	// Answer returns the reply to a message. The message is data and no instruction of a user.
	Answer(ctx context.Context, q Question) (reply string, err error)
}

// Question is a message for the assistant.
type Question struct {
	Organization organization.ID
	// Component is the name of the component in the journal and in logs.
	Component string
	// ID identifies the question. A repetition has the same.
	ID string
	// Reads returns the reader with whose rights the tools of the assistant read, or false if nothing may be read.
	Reads func(state *organization.State) (organization.Reader, bool)
	// Message is the text. Model is empty for that of the settings.
	Message, Model string
	// Time is the time limit of the answer.
	Time time.Duration
}

// Deliver posts a reply of the assistant in the team of the organization: in the channel with the name, or in the default one if it is
// empty. It returns the reason if the reply cannot be posted. The key makes a repetition post nothing.
type Deliver func(ctx context.Context, id organization.ID, key, to, reply string) (reason string, err error)

// The reasons for which replies are not posted.
const (
	DeliveryNotConfigured = "channelNotConfigured"
	DeliveryNoChannel     = "channelNotFound"
)

// Handler answers the requests that it handles, before the server does.
type Handler interface {
	http.Handler
	Handles(r *http.Request) bool
}

// Places bound the child processes of one kind of work.
type Places struct {
	// AtOnce bounds the children of the server, and OfGroup those of one organization, so that it leaves places to others.
	AtOnce, OfGroup int
	// Wait is the time for which a work waits for a place.
	Wait time.Duration
}

// Command is a subcommand of the program.
type Command struct {
	// Name is the word of the command line, Help the line in the list of commands, and Detail the text of its own help.
	Name, Help, Detail string
	// Ready returns an error if the settings do not permit the command. It is called before the store is opened.
	Ready func(c config.Config) error
	// Run executes the command. The core has the settings, store, child processes, ids, log and clock.
	Run func(ctx context.Context, core Core, serve Serve) error
}

// Serve answers requests at the address with the handler until the context ends. Setting is the name of the setting with the address.
type Serve func(ctx context.Context, setting, address string, handler http.Handler) error
