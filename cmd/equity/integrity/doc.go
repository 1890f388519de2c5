// Package integrity checks a store for `equity verify`: each journal against its hashes, and every derived table
// against a replay of the journal. It can rebuild derived tables. It never changes a journal.
package integrity
