// Package actors runs one actor per organization, which serializes its changes without
// a lock. Readers use immutable views.
//
// [Organizations] is the entry point. Its supervisor starts an organization's
// actor on first use, forwards commands to it, ends it after an idle time,
// and restarts it with increasing delays after failures.
//
// The actor decides a command immediately against its working state and
// adds the events to a batch; the caller waits. One batch at a time is
// appended to the journal. When it is durable, its state is published as a view,
// its callers are answered, and the next batch is sent. So replies never contain
// events that could still be lost, and an organization commits as fast as its store
// accepts batches, not as fast as it receives commands. Refusals and dry runs that
// depend on pending events are answered together with them.
//
// Every caller is answered after any failure: see [messages.ErrOutcomeUnknown] and
// [messages.ErrUnavailable]. A command that panics is answered with the code
// internal; other commands are not affected.
//
// The files follow the life of a write: organizations.go accepts the command,
// supervisor.go forwards it, load.go starts the organization from snapshot.go and the
// journal, organization.go decides the command, commit.go records, appends and answers
// it, and views.go publishes the result. bulk.go handles commands of many rows,
// idempotency.go repeated commands, and damaged.go organizations with a damaged journal.
package actors
