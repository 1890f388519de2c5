// Package messages defines the messages between callers, actors and stores of an
// organization: commands and replies, views, and the rows of the journal.
// Messages are immutable once sent.
package messages
