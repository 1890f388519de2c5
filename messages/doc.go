// Package messages is what callers, actors and stores say to each other about an
// organization: commands and their replies, views, and the rows of its journal.
// Messages are immutable once sent.
package messages
