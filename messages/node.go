package messages

import (
	"errors"
	"time"
)

// Node is a running server of a store.
type Node struct {
	// ID is unique for each start of a server.
	ID string
	// Address is the private host and port at which other nodes reach it; empty for a server that is not part of a cluster.
	Address string
	// Name describes the process in messages: host and process id.
	Name string
	// Silent is the time since the last heartbeat, by the clock of the database.
	Silent time.Duration
}

// ErrRemoved reports that another server has taken the place of this one, while this one had no connection to the database.
var ErrRemoved = errors.New("another server uses the database since the connection of this one to it has ended")

// OtherServerError refuses the start of a server.
type OtherServerError struct{ Other Node }

// Error names the other server and the required change.
func (e *OtherServerError) Error() string {
	if e.Other.Address == "" {
		return "another server uses this database (" + e.Other.Name + "): stop it first; several servers need CLUSTER_ADDRESS, each its own"
	}
	return "a cluster uses this database (" + e.Other.Name + " at " + e.Other.Address + "): set CLUSTER_ADDRESS to join it, or stop all its servers first"
}
