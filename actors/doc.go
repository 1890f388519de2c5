// Package actors gives every organization one actor, so that its changes happen
// one after another without a lock, and everybody else a view to read.
//
// [Organizations] is the way in. Behind it a supervisor starts an organization's
// actor on first use, forwards commands to it, ends it when it was idle for long,
// and starts it anew, ever more slowly, when it fails.
//
// An organization's actor decides a command at once against its working state and
// puts the events into a batch; the caller waits. One batch at a time is being
// appended to the journal; when it is durable, its state is published as a view and
// its callers are answered, and the next batch leaves. So nobody is told of what
// could still be lost, and an organization commits as fast as its store can take
// batches rather than as fast as it can take commands. What is refused or rehearsed
// on events that are not yet durable is answered with them.
//
// Whatever fails, every caller is answered: see [messages.ErrOutcomeUnknown] and
// [messages.ErrUnavailable]. A command whose handling panics is answered with the code
// internal; everybody else goes on.
package actors
