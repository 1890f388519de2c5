package messages

import (
	"errors"
	"time"

	"equity/organization"
)

// Node is a running server of a store.
type Node struct {
	// ID is unique for each start of a server.
	ID string
	// Address is the private host and port at which other nodes reach it; empty for a server that is not part of a cluster.
	Address string
	// Name describes the process in messages: host and process id.
	Name string
	// Leaving reports that the node hands over its organizations.
	Leaving bool
	// Epoch is the last epoch whose placement the node obeys.
	Epoch uint64
}

// Nodes are the running servers of a store.
type Nodes struct {
	// Epoch counts the changes of the list.
	Epoch uint64
	// List is in order of the ids.
	List []Node
	// Announced are the organizations to which others than their owners append.
	Announced []Announced
	// Renewed is a time before the renewal that returned the list, with a monotonic reading.
	Renewed time.Time
}

// Announced is an organization to which a member appends that does not own it, with the last sequence of its journal.
type Announced struct {
	Organization organization.ID
	Sequence     uint64
}

// NodeTimes are the times of a node. Others may take over its organizations when its lease has ended and its connection to the database has
// ended too, or when it has expired.
type NodeTimes struct {
	// Heartbeat is the time between two renewals.
	Heartbeat time.Duration
	// Lease is the time after a renewal during which the node may answer; 0 if it answers without a lease.
	Lease time.Duration
	// Expiry is the time after a renewal at which the node is removed.
	Expiry time.Duration
}

// ErrRemoved reports that a node was removed from the list, because it did not renew its lease in time.
var ErrRemoved = errors.New("this server did not renew its lease in the database in time, and another server may have taken over its work")

// OtherServerError refuses the start of a server.
type OtherServerError struct{ Other Node }

// Error names the other server and the required change.
func (e *OtherServerError) Error() string {
	if e.Other.Address == "" {
		return "another server uses this database (" + e.Other.Name + "): stop it first; several servers need CLUSTER_ADDRESS, each its own"
	}
	return "a cluster uses this database (" + e.Other.Name + " at " + e.Other.Address + "): set CLUSTER_ADDRESS to join it, or stop all its servers first"
}
