// Package cluster keeps the list of the servers of a cluster, and the order in which they are asked to serve the writes of an organization.
//
// The list is soft: it follows heartbeats in the database, and this server's own failures to reach others. A wrong list costs a collision of
// two appends, never a wrong answer, because the key of the journal orders the writes.
package cluster
