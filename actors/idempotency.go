package actors

import (
	"context"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"equity/messages"
)

// keys are the remembered idempotency keys of an organization.
type keys struct {
	seen map[string]keyUse
	// recent contains the last replies by key, so that a retry shortly after the
	// first request needs no read.
	recent map[string]*messages.Reply
	order  []string
}

// keyUse is the range of events that were recorded with a key.
type keyUse struct {
	fingerprint string
	first, last uint64
	at          time.Time
}

// mostRecent bounds the cached replies.
const mostRecent = 256

func newKeys() *keys { return &keys{seen: map[string]keyUse{}, recent: map[string]*messages.Reply{}} }

func (k *keys) add(key, fingerprint string, sequence uint64, at time.Time) {
	use, known := k.seen[key]
	if !known || sequence != use.last+1 { // the events of one command are consecutive
		use = keyUse{fingerprint: fingerprint, first: sequence, at: at}
	}
	use.last = sequence
	k.seen[key] = use
}

func (k *keys) remember(key string, reply *messages.Reply) {
	if len(k.order) == mostRecent {
		delete(k.recent, k.order[0])
		k.order = k.order[1:]
	}
	k.recent[key] = reply
	k.order = append(k.order, key)
}

// alwaysRemembered is the number of last rows with keys that never expire.
const alwaysRemembered = 1000

// forget removes the keys used before the given time, except those of the last rows.
func (k *keys) forget(before time.Time, last uint64) {
	for key, use := range k.seen {
		if use.at.Before(before) && use.last+alwaysRemembered <= last {
			delete(k.seen, key)
			delete(k.recent, key)
		}
	}
}

// record remembers the command's idempotency key, which the rows from first to the head have.
func (k *keys) record(m *messages.Command, first uint64, end head, reply *messages.Reply) {
	if m.IdempotencyKey == "" {
		return
	}
	for sequence := first; sequence <= end.sequence; sequence++ {
		k.add(m.IdempotencyKey, m.Fingerprint, sequence, end.at)
	}
	if end.sequence-first < bulkSize-1 { // the reply to a bulk takes much memory; the journal has it
		k.remember(m.IdempotencyKey, reply)
	}
}

// answer returns the answer to a command with a used key, or false if the command is to be decided.
func (k *keys) answer(m *messages.Command, caller *actor.PID) (waiter, bool) {
	use, used := k.seen[m.IdempotencyKey]
	if m.IdempotencyKey == "" || !used {
		return waiter{}, false
	}
	switch first, recent := k.recent[m.IdempotencyKey]; {
	case use.fingerprint != m.Fingerprint:
		return waiter{caller: caller, reply: &messages.Reply{Err: messages.ErrKeyReused}}, true
	case m.DryRun:
		return waiter{}, false
	case recent:
		again := *first
		again.Replayed = true
		return waiter{caller: caller, reply: &again, recorded: true}, true
	default:
		return waiter{caller: caller, reply: &replay{first: use.first, last: use.last}, recorded: true}, true
	}
}

// replay answers a repeated command whose events are no longer cached:
// the caller reads them from the journal.
type replay struct{ first, last uint64 }

// IgnoreDeadLetterLogging keeps undelivered answers out of the logs.
func (*replay) IgnoreDeadLetterLogging() {}

// reply rebuilds the original answer to a command from its events.
func (h *history) reply(ctx context.Context, command *messages.Command, m *replay) (messages.Reply, error) {
	id := command.Organization
	view, err := h.view(ctx, id, m.last)
	if err != nil {
		return messages.Reply{}, err
	}
	reply := messages.Reply{Sequence: m.last, Replayed: true}
	err = h.shared.journal.Scan(ctx, id, m.first-1, m.last, func(row messages.Row) error {
		event, err := h.shared.settings.Schema.Decode(row.Type, row.Payload)
		reply.Events = append(reply.Events, event)
		return err
	})
	if err != nil {
		h.shared.log.Warn("reply not rebuilt", "organization", id.String(), "sequence", m.last, "cause", err)
		return messages.Reply{}, messages.ErrUnavailable
	}
	reply.Result = resultOf(command, reply.Events, view.State)
	return reply, nil
}
